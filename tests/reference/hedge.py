"""Hedge: probabilities are exponential in regret."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any, Literal

from reference.branches import Branches, branches_of
from reference.cfr import ReferenceCFR
from reference.tree import Infoset, InfosetKey, Tree
from secateur.games.rules import Game

Rate = Literal["variance", "theory"]


def softmax(regrets: list[float], rate: float) -> list[float]:
    """(8): exp(eta R(a)) / sum_b exp(eta R(b)), without overflow; below exp(-708), zero."""
    largest = max(regrets)
    exponents = [rate * (regret - largest) for regret in regrets]
    weights = [exp(x) if x >= -708 else 0.0 for x in exponents]
    return [weight / sum(weights) for weight in weights]


class LearningRates:
    """eta_t(I) of every information set, from all that was observed there.

    *variance*: sqrt(ln |A|) / (3 sqrt(VAR_t) sqrt(t)), where VAR_t is the variance of v^1(I) ..
    v^t(I), iterations that did not come to I included: they observed 0. It counts as zero if it
    is at most 1e-12 of the mean square; then, as always with *theory*, the rate is
    sqrt(8 ln |A|) / (Delta(I) sqrt(t)). Delta(I) is the range of payoffs behind I.
    """

    def __init__(self, tree: Tree, branches: Branches, rate: Rate) -> None:
        self.rate = rate
        self.values: dict[InfosetKey, list[float]] = {key: [] for key in tree.infosets}
        """v^1(I), v^2(I), ..."""

        self.payoff_range = {
            key: max(branches.best_payoff[key, a] for a in infoset.actions)
            - branches.worst_payoff[key]
            for key, infoset in tree.infosets.items()
        }

    def of(self, infoset: Infoset) -> float:
        """Return eta_t."""
        values = self.values[infoset.key]
        t, log_actions = len(values), log(len(infoset.actions))
        if self.rate == "variance":
            mean = sum(values) / t
            variance = sum((value - mean) ** 2 for value in values) / t
            if variance > 1e-12 * sum(value**2 for value in values) / t:
                return sqrt(log_actions) / (3 * sqrt(variance) * sqrt(t))
        spread = self.payoff_range[infoset.key]
        return sqrt(8 * log_actions) / (spread * sqrt(t)) if spread > 0 else 0.0


class ReferenceHedge(ReferenceCFR):
    """Counterfactual regret minimization with Hedge; R += r."""

    def __init__(self, game: Game, *arguments: Any, rate: Rate = "variance", **options: Any):
        super().__init__(game, "rm", *arguments, **options)
        self.rates = LearningRates(self.tree, branches_of(self.tree), rate)

    def _next_strategy(
        self, infoset: Infoset, value: float, regrets: list[float], seen: list[float]
    ) -> list[float]:
        self.rates.values[infoset.key].append(value)
        return softmax(regrets, self.rates.of(infoset))
