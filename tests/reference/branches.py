"""What lies behind each action: own decisions, payoffs, and how histories get there."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from reference.tree import Infoset, InfosetKey, Node, Sequence, Tree
from secateur.games.rules import CHANCE, END


@dataclass(frozen=True, slots=True)
class Arrival:
    """One history h of an information set of player i, and what others did to get there."""

    node: Node
    chance: float
    """pi_c(h)."""

    opponent: tuple[Sequence, ...]
    """The opponent's information sets and actions on the way to h, first to last."""


class Branches:
    """Facts about the part of the game behind (I, a), for every information set I and action a."""

    def __init__(self, tree: Tree) -> None:
        self.arrivals: dict[InfosetKey, list[Arrival]] = defaultdict(list)
        """The histories of each information set."""

        self.best_payoff: dict[Sequence, float] = {}
        """U(I, a): the most that the player of I can win behind (I, a)."""

        self.worst_payoff: dict[InfosetKey, float] = {}
        """L(I): the least that the player of I can win behind I, whatever the action."""

        self._below: dict[Sequence, list[Infoset]] = {}
        self._position = {key: position for position, key in enumerate(tree.infosets)}
        self.children: dict[Sequence, list[Infoset]] = defaultdict(list)
        """C(I, a): the own information sets that follow (I, a) next."""

        for infoset in tree.infosets.values():
            if infoset.parent is not None:
                self.children[infoset.parent].append(infoset)
        low, high = self._explore(tree.root, 1.0, ((), ()))
        self.payoff_range = high - low
        """Delta: the range of payoffs in the whole game, the same for both players."""

    def below(self, cell: Sequence) -> list[Infoset]:
        """Return D(I, a), all own information sets behind (I, a), in the order of the tree."""
        if cell not in self._below:
            found = []
            for child in self.children[cell]:
                found.append(child)
                for action in child.actions:
                    found += self.below((child.key, action))
            found.sort(key=lambda infoset: self._position[infoset.key])
            self._below[cell] = found
        return self._below[cell]

    def range_below(self, infoset: Infoset) -> float:
        """Return Delta(I), the range of payoffs behind I."""
        best = max(self.best_payoff[infoset.key, action] for action in infoset.actions)
        return best - self.worst_payoff[infoset.key]

    def _explore(
        self, node: Node, chance: float, taken: tuple[tuple[Sequence, ...], tuple[Sequence, ...]]
    ) -> tuple[float, float]:
        """Return the least and the most that player 0 wins behind a history; note all above."""
        if node.turn == END:
            return node.payoffs[0], node.payoffs[0]
        if node.turn == CHANCE:
            ranges = [
                self._explore(child, chance * probability, taken)
                for probability, child in zip(node.probabilities, node.children, strict=True)
            ]
            return min(low for low, _ in ranges), max(high for _, high in ranges)

        player, key = node.turn, node.infoset
        self.arrivals[key].append(Arrival(node, chance, taken[1 - player]))
        ranges = []
        for cell, child in zip(node.cells, node.children, strict=True):
            longer = (*taken[player], cell)
            low, high = self._explore(
                child, chance, (longer, taken[1]) if player == 0 else (taken[0], longer)
            )
            ranges.append((low, high))
            least, most = (low, high) if player == 0 else (-high, -low)
            self.best_payoff[cell] = max(self.best_payoff.get(cell, most), most)
            self.worst_payoff[key] = min(self.worst_payoff.get(key, least), least)
        return min(low for low, _ in ranges), max(high for _, high in ranges)


@lru_cache(maxsize=32)
def branches_of(tree: Tree) -> Branches:
    """Return what lies behind the actions of a tree, which many solvers share like the tree."""
    return Branches(tree)
