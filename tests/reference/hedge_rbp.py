"""Interval regret-based pruning for Hedge."""

from __future__ import annotations

from math import exp, inf, log
from typing import Any

from reference.hedge import LearningRates, Rate, softmax
from reference.interval_rbp import ReferenceRBP
from reference.thresholding import Threshold
from reference.tree import Infoset, InfosetKey, Sequence
from secateur.games.rules import Game


class ReferenceHedgeRBP(ReferenceRBP):
    """Interval regret-based pruning for Hedge with dynamic thresholding.

    Instead of regret zero, an action is skipped up to the regret at which its probability would be
    the threshold of the next iteration, thr. With eta = eta_t and sums over other actions b,

        exp(eta R) / (exp(eta R) + sum_b exp(eta R(b))) < thr
        R < ln(thr / (1 - thr) * sum_b exp(eta R(b))) / eta

    While (I, a) is pruned, R is its bound and b runs over the actions that are not pruned. At the
    start b runs over the actions that are played, which are sure to stay, and the limit is at most
    the regret up to which an action is not played now. In either case it is at most the largest
    regret: the most probable action is always played.

    An information set behind a pruned action takes k skipped iterations, in which it is declared
    to have won X(I), for k observations of X(I) / k.

    The strategy changes with t even where nobody comes: it is chosen anew everywhere.
    """

    def __init__(
        self,
        game: Game,
        threshold: Threshold,
        rate: Rate = "variance",
        **options: Any,
    ) -> None:
        super().__init__(game, "rm", threshold=threshold, **options)
        self.rates = LearningRates(self.tree, self.branches, rate)
        self._frozen_at: dict[InfosetKey, int] = {}

    def _learn(self, infoset: Infoset, values: list[float], reach: float) -> None:
        strategy = self._strategy[infoset.key]
        value = sum(p * v for p, v in zip(strategy, values, strict=True))
        self.rates.values[infoset.key].append(value)
        super()._learn(infoset, values, reach)

    def _play(self, infoset: Infoset, regrets: list[float], seen: list[float]) -> list[float]:
        return softmax(regrets, self.rates.of(infoset))

    def _prune(self, player: int) -> None:
        super()._prune(player)
        for infoset in self._active_infosets(player):
            self._match(infoset)

    def _limit_at_start(self, cell: Sequence) -> float:
        infoset = self.tree.infosets[cell[0]]
        cells = self._open_cells(infoset)
        play = self._play(infoset, [self.regret[each] for each in cells], [])
        kept = self._cut_small(infoset, play)
        mass = sum(p for p, q in zip(play, kept, strict=True) if q > 0)
        return min(self._limit(infoset, mass), self._regret_of(infoset, self._threshold(infoset)))

    def _limit_while_pruned(self, cell: Sequence) -> float:
        return self._limit(self.tree.infosets[cell[0]], 1.0)

    def _limit(self, infoset: Infoset, mass: float) -> float:
        """Return the limit of regret among open actions whose probability is ``mass``."""
        threshold = self._threshold(infoset)
        odds = threshold / (1 - threshold) if threshold < 1 else inf
        return self._regret_of(infoset, odds * mass)

    def _regret_of(self, infoset: Infoset, probability: float) -> float:
        """Return the regret of an action that is as probable, but at most the largest."""
        rate = self.rates.of(infoset)
        regrets = [self.regret[cell] for cell in self._open_cells(infoset)]
        if rate == 0.0 or probability == 0.0:
            return -inf
        mass = sum(exp(rate * (regret - max(regrets))) for regret in regrets)
        return max(regrets) + min(0.0, log(probability * mass) / rate)

    def _threshold(self, infoset: Infoset) -> float:
        return self.threshold(len(infoset.actions), self.iteration + 1)

    def _start(self, cell: Sequence, skip: float) -> None:
        super()._start(cell, skip)
        for infoset in self.branches.below(cell):
            self._frozen_at[infoset.key] = self.iteration

    def _catch_up(self, cell: Sequence) -> None:
        below = self.branches.below(cell)
        before = {infoset.key: self.sumv[infoset.key] for infoset in below}
        super()._catch_up(cell)
        for key, sumv in before.items():
            skipped = self.iteration - self._frozen_at[key]
            self.rates.values[key] += [(self.sumv[key] - sumv) / skipped] * skipped
            self._frozen_at[key] = self.iteration
