"""Counterfactual regret minimization, one iteration at a time."""

from __future__ import annotations

from typing import Literal

from reference.averaging import AVERAGINGS, Averaging
from reference.local_rules import RULES, LocalRule, normalized
from reference.thresholding import Threshold, no_threshold, thresholded
from reference.traversal import CounterfactualValues, counterfactual_values
from reference.tree import Infoset, Sequence, Strategy, grown
from secateur.games.rules import Game


class ReferenceCFR:
    """The oracle.

    Simultaneous updates, iteration t: both players face sigma^t; then both update.
    Alternating updates: player 0 faces sigma_1^t and updates; then player 1 faces the new
    sigma_0 and updates.

    In both modes the average strategy of a player sums the strategies which the opponent
    *faced*: it grows immediately before the opponent's traversal. So the regrets of one player
    and the average of the other always speak of the same strategies.
    """

    def __init__(
        self,
        game: Game,
        rule: str | LocalRule = "rm",
        averaging: str | Averaging = "uniform",
        updates: Literal["alternating", "simultaneous"] = "alternating",
        partial_pruning: bool = False,
        threshold: Threshold = no_threshold,
    ) -> None:
        if updates not in ("alternating", "simultaneous"):
            raise ValueError(f"updates: {updates!r}")
        self.tree = grown(game)
        self.rule = RULES[rule] if isinstance(rule, str) else rule
        self.averaging = AVERAGINGS[averaging] if isinstance(averaging, str) else averaging
        self.updates = updates
        self.partial_pruning = partial_pruning
        self.threshold = threshold

        self.iteration = 0
        self.nodes_touched = 0
        cells = [cell for infoset in self.tree.infosets.values() for cell in infoset.cells]
        self.regret: dict[Sequence, float] = dict.fromkeys(cells, 0.0)
        self.strategy_sum: dict[Sequence, float] = dict.fromkeys(cells, 0.0)
        """S(I, a) = sum_t omega_t pi_i^t(I) sigma^t(I, a), over the strategies faced."""
        self._strategy = self.tree.uniform_strategy()

    def step(self, n: int = 1) -> None:
        """Run n iterations."""
        for _ in range(n):
            self.iteration += 1
            if self.updates == "simultaneous":
                self._accumulate(0)
                self._accumulate(1)
                seen = [self._traverse(0), self._traverse(1)]
                self._update(0, seen[0])
                self._update(1, seen[1])
            else:
                for player in (0, 1):
                    self._accumulate(1 - player)
                    self._update(player, self._traverse(player))

    def current_strategy(self) -> Strategy:
        """Return sigma^{t+1}, which the next iteration begins with."""
        return {key: list(probabilities) for key, probabilities in self._strategy.items()}

    def average_strategy(self) -> Strategy:
        """Return S(I, a) / sum_b S(I, b); uniform where the player never came."""
        return {
            key: normalized([self.strategy_sum[cell] for cell in infoset.cells])
            for key, infoset in self.tree.infosets.items()
        }

    def _accumulate(self, player: int) -> None:
        """S(I, a) += omega_t pi_i(I) sigma(I, a), down the player's own tree.

        The pass visits no histories, so it reaches also what the opponent never plays to.
        """
        weight = self.averaging.weight(self.iteration)
        own_reach: dict[Sequence | None, float] = {None: 1.0}
        for infoset in self.tree.of_player(player):
            reach = own_reach[infoset.parent]
            for sequence, probability in zip(
                infoset.cells, self._strategy[infoset.key], strict=True
            ):
                own_reach[sequence] = reach * probability
                self.strategy_sum[sequence] += weight * reach * probability

    def _traverse(self, player: int) -> CounterfactualValues:
        found = counterfactual_values(self.tree, player, self._strategy, self.partial_pruning)
        self.nodes_touched += found.nodes_touched
        return found

    def _update(self, player: int, found: CounterfactualValues) -> None:
        """Apply the local rule to r(I, a) = v(I, a) - sum_b sigma(I, b) v(I, b).

        Every information set of the player is updated, also those the traversal did not touch:
        they saw r = 0, but some rules change their state even then.
        """
        for infoset in self.tree.of_player(player):
            strategy = self._strategy[infoset.key]
            values = found.action_values[infoset.key]
            value = sum(p * v for p, v in zip(strategy, values, strict=True))
            seen = [v - value for v in values]
            before = [self.regret[cell] for cell in infoset.cells]
            regrets = self.rule.update(before, seen, self.iteration)
            self.regret.update(zip(infoset.cells, regrets, strict=True))
            self._strategy[infoset.key] = self._cut_small(
                infoset, self._next_strategy(infoset, value, regrets, seen)
            )

    def _next_strategy(
        self,
        infoset: Infoset,
        value: float,
        regrets: list[float],
        seen: list[float],
    ) -> list[float]:
        """Return what the local rule plays after v(I) = ``value``, before thresholding."""
        return normalized(self.rule.scores(regrets, seen, self.iteration))

    def _cut_small(self, infoset: Infoset, strategy: list[float]) -> list[float]:
        """Return sigma^{t+1} from what the local rule plays."""
        if self.threshold is no_threshold:
            return strategy
        return thresholded(strategy, self.threshold(len(infoset.actions), self.iteration + 1))
