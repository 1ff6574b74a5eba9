"""Best-response pruning: the engine decides what the equations say."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import secateur
from secateur.games import RandomGame
from secateur.solvers.pruned import PrunedState
from support.pruning import PAPERS, PREDICTIVE, RULES, SideBySide, started
from support.small_games import exact_value, loaded, ready_to_prune
from support.stored import unpacked

UPDATES = ["alternating", "simultaneous"]
POLICIES = [(5.0, 1), (1.0, 1), (2.0, 3)]


def paired(first: Iterable[Any], second: Iterable[Any]) -> list[tuple[Any, Any, str]]:
    """Return each with each, and with updates of both kinds for each of the first and second."""
    return [
        (one, other, UPDATES[(number + place) % 2])
        for number, one in enumerate(first)
        for place, other in enumerate(second)
    ]


@pytest.mark.parametrize(("rule", "policy", "updates"), paired(["rm", "linear", "dcfr"], POLICIES))
def test_every_decision_on_leduc_is_that_of_the_reference(rule, policy, updates):
    both = SideBySide(loaded("leduc"), rule, updates, *policy)
    for _ in range(24):
        both.step()
        assert both.differences() == []
        # equal decisions see to equal visits
        total = both.slow.nodes_touched + both.slow.overhead_nodes
        assert both.fast.nodes_touched == total
        assert both.fast.nodes_touched_overhead == both.slow.overhead_nodes
    assert len(both.slow.events) > 80


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("rule", ["rm+", "cfr+", "dcfr+", "pcfr+", "pdcfr+", "sapcfr+"])
def test_every_decision_of_floored_regrets_on_leduc_is_that_of_the_reference(rule, updates):
    # Nodes are not compared: a regret of 1e-18 instead of 0 visits what others do not.
    both = SideBySide(loaded("leduc"), rule, updates, 3.0, 1)
    for _ in range(15):
        both.step()
        assert both.differences() == []
    assert len(both.slow.events) > 50


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 40),
    rule=st.sampled_from(sorted(RULES)),
    updates=st.sampled_from(UPDATES),
    policy=st.sampled_from(POLICIES),
    observability=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_every_decision_on_random_games_is_that_of_the_reference(
    seed, rule, updates, policy, observability
):
    game = RandomGame(seed=seed, observability=observability)
    both = SideBySide(game, rule, updates, *policy)
    for _ in range(40):
        both.step()
        # Where a regret or a bound is zero but for rounding, both are right and may part.
        books, margin = unpacked(both.fast), 2.0 * both.slow._margin()
        near_tie = np.abs(books.regret)
        if ((near_tie > 0.0) & (near_tie < np.where(books.pruned, margin, 1e-12))).any():
            return
        assert both.differences() == []


@pytest.mark.parametrize("seed", [971031, 12, 13, 14])
def test_decisions_where_a_player_moves_twice_in_a_public_state(seed):
    """The gate of the second move lies before the first, and says nothing about what it chose."""
    game = RandomGame(seed=seed, depth=8, observability=1.0, late=0.0, skew=1.0, ties=0.0)
    both = SideBySide(game, "rm", "alternating", 1.0, 1)
    for _ in range(15):
        both.step()
        assert both.differences() == []


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("rule", sorted({*RULES} - {*PREDICTIVE}))  # predictions lapse at a search
@pytest.mark.parametrize("name", ["leduc", "goofspiel", "battleship", "liars_dice"])
def test_with_nothing_to_prune_every_bit_is_that_of_partial_pruning(name, rule, updates):
    parameters = {"sides": 3} if name == "liars_dice" else {}
    game = ready_to_prune(loaded(name, **parameters))
    pruned = started(game, rule, updates, minimum_skip=math.inf, check_every=10)
    minimizer, averaging = RULES[rule]
    plain = secateur.CFR(
        minimizer=minimizer, averaging=averaging, updates=updates, count_nodes=True
    ).start(game)
    pruned.step(25)
    plain.step(25)
    books = unpacked(pruned)
    # where nobody comes, discounts have still to be made up for when the numbers are read
    exact = not minimizer.changes_when_idle
    same = np.array_equal if exact else partial(np.allclose, rtol=1e-12, atol=1e-15)
    assert same(books.regret, plain.regret)
    assert same(books.strategy, plain.strategy)
    assert same(books.total, plain.strategy_sum)
    assert pruned.nodes_touched - pruned.nodes_touched_overhead == plain.nodes_touched
    assert pruned.nash_conv() == pytest.approx(plain.nash_conv(), rel=1e-12)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_runs_repeat_to_the_bit_in_any_number_of_steps(rule):
    game = ready_to_prune(loaded("leduc"))
    once, twice = (started(game, rule, "alternating", check_every=20) for _ in range(2))
    once.step(200)
    for chunk in (1, 49, 150):
        twice.step(chunk)
    ours, theirs = unpacked(once), unpacked(twice)
    for field in fields(ours):
        assert np.array_equal(getattr(ours, field.name), getattr(theirs, field.name))


@pytest.mark.parametrize("rule", sorted(RULES))
@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel"])
def test_pruned_runs_converge_to_the_value_of_the_game(name, rule):
    game = ready_to_prune(loaded(name))
    minimizer, averaging = RULES[rule]
    solver = secateur.CFR(
        minimizer=minimizer, averaging=averaging, pruning=secateur.BestResponsePruning()
    )
    result = secateur.solve(
        game, solver, secateur.until.exploitability(5e-3) | secateur.until.seconds(20)
    )
    assert result.exploitability <= 5e-3
    assert abs(result.value - exact_value(game)) <= result.nash_conv + 1e-9


def test_fewer_nodes_for_the_same_exploitability_on_leduc():
    game = ready_to_prune(loaded("leduc"))
    until = secateur.until.nodes_touched(3_000_000)
    pruned = secateur.CFR(pruning=secateur.BestResponsePruning(check_every=1, evaluations=0.25))
    cut = secateur.solve(game, pruned, until)
    partial = secateur.solve(game, secateur.recipes.cfr(), until)
    assert cut.nash_conv < 0.8 * partial.nash_conv
    assert cut.regret_entries_live < 0.55 * game.size.sequences


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"minimizer": secateur.Hedge()}, "Hedge"),
        ({"thresholding": secateur.DynamicThresholding(2.0)}, "thresholding"),
        ({"storage": secateur.Storage("float32")}, "float64"),
    ],
)
def test_combinations_that_make_no_sense_are_refused(options, words):
    with pytest.raises(secateur.ParameterError, match=words):
        secateur.CFR(pruning=secateur.BestResponsePruning(), **options)


@pytest.mark.parametrize(
    "options",
    [
        {"minimum_skip": 0.5},
        {"check_every": 0},
        {"restart": 2.0},
        {"evaluations": 0.0},
        {"evaluations": math.nan},
        {"restart": math.nan},
        {"discard": -0.1},
        {"discard": math.inf},
        {"discard_rule": "cubic"},
        {"duration": "long"},
        {"softness": 1.5},
        {"softness": -1.0},
    ],
)
def test_impossible_policies_are_refused(options):
    with pytest.raises(secateur.ParameterError):
        secateur.BestResponsePruning(**options)


@pytest.mark.parametrize(
    ("rule", "discard_rule", "updates"),
    paired(["rm", "linear", "dcfr"], ["linear", "sqrt", "quadratic"]),
)
def test_every_decision_with_discards_is_that_of_the_reference(rule, updates, discard_rule):
    both = SideBySide(
        loaded("leduc"), rule, updates, 2.0, 3, discard=0.5, discard_rule=discard_rule
    )
    for _ in range(36):
        both.step()
        assert both.differences() == []
    assert any(event.kind == "discard" for event in both.slow.events)


@pytest.mark.parametrize("softness", [0.001, 0.5])
@pytest.mark.parametrize("rule", ["rm", "rm+"])
def test_every_decision_with_near_best_responses_is_that_of_the_reference(rule, softness):
    both = SideBySide(loaded("leduc"), rule, "alternating", 1.0, 1, softness=softness)
    for _ in range(30):
        both.step()
        assert both.differences() == []
    assert any(event.kind == "end" for event in both.slow.events)


FIXED = {
    "kuhn": (loaded("kuhn"), 150),
    "leduc": (loaded("leduc"), 60),
    "random, public": (RandomGame(seed=4, observability=1.0), 120),
    "random, hidden": (RandomGame(seed=9, observability=0.5), 120),
}


@pytest.mark.parametrize(("title", "rule", "updates"), paired(FIXED, PAPERS))
def test_every_decision_with_fixed_durations_is_that_of_the_reference(title, rule, updates):
    game, iterations = FIXED[title]
    both = SideBySide(game, rule, updates, 1.0, 1, duration="fixed")
    for _ in range(iterations):
        both.step()
        assert both.differences() == []
    assert {event.kind for event in both.slow.events} >= {"start", "continue"}


def test_fixed_durations_end_where_the_opponent_does_not_come_too():
    both = SideBySide(loaded("leduc"), "rm", "alternating", 1.0, 1, duration="fixed")
    unvisited = 0
    for _ in range(60):
        before, arrivals = len(both.slow.events), dict(both.slow.reach_sum)
        both.step()
        for event in both.slow.events[before:]:
            came = both.slow.reach_sum.get(event.infoset, 0.0) - arrivals.get(event.infoset, 0.0)
            unvisited += event.kind in ("continue", "end") and came == 0.0
    assert unvisited > 0
    assert both.differences() == []


@pytest.mark.parametrize("rule", ["rm", "dcfr"])
def test_every_decision_of_the_adaptive_policy_is_that_of_the_reference(monkeypatch, rule):
    monkeypatch.setattr(PrunedState, "first_look", lambda *_: 8)
    monkeypatch.setattr(secateur.solvers.pruned_start, "_MOST_ALIVE", 1.0)
    monkeypatch.setattr(secateur.solvers.pruned, "_SHARE", 2.0)
    both = SideBySide(
        loaded("leduc"), rule, "alternating", None, None, discard=0.1, evaluations=0.2
    )
    searches, skips = set(), set()
    for _ in range(60):
        both.step()
        searches.add(both.fast.last_search)
        skips.add(both.fast.minimum_skip)
        assert both.differences() == []
    assert len(searches) > 5
    assert len(skips) > 1


def test_a_run_with_a_store_stays_dense_while_pruning_would_not_pay():
    leduc, dice = (ready_to_prune(loaded(name)) for name in ("leduc", "liars_dice"))
    solver = secateur.recipes.dcfr(pruning=secateur.BestResponsePruning(), count_nodes=True)
    states = [solver.start(game) for game in (leduc, dice)]
    for state in states:
        state.step(400)
    assert states[0].last_search == 0
    assert states[0].regret_entries_live == leduc.cells
    assert states[1].last_search > 0
    assert states[1].regret_entries_live < 0.3 * dice.cells
    assert states[1].strategy_entries_live < 0.3 * dice.cells


def test_a_run_that_is_told_when_to_search_does_not_look_whether_that_pays():
    """Kernels are prepared by a run up to the first look, in which it would search very often."""
    game = ready_to_prune(loaded("leduc"))
    for every, looks in ((None, True), (1, False)):
        policy = secateur.BestResponsePruning(check_every=every)
        assert (policy.first_look(secateur.recipes.dcfr(pruning=policy), game) > 100) == looks


@pytest.mark.parametrize("recipe", ["cfr_plus", "dcfr", "pcfr_plus"])
def test_fast_methods_converge_as_they_do_without_pruning(recipe):
    """At equal iterations, with far fewer nodes and entries, discards included."""
    game = ready_to_prune(loaded("liars_dice"))
    make = getattr(secateur.recipes, recipe)
    plain = make(count_nodes=True).start(game)
    pruned = make(count_nodes=True, pruning=secateur.BestResponsePruning()).start(game)
    plain.step(800)
    pruned.step(800)
    assert pruned.nash_conv() < 1.5 * plain.nash_conv()
    assert pruned.nodes_touched < 0.6 * plain.nodes_touched
    assert pruned.regret_entries_live + pruned.strategy_entries_live < 0.55 * game.cells


@pytest.mark.parametrize("stop", [100, 300])
def test_a_run_that_decides_by_its_work_resumes_to_the_same_bits(stop):
    """Before it has begun to prune, and between two searches."""
    game = ready_to_prune(loaded("liars_dice"))
    solver = secateur.recipes.dcfr(pruning=secateur.BestResponsePruning(), count_nodes=True)
    whole, first, second = (solver.start(game) for _ in range(3))
    first.step(stop)
    second.restore(first.saved())
    for state, steps in ((whole, 500), (second, 500 - stop)):
        state.step(steps)
    assert whole.last_search == second.last_search > 300
    assert whole.minimum_skip == second.minimum_skip
    assert whole.nodes_touched == second.nodes_touched
    ours, theirs = unpacked(whole), unpacked(second)
    for field in fields(ours):
        assert np.array_equal(getattr(ours, field.name), getattr(theirs, field.name))
