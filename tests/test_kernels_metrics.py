"""Values of strategies against the oracle, which goes through histories one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from reference import metrics as oracle
from secateur import Strategy
from secateur.games import Game
from support.oracle import Bridge, random_profile
from support.public import RandomPublicGame
from support.small_games import BUILT_IN, built_in, examples, random_games
from support.written import crossed_orders, diagonal

TOLERANCE = 1e-10


def assert_same_values(bridge: Bridge, seed: int, zeros: float) -> None:
    game, tree = bridge.compiled, bridge.tree
    profile = random_profile(tree, seed, zeros)
    strategy = bridge.strategy(profile)

    def same(found: float, expected: float) -> None:
        assert found == pytest.approx(expected, rel=TOLERANCE, abs=1e-13)

    same(secateur.nash_conv(game, strategy), oracle.nash_conv(tree, profile))
    same(secateur.exploitability(game, strategy), oracle.exploitability(tree, profile))
    same(secateur.expected_value(game, strategy), oracle.expected_value(tree, profile))
    for player in range(2):
        same(
            secateur.best_response_value(game, strategy, player),
            oracle.best_response_value(tree, player, profile),
        )
        np.testing.assert_allclose(
            secateur.counterfactual_best_response_values(game, strategy, player),
            bridge.array(oracle.counterfactual_best_response_values(tree, player, profile)),
            rtol=TOLERANCE,
            atol=1e-14,
        )


@examples(120)
@given(game=random_games(), seed=st.integers(0, 1000), zeros=st.sampled_from([0.0, 0.3, 0.8]))
def test_values_of_random_strategies_in_random_games(game: Game, seed: int, zeros: float):
    assert_same_values(Bridge(game), seed, zeros)


@pytest.mark.parametrize("title", BUILT_IN)
def test_values_of_random_strategies_in_built_in_games(title: str):
    bridge = Bridge(built_in(title))
    for seed in range(3):
        assert_same_values(bridge, seed, zeros=0.4)


@pytest.mark.parametrize("seed", range(12))
def test_values_of_random_strategies_in_public_games(seed: int):
    assert_same_values(Bridge(RandomPublicGame(seed)), seed, zeros=0.4)


@pytest.mark.parametrize("game", [crossed_orders(), diagonal(4), diagonal(7)])
def test_values_of_random_strategies_in_odd_games(game: Game):
    bridge = Bridge(game)
    for seed in range(5):
        assert_same_values(bridge, seed, zeros=0.4)


@examples(60)
@given(game=random_games(), seed=st.integers(0, 1000))
def test_best_response_earns_its_value_and_cannot_be_improved(game: Game, seed: int):
    bridge = Bridge(game)
    strategy = bridge.strategy(random_profile(bridge.tree, seed))
    for player, sign in ((0, 1.0), (1, -1.0)):
        value = secateur.best_response_value(bridge.compiled, strategy, player)
        response = secateur.best_response(bridge.compiled, strategy, player)
        assert sign * secateur.expected_value(bridge.compiled, response) == pytest.approx(
            value, rel=TOLERANCE, abs=1e-13
        )
        theirs = bridge.compiled.cell_player != player
        assert np.array_equal(response.probabilities[theirs], strategy.probabilities[theirs])
        assert set(response.probabilities[~theirs]) <= {0.0, 1.0}
        assert value >= sign * secateur.expected_value(bridge.compiled, strategy) - 1e-12


@examples(60)
@given(game=random_games(), seed=st.integers(0, 1000), zeros=st.sampled_from([0.0, 0.5]))
def test_exploitability_is_never_negative(game: Game, seed: int, zeros: float):
    bridge = Bridge(game)
    strategy = bridge.strategy(random_profile(bridge.tree, seed, zeros))
    assert secateur.nash_conv(bridge.compiled, strategy) > -1e-12


@examples(60)
@given(game=random_games(), seed=st.integers(0, 1000))
def test_plan_is_the_product_of_own_probabilities_and_gives_behavior_back(game: Game, seed: int):
    bridge = Bridge(game)
    profile = random_profile(bridge.tree, seed)
    strategy = bridge.strategy(profile)
    own_reach = {None: 1.0}
    for key, infoset in bridge.tree.infosets.items():
        for action, p in zip(infoset.actions, profile[key], strict=True):
            own_reach[key, action] = own_reach[infoset.parent] * p
    del own_reach[None]
    np.testing.assert_allclose(strategy.plan, bridge.array(own_reach), rtol=1e-14)

    back = Strategy.from_plan(bridge.compiled, strategy.plan)
    for key, infoset in bridge.tree.infosets.items():
        cells = [bridge.cell[key, action] for action in infoset.actions]
        came = strategy.plan[cells].sum() > 0.0
        expected = strategy.probabilities[cells] if came else 1.0 / len(cells)
        np.testing.assert_allclose(back.probabilities[cells], expected, rtol=1e-12)
