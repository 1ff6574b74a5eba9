"""Best-response pruning for fictitious play: skip actions that cannot be best responses."""

from __future__ import annotations

from math import inf

from reference.branches import branches_of
from reference.fictitious_play import TIE, ReferenceFictitiousPlay
from reference.tree import Infoset, Node, Sequence
from reference.treeplex import Plan, gradient
from secateur.games.rules import CHANCE, END, Game


class ReferenceFictitiousPlayBRP(ReferenceFictitiousPlay):
    """The oracle. Values are found from scratch in every iteration; what is skipped is not read.

    V(I, a) is the value of a best response after (I, a) to the sum of the opponent's strategies.
    A pruned action has a bound instead, which is V(I, a) when it was pruned and grows by
    pi_{-i}^t(I) U(I, a) in iteration t. It expires when it is not below the best action of I that
    is open by more than twice what counts as a tie.

    Iteration t, for each player:

    1. Histories that the opponent's strategy reaches, and that are not behind a pruned action, are
       visited; bounds grow.
    2. With open actions only, values are found from the last decisions up, and which bounds have
       expired. What is behind these is visited against the sum of strategies.
    3. From the last decisions up: an expired action stays pruned, with its value as bound, if it
       loses for ``restart`` times ``min_skip`` iterations; else it is open. Behind it, actions that
       lose for ``min_skip`` are pruned, and all others open, whatever they were before.

    At the end of an iteration that is a multiple of ``check_every``, all open actions that lose for
    ``min_skip`` iterations are pruned. How long is estimated: t (V(I) - V(I, a)) divided by
    reach_sum(I) U(I, a) - V(I), where reach_sum(I) = sum_t pi_{-i}^t(I).
    """

    def __init__(
        self, game: Game, min_skip: float, check_every: int = 1, restart: float = 0.5
    ) -> None:
        super().__init__(game)
        self.branches = branches_of(self.tree)
        self.min_skip, self.check_every, self.restart = min_skip, check_every, restart
        self.bound: dict[Sequence, float] = {}
        """Of each pruned action that is not behind another."""

        self.nodes_touched_overhead = 0

    def step(self, n: int = 1) -> None:
        """Run n iterations."""
        for _ in range(n):
            self.iteration += 1
            for player in range(2):
                for sequence, share in self.current[player].items():
                    self.total[player][sequence] += share
            for player in range(2):
                self._visit(player, self.current[1 - player])
                self._evaluate(player)
            self.current = [self._best_response(player) for player in range(2)]
            if self.iteration % self.check_every == 0:
                for player in range(2):
                    self._prune(player)

    def values(self, player: int) -> dict[Sequence | None, float]:
        """Return V of all sequences, pruned or not, by definition."""
        value, _ = gradient(self.tree, player, self.total[1 - player])
        for infoset in reversed(self.tree.of_player(player)):
            best = max(value.setdefault((infoset.key, a), 0.0) for a in infoset.actions)
            value[infoset.parent] = value.get(infoset.parent, 0.0) + best
        return value

    def open_infosets(self, player: int) -> list[Infoset]:
        """Return the information sets that are not behind a pruned action."""
        hidden = {
            infoset.key
            for cell in self.bound
            for infoset in self.branches.below(cell)
            if cell[0][0] == player
        }
        return [each for each in self.tree.of_player(player) if each.key not in hidden]

    @property
    def margin(self) -> float:
        """What a pruned action must be below the best one."""
        return 2 * TIE * self.scale * self.iteration

    def _visit(self, player: int, plan: Plan) -> None:
        """Count histories, and let bounds grow by what was reached."""
        reach: dict = {}

        def visit(node: Node, chance: float, last: Sequence | None) -> None:
            here = chance * plan[last]
            if here == 0.0:
                return
            self.nodes_touched += 1
            if node.turn == END:
                return
            if node.turn == player:
                reach[node.infoset] = reach.get(node.infoset, 0.0) + here
            for k, child in enumerate(node.children):
                if node.turn == CHANCE:
                    visit(child, chance * node.probabilities[k], last)
                elif node.turn != player:
                    visit(child, chance, node.cells[k])
                elif node.cells[k] not in self.bound:
                    visit(child, chance, last)

        visit(self.tree.root, 1.0, None)
        for cell in self.bound:
            self.bound[cell] += reach.get(cell[0], 0.0) * self.branches.best_payoff[cell]

    def _evaluate(self, player: int) -> None:
        exact = self.values(player)
        low = self._lowest(player)
        expired = {
            cell
            for cell in self.bound
            if cell[0][0] == player and self.bound[cell] >= low[cell[0]] - self.margin
        }
        for cell in expired:
            self.nodes_touched += self._histories_behind(cell)
            self.nodes_touched_overhead += self._histories_behind(cell)
        for cell in expired:
            del self.bound[cell]
            for infoset in self.branches.below(cell):
                for action in self._losing(infoset, exact, self.min_skip):
                    self.bound[infoset.key, action] = exact[infoset.key, action]
        for infoset in self.tree.of_player(player):
            for action in self._losing(infoset, exact, max(1.0, self.restart * self.min_skip)):
                if (infoset.key, action) in expired:
                    self.bound[infoset.key, action] = exact[infoset.key, action]
        self._forget_nested(player)

    def _lowest(self, player: int) -> dict:
        """Return V(I) as far as open actions tell, of all open information sets."""
        value, _ = gradient(self.tree, player, self.total[1 - player])
        found = {}
        for infoset in reversed(self.open_infosets(player)):
            cells = [(infoset.key, action) for action in infoset.actions]
            found[infoset.key] = max(
                (value.get(cell, 0.0) for cell in cells if cell not in self.bound), default=-inf
            )
            value[infoset.parent] = value.get(infoset.parent, 0.0) + found[infoset.key]
        return found

    def _prune(self, player: int) -> None:
        exact = self.values(player)
        for infoset in self.open_infosets(player):
            for action in self._losing(infoset, exact, self.min_skip):
                self.bound.setdefault((infoset.key, action), exact[infoset.key, action])
        self._forget_nested(player)

    def _forget_nested(self, player: int) -> None:
        seen = {infoset.key for infoset in self.open_infosets(player)}
        for cell in list(self.bound):
            if cell[0][0] == player and cell[0] not in seen:
                del self.bound[cell]

    def _losing(self, infoset: Infoset, value: dict, least: float) -> list:
        """Return the actions that lose for that many iterations, at the average pace."""
        best = max(value[infoset.key, action] for action in infoset.actions)
        reach = sum(
            each.chance
            * self.total[1 - infoset.player][each.opponent[-1] if each.opponent else None]
            for each in self.branches.arrivals[infoset.key]
        )
        found = []
        for action in infoset.actions:
            behind = best - value[infoset.key, action]
            pace = reach * self.branches.best_payoff[infoset.key, action] - best
            if behind > self.margin and behind * self.iteration >= least * pace:
                found.append(action)
        return found

    def _histories_behind(self, cell: Sequence) -> int:
        """Count histories behind (I, a) that the opponent has ever reached."""
        total = self.total[1 - cell[0][0]]
        found = 0

        def visit(node: Node, last: Sequence | None) -> None:
            nonlocal found
            if total[last] == 0.0:
                return
            found += 1
            for action, child in zip(node.actions, node.children, strict=True):
                moved = node.turn == 1 - cell[0][0]
                visit(child, (node.infoset, action) if moved else last)

        for each in self.branches.arrivals[cell[0]]:
            child = each.node.children[each.node.actions.index(cell[1])]
            visit(child, each.opponent[-1] if each.opponent else None)
        return found
