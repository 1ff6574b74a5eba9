"""The value of a small game by linear programming, from nothing but the protocol."""

import numpy as np
from scipy.optimize import linprog

from secateur.games import CHANCE, END


def solve_value(game) -> float:
    """Return what player 0 wins when both play perfectly."""
    sequences = [{(): 0}, {(): 0}]
    parents = [{}, {}]
    wins = {}
    stack = [(game.start(), 1.0, ((), ()))]
    while stack:
        state, chance, reached = stack.pop()
        player = game.turn(state)
        if player == END:
            key = sequences[0][reached[0]], sequences[1][reached[1]]
            wins[key] = wins.get(key, 0.0) + chance * game.payoffs(state)[0]
        elif player == CHANCE:
            for outcome, p in game.chance(state):
                stack.append((game.after(state, outcome), chance * p, reached))
        else:
            information = game.information(state)
            parents[player][information] = reached[player], list(game.actions(state))
            for action in game.actions(state):
                sequence = information, action
                sequences[player].setdefault(sequence, len(sequences[player]))
                then = list(reached)
                then[player] = sequence
                stack.append((game.after(state, action), chance, tuple(then)))
    payoff = np.zeros((len(sequences[0]), len(sequences[1])))
    for key, win in wins.items():
        payoff[key] = win
    (E, e), (F, f) = (_constraints(sequences[p], parents[p]) for p in (0, 1))
    # Player 0 maximizes f'v over plans x with E x = e, where F'v <= payoff'x.
    result = linprog(
        -np.concatenate([np.zeros(E.shape[1]), f]),
        A_ub=np.hstack([-payoff.T, F.T]),
        b_ub=np.zeros(F.shape[1]),
        A_eq=np.hstack([E, np.zeros((E.shape[0], F.shape[0]))]),
        b_eq=e,
        bounds=[(0, None)] * E.shape[1] + [(None, None)] * F.shape[0],
        method="highs",
    )
    return -result.fun


def _constraints(sequences, parents):
    matrix = np.zeros((1 + len(parents), len(sequences)))
    matrix[0, 0] = 1
    for row, (information, (parent, actions)) in enumerate(parents.items(), start=1):
        matrix[row, sequences[parent]] = -1
        for action in actions:
            matrix[row, sequences[information, action]] = 1
    right = np.zeros(len(matrix))
    right[0] = 1
    return matrix, right
