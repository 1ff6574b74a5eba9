"""Cumulative values behind one action, by visiting the histories there against an average."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from reference.branches import Branches
from reference.faced_average import FacedAverage
from reference.tree import Infoset, InfosetKey, Node, Sequence, Tree
from secateur.games.rules import CHANCE, END


@dataclass
class SubtreeSums:
    """What a visit of the histories behind (I, a) finds."""

    leaves: dict[Sequence, float] = field(default_factory=lambda: defaultdict(float))
    """l(I', a') = sum_z W pi_{-i}(z) u_i(z) over the ends z whose last own sequence is (I', a')."""

    reach: dict[InfosetKey, float] = field(default_factory=lambda: defaultdict(float))
    """W pi_{-i}(I') of the own information sets I' behind (I, a)."""

    nodes_touched: int = 0
    """Histories visited: h a for every h in I that has reach, and what lies behind."""


def subtree_sums(branches: Branches, cell: Sequence, average: FacedAverage) -> SubtreeSums:
    """Visit everything behind (I, a) that chance and the opponent's average reach."""
    key, action = cell
    player = key[0]
    found = SubtreeSums()

    def visit(node: Node, chance: float, opponent: float, last: Sequence) -> None:
        if chance * opponent == 0.0:
            return
        found.nodes_touched += 1
        if node.turn == END:
            found.leaves[last] += chance * opponent * node.payoffs[player]
        elif node.turn == CHANCE:
            for probability, child in zip(node.probabilities, node.children, strict=True):
                visit(child, chance * probability, opponent, last)
        elif node.turn == player:
            found.reach[node.infoset] += chance * opponent
            for taken, child in zip(node.cells, node.children, strict=True):
                visit(child, chance, opponent, taken)
        else:
            for taken, child in zip(node.cells, node.children, strict=True):
                visit(child, chance, average.onward(opponent, taken), last)

    for arrival in branches.arrivals[key]:
        opponent = average.total_weight
        for sequence in arrival.opponent:
            opponent = average.onward(opponent, sequence)
        child = arrival.node.children[arrival.node.actions.index(action)]
        visit(child, arrival.chance, opponent, cell)
    return found


def ends_alive(
    tree: Tree, player: int, average: FacedAverage, pruned: set[Sequence]
) -> tuple[dict[Sequence | None, float], int]:
    """Visit all that chance and the opponent's average reach, but for what is behind the pruned.

    Returns the leaf sums l(I, a) of own sequences, and how many histories were visited.
    """
    leaves: dict[Sequence | None, float] = defaultdict(float)
    nodes = 0

    def visit(node: Node, chance: float, opponent: float, last: Sequence | None) -> None:
        nonlocal nodes
        if chance * opponent == 0.0:
            return
        nodes += 1
        if node.turn == END:
            leaves[last] += chance * opponent * node.payoffs[player]
        elif node.turn == CHANCE:
            for probability, child in zip(node.probabilities, node.children, strict=True):
                visit(child, chance * probability, opponent, last)
        else:
            for taken, child in zip(node.cells, node.children, strict=True):
                if node.turn != player:
                    visit(child, chance, average.onward(opponent, taken), last)
                elif taken not in pruned:
                    visit(child, chance, opponent, taken)

    visit(tree.root, 1.0, average.total_weight, None)
    return leaves, nodes


@dataclass(frozen=True)
class ResponseValues:
    """Cumulative values of a response to an average, behind one action."""

    of_action: dict[Sequence, float]
    """V(I', a'), and V(I, a) of the action itself."""

    of_infoset: dict[InfosetKey, float]
    """V(I')."""


def response_values(
    branches: Branches,
    cell: Sequence,
    leaves: dict[Sequence, float],
    value_of: Callable[[Infoset, list[float]], float],
) -> ResponseValues:
    """Fold leaf sums upwards to (I, a).

    V(I', a') = l(I', a') + sum_{I'' in C(I', a')} V(I''), where V(I'') is ``value_of`` the values
    of the actions of I'': their maximum, in a best response.
    """
    found = ResponseValues({}, {})

    def behind(sequence: Sequence) -> float:
        kids = branches.children[sequence]
        return leaves.get(sequence, 0.0) + sum(found.of_infoset[kid.key] for kid in kids)

    for infoset in reversed(branches.below(cell)):
        values = [behind((infoset.key, action)) for action in infoset.actions]
        for action, value in zip(infoset.actions, values, strict=True):
            found.of_action[infoset.key, action] = value
        found.of_infoset[infoset.key] = value_of(infoset, values)
    found.of_action[cell] = behind(cell)
    return found
