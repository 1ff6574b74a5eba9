"""Ends of games that are compiled for thresholds: values with the probabilities beside them."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

import secateur
from secateur.compiled.from_histories import compile_histories
from secateur.compiled.pairs import slots_of_leaves
from secateur.games import Game
from secateur.games.random_game import RandomGame
from support.public import RandomPublicGame

GAMES: list[Game] = [
    secateur.load("leduc"),
    *(RandomGame(seed=seed, skew=1.0, late=0.5, observability=0.6) for seed in range(6)),
    *(RandomPublicGame(seed) for seed in range(3)),
    RandomGame(seed=0, ties=1.0),
]


def matrix_of(game: secateur.CompiledGame, number: int) -> np.ndarray:
    """Return a matrix with rows for the lanes of player 0."""
    a = game.arrays
    mine, theirs = a.matrix_lanes[2 * number : 2 * number + 2].tolist()
    found = np.zeros((mine, theirs))
    first = a.matrix_first[2 * number]
    for k in range(theirs):
        if a.matrix_kind[number]:
            begin = first + k * ((mine + 3) & ~3)
            found[:, k] = a.entries[begin : begin + mine]
        else:
            pointer = a.sparse_first[2 * number] + k
            entries = slice(
                first + a.sparse_pointer[pointer], first + a.sparse_pointer[pointer + 1]
            )
            found[a.sparse_lane[entries], k] = a.entries[entries]
    return found


def sums_between_rows(
    game: secateur.CompiledGame, arrays: tuple, name: str, slots: np.ndarray
) -> dict:
    found: dict = defaultdict(float)
    first = getattr(arrays, f"first_{name}")
    numbers, factors = (getattr(arrays, f"{name}_{part}") for part in ("matrix", "factor"))
    for block in range(len(first) - 1):
        for k in range(first[block], first[block + 1]):
            rows = (block, *slots[k].tolist())
            factor = game.arrays.factors[factors[k]]
            found[rows] = found[rows] + factor * matrix_of(game, numbers[k])
    return found


@pytest.mark.parametrize("compiler", [secateur.compile, compile_histories])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_ends_add_up_to_leaves(rules: Game, compiler):
    game = compiler(rules, thresholds=True)
    leaves = sums_between_rows(game, game.arrays, "leaf", slots_of_leaves(game.arrays))
    ends = sums_between_rows(game, game.branches, "end", game.branches.end_slot.reshape(-1, 2))
    for rows in leaves.keys() | ends.keys():
        np.testing.assert_allclose(ends[rows], leaves[rows], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_probabilities_stand_where_values_do_and_the_largest_is_the_factor(rules: Game):
    game = secateur.compile(rules, thresholds=True)
    for values, chances in zip(game.branches.end_matrix, game.branches.end_chances, strict=True):
        probabilities = matrix_of(game, chances)
        assert np.array_equal(matrix_of(game, values) != 0.0, probabilities > 0.0)
        assert game.arrays.matrix_kind[values] == game.arrays.matrix_kind[chances]
        assert probabilities.max() == 1.0


def test_leaves_are_split_only_where_a_pair_of_lanes_has_two_probabilities():
    split = 0
    for rules in GAMES:
        game = secateur.compile(rules, thresholds=True)
        b = game.branches
        for block in range(len(b.first_end) - 1):
            ends = range(b.first_end[block], b.first_end[block + 1])
            for first, second in pairwise(ends):
                if np.array_equal(b.end_slot[2 * first :][:2], b.end_slot[2 * second :][:2]):
                    layers = [matrix_of(game, b.end_chances[end]) for end in (first, second)]
                    assert (layers[0] * layers[1]).any()
                    split += 1
    assert split > 0


def test_cards_have_one_probability_for_each_pair():
    leduc = secateur.compile(GAMES[0], thresholds=True)
    assert len(leduc.branches.end_factor) == len(leduc.arrays.leaf_factor)
    assert len(np.unique(leduc.branches.end_chances)) > 1
