"""What must not change the result, to the last bit, and what must hold along every run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur import Averaging, NoPruning, PartialPruning, Storage
from secateur.games import Game
from support.public import RandomPublicGame
from support.runs import MINIMIZERS, UPDATES, assert_same_bits, started
from support.small_games import BUILT_IN, compiled, examples, random_games
from support.written import crossed_orders, diagonal

ITERATIONS = 30
PRECISIONS = ("float64", "float32")

minimizers = st.sampled_from(list(MINIMIZERS))
updates_of = st.sampled_from(UPDATES)
precisions = st.sampled_from(PRECISIONS)


def assert_pruning_changes_nothing(game, minimizer: str, updates: str, precision: str) -> None:
    plain, pruned = (
        started(game, minimizer, updates, pruning=pruning, storage=Storage(precision))
        for pruning in (NoPruning(), PartialPruning())
    )
    for _ in range(ITERATIONS):
        plain.step()
        pruned.step()
        assert_same_bits(plain, pruned)


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("minimizer", MINIMIZERS)
def test_partial_pruning_changes_no_bit_in_built_in_games(
    minimizer: str, updates: str, precision: str, title: str
):
    assert_pruning_changes_nothing(compiled(title), minimizer, updates, precision)


@examples(100)
@given(game=random_games(), minimizer=minimizers, updates=updates_of, precision=precisions)
def test_partial_pruning_changes_no_bit_in_random_games(
    game: Game, minimizer: str, updates: str, precision: str
):
    assert_pruning_changes_nothing(
        secateur.compile(game, pruning=True), minimizer, updates, precision
    )


@pytest.mark.parametrize("game", [crossed_orders(), diagonal(6), *map(RandomPublicGame, range(8))])
@pytest.mark.parametrize("minimizer", MINIMIZERS)
def test_partial_pruning_changes_no_bit_in_odd_games(minimizer: str, game: Game):
    for updates in UPDATES:
        assert_pruning_changes_nothing(
            secateur.compile(game, pruning=True), minimizer, updates, "float64"
        )


@pytest.mark.parametrize("updates", UPDATES)
def test_counting_nodes_changes_no_bit(updates: str):
    plain, counted = (
        started(compiled("leduc"), "rm", updates, count_nodes=count) for count in (False, True)
    )
    plain.step(ITERATIONS)
    counted.step(ITERATIONS)
    assert_same_bits(plain, counted)
    assert plain.nodes_touched is None
    assert 0 < counted.nodes_touched < 2 * 1_936 * ITERATIONS


@examples(40)
@given(
    game=random_games(),
    minimizer=minimizers,
    updates=updates_of,
    precision=precisions,
    parts=st.lists(st.integers(1, 9), min_size=1, max_size=5),
)
def test_many_iterations_at_once_are_as_many_single_ones(
    game: Game, minimizer: str, updates: str, precision: str, parts: list[int]
):
    compact = secateur.compile(game, pruning=True)
    at_once, by_parts, one_by_one = (
        started(compact, minimizer, updates, storage=Storage(precision), count_nodes=True)
        for _ in range(3)
    )
    at_once.step(sum(parts))
    for part in parts:
        by_parts.step(part)
    for _ in range(sum(parts)):
        one_by_one.step()
    assert_same_bits(at_once, by_parts)
    assert_same_bits(at_once, one_by_one)
    assert at_once.nodes_touched == by_parts.nodes_touched == one_by_one.nodes_touched


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("minimizer", MINIMIZERS)
def test_same_run_twice_gives_the_same_bits(minimizer: str, updates: str, precision: str):
    runs = [
        started(compiled("leduc"), minimizer, updates, storage=Storage(precision)) for _ in "ab"
    ]
    for run in runs:
        run.step(200)
    assert_same_bits(*runs)


def test_two_runs_on_one_game_do_not_disturb_each_other():
    game = compiled("leduc")
    alone = started(game, "pcfr+", "alternating")
    alone.step(20)
    first, second = started(game, "pcfr+", "alternating"), started(game, "rm", "simultaneous")
    for _ in range(20):
        first.step()
        second.step()
        second.nash_conv()
    assert_same_bits(alone, first)


@examples(60)
@given(game=random_games(), minimizer=minimizers, updates=updates_of)
def test_along_a_run_strategies_are_distributions_and_exploitability_is_not_negative(
    game: Game, minimizer: str, updates: str
):
    compact = secateur.compile(game, pruning=True)
    state = started(compact, minimizer, updates)
    for _ in range(10):
        state.step()
        average = state.average_strategy()
        for strategy in (state.current_strategy(), average):
            assert (strategy.probabilities >= 0.0).all()
            for infoset in compact.information_sets():
                assert strategy.probabilities[infoset.cells].sum() == pytest.approx(1.0, abs=1e-14)
        gap = state.nash_conv()
        assert gap > -1e-12
        assert secateur.nash_conv(compact, average) == pytest.approx(gap, rel=1e-9, abs=1e-12)
        value = secateur.expected_value(compact, average)
        assert secateur.best_response_value(compact, average, 0) >= value - 1e-12
        assert secateur.best_response_value(compact, average, 1) >= -value - 1e-12


@pytest.mark.parametrize("title", BUILT_IN)
def test_average_as_behavior_has_the_nash_conv_of_the_sum_of_plans(title: str):
    game = compiled(title)
    state = started(game, "rm+", "alternating")
    for _ in range(5):
        state.step(10)
        gap = secateur.nash_conv(game, state.average_strategy())
        assert gap == pytest.approx(state.nash_conv(), rel=1e-10, abs=1e-12)


def test_before_the_first_iteration_the_average_is_uniform():
    state = started(compiled("leduc"), "rm", "simultaneous")
    uniform = secateur.Strategy.uniform(compiled("leduc"))
    assert np.array_equal(state.average_strategy().probabilities, uniform.probabilities)
    assert state.nash_conv() == secateur.nash_conv(compiled("leduc"), uniform)


def test_delayed_average_ignores_the_first_iterations():
    state = started(
        compiled("leduc"), "rm", "alternating", averaging=secateur.Averaging(0, delay=10)
    )
    state.step(10)
    assert not state.strategy_sum.any()
    state.step(5)
    assert state.weight == 5.0
    assert secateur.nash_conv(compiled("leduc"), state.average_strategy()) == pytest.approx(
        state.nash_conv(), rel=1e-10
    )


@pytest.mark.parametrize("updates", UPDATES)
def test_single_precision_takes_half_the_memory_of_regrets_and_strategies(updates: str):
    small, large = (
        secateur.recipes.cfr(updates=updates, storage=Storage(precision))
        for precision in ("float32", "float64")
    )
    game = compiled("leduc")
    sums = 8 * game.cells
    if updates == "alternating":
        sums += 8 * game.size.information_sets  # strategies are not stored, but scales are
    assert 2 * (small.memory_estimate(game) - sums) == large.memory_estimate(game) - sums
    for solver in (small, large):
        state = solver.start(game)
        workspace = sum(part.nbytes for part in state._held_by_sweeps().values())
        assert state.bytes_resident == solver.memory_estimate(game) + workspace


@pytest.mark.parametrize("minimizer", MINIMIZERS)
def test_nothing_is_lost_that_is_added_to_sums_of_long_runs(minimizer: str):
    state = started(
        compiled("kuhn"),
        minimizer,
        "alternating",
        averaging=Averaging(0),
        storage=Storage("float32"),
    )
    state.step(100)
    before = state.strategy_sum * (2.0**40 / state.weight)  # as after years
    np.copyto(state.strategy_sum, before)
    state.weight = 2.0**40
    state.step(100)
    gained = state.strategy_sum - before
    first_cards = slice(0, 6)  # what player 0 does first, with each of three cards
    # sums have steps of 2^-12 by then: six of them are rounded by half of that, a hundred times
    assert gained[first_cards].sum() == pytest.approx(300.0, abs=600 * 2.0**-13)


def test_high_powers_of_averaging_stay_within_single_precision():
    averaging, storage = Averaging(16), Storage("float32")
    state = secateur.recipes.cfr_plus(averaging=averaging, storage=storage).start(compiled("kuhn"))
    state.step(2000)
    assert state.nash_conv() < 5e-3


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_exploitability_of_rounded_sums_is_that_of_the_strategy_they_make(name: str):
    game = secateur.compile(secateur.load(name))
    state = secateur.recipes.cfr_plus(storage=secateur.Storage("float32")).start(game)
    for _ in range(4):
        state.step(20_000)
        assert state.nash_conv() > -1e-12
        assert state.nash_conv() == secateur.nash_conv(game, state.average_strategy())
