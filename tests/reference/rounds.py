"""Best-response pruning in rounds: all decisions at searches, none in between."""

from __future__ import annotations

from copy import deepcopy

from reference.brp import LEAST_REGRET, ReferenceBRP
from reference.faced_average import BehavioralForm
from reference.subtree import ends_alive
from reference.tree import Infoset, Sequence


class ReferenceRounds(ReferenceBRP):
    """The oracle of pruning in rounds; notation of the base class. Regrets must not be sums.

    Between two searches what is pruned stays so; no bounds are kept. In iterations that
    ``check_every`` names both players' V(I, a) are found at *all* information sets, pruned or not,
    against the opponent's average. Then, from the top down, at each I behind nothing pruned:

    - If I was behind something pruned until now, sumv(I) = V(I).
    - Let *losing* be V(I, a) - sumv(I) < min(0, V(I) - sumv(I)) - margin; the best action (the
      first of equals) never is.
    - An action that is not pruned becomes so if it is losing, R(I, a) <= 0 (but for rounding) and
      ``min_skip`` iterations are expected.
    - An action that is pruned stays so if it is losing and ``restart`` times ``min_skip`` are.
      Else it returns with R(I, a) = max(0, V(I, a) - sumv(I)) / w_t.
    - If I was behind something pruned, actions that are losing and expect ``min_skip`` are pruned,
      others return with the least positive regret for the best one and zero for others.

    The first search sets sumv as in the base class; discards and lapsing predictions are its, too.

    *Harm.* Each later search first asks what the cuts of its round have done. Let V be what best
    responses of both players win in total, and V' the same of those that play nothing pruned. If
    V - V' > ``harm`` V + margin, the round is undone: everything is as it was at the beginning of
    the search before, the count of iterations included, and that search decides again, but for
    each (I, a) that was pruned, at I behind nothing pruned, with V(I, a) above that of all other
    actions there: it is not losing. Neither is it if the round is undone again.
    """

    _STATE = ("iteration", "regret", "strategy_sum", "_strategy", "active", "pruned", "sumv")
    _MORE_STATE = ("reach_sum", "action_sumv", "lost")

    harm = 0.1

    def _judge(self) -> None:
        if self.searched:
            full, alive = (
                sum(self._won(player, leave_out) for player in (0, 1))
                for leave_out in (set(), self.pruned)
            )
            if full - alive > self.harm * full + self._margin():
                for player in (0, 1):
                    self._bar(player)
                for name, value in deepcopy(self.before).items():
                    setattr(self, name, value)
                self.undone += 1
                return
        self.barred: set[Sequence] = set()
        self.before = deepcopy(
            {name: getattr(self, name) for name in (*self._STATE, *self._MORE_STATE)}
        )

    undone = 0

    def _won(self, player: int, leave_out: set[Sequence]) -> float:
        """Return what a best response wins that plays nothing of what is left out."""
        average = BehavioralForm(self.total_weight, self.strategy_sum, self.tree)
        ends, _ = ends_alive(self.tree, player, average, set())
        best = {}
        for infoset in reversed(self._own[player]):
            best[infoset.key] = max(
                ends[cell] + sum(best[kid.key] for kid in self.branches.children[cell])
                for cell in infoset.cells
                if cell not in leave_out
            )
        first = (infoset for infoset in self._own[player] if infoset.parent is None)
        return ends[None] + sum(best[infoset.key] for infoset in first)

    def _bar(self, player: int) -> None:
        """Note what best responses play and was pruned."""
        values, _ = self._responses(player)
        for infoset in self._own[player]:
            if infoset.key in self.active:
                most = max(values[cell] for cell in self._open_cells(infoset))
                self.barred |= {
                    cell for cell in infoset.cells if cell in self.pruned and values[cell] > most
                }

    def _prune(self, player: int) -> None:
        """Decide nothing between searches."""

    def _start_where_losing(self, player: int) -> None:
        values, best = self._responses(player)
        for infoset in self._own[player]:
            key = infoset.key
            parent = infoset.parent
            if parent is not None and (parent[0] not in self.active or parent in self.pruned):
                self._free(infoset)
                continue
            was_active = key in self.active
            if not was_active:
                self.active.add(key)
                self.sumv[key] = best[key]
            self.reach_sum[key] = self._reach_of_average(key)
            self._decide(infoset, values, best[key], was_active=was_active)

    def _responses(self, player: int) -> tuple[dict[Sequence, float], dict]:
        """Return V(I, a) and V(I) of all information sets."""
        average = BehavioralForm(self.total_weight, self.strategy_sum, self.tree)
        ends, _ = ends_alive(self.tree, player, average, set())
        values: dict[Sequence, float] = {}
        best = {}
        for infoset in reversed(self._own[player]):
            for cell in infoset.cells:
                kids = self.branches.children[cell]
                values[cell] = ends[cell] + sum(best[kid.key] for kid in kids)
            best[infoset.key] = max(values[cell] for cell in infoset.cells)
        return values, best

    def _decide(
        self, infoset: Infoset, values: dict[Sequence, float], best: float, *, was_active: bool
    ) -> None:
        earned, margin = self.sumv[infoset.key], self._margin()
        kept = max(infoset.cells, key=values.__getitem__)
        for cell in infoset.cells:
            gap = values[cell] - earned
            losing = cell != kept and gap < min(0.0, best - earned) - margin
            losing = losing and cell not in self.barred
            skip = self._estimated_skip(cell, -gap) if losing else 0.0
            if was_active and cell not in self.pruned:
                if losing and self._may_cut(cell) and self._is_long(skip):
                    self._cut(cell, gap, "start", skip)
            elif losing and self._is_long(skip, self.restart if was_active else 1.0):
                self._cut(cell, gap, "continue" if was_active else "start", skip)
            else:
                self._record(cell, "end", gap, skip)
                self.pruned.discard(cell)
                self._open(cell, values[cell], gap)
                if not was_active:
                    self.regret[cell] = LEAST_REGRET if cell == kept else 0.0

    def _estimated_skip(self, cell: Sequence, shortfall: float) -> float:
        """Return the skip at the average reach, which is known here."""
        key, _ = cell
        spread = self.branches.best_payoff[cell] - self.branches.worst_payoff[key]
        speed = self.regret_weight(self.iteration) * self.reach_sum[key] / self.total_weight
        return shortfall / (speed * spread) if speed * spread > 0.0 else float("inf")
