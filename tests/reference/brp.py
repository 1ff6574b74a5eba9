"""Best-response pruning: skip an action whose best response loses, and forget what is behind it."""

from __future__ import annotations

from collections.abc import Container
from math import inf
from typing import Literal

from reference.averaging import total_weight
from reference.faced_average import BehavioralForm
from reference.local_rules import RULES
from reference.near_best_response import near_maximum
from reference.pruned_cfr import PrunedCFR
from reference.subtree import (
    ResponseValues,
    SubtreeSums,
    ends_alive,
    response_values,
    subtree_sums,
)
from reference.tree import Infoset, InfosetKey, Sequence
from secateur.games.rules import Game

ALGORITHMS = {
    "rm": ("rm", "uniform"),
    "rm+": ("rm+", "uniform"),
    "linear": ("linear", "linear"),
    "cfr+": ("rm+", "linear"),
    "dcfr": ("dcfr", "quadratic"),
    "dcfr+": ("dcfr+", "quartic"),
    "pcfr+": ("pcfr+", "quadratic"),
    "pdcfr+": ("pdcfr+", "quintic"),
    "sapcfr+": ("sapcfr+", "quadratic"),
}
"""Local rules and averages, by the names of algorithms."""

DISCARDS = {"sqrt": 0.5, "linear": 1.0, "quadratic": 2.0}

LEAST_REGRET = 2.0**-1000


class ReferenceBRP(PrunedCFR):
    """The oracle of best-response pruning, with any rule and average.

    V(I, a) is W times the counterfactual value of (I, a) when the opponent plays the average over
    all iterations so far and the player a best response to it behind (I, a). All sums have the
    weights w_t of the average strategy, W is the sum of these.

    *Start.* An action is pruned when V(I, a) < sumv(I), unless ``cut_played`` only if the rule does
    not play it: R(I, a) <= 0 (but for rounding). Let Gap(I) = V(I) - sumv(I). If regrets are sums
    with the same weights, gaps can be read off without visiting a history,

        V(I, a) - sumv(I) = action_sumv(I, a) - sumv(I) + sum_{I' in C(I, a)} Gap(I')
        Gap(I)            = max_a [V(I, a) - sumv(I)]

    where for a pruned action its bound takes the place of V(I, a) - sumv(I). With other rules V
    comes from a visit of all histories that the opponent's average reaches, but for what is behind
    pruned actions. All state behind (I, a) is freed, and pruned actions there are forgotten;
    reading it raises KeyError.

    Where regrets are no sums, the first search also replaces all sumv(I), by what the average
    strategies earn against each other: W v(I), where the player never came the best response's.
    And each search lets predictions lapse: the next strategies follow from regrets alone.

    *While pruned* the regret cell holds the upper bound
    V_t0(I, a) - sumv_t0(I) + sum w_t (pi_{-i}^t(I) U(I, a) - v^t(I)) of V(I, a) - sumv(I).
    With ``duration`` "fixed" it grows by w_t (U(I, a) - L(I)) in an iteration, whatever the reach.

    *Expiry.* When that bound is above -margin, or with ``duration`` "fixed" would be above margin
    after one more iteration, a visit of the histories behind (I, a) finds V(I, a). If it allows
    ``restart`` times ``min_skip`` more iterations, and at least one, pruning *continues* from
    V(I, a) - sumv(I).
    Otherwise it *ends* as if the response had been played in all iterations from the first on:

        R(I, a) = V(I, a) - sumv(I)
        sumv(I') = V(I'),  action_sumv(I', a') = V(I', a'),  R(I', a') = V(I', a') - V(I')
        reach_sum(I') = W pi_{-i}(I')                              of the opponent's average

    for I' in D(I, a), where actions that again lose enough are pruned at once and nothing behind
    those is brought back. Where regrets are no sums, they become max(0, R) / w_t instead of R; and
    if so none is positive at I', the first of its best actions gets the least positive regret, so
    that it is played.

    *Near best responses.* With ``softness`` > 0 the response at I' wins as little as possible
    while sum_a' max(0, V(I', a') - V(I'))^2 <= softness reach_sum(I')^2 / t Delta(I')^2 |A(I')|.

    *Discards.* With ``discard`` = C a pruned action also loses its sum of strategies, and so does
    everything behind it, once its average reach (S(I, a) + lost(I)) / W is at most C / sqrt(t)
    ("sqrt"), C / t ("linear") or C / t^2 ("quadratic"). ``lost`` is the mass discarded at I
    before. It stays when D is freed, because it belongs to the strategy sums, and is dropped in
    D(I, a) when (I, a) is discarded, because then lost(I) includes it. The last positive sum of an
    information set is never discarded.

    The order of decisions, where "in order" means the order of the tree's information sets and,
    in each, of its actions:

    1. After a player's update: expired actions in order. Inside a return, D(I, a) in order, so
       from the top down; actions pruned at once are those with V(I', a') - V(I') below -margin
       that allow ``min_skip`` iterations, margin = ``tolerance`` (1 + W) Delta.
    2. At the end of an iteration, if t is a multiple of ``check_every``, or in it: for both
       players gaps of all active information sets, then start tests at them in order. An action
       is pruned if its gap is below -margin and below Gap(I) - margin, it is not the action of
       largest gap among those not pruned (the first of equals), and ``min_skip`` iterations are
       expected.
    3. After that, in the same iterations, discards in order.

    The expected number of iterations is -gap / (w_t reach_sum(I)/W (U(I, a) - L(I))), where, once
    there are discards, reach_sum(I) is that of the average which is left; with
    ``duration`` "fixed" it is -gap / (w_{t+1} (U(I, a) - L(I))).

    Values of events: "start", "continue" and "end" V(I, a) - sumv(I), from the gaps or from the
    visit; "discard" the average reach.
    """

    def __init__(
        self,
        game: Game,
        algorithm: str = "rm",
        updates: Literal["alternating", "simultaneous"] = "alternating",
        min_skip: float = 5,
        check_every: int | Container[int] = 1,
        restart: float = 0.5,
        discard: float | None = None,
        discard_rule: Literal["sqrt", "linear", "quadratic"] = "sqrt",
        duration: Literal["reach", "fixed"] = "reach",
        softness: float = 0.0,
        tolerance: float = 1e-12,
        cut_played: bool = False,
    ) -> None:
        if algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm: {algorithm!r}")
        if discard_rule not in DISCARDS:
            raise ValueError(f"discard_rule: {discard_rule!r}")
        if duration not in ("reach", "fixed"):
            raise ValueError(f"duration: {duration!r}")
        rule, averaging = ALGORITHMS[algorithm]
        super().__init__(game, RULES[rule], averaging, updates, min_skip, tolerance)
        self.summed = algorithm in ("rm", "linear")
        self.cut_played = cut_played
        self.searched = False
        self.check_every = check_every
        self.restart = restart
        self.discard = discard
        self.discard_rule = discard_rule
        self.duration = duration
        self.softness = softness
        self.lost: dict[InfosetKey, float] = {}

    def regret_weight(self, t: int) -> float:
        return self.averaging.weight(t)

    @property
    def total_weight(self) -> float:
        return total_weight(self.averaging, self.iteration)

    def gaps(self, player: int) -> dict[Sequence, float]:
        """Return V(I, a) - sumv(I), or a bound of it, at all active information sets."""
        return self._gaps_of_sums(player) if self.summed else self._gaps_of_ends(player)

    def _gaps_of_ends(self, player: int) -> dict[Sequence, float]:
        """Visit all that the opponent's average reaches, but for what is pruned."""
        average = BehavioralForm(self.total_weight, self.strategy_sum, self.tree)
        ends, nodes = ends_alive(self.tree, player, average, self.pruned)
        self.overhead_nodes += nodes
        found: dict[Sequence, float] = {}
        best: dict[InfosetKey, float] = {}
        for infoset in reversed(list(self._active_infosets(player))):
            earned = self.sumv[infoset.key]
            for cell in infoset.cells:
                if cell in self.pruned:
                    found[cell] = self.regret[cell]
                else:
                    kids = self.branches.children[cell]
                    found[cell] = ends[cell] + sum(best[kid.key] for kid in kids) - earned
            best[infoset.key] = earned + max(found[cell] for cell in infoset.cells)
        return found

    def _value_averages(self, player: int) -> None:
        """Let sums of values be what the average strategies earn against each other."""
        average = BehavioralForm(self.total_weight, self.strategy_sum, self.tree)
        ends, nodes = ends_alive(self.tree, player, average, set())
        self.overhead_nodes += nodes
        for infoset in reversed(self._own[player]):
            values = [
                ends[cell] + sum(self.sumv[kid.key] for kid in self.branches.children[cell])
                for cell in infoset.cells
            ]
            sums = [self.strategy_sum[cell] for cell in infoset.cells]
            if sum(sums) > 0.0:
                earned = sum(s * v for s, v in zip(sums, values, strict=True)) / sum(sums)
            else:
                earned = max(values)
            self.sumv[infoset.key] = earned

    def _gaps_of_sums(self, player: int) -> dict[Sequence, float]:
        found: dict[Sequence, float] = {}
        largest: dict[Sequence, float] = {}
        for infoset in reversed(list(self._active_infosets(player))):
            for cell in infoset.cells:
                if cell in self.pruned:
                    found[cell] = self.regret[cell]
                else:
                    kids = self.branches.children[cell]
                    found[cell] = (self.action_sumv[cell] - self.sumv[infoset.key]) + sum(
                        largest[kid.key] for kid in kids
                    )
            largest[infoset.key] = max(found[cell] for cell in infoset.cells)
        return found

    def response(self, cell: Sequence) -> tuple[SubtreeSums, ResponseValues]:
        """Visit what is behind (I, a) and return V of the (near) best response there."""
        average = BehavioralForm(self.total_weight, self.strategy_sum, self.tree)
        sums = subtree_sums(self.branches, cell, average)

        def value_of(infoset: Infoset, values: list[float]) -> float:
            reach, payoff_range = sums.reach[infoset.key], self.branches.range_below(infoset)
            scale = reach * reach / self.iteration * payoff_range * payoff_range * len(values)
            return near_maximum(values, self.softness * scale)

        return sums, response_values(self.branches, cell, sums.leaves, value_of)

    def _regret_cells(self) -> int:
        return len(self.regret) - len(self.pruned)  # of a pruned action only the bound remains

    def _prune(self, player: int) -> None:
        for cell in self._pruned_cells(self._own[player]):
            if self._expired(cell):
                self._reconsider(cell)

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            super().step()
            if self._searches():
                for player in (0, 1):
                    if not (self.summed or self.searched):
                        self._value_averages(player)
                self._judge()
                self.searched = True
                for player in (0, 1):
                    self._start_where_losing(player)
                for infoset in self.tree.infosets.values():
                    if infoset.key in self.active:
                        self._match(infoset)
                if self.discard is not None:
                    for player in (0, 1):
                        self._discard_unlikely(player)

    def _judge(self) -> None:
        """Look back before a search decides anything."""

    def _searches(self) -> bool:
        """Return whether actions to prune and to discard are looked for in this iteration."""
        if isinstance(self.check_every, int):
            return self.iteration % self.check_every == 0
        return self.iteration in self.check_every

    def _expired(self, cell: Sequence) -> bool:
        if self.duration == "reach":
            return self.regret[cell] > -self._margin()
        return self.regret[cell] + self._fixed_growth(cell) > self._margin()

    def _growth(self, cell: Sequence, reach: float, value: float) -> float:
        if self.duration == "reach":
            return super()._growth(cell, reach, value)
        return self._spread(cell)

    def _estimated_skip(self, cell: Sequence, shortfall: float) -> float:
        if self.duration == "reach":
            if self.discard is not None:
                self.reach_sum[cell[0]] = self._reach_of_average(cell[0])
            return super()._estimated_skip(cell, shortfall)
        growth = self._fixed_growth(cell)
        return inf if growth == 0.0 else shortfall / growth

    def _reach_of_average(self, key: InfosetKey) -> float:
        """Return W pi_{-i}(I) of the opponent's average, as far as that is still known."""
        average = BehavioralForm(self.total_weight, self.strategy_sum, self.tree)
        total = 0.0
        for arrival in self.branches.arrivals[key]:
            opponent = average.total_weight
            for sequence in arrival.opponent:
                opponent = average.onward(opponent, sequence)
            total += arrival.chance * opponent
        return total

    def _fixed_growth(self, cell: Sequence) -> float:
        """Return by how much a bound grows in the next iteration."""
        return self.regret_weight(self.iteration + 1) * self._spread(cell)

    def _spread(self, cell: Sequence) -> float:
        return self.branches.best_payoff[cell] - self.branches.worst_payoff[cell[0]]

    def _returning(self, gap: float) -> float:
        """Return the regret of an action that comes back."""
        return gap if self.summed else max(0.0, gap) / self.regret_weight(self.iteration)

    def _may_cut(self, cell: Sequence) -> bool:
        """Return whether the rule does not play an action, or need not be asked."""
        zero = self.tolerance * self.branches.payoff_range
        return self.cut_played or self.regret[cell] <= zero

    def _start_where_losing(self, player: int) -> None:
        gaps = self.gaps(player)
        margin = self._margin()
        for infoset in self._active_infosets(player):
            largest = max(gaps[cell] for cell in infoset.cells)
            open_cells = self._open_cells(infoset)
            kept = max(open_cells, key=gaps.__getitem__)
            for cell in open_cells:
                gap = gaps[cell]
                losing = gap < -margin and gap < largest - margin
                if cell != kept and losing and self._may_cut(cell):
                    skip = self._estimated_skip(cell, -gap)
                    if self._is_long(skip):
                        self._cut(cell, gap, "start", skip)
                        for below in self.branches.below(cell):
                            self._free(below)
                        self._match(infoset)

    def _cut(
        self, cell: Sequence, gap: float, kind: Literal["start", "continue"], skip: float
    ) -> None:
        """Prune an action, or go on pruning it, from V(I, a) - sumv(I) = ``gap``."""
        self._record(cell, kind, gap, skip)
        self.pruned.add(cell)
        self.regret[cell] = gap
        self.action_sumv.pop(cell, None)

    def _free(self, infoset: Infoset) -> None:
        """Forget all about an information set but its sums of strategies."""
        if infoset.key not in self.active:
            return
        self.active.remove(infoset.key)
        for state in (self.sumv, self.reach_sum, self._strategy):
            del state[infoset.key]
        for action in infoset.actions:
            cell = (infoset.key, action)
            self.pruned.discard(cell)
            for state in (self.regret, self.action_sumv):
                state.pop(cell, None)

    def _reconsider(self, cell: Sequence) -> None:
        """Find out what a pruned action is worth; continue to prune it or bring it back."""
        key, _ = cell
        sums, values = self.response(cell)
        self.overhead_nodes += sums.nodes_touched
        gap = values.of_action[cell] - self.sumv[key]
        skip = self._estimated_skip(cell, -gap)
        if gap < -self._margin() and self._is_long(skip, self.restart):
            self._cut(cell, gap, "continue", skip)
            return

        self._record(cell, "end", gap, skip)
        self.pruned.remove(cell)
        self._open(cell, values.of_action[cell], gap)
        for below in self.branches.below(cell):
            parent_key, _ = below.parent
            if parent_key in self.active and below.parent not in self.pruned:
                self._bring_back(below, values, sums.reach[below.key])
        self._match(self.tree.infosets[key])

    def _open(self, cell: Sequence, value: float, gap: float) -> None:
        """Let an action take part again, with V(I, a) = ``value``, V(I, a) - sumv(I) = ``gap``."""
        self.action_sumv[cell] = value
        self.regret[cell] = self._returning(gap)

    def _bring_back(self, infoset: Infoset, values: ResponseValues, reach: float) -> None:
        """Allocate an information set as if the response had been played all the time."""
        key = infoset.key
        self.active.add(key)
        self.sumv[key] = values.of_infoset[key]
        self.reach_sum[key] = reach
        for action in infoset.actions:
            cell = (key, action)
            gap = values.of_action[cell] - values.of_infoset[key]
            skip = self._estimated_skip(cell, -gap)
            if gap < -self._margin() and self._is_long(skip):
                self._cut(cell, gap, "start", skip)
            else:
                self._open(cell, values.of_action[cell], gap)
        open_cells = self._open_cells(infoset)
        if not self.summed and all(self.regret[cell] <= 0.0 for cell in open_cells):
            best = max(open_cells, key=values.of_action.__getitem__)
            self.regret[best] = LEAST_REGRET
        self._match(infoset)

    def _discard_unlikely(self, player: int) -> None:
        t = self.iteration
        threshold = self.discard / t ** DISCARDS[self.discard_rule]
        for infoset in self._active_infosets(player):
            for cell in self._pruned_cells([infoset]):
                mass = self.strategy_sum[cell]
                rest = sum(
                    self.strategy_sum[infoset.key, action]
                    for action in infoset.actions
                    if (infoset.key, action) != cell
                )
                average_reach = (mass + self.lost.get(cell[0], 0.0)) / self.total_weight
                if mass > 0 and rest > 0 and average_reach <= threshold:
                    self._record(cell, "discard", average_reach)
                    self._discard_play(cell, mass)

    def _discard_play(self, cell: Sequence, mass: float) -> None:
        self.lost[cell[0]] = self.lost.get(cell[0], 0.0) + mass
        self.strategy_sum[cell] = 0.0
        for below in self.branches.below(cell):
            self.lost.pop(below.key, None)
            for action in below.actions:
                self.strategy_sum[below.key, action] = 0.0
