"""The oracle's measures, against enumeration of all pure strategies and against known solutions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from reference import lp
from reference.metrics import (
    best_response,
    best_response_value,
    counterfactual_best_response_values,
    expected_value,
    exploitability,
    nash_conv,
)
from reference.small_games import Coin, Kuhn, Matrix
from reference.traversal import counterfactual_values
from reference.tree import Strategy, Tree

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
GAMES = [Coin(), Kuhn(), Matrix([[3, -1], [-2, 1]]), Matrix(ROCK_PAPER_SCISSORS)]


def random_strategy(tree: Tree, seed: int) -> Strategy:
    """Return a random strategy in which about a third of the actions have probability 0."""
    generator = random.Random(seed)
    strategy = {}
    for key, infoset in tree.infosets.items():
        weights = [max(0.0, generator.uniform(-0.5, 1)) for _ in infoset.actions]
        weights[generator.randrange(len(weights))] += 0.1
        strategy[key] = [weight / sum(weights) for weight in weights]
    return strategy


def pure_strategies(tree: Tree, player: int) -> Iterator[Strategy]:
    """Yield every way in which a player can fix one action at each information set."""
    infosets = tree.of_player(player)
    for choices in product(*(range(len(infoset.actions)) for infoset in infosets)):
        yield {
            infoset.key: [float(a == choice) for a in range(len(infoset.actions))]
            for infoset, choice in zip(infosets, choices, strict=True)
        }


def kuhn_equilibrium(alpha: float) -> Strategy:
    """Return Kuhn's equilibrium in which player 0 bets the jack with probability alpha."""
    bet = {
        "0": alpha, "1": 0, "2": 3 * alpha, "0pb": 0, "1pb": alpha + 1 / 3, "2pb": 1,
        "0p": 1 / 3, "1p": 0, "2p": 1, "0b": 0, "1b": 1 / 3, "2b": 1,
    }  # fmt: skip
    return {
        (0 if len(information) in (1, 3) else 1, information): [1 - b, b]
        for information, b in bet.items()
    }


@pytest.mark.parametrize("alpha", [0, 0.1, 1 / 3])
def test_kuhn_equilibria_cannot_be_exploited(alpha: float):
    tree = Tree(Kuhn())
    strategy = kuhn_equilibrium(alpha)
    assert expected_value(tree, strategy) == pytest.approx(-1 / 18, abs=1e-15)
    assert nash_conv(tree, strategy) == pytest.approx(0, abs=1e-15)


def test_outside_the_equilibrium_family_kuhn_can_be_exploited():
    assert nash_conv(Tree(Kuhn()), kuhn_equilibrium(0.33) | {(0, "2"): [0.5, 0.5]}) > 0.01


def test_coin_by_hand():
    tree = Tree(Coin())
    strategy = tree.uniform_strategy()
    # Always called or folded half the time: heads wins (2+1)/2 by a bet, tails (-2+1)/2.
    assert best_response_value(tree, 0, strategy) == pytest.approx((1.5 - 0.5) / 2)
    # Half of all coins are bet, heads as often as tails: a call is worth 0, a fold loses 1;
    # the other half is passed and won by player 1.
    assert best_response_value(tree, 1, strategy) == pytest.approx(0.5)
    assert counterfactual_best_response_values(tree, 1, strategy) == {
        ((1, "bet"), "c"): 0.0,
        ((1, "bet"), "f"): -0.5,
    }
    assert exploitability(tree, strategy) == pytest.approx((0.5 + 0.5) / 2)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("seed", range(5))
def test_best_response_is_the_best_pure_strategy(game, player: int, seed: int):
    tree = Tree(game)
    strategy = random_strategy(tree, seed)
    sign = 1 if player == 0 else -1
    best = max(
        sign * expected_value(tree, strategy | pure) for pure in pure_strategies(tree, player)
    )
    assert best_response_value(tree, player, strategy) == pytest.approx(best, abs=1e-14)
    response = best_response(tree, player, strategy)
    assert sign * expected_value(tree, strategy | response) == pytest.approx(best, abs=1e-14)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("player", [0, 1])
def test_counterfactual_best_response_is_best_at_every_infoset(game, player: int):
    tree = Tree(game)
    strategy = random_strategy(tree, seed=7)
    values = counterfactual_best_response_values(tree, player, strategy)
    plays = [
        counterfactual_values(tree, player, strategy | pure).action_values
        for pure in pure_strategies(tree, player)
    ]
    assert len(values) == sum(len(infoset.actions) for infoset in tree.of_player(player))
    for (key, action), value in values.items():
        a = tree.infosets[key].actions.index(action)
        assert value == pytest.approx(max(play[key][a] for play in plays), abs=1e-14)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_traversal_agrees_with_the_expected_value(game):
    tree = Tree(game)
    strategy = random_strategy(tree, seed=3)
    value = expected_value(tree, strategy)
    assert counterfactual_values(tree, 0, strategy).root_value == pytest.approx(value, abs=1e-15)
    assert counterfactual_values(tree, 1, strategy).root_value == pytest.approx(-value, abs=1e-15)


def test_counterfactual_values_by_hand():
    tree = Tree(Coin())
    strategy = {(0, "H"): [1.0, 0.0], (0, "T"): [0.4, 0.6], (1, "bet"): [0.25, 0.75]}
    second = counterfactual_values(tree, 1, strategy)
    assert second.reach == {(1, "bet"): pytest.approx(0.5 + 0.5 * 0.4)}
    assert second.action_values == {
        (1, "bet"): [pytest.approx(-2 * 0.5 + 2 * 0.2), pytest.approx(-1 * 0.7)]
    }
    first = counterfactual_values(tree, 0, strategy)
    assert first.reach == {(0, "H"): 0.5, (0, "T"): 0.5}
    assert first.action_values == {
        (0, "H"): [pytest.approx(0.5 * (0.25 * 2 + 0.75)), -0.5],
        (0, "T"): [pytest.approx(0.5 * (0.25 * -2 + 0.75)), -0.5],
    }


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (Kuhn(), -1 / 18),
        # Heads always bets. Tails bets with probability 1/3, which makes calling (0.5 * -2 +
        # 0.5 / 3 * 2) as good as folding (-0.5 - 0.5 / 3); so player 1 loses 2/3, and wins
        # 0.5 * 2/3 when tails passes.
        (Coin(), 2 / 3 - 1 / 3),
        (Matrix([[3, -1], [-2, 1]]), 1 / 7),
        (Matrix(ROCK_PAPER_SCISSORS), 0),
    ],
    ids=str,
)
def test_linear_program_finds_known_values(game, value: float):
    tree = Tree(game)
    found, equilibrium = lp.solve(tree)
    assert found == pytest.approx(value, abs=1e-10)
    assert lp.maximin(tree, 1)[0] == pytest.approx(-value, abs=1e-10)
    assert nash_conv(tree, equilibrium) == pytest.approx(0, abs=1e-10)
