"""Hands of cards that meet unless they share one: in linear time, with no matrix."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import secateur
from secateur import BestResponsePruning, RegretBasedPruning, recipes
from secateur.compiled.arrays import DENSE, DISJOINT, SHOWDOWN
from secateur.compiled.files import open_compiled, save_compiled
from secateur.compiled.from_histories import compile_histories
from secateur.compiled.game import CompiledGame
from secateur.compiled.sequence_form import sequence_form
from secateur.errors import FileError
from support.card_games import ByHistory, ByPublicState
from support.oracle import random_strategy
from test_compiled_public import contents, translated

SOLVERS = {
    "cfr": recipes.cfr(),
    "cfr+": recipes.cfr_plus(),
    "dcfr": recipes.dcfr(),
    "cfr, rbp": recipes.cfr(pruning=RegretBasedPruning(minimum_skip=2.0)),
    "cfr, brp": recipes.cfr(pruning=BestResponsePruning(check_every=10, minimum_skip=2.0)),
    "cfr+, brp": recipes.cfr_plus(pruning=BestResponsePruning(check_every=10, minimum_skip=2.0)),
    "egt": secateur.EGT(),
    "omd": secateur.OptimisticMirrorDescent(),
    "fp": secateur.FictitiousPlay(),
}


@cache
def listed() -> CompiledGame:
    """Return the game with lists of combinations."""
    return secateur.compile(ByPublicState(), pruning=True)


@cache
def enumerated() -> CompiledGame:
    """Return the same game, written and compiled history by history."""
    return compile_histories(ByHistory(), pruning=True)


def by_label(game: CompiledGame, numbers: np.ndarray) -> dict[tuple[int, str], np.ndarray]:
    """Return the numbers of each information set."""
    return {(each.player, each.label): numbers[each.cells] for each in game.information_sets()}


def assert_equal_by_label(mine: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    other = by_label(enumerated(), theirs)
    for place, numbers in by_label(listed(), mine).items():
        np.testing.assert_allclose(numbers, other[place], rtol=tolerance, atol=tolerance)


def test_there_are_no_entries():
    kinds = {*listed().arrays.matrix_kind.tolist()}
    assert {DISJOINT, SHOWDOWN} <= kinds
    of_leaves = listed().arrays.matrix_kind[listed().arrays.leaf_matrix]
    assert (of_leaves > DENSE).all()


def test_it_is_the_same_game():
    assert contents(listed()) == contents(enumerated())
    for field in ("histories", "information_sets", "sequences", "sequences_by_player"):
        assert getattr(listed().size, field) == getattr(enumerated().size, field)
    assert listed().root_histories == enumerated().root_histories
    assert listed().payoffs == enumerated().payoffs


@pytest.mark.parametrize("seed", range(4))
def test_measures_are_the_same(seed: int):
    mine = random_strategy(listed(), seed)
    theirs = translated(mine, enumerated())
    for metric in (secateur.nash_conv, secateur.expected_value):
        assert metric(listed(), mine) == pytest.approx(metric(enumerated(), theirs), abs=1e-12)
    for player in range(2):
        values = secateur.counterfactual_best_response_values(listed(), mine, player)
        other = secateur.counterfactual_best_response_values(enumerated(), theirs, player)
        assert_equal_by_label(values, other, 1e-12)


@pytest.mark.parametrize("minimizer", ["cfr", "cfr_plus", "dcfr"])
def test_regrets_are_the_same(minimizer: str):
    states = [getattr(recipes, minimizer)().start(game) for game in (listed(), enumerated())]
    for state in states:
        state.step(20)
    assert_equal_by_label(states[0].regret, states[1].regret, 1e-9)
    assert_equal_by_label(states[0].strategy_sum, states[1].strategy_sum, 1e-9)


@pytest.mark.parametrize("title", SOLVERS)
def test_solvers_agree(title: str):
    states = [SOLVERS[title].start(game) for game in (listed(), enumerated())]
    for state in states:
        state.step(8 if title == "egt" else 60)  # rounding tips what its steps depend on
    assert states[0].nash_conv() == pytest.approx(states[1].nash_conv(), rel=1e-6)
    assert states[0].nodes_touched == states[1].nodes_touched


def test_thresholds_look_at_every_pair():
    games = [
        secateur.compile(ByPublicState(), thresholds=True),
        compile_histories(ByHistory(), thresholds=True),
    ]
    values = []
    for game in games:
        state = secateur.EGT(threshold=0.01).start(game)
        state.step(30)
        values.append(state.nash_conv())
    assert values[0] == pytest.approx(values[1], rel=1e-6)


def test_bounds_are_the_same():
    mine, theirs = listed(), enumerated()
    upper = [game.pruning.payoffs[game.pruning.upper] for game in (mine, theirs)]
    assert_equal_by_label(upper[0], upper[1], 0.0)


def test_the_linear_program_reads_combinations():
    assert secateur.solve(listed(), "exact").value == pytest.approx(
        secateur.solve(enumerated(), "exact").value, abs=1e-9
    )
    assert abs(sequence_form(listed()).payoff).sum() == pytest.approx(
        abs(sequence_form(enumerated()).payoff).sum(), rel=1e-12
    )


def test_files(tmp_path):
    save_compiled(listed(), tmp_path / "game")
    read = open_compiled(tmp_path / "game")
    assert read.fingerprint == listed().fingerprint
    strategies = [random_strategy(game, 0) for game in (read, listed())]
    assert secateur.nash_conv(read, strategies[0]) == secateur.nash_conv(listed(), strategies[1])


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("combination_hand", 1000 * 64**2),
        ("combination_hand", -1),
        ("combination_twin", 1000),
        ("combination_first", 10**6),
        ("class_pointer", 1000),
        ("class_first", 5),
        ("matrix_classes", 0),
        ("matrix_kind", 4),
    ],
)
def test_made_up_files_are_refused(tmp_path, name, number):
    arrays = listed().arrays
    part = getattr(arrays, name).copy()
    part[-1] = number
    crafted = replace(listed(), arrays=arrays._replace(**{name: part}))
    save_compiled(crafted, tmp_path / "game")
    with pytest.raises(FileError, match="cannot belong to a game"):
        open_compiled(tmp_path / "game")
