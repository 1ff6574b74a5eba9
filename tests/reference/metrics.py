"""How good strategies are: expected values, best responses, exploitability."""

from __future__ import annotations

from collections import defaultdict

from reference.tree import InfosetKey, Node, Sequence, Strategy, Tree
from secateur.games.rules import CHANCE, END


def expected_value(tree: Tree, strategy: Strategy) -> float:
    """Return what player 0 wins on average: sum_z pi(z) u_0(z)."""

    def value(node: Node) -> float:
        if node.turn == END:
            return node.payoffs[0]
        probabilities = node.probabilities if node.turn == CHANCE else strategy[node.infoset]
        return sum(p * value(child) for p, child in zip(probabilities, node.children, strict=True))

    return value(tree.root)


def leaf_values(tree: Tree, player: int, strategy: Strategy) -> dict[Sequence | None, float]:
    """Return l(s) = sum_z pi_{-i}(z) u_i(z) over the ends z after which s is i's last sequence."""
    leaves: dict[Sequence | None, float] = defaultdict(float)

    def visit(node: Node, reach: float, last: Sequence | None) -> None:
        if node.turn == END:
            leaves[last] += reach * node.payoffs[player]
        elif node.turn == player:
            for cell, child in zip(node.cells, node.children, strict=True):
                visit(child, reach, cell)
        else:
            probabilities = node.probabilities if node.turn == CHANCE else strategy[node.infoset]
            for probability, child in zip(probabilities, node.children, strict=True):
                visit(child, reach * probability, last)

    visit(tree.root, 1.0, None)
    return leaves


def _best_response(
    tree: Tree, player: int, strategy: Strategy
) -> tuple[float, dict[Sequence, float]]:
    """Return the best response value and V(I, a) everywhere, from the last decisions upwards.

    V(I, a) = l(I, a) + sum_{I' in C(I, a)} max_b V(I', b): one maximum for each information
    set, because its histories look the same to the player.
    """
    value_of = leaf_values(tree, player, strategy)
    for infoset in reversed(tree.of_player(player)):
        value_of[infoset.parent] += max(value_of[cell] for cell in infoset.cells)
    cells = [cell for infoset in tree.of_player(player) for cell in infoset.cells]
    return value_of[None], {cell: value_of[cell] for cell in cells}


def best_response_value(tree: Tree, player: int, strategy: Strategy) -> float:
    """Return the most that a player can win on average against the other's strategy."""
    return _best_response(tree, player, strategy)[0]


def counterfactual_best_response_values(
    tree: Tree, player: int, strategy: Strategy
) -> dict[Sequence, float]:
    """Return V(I, a), weighted with pi_{-i}, for every information set of the player.

    The best response is counterfactual: also where the player would not go, V says what the
    best play from there on would be worth.
    """
    return _best_response(tree, player, strategy)[1]


def best_response(tree: Tree, player: int, strategy: Strategy) -> Strategy:
    """Return a pure counterfactual best response; the first of equally good actions."""
    values = counterfactual_best_response_values(tree, player, strategy)
    response: dict[InfosetKey, list[float]] = {}
    for infoset in tree.of_player(player):
        options = [values[cell] for cell in infoset.cells]
        best = options.index(max(options))
        response[infoset.key] = [float(a == best) for a in range(len(options))]
    return response


def nash_conv(tree: Tree, strategy: Strategy) -> float:
    """Return BR_0(sigma_1) + BR_1(sigma_0): what both could gain together."""
    return sum(best_response_value(tree, player, strategy) for player in (0, 1))


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """Return NashConv / 2."""
    return nash_conv(tree, strategy) / 2
