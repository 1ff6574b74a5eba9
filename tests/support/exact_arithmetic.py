"""Regret matching in exact arithmetic: what an iteration gives where nothing is rounded."""

from __future__ import annotations

from fractions import Fraction

from reference.tree import InfosetKey, Node, Sequence, grown
from secateur.games import CHANCE, END, Game

Exact = dict[InfosetKey, list[Fraction]]


class ExactCFR:
    """Simultaneous or alternating regret matching, uniform averages, on fractions.

    Numbers grow with every iteration, so a handful of iterations is all that it is good for.
    """

    def __init__(self, game: Game, updates: str, plus: bool = False) -> None:
        self.tree = grown(game)
        self.updates = updates
        self.floor = [Fraction(0)] if plus else []
        infosets = self.tree.infosets
        self.strategy: Exact = {
            key: [Fraction(1, len(infoset.actions))] * len(infoset.actions)
            for key, infoset in infosets.items()
        }
        self.regret: Exact = {key: [Fraction(0)] * len(ps) for key, ps in self.strategy.items()}
        self.strategy_sum: Exact = {key: list(zeros) for key, zeros in self.regret.items()}

    def step(self) -> None:
        """Run one iteration; each player's average grows by what the other faces."""
        if self.updates == "simultaneous":
            for player in range(2):
                self._accumulate(player)
            for player, values in [(player, self._values(player)) for player in range(2)]:
                self._update(player, values)
        else:
            for player in range(2):
                self._accumulate(1 - player)
                self._update(player, self._values(player))

    def average_strategy(self) -> dict[InfosetKey, list[float]]:
        """Return the average, rounded at last."""
        return {
            key: [float(p) for p in _normalized(total)] for key, total in self.strategy_sum.items()
        }

    def _accumulate(self, player: int) -> None:
        reach: dict[Sequence | None, Fraction] = {None: Fraction(1)}
        for infoset in self.tree.of_player(player):
            for a, action in enumerate(infoset.actions):
                now = reach[infoset.parent] * self.strategy[infoset.key][a]
                reach[infoset.key, action] = now
                self.strategy_sum[infoset.key][a] += now

    def _values(self, player: int) -> Exact:
        values: Exact = {
            infoset.key: [Fraction(0)] * len(infoset.actions)
            for infoset in self.tree.of_player(player)
        }

        def visit(node: Node, reach: Fraction) -> Fraction:
            if reach == 0:
                return reach
            if node.turn == END:
                return reach * _exact(node.payoffs[player])
            if node.turn == player:
                found = [visit(child, reach) for child in node.children]
                for a, value in enumerate(found):
                    values[node.infoset][a] += value
                probabilities = self.strategy[node.infoset]
                return sum((p * v for p, v in zip(probabilities, found, strict=True)), Fraction(0))
            if node.turn == CHANCE:
                probabilities = [_exact(p) for p in node.probabilities]
            else:
                probabilities = self.strategy[node.infoset]
            parts = zip(probabilities, node.children, strict=True)
            return sum((visit(child, reach * p) for p, child in parts), Fraction(0))

        visit(self.tree.root, Fraction(1))
        return values

    def _update(self, player: int, values: Exact) -> None:
        for infoset in self.tree.of_player(player):
            key = infoset.key
            expected = sum(
                (p * v for p, v in zip(self.strategy[key], values[key], strict=True)), Fraction(0)
            )
            self.regret[key] = [
                max([old + value - expected, *self.floor])
                for old, value in zip(self.regret[key], values[key], strict=True)
            ]
            self.strategy[key] = _normalized([max(r, Fraction(0)) for r in self.regret[key]])


def _exact(number: float) -> Fraction:
    """Return the fraction that a payoff or a chance of a small deck was rounded from."""
    return Fraction(number).limit_denominator(1000)


def _normalized(scores: list[Fraction]) -> list[Fraction]:
    total = sum(scores, Fraction(0))
    if total == 0:
        return [Fraction(1, len(scores))] * len(scores)
    return [score / total for score in scores]
