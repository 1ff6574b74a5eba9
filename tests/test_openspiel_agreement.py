"""OpenSpiel, an independent program, on the same games: exploitability and trajectories."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import python_policy_to_pyspiel_policy

import secateur
from secateur import Strategy
from secateur.compiled.game import CompiledGame
from support.openspiel import Place, as_policy, places
from support.oracle import random_strategy
from support.small_games import compiled

GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
TOLERANCE = 1e-9


def by_label(strategy: Strategy) -> dict[tuple[int, str], dict[str, float]]:
    return {
        (each.player, each.label): strategy.at(each.player, each.label)
        for each in strategy.game.information_sets()
    }


@pytest.mark.parametrize("name", GAMES)
def test_both_have_the_same_information_sets(name: str):
    ours = {
        (each.player, each.label, frozenset(each.actions))
        for each in compiled(name).information_sets()
    }
    theirs = {
        (place.player, place.label, frozenset(place.actions.values()))
        for place in places(GAMES[name]).values()
    }
    assert ours == theirs


@pytest.mark.parametrize("recipe", ["cfr", "dcfr", "pcfr_plus"])
@pytest.mark.parametrize("name", GAMES)
def test_strategy_file_has_the_exploitability_that_openspiel_finds(
    name: str, recipe: str, tmp_path: Path
):
    solver = getattr(secateur.recipes, recipe)()
    result = secateur.solve(compiled(name), solver, secateur.until.iterations(200))
    path = tmp_path / "strategy.json"
    result.save(path)
    content = json.loads(path.read_text())
    strategy = {
        (entry["player"], entry["information_set"]): entry["actions"]
        for entry in content["strategy"]
    }
    policy = as_policy(GAMES[name], strategy)
    game = pyspiel.load_game(GAMES[name])
    found = pyspiel.exploitability(game, python_policy_to_pyspiel_policy(policy))
    assert content["exploitability"] == pytest.approx(found, abs=TOLERANCE)
    assert result.exploitability == content["exploitability"]
    value = policy_value(game, policy)
    assert content["value"] == pytest.approx(value, abs=TOLERANCE)


def policy_value(game: pyspiel.Game, policy: Any) -> float:
    """Return what player 0 wins on average under a policy."""

    def value(state: pyspiel.State) -> float:
        if state.is_terminal():
            return state.returns()[0]
        if state.is_chance_node():
            return sum(p * value(state.child(outcome)) for outcome, p in state.chance_outcomes())
        probabilities = policy.action_probabilities(state)
        return sum(p * value(state.child(action)) for action, p in probabilities.items() if p)

    return value(game.new_initial_state())


@pytest.mark.parametrize("name", GAMES)
def test_random_strategies_have_the_exploitability_that_openspiel_finds(name: str):
    game = pyspiel.load_game(GAMES[name])
    for seed in range(3):
        strategy = random_strategy(compiled(name), seed)
        policy = as_policy(GAMES[name], by_label(strategy))
        assert secateur.exploitability(compiled(name), strategy) == pytest.approx(
            pyspiel.exploitability(game, python_policy_to_pyspiel_policy(policy)), abs=1e-12
        )


def test_both_ways_of_openspiel_agree_with_ours_on_kuhn_poker():
    strategy = random_strategy(compiled("kuhn"), 7)
    policy = as_policy("kuhn_poker", by_label(strategy))
    assert secateur.exploitability(compiled("kuhn"), strategy) == pytest.approx(
        exploitability.exploitability(pyspiel.load_game("kuhn_poker"), policy), abs=1e-12
    )


def assert_same_policy(
    strategy: Strategy,
    table: dict[str, Place],
    theirs: Callable[[str], dict[int, float]],
    players: tuple[int, ...] = (0, 1),
) -> None:
    ours = by_label(strategy)
    for key, place in table.items():
        if place.player in players:
            found = theirs(key)
            expected = ours[place.player, place.label]
            for action, label in place.actions.items():
                assert abs(found[action] - expected[label]) <= TOLERANCE, place


def of_python(policy: Any) -> Callable[[str], dict[int, float]]:
    """Return how to ask a policy of OpenSpiel's Python code."""
    return lambda key: dict(enumerate(policy.policy_for_key(key)))


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 50), ("leduc", 3)])
@pytest.mark.parametrize("plus", [False, True])
def test_simultaneous_updates_give_the_averages_of_openspiel(
    name: str, iterations: int, plus: bool
):
    minimizer = secateur.RegretMatchingPlus() if plus else secateur.RegretMatching()
    ours = secateur.CFR(minimizer, updates="simultaneous").start(compiled(name))
    theirs = cfr._CFRSolver(
        pyspiel.load_game(GAMES[name]),
        alternating_updates=False,
        linear_averaging=False,
        regret_matching_plus=plus,
    )
    table = places(GAMES[name])
    for _ in range(iterations):
        ours.step()
        theirs.evaluate_and_update_policy()
        assert_same_policy(ours.current_strategy(), table, of_python(theirs.current_policy()))
        assert_same_policy(ours.average_strategy(), table, of_python(theirs.average_policy()))


class ShiftedAverage:
    """Player 0's average as OpenSpiel defines it.

    Ours is over the strategies that player 1 faced, which are those after player 0's update of
    each iteration; OpenSpiel adds the strategy before the update.
    """

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self.total = np.zeros(game.cells)

    def add(self, strategy: Strategy, weight: float) -> None:
        self.total += weight * Strategy(self.game, strategy.probabilities.copy()).plan

    def strategy(self) -> Strategy:
        return Strategy.from_plan(self.game, self.total)


ALTERNATING = {
    "CFR": (secateur.recipes.cfr(), pyspiel.CFRSolver),
    "CFR+": (secateur.recipes.cfr_plus(), pyspiel.CFRPlusSolver),
}


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 50), ("leduc", 50)])
@pytest.mark.parametrize("title", ALTERNATING)
def test_alternating_updates_give_the_policies_of_openspiel(name: str, iterations: int, title: str):
    """Current policies and player 1's average coincide; player 0's average is shifted by one."""
    solver, make = ALTERNATING[title]
    ours, theirs = solver.start(compiled(name)), make(pyspiel.load_game(GAMES[name]))
    table = places(GAMES[name])
    before_updates, after_updates = ShiftedAverage(compiled(name)), ShiftedAverage(compiled(name))
    for t in range(1, iterations + 1):
        weight = float(solver.averaging.weights(np.array([float(t)]))[0])
        before_updates.add(ours.current_strategy(), weight)
        ours.step()
        after_updates.add(ours.current_strategy(), weight)
        theirs.evaluate_and_update_policy()
        current = theirs.current_policy().action_probabilities
        assert_same_policy(ours.current_strategy(), table, current)
        average = theirs.average_policy().action_probabilities
        assert_same_policy(ours.average_strategy(), table, average, players=(1,))
        assert_same_policy(before_updates.strategy(), table, average, players=(0,))
        first = compiled(name).cell_player == 0
        np.testing.assert_allclose(
            after_updates.total[first], ours.strategy_sum[first], rtol=1e-12, atol=1e-12
        )
