"""Optimistic mirror descent: against its slow version, and what its step size promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from reference import ReferenceMirrorDescent
from secateur import OptimisticMirrorDescent
from secateur.games import Game
from secateur.games.random_game import RandomGame
from secateur.solvers.dilation import WEIGHTS
from support.oracle import Bridge
from support.public import RandomPublicGame
from support.small_games import BUILT_IN, compiled, examples, random_games
from support.written import crossed_orders, diagonal

GAMES: list[Game] = [
    secateur.load("kuhn"),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0) for seed in range(3)),
    RandomGame(seed=8, ties=0.0, skew=1.0, structured=True, depth=7),
    RandomPublicGame(0),
    crossed_orders(),
    diagonal(3),
]


def compare(game: Game, weights: str, iterations: int) -> None:
    """Step both codes side by side, as long as the step size of the fast one stays what it is."""
    bridge = Bridge(game)
    solver = OptimisticMirrorDescent(weights=weights, count_nodes=True)
    for steps in ("adaptive", "safe"):
        state = replace(solver, steps=steps).start(bridge.compiled)
        eta = state.step_size
        slow = ReferenceMirrorDescent(game, eta, weights)
        for _ in range(iterations):
            slow.step()
            state.step()
            total = {s: p for plan in slow.total for s, p in plan.items() if s is not None}
            np.testing.assert_allclose(state.strategy_sum, bridge.array(total), rtol=0.0, atol=1e-9)
            assert state.nodes_touched == 2 * bridge.tree.size * state.iteration
            if state.step_size != eta:
                break


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_sums_of_plans_are_those_of_the_slow_version(game: Game, weights: str):
    compare(game, weights, 8)


def test_leduc_is_iterated_as_by_the_slow_version():
    compare(secateur.load("leduc"), "kroer17", 4)


@examples(40)
@given(game=random_games(ties=0.0, skew=1.0), weights=st.sampled_from(WEIGHTS))
def test_random_games_are_iterated_as_by_the_slow_version(game: Game, weights: str):
    compare(game, weights, 5)


@pytest.mark.parametrize("title", BUILT_IN)
def test_adaptive_steps_keep_the_bound_whenever_they_are_checked(title: str):
    state = OptimisticMirrorDescent().start(compiled(title))
    for _ in range(25):
        check = state._check
        state.step(check - state.iteration)
        assert state.nash_conv() <= state.bound * (1.0 + 1e-9) + 1e-12


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_safe_steps_bound_the_regrets(title: str, weights: str):
    """The sum of regrets is at most (D_0 + D_1) / eta, and what the first gradients add."""
    game = compiled(title)
    state = OptimisticMirrorDescent(weights=weights, steps="safe").start(game)
    values = [
        secateur.counterfactual_best_response_values(game, secateur.Strategy.uniform(game), player)
        for player in range(2)
    ]
    first = sum(np.abs(each).max(initial=0.0) ** 2 for each in values)
    for _ in range(8):
        state.step(25)
        regrets = state.iteration * state.nash_conv()
        allowed = state.bound * state.iteration + state.step_size * first
        assert regrets <= allowed + 1e-9


@pytest.mark.parametrize("title", ["goofspiel", "random", "liars-dice of 3 sides"])
def test_the_last_strategy_converges_where_a_pure_one_is_enough(title: str):
    game = compiled(title)
    state = OptimisticMirrorDescent().start(game)
    state.step(3_000)
    last = secateur.nash_conv(game, state.current_strategy())
    assert last < 1e-9 < state.nash_conv()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": "even"}, "kroer17"),
        ({"steps": "long"}, "adaptive"),
        ({"pruning": secateur.RegretBasedPruning()}, "no regrets"),
        ({"pruning": secateur.BestResponsePruning()}, "no regrets"),
    ],
)
def test_impossible_choices_are_refused(options: dict, words: str):
    with pytest.raises(secateur.ParameterError, match=words) as caught:
        OptimisticMirrorDescent(**options)
    assert "\n" not in str(caught.value)
