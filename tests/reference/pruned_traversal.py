"""Counterfactual values where neither dead opponent actions nor own pruned ones are entered."""

from __future__ import annotations

from reference.traversal import CounterfactualValues
from reference.tree import Node, Sequence, Strategy, Tree
from secateur.games.rules import CHANCE, END


def pruned_counterfactual_values(
    tree: Tree, player: int, strategy: Strategy, pruned: set[Sequence]
) -> CounterfactualValues:
    """Visit the tree for one player while both play ``strategy``.

    Skipped are actions of the opponent of probability exactly 0, which is partial pruning, and
    the pruned actions of the player, whose probability is 0 as well: v(I, a) of a pruned action
    stays 0 in the result, and v(I) is complete without it.
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
                if node.cells[a] in pruned:
                    continue
                child_value = visit(child, reach)
                action_values[a] += child_value
                value += probabilities[a] * child_value
            return value
        for probability, child in zip(probabilities, node.children, strict=True):
            if probability != 0.0:
                value += visit(child, reach * probability)
        return value

    found.root_value = visit(tree.root, 1.0)
    return found
