"""The slow versions of gradient methods: entropy, its weights, responses, and what they lead to."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from reference import ReferenceEGT, ReferenceFictitiousPlay, Tree
from reference.metrics import best_response_value, expected_value, leaf_values, nash_conv
from reference.small_games import Coin, Kuhn
from reference.treeplex import (
    Plan,
    behavior,
    dilation,
    distance,
    gradient,
    prox,
    response,
    slope,
    uniform_plan,
)
from secateur.games.random_game import RandomGame

WEIGHTS = ("kroer15", "kroer17")
GAMES = {
    "kuhn": Kuhn(),
    "coin": Coin(),
    "random": RandomGame(seed=1, ties=0.0, depth=6),
    "structured": RandomGame(seed=8, ties=0.0, structured=True, depth=7),
}


@cache
def tree_of(name: str) -> Tree:
    return Tree(GAMES[name])


def random_plan(tree: Tree, player: int, random: np.random.Generator, purity: float) -> Plan:
    """Return a plan; the larger ``purity``, the closer to a pure one."""
    plan: Plan = {None: 1.0}
    for infoset in tree.of_player(player):
        shares = random.random(len(infoset.actions)) ** purity + 1e-12
        for action, share in zip(infoset.actions, shares / shares.sum(), strict=True):
            plan[infoset.key, action] = plan[infoset.parent] * share
    return plan


def logs_of(tree: Tree, player: int, plan: Plan) -> dict:
    return {
        (infoset.key, action): np.log(plan[infoset.key, action] / plan[infoset.parent])
        for infoset in tree.of_player(player)
        for action in infoset.actions
    }


def inner(first: dict, second: dict) -> float:
    return sum(value * second.get(key, 0.0) for key, value in first.items() if key is not None)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", GAMES)
def test_entropy_is_zero_at_the_uniform_plan_and_its_slope_is_right(name: str, weights: str):
    tree, random = tree_of(name), np.random.default_rng(0)
    for player in range(2):
        beta = dilation(tree, player, weights)
        center = uniform_plan(tree, player)
        assert distance(tree, player, beta, center) == pytest.approx(0.0, abs=1e-9)
        here, there = (random_plan(tree, player, random, 1.0) for _ in "ab")
        assert distance(tree, player, beta, here) > 0.0
        tilt = slope(tree, player, beta, logs_of(tree, player, here))
        way = {s: there[s] - here[s] for s in here}
        step = 1e-5
        after, before = (
            distance(tree, player, beta, {s: here[s] + sign * step * way[s] for s in here})
            for sign in (1, -1)
        )
        assert (after - before) / (2 * step) == pytest.approx(inner(tilt, way), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", GAMES)
def test_entropy_is_strongly_convex_with_modulus_one(name: str, weights: str):
    """D(x, y) >= |x - y|_1^2 / 2, which the weights are made for."""
    tree, random = tree_of(name), np.random.default_rng(1)
    for player in range(2):
        beta = dilation(tree, player, weights)
        for purity in (0.3, 1.0, 5.0, 20.0):
            here, there = (random_plan(tree, player, random, purity) for _ in "ab")
            tilt = slope(tree, player, beta, logs_of(tree, player, here))
            way = {s: there[s] - here[s] for s in here}
            divergence = (
                distance(tree, player, beta, there)
                - distance(tree, player, beta, here)
                - inner(tilt, way)
            )
            assert divergence >= 0.5 * sum(map(abs, way.values())) ** 2 - 1e-9


@pytest.mark.parametrize("mu", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_no_plan_is_better_than_the_response(name: str, player: int, mu: float):
    tree, random = tree_of(name), np.random.default_rng(2)
    beta = dilation(tree, player, "kroer17")
    faced = random_plan(tree, 1 - player, random, 1.0)
    earned, _ = gradient(tree, player, faced)
    plan, value, _ = response(tree, player, earned, mu, beta)

    def objective(x: Plan) -> float:
        whole = inner(earned, x) + earned.get(None, 0.0)
        return whole - mu * distance(tree, player, beta, x)

    assert objective(plan) == pytest.approx(value, rel=1e-9, abs=1e-9)
    for purity in (0.0, 0.5, 1.0, 5.0):
        other = random_plan(tree, player, random, purity)
        assert objective(other) <= value + 1e-12
        near = {s: 0.999 * plan[s] + 0.001 * other[s] for s in plan}
        assert objective(near) <= value + 1e-12


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_no_plan_is_better_than_the_prox(name: str, player: int):
    tree, random, mu = tree_of(name), np.random.default_rng(3), 0.05
    beta = dilation(tree, player, "kroer15")
    center = random_plan(tree, player, random, 1.0)
    logs = logs_of(tree, player, center)
    earned, _ = gradient(tree, player, uniform_plan(tree, 1 - player))
    plan, _ = prox(tree, player, earned, mu, beta, logs)
    tilt = slope(tree, player, beta, logs)

    def objective(x: Plan) -> float:
        away = distance(tree, player, beta, x) - inner(tilt, x)
        return inner(earned, x) - mu * away

    for purity in (0.5, 1.0, 5.0):
        other = random_plan(tree, player, random, purity)
        near = {s: 0.99 * plan[s] + 0.01 * other[s] for s in plan}
        assert max(objective(other), objective(near)) <= objective(plan) + 1e-9


@pytest.mark.parametrize("name", GAMES)
def test_gradient_is_what_is_earned_at_ends(name: str):
    tree, random = tree_of(name), np.random.default_rng(4)
    plans = random_plan(tree, 0, random, 1.0), random_plan(tree, 1, random, 1.0)
    profile = behavior(tree, plans)
    for player in range(2):
        earned, nodes = gradient(tree, player, plans[1 - player])
        expected = leaf_values(tree, player, profile)
        assert earned == pytest.approx({s: expected[s] for s in earned}, abs=1e-12)
        assert nodes == tree.size
        value = inner(earned, plans[player]) + earned.get(None, 0.0)
        sign = 1 if player == 0 else -1
        assert value == pytest.approx(sign * expected_value(tree, profile), abs=1e-12)


def test_a_threshold_leaves_out_what_is_less_likely():
    tree = tree_of("kuhn")
    faced = uniform_plan(tree, 1)
    # chance deals with 1/6 each; what follows a move of player 1 has 1/12, all the rest 1/6
    assert gradient(tree, 0, faced, 0.08)[1] == tree.size == 55
    assert gradient(tree, 0, faced, 0.09)[1] == 1 + 6 * 3
    assert gradient(tree, 0, faced, 0.2) == ({}, 1)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_gap_stays_and_shrinks_like_one_over_the_iterations(weights: str):
    """With the smoothing of the theory: max |A_ij|, which is 2/6 in Kuhn poker."""
    slow = ReferenceEGT(Kuhn(), 2 / 6, weights)
    largest = [max(_pure_entropies(slow.tree, player, slow.beta[player])) for player in range(2)]
    assert slow.excess() >= 0.0
    start = sum(2 / 6 * d for d in largest)
    for t in range(1, 60):
        slow.step()
        assert slow.excess() >= -1e-12
        bound = sum(mu * d for mu, d in zip(slow.mu, largest, strict=True))
        assert nash_conv(slow.tree, slow.strategy()) <= bound
        assert bound <= 4 * start / (t + 1)


def _pure_entropies(tree: Tree, player: int, beta: dict) -> list[float]:
    """Return the entropies of random pure plans and of the largest one, found greedily."""
    found = []
    worth = {None: 0.0}
    for infoset in tree.of_player(player):
        worth.update({(infoset.key, action): 0.0 for action in infoset.actions})
    for infoset in reversed(tree.of_player(player)):
        here = beta[infoset.key] * np.log(len(infoset.actions))
        worth[infoset.parent] += here + max(worth[infoset.key, a] for a in infoset.actions)
    found.append(worth[None])
    for seed in range(20):
        plan = random_plan(tree, player, np.random.default_rng(seed), 200.0)
        found.append(distance(tree, player, beta, plan))
    assert max(found) == found[0]
    return found


def test_fictitious_play_best_responds_to_the_average():
    slow = ReferenceFictitiousPlay(Kuhn())
    for _ in range(15):
        slow.step()
        average = slow.average_strategy()
        profile = behavior(slow.tree, (slow.current[0], slow.current[1]))
        for player in range(2):
            mixed = {
                key: profile[key] if key[0] == player else average[key]
                for key in slow.tree.infosets
            }
            value = expected_value(slow.tree, mixed) * (1 if player == 0 else -1)
            best = best_response_value(slow.tree, player, average)
            assert value == pytest.approx(best, abs=1e-12)


def test_fictitious_play_converges():
    slow = ReferenceFictitiousPlay(Kuhn())
    gaps = []
    for _ in range(4):
        slow.step(150)
        gaps.append(nash_conv(slow.tree, slow.average_strategy()))
    assert all(before > after for before, after in pairwise(gaps))
    assert gaps[-1] < 0.05
