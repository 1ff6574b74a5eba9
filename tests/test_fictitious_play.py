"""Fictitious play against its slow version."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import secateur
from reference import ReferenceFictitiousPlay
from secateur import FictitiousPlay
from secateur.games import Game
from support.oracle import Bridge
from support.public import RandomPublicGame
from support.small_games import compiled, examples, random_games
from support.written import crossed_orders, diagonal


def compare(game: Game, iterations: int) -> None:
    bridge = Bridge(game)
    slow, fast = ReferenceFictitiousPlay(game), FictitiousPlay(count_nodes=True)
    state = fast.start(bridge.compiled)
    for _ in range(iterations):
        slow.step()
        state.step()
        total = {s: p for plan in slow.total for s, p in plan.items() if s is not None}
        np.testing.assert_allclose(state.strategy_sum, bridge.array(total), rtol=0.0, atol=1e-9)
        assert state.nodes_touched == slow.nodes_touched


@pytest.mark.parametrize(
    "game",
    [
        secateur.load("kuhn"),
        secateur.load("leduc"),
        secateur.load("leduc-dt"),
        RandomPublicGame(0),
        RandomPublicGame(10),
        crossed_orders(),
        diagonal(3),
    ],
    ids=str,
)
def test_sums_of_strategies_and_nodes_are_those_of_the_slow_version(game: Game):
    compare(game, 12)


@examples(60)
@given(game=random_games(ties=0.0, skew=1.0))
def test_random_games_are_played_as_by_the_slow_version(game: Game):
    compare(game, 10)


def test_best_responses_reach_little():
    state = FictitiousPlay(count_nodes=True).start(compiled("leduc"))
    state.step()
    assert state.nodes_touched == 2 * 1_936
    state.step(100)
    assert state.nodes_touched < 0.3 * 101 * 2 * 1_936


def test_nash_conv_is_that_of_an_independent_program():
    state = FictitiousPlay(count_nodes=True).start(compiled("leduc"))
    state.step(10_000)
    assert state.nash_conv() == pytest.approx(0.034871759, abs=5e-10)


def test_other_pruning_is_refused():
    with pytest.raises(secateur.ParameterError, match="no regrets"):
        FictitiousPlay(pruning=secateur.RegretBasedPruning())
