"""Linear programs: equilibria, their values, and agreement with iterative algorithms."""

from __future__ import annotations

import pytest
from hypothesis import given

import secateur
from reference import Tree, lp
from secateur import Exact
from secateur.conditions import Kind
from secateur.games import Game
from support.public import RandomPublicGame
from support.small_games import BUILT_IN, Scaled, compiled, examples, random_games
from support.written import crossed_orders, diagonal

METHODS = ("highs", "highs-ipm", "highs-ds")

KNOWN_VALUES = {
    ("kuhn",): -1 / 18,
    ("leduc",): -0.0856064241,
    ("leduc-dt",): -0.0524557485,
    ("matrix",): 0.0,
    ("goofspiel",): 0.0,
}


@pytest.mark.parametrize(("name", "value"), [(name, v) for (name,), v in KNOWN_VALUES.items()])
def test_known_values(name: str, value: float):
    result = secateur.solve(secateur.load(name), Exact())
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.nash_conv < 1e-9
    assert result.exploitability == result.nash_conv / 2
    assert result.ending.kind is Kind.EXACT


def test_suits_do_not_change_the_value_of_leduc():
    apart = secateur.solve(secateur.load("leduc", merge_suits=False), Exact())
    assert apart.value == pytest.approx(-0.0856064241, abs=1e-9)


@pytest.mark.parametrize("title", BUILT_IN)
def test_value_does_not_depend_on_the_method(title: str):
    results = [secateur.solve(compiled(title), Exact(method)) for method in METHODS]
    for result in results:
        assert result.nash_conv < 1e-9
        assert result.value == pytest.approx(results[0].value, abs=1e-9)


@pytest.mark.parametrize("title", BUILT_IN)
def test_iterative_algorithm_agrees_within_its_own_bound(title: str):
    exact = secateur.solve(compiled(title), Exact())
    found = secateur.solve(
        compiled(title),
        secateur.recipes.cfr_plus(),
        secateur.until.exploitability(1e-4) | secateur.until.iterations(2000),
    )
    assert found.nash_conv < 1e-2
    assert abs(found.value - exact.value) <= found.nash_conv + exact.nash_conv
    # each player guarantees the value up to the exploitability
    for player, sign in ((0, 1.0), (1, -1.0)):
        against = secateur.best_response_value(compiled(title), found.strategy, 1 - player)
        assert -against >= sign * exact.value - found.nash_conv - 1e-9


@examples(60)
@given(game=random_games())
def test_random_games_are_solved_as_by_the_oracle(game: Game):
    result = secateur.solve(game, Exact())
    value, _ = lp.solve(Tree(game))
    assert result.value == pytest.approx(value, abs=1e-8)
    assert -1e-12 < result.nash_conv < 1e-8


@pytest.mark.parametrize("game", [crossed_orders(), diagonal(6), RandomPublicGame(8)])
def test_odd_games_are_solved_as_by_the_oracle(game: Game):
    result = secateur.solve(game, Exact())
    value, _ = lp.solve(Tree(game))
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.nash_conv < 1e-9


def test_exact_solver_takes_no_condition():
    with pytest.raises(secateur.ParameterError, match="no stopping condition"):
        secateur.solve(compiled("kuhn"), Exact(), secateur.until.iterations(3))


def test_exact_solver_is_observed_once():
    seen = []
    result = secateur.solve(
        compiled("kuhn"), Exact(), observe=lambda history: seen.append(len(history))
    )
    assert seen == [1]
    assert result.history[-1].nash_conv == result.nash_conv


@pytest.mark.parametrize("factor", [1e-300, 1e-30, 1e-7, 1e-6, 1e7, 1e30, 1e300])
def test_the_unit_of_payoffs_does_not_matter(factor: float):
    game = secateur.compile(Scaled(secateur.load("leduc"), factor))
    result = secateur.solve(game, Exact())
    assert result.ending.kind is Kind.EXACT
    assert result.nash_conv <= 1e-12 * game.payoff_scale
    assert result.value == pytest.approx(-0.0856064240780 * factor, rel=1e-9)


def test_what_is_not_exact_is_not_called_so(monkeypatch):
    monkeypatch.setattr(Exact, "solve", lambda _, game: secateur.Strategy.uniform(game))
    ending = secateur.solve(compiled("leduc"), Exact()).ending
    assert ending.kind is Kind.INEXACT
    assert ending.condition == (
        "the linear program was solved, but only to NashConv 4.75, 0.18 of the range of payoffs"
    )
