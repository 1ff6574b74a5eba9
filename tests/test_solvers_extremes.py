"""Games in which probabilities vanish, and payoffs of every size: numbers stay numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import secateur
from secateur import EGT, NoPruning, OptimisticMirrorDescent, PartialPruning
from secateur.compiled.game import CompiledGame
from secateur.games import Game
from secateur.minimizers import Minimizer
from secateur.solvers.protocols import State
from support.long_games import LONG_GAMES, Duel, LongGame, Scaled
from support.runs import MINIMIZERS, UPDATES, assert_same_bits, started
from support.solvers import SOLVERS

UNDERFLOWING = 1040
"""Rounds that one player who plays at random survives with less than the smallest normal number."""

FAMILY = {
    **{"cfr": 500, "cfr+": 200, "lcfr": 300, "dcfr": 300, "pcfr+": 200},
    **{"dcfr+": 200, "pdcfr+": 200, "sapcfr+": 200},
}
"""Iterations after which a duel is nearly solved."""


_compiled: dict[str, CompiledGame] = {}


def compiled(game: Game) -> CompiledGame:
    """Return a game for all solvers; they run on the same examples."""
    if str(game) not in _compiled:
        _compiled[str(game)] = secateur.compile(game, pruning=True, thresholds=True)
    return _compiled[str(game)]


@cache
def infosets_of_cells(game: CompiledGame) -> np.ndarray:
    """Return the number of the information set of each cell."""
    numbers = np.zeros(game.cells, np.int64)
    for number, infoset in enumerate(game.information_sets()):
        numbers[infoset.cells] = number
    return numbers


def assert_sound(state: State, gap_of_uniform: float) -> None:
    for strategy in (state.current_strategy(), state.average_strategy()):
        assert np.isfinite(strategy.probabilities).all()
        assert (strategy.probabilities >= 0.0).all()
        sums = np.bincount(infosets_of_cells(state.game), weights=strategy.probabilities)
        assert np.abs(sums - 1.0).max() < 1e-5
    assert -1e-9 * gap_of_uniform <= state.nash_conv() < np.inf


@pytest.mark.parametrize("name", FAMILY)
def test_a_duel_in_which_reach_underflows_is_solved(name: str):
    game = compiled(Duel(UNDERFLOWING))
    state = SOLVERS[name].start(game)
    state.step(1)
    assert_sound(state, 1.0)
    state.step(FAMILY[name] - 1)
    assert_sound(state, 1.0)
    assert state.nash_conv() < 0.05


@pytest.mark.parametrize(
    "minimizer",
    [
        *(secateur.DiscountedRegretMatching(alpha, -alpha) for alpha in (-1e6, 1e6)),
        *(secateur.DiscountedRegretMatchingPlus(alpha) for alpha in (0.0, 1e6)),
        *(secateur.PredictiveDiscountedRegretMatchingPlus(alpha) for alpha in (0.0, 1e6)),
        secateur.AsymmetricPredictiveRegretMatchingPlus(1e300),
    ],
    ids=str,
)
def test_exponents_of_any_size_leave_numbers_numbers(minimizer: Minimizer):
    rows = minimizer.schedule(np.array([1.0, 2.0, 3.0, 1e6, 1e12]))
    assert not np.isnan(rows).any()
    assert np.isfinite(np.delete(rows, 3, axis=1)).all()  # the floor may be below everything
    state = secateur.CFR(minimizer).start(compiled(secateur.load("leduc", ranks=2)))
    state.step(60)
    assert_sound(state, 1.0)


@pytest.mark.parametrize("minimizer", MINIMIZERS)
@pytest.mark.parametrize("updates", UPDATES)
def test_partial_pruning_changes_nothing_where_reach_underflows(minimizer: str, updates: str):
    game = compiled(Duel(UNDERFLOWING))
    pruned, whole = (
        started(game, minimizer, updates, pruning=pruning)
        for pruning in (PartialPruning(), NoPruning())
    )
    for _ in range(5):
        pruned.step(3)
        whole.step(3)
        assert_same_bits(pruned, whole)


def test_histories_that_chance_never_brings_about_have_no_matrices():
    game = compiled(LongGame(seed=4, moves=400, unlikely=1e-300, stakes=1.0))
    assert game.pruning is not None
    assert game.branches is not None
    has_links = np.diff(game.pruning.first_link) > 0
    assert not has_links[1:].all()
    for matrices in (
        game.arrays.leaf_matrix,
        game.pruning.link_matrix,
        game.pruning.tally_matrix,
        game.branches.end_matrix,
    ):
        assert matrices.min() >= 0


@cache
def gap_of_uniform(game: CompiledGame) -> float:
    return secateur.nash_conv(game, secateur.Strategy.uniform(game))


@pytest.mark.parametrize("rules", LONG_GAMES, ids=str)
@pytest.mark.parametrize("solver", SOLVERS)
def test_all_solvers_stay_finite(solver: str, rules: LongGame):
    game = compiled(rules)
    try:
        state = SOLVERS[solver].start(game)
    except secateur.ParameterError as error:
        assert "too deep" in str(error)
        return
    for iterations in (1, 6, 53):
        state.step(iterations)
        assert_sound(state, gap_of_uniform(game))


@pytest.mark.parametrize("solver", [EGT(), EGT("kroer15"), OptimisticMirrorDescent()])
def test_entropies_refuse_games_that_are_too_deep_for_their_weights(solver):
    with pytest.raises(secateur.ParameterError, match=r"duel\(rounds=1100\).*too deep.*CFR"):
        solver.start(compiled(Duel(1100)))


@pytest.mark.parametrize("solver", SOLVERS)
def test_sums_that_leave_the_range_of_numbers_end_a_run(solver: str):
    """Some methods never come so far; no kernel may follow infinite numbers out of its arrays."""
    game = compiled(Scaled(secateur.load("matrix", matrix=((0, 1, -1.5), (3, -1, 0.25))), 1e307))
    try:
        result = secateur.solve(game, SOLVERS[solver], secateur.until.iterations(300))
    except secateur.SecateurError as error:
        assert "no longer finite" in str(error)
        return
    uniform = secateur.nash_conv(game, secateur.Strategy.uniform(game))
    assert result.nash_conv < 0.5 * uniform


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**40])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_unit_that_is_a_power_of_two_changes_no_bit(solver: str, scale: float):
    plain, scaled = (
        SOLVERS[solver].start(compiled(Scaled(secateur.load("leduc", ranks=2), unit)))
        for unit in (1.0, scale)
    )
    for state in (plain, scaled):
        state.step(60)
    assert np.array_equal(
        plain.average_strategy().probabilities, scaled.average_strategy().probabilities
    )
    assert scaled.nash_conv() == scale * plain.nash_conv()
