"""What must hold for all methods that follow gradients."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur import (
    EGT,
    BestResponsePruning,
    FictitiousPlay,
    NoPruning,
    OptimisticMirrorDescent,
)
from secateur.compiled.game import CompiledGame
from secateur.games import Game
from secateur.solvers.bounds import payoff_range
from support.small_games import BUILT_IN, built_in, compiled, exact_value, examples, random_games

METHODS = {
    "egt": EGT(),
    "egt, fixed steps": EGT(steps="fixed"),
    "egt, older weights": EGT(weights="kroer15", balanced=True),
    "egt, threshold": EGT(threshold=0.01),
    "mirror descent": OptimisticMirrorDescent(),
    "fictitious play": FictitiousPlay(),
    "fictitious play, pruned": FictitiousPlay(
        pruning=BestResponsePruning(minimum_skip=5, check_every=3)
    ),
}
SLOW = 0.06
"""What fictitious play may leave of the range of payoffs; others, a tenth of that."""

methods = st.sampled_from(list(METHODS))


@cache
def ready(title: str) -> CompiledGame:
    return secateur.compile(built_in(title), pruning=True, thresholds=True)


def allowed(game: CompiledGame, method: str) -> float:
    """Return what NashConv may be after some thousand iterations."""
    share = SLOW if method.startswith("fictitious play") else 0.1 * SLOW
    return share * payoff_range(game.pruning) + 1e-9


def kept(state: object) -> list[np.ndarray]:
    """Return what a state carries from one iteration to the next."""
    plan = state.plan if hasattr(state, "plan") else state.strategy_sum
    return [plan, state.current_strategy().probabilities]


def assert_same_bits(first: object, second: object) -> None:
    assert first.iteration == second.iteration
    for mine, theirs in zip(kept(first), kept(second), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize("method", METHODS)
def test_value_is_that_of_the_linear_program(method: str, title: str):
    game = ready(title)
    exact = exact_value(game)
    number = 10_000 if method.startswith("fictitious play") else 3_000
    enough = secateur.until.exploitability(0.25 * allowed(game, method))
    until = secateur.until.iterations(number) | enough
    result = secateur.solve(game, METHODS[method], until)
    assert abs(result.value - exact) <= result.nash_conv + 1e-9
    assert -1e-9 < result.nash_conv <= allowed(game, method)


@examples(40)
@given(game=random_games(), method=methods)
def test_random_games_are_solved(game: Game, method: str):
    solver = METHODS[method]
    compact = secateur.compile(game, pruning=True, thresholds=solver.needs_branches)
    state = solver.start(compact)
    state.step(1_000)
    assert -1e-9 < state.nash_conv() <= allowed(compact, method)
    value = secateur.solve(compact, secateur.Exact()).value
    found = secateur.expected_value(compact, state.average_strategy())
    assert abs(found - value) <= state.nash_conv() + 1e-9


@examples(40)
@given(
    game=random_games(),
    method=methods,
    parts=st.lists(st.integers(1, 9), min_size=1, max_size=4),
)
def test_many_iterations_at_once_are_as_many_single_ones(game: Game, method: str, parts: list[int]):
    solver = replace(METHODS[method], count_nodes=True)
    compact = secateur.compile(game, pruning=True, thresholds=solver.needs_branches)
    at_once, by_parts = solver.start(compact), solver.start(compact)
    at_once.step(sum(parts))
    for part in parts:
        by_parts.step(part)
        by_parts.nash_conv()
        by_parts.average_strategy()
    assert_same_bits(at_once, by_parts)
    assert at_once.nodes_touched == by_parts.nodes_touched


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize("method", ["egt", "egt, fixed steps", "mirror descent", "fictitious play"])
def test_partial_pruning_changes_no_bit(method: str, title: str):
    plain, pruned = (
        replace(METHODS[method], count_nodes=True, **options).start(compiled(title))
        for options in ({"pruning": NoPruning()}, {})
    )
    for _ in range(15):
        plain.step()
        pruned.step()
        assert_same_bits(plain, pruned)
    assert pruned.nodes_touched <= plain.nodes_touched


@pytest.mark.parametrize("method", METHODS)
def test_counting_nodes_changes_no_bit(method: str):
    plain, counted = (
        replace(METHODS[method], count_nodes=count).start(ready("leduc")) for count in (False, True)
    )
    plain.step(20)
    counted.step(20)
    assert_same_bits(plain, counted)
    assert plain.nodes_touched is None
    assert plain.nodes_touched_overhead is None
    assert counted.nodes_touched > 0


@pytest.mark.parametrize("method", METHODS)
def test_two_runs_on_one_game_do_not_disturb_each_other(method: str):
    alone, first, second = (METHODS[method].start(ready("leduc")) for _ in range(3))
    alone.step(10)
    for _ in range(10):
        first.step()
        second.step(3)
        second.nash_conv()
    assert_same_bits(alone, first)


@pytest.mark.parametrize("method", METHODS)
def test_along_a_run_strategies_are_distributions(method: str):
    game = ready("leduc")
    state = METHODS[method].start(game)
    for _ in range(10):
        average = state.average_strategy()
        for strategy in (average, state.current_strategy()):
            assert (strategy.probabilities >= 0.0).all()
            for infoset in game.information_sets():
                assert strategy.probabilities[infoset.cells].sum() == pytest.approx(1.0, abs=1e-12)
        gap = state.nash_conv()
        assert secateur.nash_conv(game, average) == pytest.approx(gap, rel=1e-9, abs=1e-12)
        state.step()


@pytest.mark.parametrize("method", METHODS)
def test_memory_is_what_was_estimated(method: str):
    game = ready("leduc")
    state = METHODS[method].start(game)
    small = ("room.", "sweeps.", "there.", "nodes", "smoothing", "step")
    rest = sum(part.nbytes for name, part in state.held().items() if name.startswith(small))
    assert state.bytes_resident == METHODS[method].memory_estimate(game) + rest
    assert state.regret_entries_live == game.cells  # before anything is pruned
    assert 0 <= state.strategy_entries_live <= game.cells


@pytest.mark.parametrize("method", METHODS)
def test_at_least_one_iteration_is_run(method: str):
    with pytest.raises(secateur.ParameterError, match="at least one"):
        METHODS[method].start(ready("kuhn")).step(0)
