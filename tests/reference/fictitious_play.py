"""Fictitious play (Brown, 1951) in extensive form: best responses to the other's average."""

from __future__ import annotations

from reference.tree import Sequence, Strategy, Tree, grown
from reference.treeplex import Plan, behavior, followers, gradient, uniform_plan
from secateur.games.rules import Game

TIE = 1e-12
"""Values that differ by less, on average, are equal: the first action is taken."""


class ReferenceFictitiousPlay:
    """The oracle: both players answer the other's average of iterations 1 to t in t + 1.

    The first strategy is uniform. Sums of plans are kept; a best response to a sum is one to the
    average.
    """

    def __init__(self, game: Game) -> None:
        self.tree = grown(game)
        self.iteration = 0
        self.nodes_touched = 0
        self.current: list[Plan] = [uniform_plan(self.tree, player) for player in range(2)]
        self.total: list[Plan] = [dict.fromkeys(plan, 0.0) for plan in self.current]
        self.scale = max(abs(p) for p in _payoffs(self.tree))

    def step(self, n: int = 1) -> None:
        """Run n iterations."""
        for _ in range(n):
            self.iteration += 1
            for player in range(2):
                for sequence, share in self.current[player].items():
                    self.total[player][sequence] += share
            for player in range(2):
                # what a step adds is against the current strategy only; that is what is visited
                self.nodes_touched += gradient(self.tree, player, self.current[1 - player])[1]
            self.current = [self._best_response(player) for player in range(2)]

    def average_strategy(self) -> Strategy:
        """Return the average over all iterations."""
        return behavior(self.tree, (self.total[0], self.total[1]))

    def _best_response(self, player: int) -> Plan:
        earned, _ = gradient(self.tree, player, self.total[1 - player])
        value = {s: earned.get(s, 0.0) for s in followers(self.tree, player)}
        chosen: dict[Sequence, float] = {}
        tie = TIE * self.scale * self.iteration
        for infoset in reversed(self.tree.of_player(player)):
            values = [value[infoset.key, action] for action in infoset.actions]
            first = next(a for a, v in enumerate(values) if v >= max(values) - tie)
            for a, action in enumerate(infoset.actions):
                chosen[infoset.key, action] = float(a == first)
            value[infoset.parent] += max(values)
        plan: Plan = {None: 1.0}
        for infoset in self.tree.of_player(player):
            for action in infoset.actions:
                plan[infoset.key, action] = plan[infoset.parent] * chosen[infoset.key, action]
        return plan


def _payoffs(tree: Tree) -> list[float]:
    found = []
    todo = [tree.root]
    while todo:
        node = todo.pop()
        todo += node.children
        if node.payoffs is not None:
            found.append(node.payoffs[0])
    return found
