"""Interval regret-based pruning: skip an action while its regret cannot have become positive."""

from __future__ import annotations

from typing import Literal

from reference.averaging import Averaging
from reference.faced_average import SequenceForm
from reference.local_rules import RULES, RegretMatching
from reference.pruned_cfr import PrunedCFR
from reference.subtree import response_values, subtree_sums
from reference.thresholding import Threshold, no_threshold
from reference.tree import Sequence
from secateur.games.rules import Game


class RegretMatchingPlusBelowZero(RegretMatching):
    """Regret matching plus that remembers how far below zero a regret is.

    R = r where R <= 0 < r, else R += r. The positive parts are those of R = max(0, R + r): a
    regret that increases starts from zero.
    """

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        return [
            r if regret <= 0 < r else regret + r for regret, r in zip(regrets, seen, strict=True)
        ]


class ReferenceRBP(PrunedCFR):
    """The oracle of interval regret-based pruning, with regret matching or regret matching plus.

    *Start.* At the end of iteration t an action with R(I, a) < 0 is pruned if it is expected to
    stay so for ``min_skip`` iterations: -R / (reach_sum(I)/t (U(I, a) - L(I))) >= min_skip. All
    state behind it is kept as it is.

    *While pruned* the regret cell holds R(I, a) + sum (pi_{-i}^t(I) U(I, a) - v^t(I)) over the
    skipped iterations, which is at least the true regret. While that is at most 0, the action
    would not have been played.

    *Catch-up.* When the bound is above 0 after iteration t1, the skipped iterations t0+1 .. t1
    are made up for as if a best response to the opponent's average over just these had been
    played behind (I, a) in each of them. With l(q) = action_sumv(q) - sum_{I' in C(q)} sumv(I'),
    the leaf sums of a sequence q until t0, and the same leaf sums until t1 from one visit of the
    histories behind (I, a), the difference gives interval values X, bottom-up:

        X(I', a') = l_t1(I', a') - l_t0(I', a') + sum_{I'' in C(I', a')} X(I'')
        X(I')     = max_a' X(I', a')
        action_sumv += X(I', a'),   sumv += X(I'),   R(I', a') += X(I', a') - X(I')

    behind (I, a), and at (I, a) itself action_sumv += X(I, a) and, with the increment
    D = X(I, a) - (sumv_t1(I) - sumv_t0(I)), the regret becomes R_t0 + D; in regret matching plus
    max(0, R_t0 + D) if D > 0, because what is a sum over many iterations must not be taken for
    one increase from zero. D > 0 means above the margin of the start test: where nobody came in
    the skipped iterations D is 0 up to rounding, and rounding must not lift a regret to zero.

    The same visit gives reach_sum(I') of the information sets behind (I, a).

    The leaf sums use the plain sum of the strategies faced, whatever the averaging of the output.

    The order of decisions after a player's update, where "in order" means the order of the
    tree's information sets and, in each, of its actions:

    1. Catch up pruned actions with a bound above 0, in order.
    2. If t is a multiple of ``check_every``: start tests at active information sets in order, so
       from the top down. R < 0 means below -margin, margin = ``tolerance`` (1 + t) Delta. The
       action of largest regret among those not pruned when the test begins, the first of
       equals, is never pruned.
    3. Before (I, a) is pruned the pruned actions in D(I, a) catch up, so that everything in
       D(I, a) is of iteration t: information sets in reverse order, their actions in order.

    Values of events: "start" the regret; "end" the bound just before the catch-up, which is at
    most 0 if it happens because an action further up is about to be pruned.
    """

    def __init__(
        self,
        game: Game,
        rule: Literal["rm", "rm+"] = "rm",
        averaging: str | Averaging = "uniform",
        updates: Literal["alternating", "simultaneous"] = "alternating",
        min_skip: float = 5,
        check_every: int = 1,
        tolerance: float = 1e-12,
        threshold: Threshold = no_threshold,
    ) -> None:
        if rule not in ("rm", "rm+"):
            raise ValueError(f"rule: {rule!r}")
        self.plus = rule == "rm+"
        self.check_every = check_every
        local_rule = RegretMatchingPlusBelowZero() if self.plus else RULES["rm"]
        super().__init__(game, local_rule, averaging, updates, min_skip, tolerance, threshold)
        self.faced_sum: dict[Sequence, float] = dict.fromkeys(self.strategy_sum, 0.0)
        """sum_t pi_i^t(I) sigma^t(I, a), every iteration counting the same."""

        self._at_start: dict[Sequence, tuple[float, float]] = {}
        """Of each pruned action: R(I, a) and sumv(I) when pruning began."""

    def _regret_cells(self) -> int:
        return len(self.regret)  # what is behind a pruned action waits for its return

    def _accumulate(self, player: int) -> None:
        super()._accumulate(player)
        self._add_play(player, 1.0, self.faced_sum)

    def _prune(self, player: int) -> None:
        pruned = self._pruned_cells(self._own[player])
        for cell in [cell for cell in pruned if self.regret[cell] > self._limit_while_pruned(cell)]:
            self._end(cell)
        if self.iteration % self.check_every == 0:
            self._start_tests(player)

    def _start_tests(self, player: int) -> None:
        for infoset in self._active_infosets(player):
            open_cells = self._open_cells(infoset)
            kept = max(open_cells, key=self.regret.__getitem__)
            limits = [self._limit_at_start(cell) for cell in open_cells]
            for cell, limit in zip(open_cells, limits, strict=True):
                if cell != kept and self.regret[cell] < limit - self._margin():
                    skip = self._estimated_skip(cell, limit - self.regret[cell])
                    if self._is_long(skip):
                        self._start(cell, skip)

    def _limit_at_start(self, cell: Sequence) -> float:
        """Return the regret below which an action that is open may be pruned."""
        return 0.0

    def _limit_while_pruned(self, cell: Sequence) -> float:
        """Return the regret up to which a pruned action is not played for sure."""
        return 0.0

    def _start(self, cell: Sequence, skip: float) -> None:
        below = self.branches.below(cell)
        for nested in self._pruned_cells(below[::-1]):
            self._end(nested)
        self._record(cell, "start", self.regret[cell], skip)
        self._at_start[cell] = (self.regret[cell], self.sumv[cell[0]])
        self.pruned.add(cell)
        self.active -= {infoset.key for infoset in below}
        self._match(self.tree.infosets[cell[0]])

    def _end(self, cell: Sequence) -> None:
        self._record(cell, "end", self.regret[cell])
        self._catch_up(cell)
        self.pruned.remove(cell)
        below = self.branches.below(cell)
        self.active |= {infoset.key for infoset in below}
        for infoset in (self.tree.infosets[cell[0]], *below):
            self._match(infoset)

    def _catch_up(self, cell: Sequence) -> None:
        """Bring (I, a) and D(I, a) from the start of pruning to the present."""
        until_now = subtree_sums(
            self.branches, cell, SequenceForm(self.total_weight, self.faced_sum)
        )
        self.overhead_nodes += until_now.nodes_touched
        below = self.branches.below(cell)
        sequences = [cell, *((infoset.key, a) for infoset in below for a in infoset.actions)]
        skipped = {q: until_now.leaves[q] - self._leaves_until_start(q) for q in sequences}
        interval = response_values(self.branches, cell, skipped, lambda _, values: max(values))

        self.reach_sum.update(until_now.reach)
        for infoset in below:
            value = interval.of_infoset[infoset.key]
            self.sumv[infoset.key] += value
            for action in infoset.actions:
                inside = (infoset.key, action)
                self.action_sumv[inside] += interval.of_action[inside]
                self.regret[inside] += interval.of_action[inside] - value

        regret, sumv = self._at_start.pop(cell)
        increment = interval.of_action[cell] - (self.sumv[cell[0]] - sumv)
        self.action_sumv[cell] += interval.of_action[cell]
        self.regret[cell] = regret + increment
        if self.plus and increment > self._margin():
            self.regret[cell] = max(0.0, self.regret[cell])

    def _leaves_until_start(self, sequence: Sequence) -> float:
        """l(q) = action_sumv(q) - sum_{I' in C(q)} sumv(I')."""
        kids = self.branches.children[sequence]
        return self.action_sumv[sequence] - sum(self.sumv[kid.key] for kid in kids)
