"""Hedge: learning rates, very long runs, and runs against the oracle and the exact value."""

from __future__ import annotations

import math

import numpy as np
import pytest

import secateur
from reference import ReferenceHedge
from reference.thresholding import no_threshold, threshold_of_hedge
from secateur import DynamicThresholding, Hedge
from secateur.games import Game, MatrixGame, RandomGame
from secateur.kernels.regret_minimizers.hedge_choice import choose_softmax
from support.oracle import Bridge
from support.public import RandomPublicGame
from support.runs import UPDATES, assert_same_bits
from support.small_games import BUILT_IN, compiled, exact_value

RATES = ("variance", "theory")


def hedge(rate: str = "variance", factor: float | None = None, **options: object) -> secateur.CFR:
    thresholding = None if factor is None else DynamicThresholding(factor)
    return secateur.CFR(Hedge(rate), thresholding=thresholding, **options)


@pytest.mark.parametrize("factor", [None, 2.0])
@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(
    ("game", "iterations"),
    [
        (secateur.load("leduc"), 12),
        (RandomGame(seed=3, ties=0.0, skew=1.0), 200),
        (RandomGame(seed=8, structured=True, depth=7), 50),
        (RandomPublicGame(1), 50),
    ],
    ids=["leduc", "random", "structured", "public"],
)
def test_every_iteration_is_that_of_the_oracle(
    game: Game, iterations: int, rate: str, updates: str, factor: float | None
):
    threshold = no_threshold if factor is None else threshold_of_hedge(factor)
    slow = ReferenceHedge(game, "uniform", updates, True, threshold, rate=rate)
    bridge = Bridge(game)
    fast = hedge(rate, factor, updates=updates, count_nodes=True).start(bridge.compiled)
    for _ in range(iterations):
        slow.step()
        fast.step()
        strategy = bridge.probabilities(slow.current_strategy())
        np.testing.assert_allclose(fast.strategy, strategy, rtol=0.0, atol=1e-7)
        np.testing.assert_allclose(fast.regret, bridge.array(slow.regret), rtol=1e-8, atol=1e-8)
        # without thresholds, products of very small probabilities may vanish
        if factor is not None:
            assert fast.nodes_touched == slow.nodes_touched


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize(("rate", "factor"), [("variance", None), ("variance", 2.0), ("theory", 4)])
def test_small_games_converge_to_their_value(
    rate: str, factor: float | None, updates: str, title: str
):
    game = compiled(title)
    state = hedge(rate, factor, updates=updates).start(game)
    exact = exact_value(game)
    gaps = []
    for iterations in (300, 2700):
        state.step(iterations)
        gaps.append(state.nash_conv())
        value = secateur.expected_value(game, state.average_strategy())
        assert abs(value - exact) <= gaps[-1] + 1e-9
    start = secateur.nash_conv(game, secateur.Strategy.uniform(game))
    # the rate of the theory is slow on games whose information sets are seldom reached
    assert gaps[1] <= (0.1 if rate == "variance" else 0.75) * start + 1e-9
    assert gaps[1] <= 0.9 * gaps[0] + 1e-9


@pytest.mark.parametrize("factor", [None, 2.0])
def test_known_numbers_on_leduc(factor: float | None):
    """Hedge with the rate of the experiments is ahead of regret matching, as in the paper."""
    game = compiled("leduc-dt")
    ours = hedge(factor=factor, updates="simultaneous").start(game)
    matching = secateur.recipes.cfr(updates="simultaneous").start(game)
    ours.step(10_000)
    matching.step(10_000)
    assert ours.nash_conv() < matching.nash_conv() < 0.02


def rows_of(game: secateur.CompiledGame) -> np.ndarray:
    return np.flatnonzero(game.cell_player == 0)


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e9, 1e30])
@pytest.mark.parametrize("iteration", [1, 10_000_000, 10**15])
@pytest.mark.parametrize("rate", RATES)
def test_no_regret_is_too_large(rate: str, iteration: int, size: float):
    game = secateur.compile(MatrixGame(((-3, 1), (2, 0), (1, 1), (0, 1))), pruning=True)
    state = hedge(rate).start(game)
    state.regret[rows_of(game)] = np.array([-1.0, 1.0, 1.0, 0.5]) * size
    state._hedge.value_sum[:] = iteration * 0.25
    state._hedge.square_sum[:] = iteration * 0.07
    choose_softmax(game.arrays, 0, state.regret, state._hedge, iteration, state.strategy)
    chosen = state.strategy[rows_of(game)]
    assert np.isfinite(chosen).all()
    assert chosen.sum() == pytest.approx(1.0, abs=1e-15)
    assert chosen[1] == chosen[2] >= chosen[3] >= chosen[0] >= 0.0


def test_learning_rates_stay_exact_over_ten_million_observations():
    """Sums of squares lose digits to cancellation, but few."""
    game = secateur.compile(MatrixGame(((5, 6), (6, 5))), pruning=True)
    state = hedge().start(game)
    iterations = 10_000_000
    random = np.random.default_rng(1)
    # values that settle: a tenth off at first, then less and less
    values = 5.5 + random.normal(size=iterations) / np.sqrt(np.arange(1.0, iterations + 1)) / 10
    state._hedge.value_sum[:] = np.cumsum(values)[-1]
    state._hedge.square_sum[:] = np.cumsum(values**2)[-1]
    state.regret[rows_of(game)] = [0.0, 0.01]
    choose_softmax(game.arrays, 0, state.regret, state._hedge, iterations, state.strategy)
    exact = values.astype(np.longdouble)
    rate = math.sqrt(math.log(2)) / (3 * math.sqrt(float(exact.var())) * math.sqrt(iterations))
    odds = state.strategy[rows_of(game)]
    assert math.log(odds[1] / odds[0]) == pytest.approx(0.01 * rate, rel=1e-3)


def test_a_long_run_stays_sound():
    game = secateur.compile(MatrixGame(((1, -1), (-2, 1))), pruning=True)
    state = hedge(factor=2.0).start(game)
    state.step(1_000_000)
    assert np.isfinite(state.regret).all()
    assert 0.0 <= state.nash_conv() < 2e-3
    assert state.current_strategy().probabilities.sum() == pytest.approx(2.0, abs=1e-12)


@pytest.mark.parametrize("rate", RATES)
def test_where_nothing_can_be_won_play_is_uniform(rate: str):
    game = secateur.compile(MatrixGame(((3, 3), (3, 3), (3, 3))), pruning=True)
    state = hedge(rate, 2.0).start(game)
    state.step(100)
    uniform = secateur.Strategy.uniform(game).probabilities
    np.testing.assert_allclose(state.strategy, uniform, atol=1e-12)


def test_probabilities_are_never_zero_without_thresholds():
    game = compiled("leduc")
    state = hedge().start(game)
    state.step(1000)
    assert (state.strategy > 0.0).all()
    cut = hedge(factor=2.0).start(game)
    cut.step(1000)
    assert (cut.strategy == 0.0).mean() > 0.2


def test_memory_is_what_was_estimated():
    game = compiled("leduc")
    for updates in UPDATES:
        solver = hedge(updates=updates)
        state = solver.start(game)
        rooms = ("sweeps.", "hedge.row", "hedge.log_actions")
        room = sum(part.nbytes for name, part in state.held().items() if name.startswith(rooms))
        assert state.bytes_resident == solver.memory_estimate(game) + room


def test_thresholds_that_cut_nothing_change_no_bit():
    for minimizer in (Hedge(), secateur.RegretMatching()):
        plain = secateur.CFR(minimizer).start(compiled("leduc"))
        cut = secateur.CFR(minimizer, thresholding=DynamicThresholding(1.0)).start(
            compiled("leduc")
        )
        plain.step(200)
        cut.step(200)
        assert_same_bits(plain, cut)


def test_unknown_learning_rates_are_refused():
    with pytest.raises(secateur.ParameterError, match="'variance' or 'theory'"):
        Hedge("fast")


def test_games_must_be_compiled_for_it():
    game = secateur.compile(secateur.load("kuhn"))
    with pytest.raises(secateur.ParameterError, match="pruning=True"):
        hedge().start(game)
