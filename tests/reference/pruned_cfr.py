"""What all kinds of regret-based pruning share: one iteration around pruned actions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import inf
from typing import Any, Literal

from reference.averaging import Averaging
from reference.branches import branches_of
from reference.cfr import ReferenceCFR
from reference.local_rules import LocalRule, normalized
from reference.pruned_traversal import pruned_counterfactual_values
from reference.pruning_ledger import Event, Space
from reference.thresholding import Threshold, no_threshold
from reference.traversal import CounterfactualValues
from reference.tree import Infoset, InfosetKey, Sequence, Strategy
from secateur.games.rules import Game


class PrunedCFR(ReferenceCFR):
    """Counterfactual regret minimization in which a player may skip own actions for a while.

    A *pruned* action (I, a) has probability 0 and nothing behind it is visited; the own
    information sets D(I, a) behind it are not *active*. All pruned actions lie at active
    information sets: what is pruned is never inside something pruned.

    Weights w_t are those of the average strategy or, if a kind of pruning says so, others. After
    its traversal of iteration t a player does, at each active I,

        sumv(I)         += w_t v^t(I)
        reach_sum(I)    += w_t pi_{-i}^t(I)
        action_sumv(I,a) += w_t v^t(I, a)                        if a is not pruned
        R(I, a)          by the local rule                       if a is not pruned
        R(I, a)         += w_t (pi_{-i}^t(I) U(I, a) - v^t(I))   if a is pruned

    so that the regret cell of a pruned action holds an upper bound, and then decides what to
    prune. v^t(I) is exact although pruned actions are not visited: they have probability 0.

    The next strategy is that of the local rule over the actions that are not pruned: mostly
    proportional to max(0, R(I, a)), and uniform over them if none is positive.
    """

    def __init__(
        self,
        game: Game,
        rule: LocalRule,
        averaging: str | Averaging,
        updates: Literal["alternating", "simultaneous"],
        min_skip: float,
        tolerance: float,
        threshold: Threshold = no_threshold,
    ) -> None:
        super().__init__(game, rule, averaging, updates, True, threshold)
        if min_skip < 1:
            raise ValueError(f"min_skip: {min_skip!r} is less than one iteration")
        self.min_skip = min_skip
        self.tolerance = tolerance
        self.branches = branches_of(self.tree)

        self.sumv: dict[InfosetKey, float] = dict.fromkeys(self.tree.infosets, 0.0)
        """sum_t w_t v^t(I)."""

        self.action_sumv: dict[Sequence, float] = dict.fromkeys(self.regret, 0.0)
        """sum_t w_t v^t(I, a); of a pruned action nothing that may be used."""

        self.reach_sum: dict[InfosetKey, float] = dict.fromkeys(self.tree.infosets, 0.0)
        """sum_t w_t pi_{-i}^t(I)."""

        self.pruned: set[Sequence] = set()
        self.active: set[InfosetKey] = set(self.tree.infosets)
        self.events: list[Event] = []
        self.overhead_nodes = 0
        """Histories visited to find out what pruned actions are worth; not in nodes_touched."""

        self._own = [self.tree.of_player(player) for player in (0, 1)]

    def regret_weight(self, t: int) -> float:
        """Return w_t."""
        return 1.0

    @property
    def total_weight(self) -> float:
        """W = sum_{s <= t} w_s."""
        return float(self.iteration)

    def current_strategy(self) -> Strategy:
        """Return sigma^{t+1}; uniform where there is none because the player will not get there."""
        return self.tree.uniform_strategy() | super().current_strategy()

    def space(self) -> Space:
        """Count the numbers that are stored."""
        return Space(
            regret_cells=self._regret_cells(),
            strategy_cells=sum(mass > 0 for mass in self.strategy_sum.values()),
            total_cells=len(self.strategy_sum),
        )

    @abstractmethod
    def _regret_cells(self) -> int:
        """Return how many cells have a regret."""

    @abstractmethod
    def _prune(self, player: int) -> None:
        """Decide what the player prunes from the next iteration on."""

    def _accumulate(self, player: int) -> None:
        weight = self.averaging.weight(self.iteration)
        self._add_play(player, weight, self.strategy_sum)

    def _add_play(self, player: int, weight: float, sums: dict[Sequence, float]) -> None:
        """S(I, a) += weight pi_i(I) sigma(I, a), down the player's own tree.

        Where the player does not get there may be no strategy, and there is nothing to add.
        """
        own_reach: dict[Sequence | None, float] = {None: 1.0}
        for infoset in self._own[player]:
            reach = own_reach.get(infoset.parent, 0.0)
            if reach == 0.0:
                continue
            for sequence, probability in zip(
                infoset.cells, self._strategy[infoset.key], strict=True
            ):
                own_reach[sequence] = reach * probability
                sums[sequence] += weight * reach * probability

    def _traverse(self, player: int) -> CounterfactualValues:
        found = pruned_counterfactual_values(self.tree, player, self._strategy, self.pruned)
        self.nodes_touched += found.nodes_touched
        return found

    def _update(self, player: int, found: CounterfactualValues) -> None:
        for infoset in self._own[player]:
            if infoset.key in self.active:
                self._learn(infoset, found.action_values[infoset.key], found.reach[infoset.key])
        self._prune(player)

    def _learn(self, infoset: Infoset, values: list[float], reach: float) -> None:
        """Add one iteration to the sums and regrets of an active information set.

        Where the traversal did not come all values and the reach are 0 and nothing changes.
        """
        key = infoset.key
        weight = self.regret_weight(self.iteration)
        value = sum(p * v for p, v in zip(self._strategy[key], values, strict=True))
        self.sumv[key] += weight * value
        self.reach_sum[key] += weight * reach
        open_cells, seen = [], []
        for cell, action_value in zip(infoset.cells, values, strict=True):
            if cell in self.pruned:
                self.regret[cell] += weight * self._growth(cell, reach, value)
            else:
                self.action_sumv[cell] += weight * action_value
                open_cells.append(cell)
                seen.append(action_value - value)
        regrets = [self.regret[cell] for cell in open_cells]
        regrets = self.rule.update(regrets, seen, self.iteration)
        self.regret.update(zip(open_cells, regrets, strict=True))
        self._choose(infoset, self._play(infoset, regrets, seen))

    def _growth(self, cell: Sequence, reach: float, value: float) -> float:
        """Return the most by which a pruned action can have done better than v^t(I)."""
        return reach * self.branches.best_payoff[cell] - value

    def _match(self, infoset: Infoset) -> None:
        """Derive the strategy of an active information set from its regrets, nothing predicted."""
        regrets = [self.regret[cell] for cell in self._open_cells(infoset)]
        self._choose(infoset, self._play(infoset, regrets, [0.0] * len(regrets)))

    def _choose(self, infoset: Infoset, played: list[float]) -> None:
        """Let the actions that are not pruned be played like this."""
        cells = zip(self._open_cells(infoset), self._cut_small(infoset, played), strict=True)
        chosen = dict(cells)
        self._strategy[infoset.key] = [chosen.get(cell, 0.0) for cell in infoset.cells]

    def _play(self, infoset: Infoset, regrets: list[float], seen: list[float]) -> list[float]:
        """Return what the local rule plays over actions of these regrets, after r = ``seen``."""
        return normalized(self.rule.scores(regrets, seen, self.iteration))

    def _open_cells(self, infoset: Infoset) -> list[Sequence]:
        """Return the cells of an information set that are not pruned, in order of actions."""
        return [cell for cell in infoset.cells if cell not in self.pruned]

    def _pruned_cells(self, infosets: list[Infoset]) -> list[Sequence]:
        """Return the pruned cells of some information sets, in order of these and of actions."""
        return [cell for infoset in infosets for cell in infoset.cells if cell in self.pruned]

    def _active_infosets(self, player: int) -> Iterator[Infoset]:
        """Yield what is active at the moment its turn comes, in the order of the tree."""
        for infoset in self._own[player]:
            if infoset.key in self.active:
                yield infoset

    def _margin(self) -> float:
        """Return what counts as zero: rounding grows with the numbers summed."""
        return self.tolerance * (1 + self.total_weight) * self.branches.payoff_range

    def _estimated_skip(self, cell: Sequence, shortfall: float) -> float:
        """Return after how many iterations ``shortfall`` may be made up for.

        In one iteration a bound rises by at most w_t pi_{-i}^t(I) (U(I, a) - L(I)); the future
        reach is taken to be the average reach so far.
        """
        key, _ = cell
        spread = self.branches.best_payoff[cell] - self.branches.worst_payoff[key]
        average_reach = self.reach_sum[key] / self.total_weight
        speed = self.regret_weight(self.iteration) * average_reach * spread
        return inf if speed == 0.0 else shortfall / speed

    def _is_long(self, skip: float, share: float = 1.0) -> bool:
        """Return whether an estimated skip is worth it; infinite ``min_skip`` prunes nothing."""
        return self.min_skip < inf and skip >= max(1.0, share * self.min_skip)

    def _record(
        self, cell: Sequence, kind: Any, value: float, estimated_skip: float | None = None
    ) -> None:
        key, action = cell
        self.events.append(Event(self.iteration, key[0], key, action, kind, value, estimated_skip))
