"""Counterfactual values by visiting histories one by one."""

from __future__ import annotations

from dataclasses import dataclass

from reference.tree import InfosetKey, Node, Strategy, Tree
from secateur.games.rules import CHANCE, END


@dataclass
class CounterfactualValues:
    """What one traversal finds at the information sets of its player i.

    Sums run over the histories h of I; pi_{-i} is the reach of chance and opponent together.
    """

    action_values: dict[InfosetKey, list[float]]
    """v(I, a) = sum_h pi_{-i}(h) sum_z pi(h a, z) u_i(z)."""

    reach: dict[InfosetKey, float]
    """pi_{-i}(I) = sum_h pi_{-i}(h)."""

    root_value: float = 0.0
    """What player i wins on average."""

    nodes_touched: int = 0
    """Histories visited, chance moves and ends of the game included."""


def counterfactual_values(
    tree: Tree, player: int, strategy: Strategy, partial_pruning: bool = False
) -> CounterfactualValues:
    """Visit the tree for one player while both play ``strategy``.

    With partial pruning the traversal does not enter actions that the opponent takes with
    probability exactly 0: all they could add is 0.
    """
    infosets = tree.of_player(player)
    found = CounterfactualValues(
        action_values={infoset.key: [0.0] * len(infoset.actions) for infoset in infosets},
        reach={infoset.key: 0.0 for infoset in infosets},
    )

    def visit(node: Node, reach: float) -> float:
        """Return pi_{-i}(h) times the value of h, where ``reach`` = pi_{-i}(h)."""
        found.nodes_touched += 1
        if node.turn == END:
            return reach * node.payoffs[player]
        value = 0.0
        if node.turn == CHANCE:
            for probability, child in zip(node.probabilities, node.children, strict=True):
                value += visit(child, reach * probability)
            return value
        probabilities = strategy[node.infoset]
        if node.turn == player:
            found.reach[node.infoset] += reach
            action_values = found.action_values[node.infoset]
            for a, child in enumerate(node.children):
                child_value = visit(child, reach)
                action_values[a] += child_value
                value += probabilities[a] * child_value
            return value
        for probability, child in zip(probabilities, node.children, strict=True):
            if partial_pruning and probability == 0.0:
                continue
            value += visit(child, reach * probability)
        return value

    found.root_value = visit(tree.root, 1.0)
    return found
