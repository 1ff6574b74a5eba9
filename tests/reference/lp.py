"""The exact value of a game: its sequence form as a linear program."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_array

from reference.local_rules import normalized
from reference.tree import Node, Sequence, Strategy, Tree
from secateur.games.rules import CHANCE, END


def solve(tree: Tree) -> tuple[float, Strategy]:
    """Return the value to player 0 and an equilibrium."""
    value, strategy = maximin(tree, 0)
    _, reply = maximin(tree, 1)
    return value, strategy | reply


def maximin(tree: Tree, player: int) -> tuple[float, Strategy]:
    """Return the most that a player can guarantee, and a strategy that guarantees it.

    Over realization plans x of the player and values q of the opponent's information sets::

        maximize  q_root
        subject to  E x = e,  x >= 0
                    F' q <= A' x

    E x = e (and F y = f for the opponent): the root sequence has weight 1, and at each
    information set the sequences add up to the parent sequence. A(s, s') is the payoff of the
    player where s and s' are the last sequences, weighted with chance. The inequalities are the
    dual of the opponent's minimization.
    """
    own, other = _sequences(tree, player), _sequences(tree, 1 - player)
    own_flow, other_flow = _flow(tree, player, own), _flow(tree, 1 - player, other)
    n_own, n_other = len(own), len(other)
    n_values = other_flow.shape[0]

    payoffs = lil_array((n_own, n_other))
    for pair, payoff in _payoffs(tree, player).items():
        payoffs[own[pair[player]], other[pair[1 - player]]] = payoff

    equalities = lil_array((own_flow.shape[0], n_own + n_values))
    equalities[:, :n_own] = own_flow
    inequalities = lil_array((n_other, n_own + n_values))
    inequalities[:, :n_own] = -payoffs.T
    inequalities[:, n_own:] = other_flow.T
    root_only = np.eye(1, own_flow.shape[0])[0]
    objective = np.zeros(n_own + n_values)
    objective[n_own] = -1.0

    solution = linprog(
        objective,
        A_ub=inequalities.tocsr(),
        b_ub=np.zeros(n_other),
        A_eq=equalities.tocsr(),
        b_eq=root_only,
        bounds=[(0, None)] * n_own + [(None, None)] * n_values,
        method="highs",
    )
    if not solution.success:
        raise RuntimeError(solution.message)
    strategy = {
        infoset.key: normalized(
            [max(0.0, float(solution.x[own[infoset.key, a]])) for a in infoset.actions]
        )
        for infoset in tree.of_player(player)
    }
    return -float(solution.fun), strategy


def _sequences(tree: Tree, player: int) -> dict[Sequence | None, int]:
    """Number the player's sequences; the empty one is None."""
    cells = [(infoset.key, a) for infoset in tree.of_player(player) for a in infoset.actions]
    return {sequence: number for number, sequence in enumerate([None, *cells])}


def _flow(tree: Tree, player: int, number: dict[Sequence | None, int]) -> lil_array:
    """Return E: first the row of the empty sequence, then one row for each information set."""
    infosets = tree.of_player(player)
    flow = lil_array((1 + len(infosets), len(number)))
    flow[0, 0] = 1.0
    for row, infoset in enumerate(infosets, start=1):
        flow[row, number[infoset.parent]] = -1.0
        for action in infoset.actions:
            flow[row, number[infoset.key, action]] = 1.0
    return flow


def _payoffs(tree: Tree, player: int) -> dict[tuple[Sequence | None, Sequence | None], float]:
    """Return sum_z pi_c(z) u(z) for each pair of last sequences (of player 0, of player 1)."""
    totals: dict[tuple[Sequence | None, Sequence | None], float] = defaultdict(float)

    def visit(node: Node, chance: float, last: tuple[Sequence | None, Sequence | None]) -> None:
        if node.turn == END:
            totals[last] += chance * node.payoffs[player]
        elif node.turn == CHANCE:
            for probability, child in zip(node.probabilities, node.children, strict=True):
                visit(child, chance * probability, last)
        else:
            for action, child in zip(node.actions, node.children, strict=True):
                sequence = (node.infoset, action)
                visit(child, chance, (sequence, last[1]) if node.turn == 0 else (last[0], sequence))

    visit(tree.root, 1.0, (None, None))
    return totals
