"""Best-response pruning in rounds: the engine decides what the equations say."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import secateur
from secateur.games import RandomGame
from secateur.solvers import rounds, sequence_sides
from secateur.solvers.pruned import PrunedState
from secateur.solvers.rounds import RoundsState
from secateur.solvers.rounds_books import RoundsBooks
from support.pruning import PREDICTIVE, RULES
from support.rounds import (
    ROUND_RULES,
    SideBySide,
    Unpacked,
    divide,
    search_often,
    started,
    undo_often,
)
from support.small_games import exact_value, loaded, ready_to_prune


@pytest.mark.parametrize("rule", ROUND_RULES)
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_every_decision_is_that_of_the_reference(monkeypatch, name, rule):
    search_often(monkeypatch)
    both = SideBySide(loaded(name), rule)
    for _ in range(40 if name == "leduc" else 120):
        both.step()
        if both.is_near_tie() and both.fast.iteration > 24:
            break
        assert both.differences() == []
    kinds = {event.kind for event in both.slow.events}
    assert {"start", "end"} <= kinds or name == "kuhn"


@pytest.mark.parametrize("rule", ["dcfr", "pcfr+"])
def test_every_decision_is_that_of_the_reference_in_a_game_that_is_divided(monkeypatch, rule):
    search_often(monkeypatch)
    divide(monkeypatch)
    both = SideBySide(loaded("leduc"), rule)
    for _ in range(30):
        both.step()
        assert both.differences() == []
    division = both.fast._books._rounds[0].division
    assert len(division.trunk) > 0
    assert len(division.end) > 3


def test_a_division_holds_every_information_set_once(monkeypatch):
    search_often(monkeypatch, first=3)
    for name, parts in (("leduc", 5), ("leduc", 30), ("goofspiel", 4), ("kuhn", 2)):
        divide(monkeypatch, parts)
        state = started(ready_to_prune(loaded(name)), "cfr+")
        state.step(4)
        for side, _, division in state._books._rounds:
            most = len(side.parent) // parts
            trunk = [int(k) for k in division.trunk]
            in_parts = [range(*ends) for ends in zip(division.first, division.end, strict=True)]
            assert sorted([*trunk, *(k for part in in_parts for k in part)]) == [
                *range(len(side.parent))
            ]
            assert all(len(part) <= max(1, most) for part in in_parts)
            for part in in_parts:
                inside = range(side.first[part.start], side.first[part.stop])
                for k in part:
                    assert side.end[k] <= part.stop
                    assert side.parent[k] in inside or side.parent[k] < inside.start


@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 60), rule=st.sampled_from(ROUND_RULES), parts=st.integers(1, 20))
def test_a_run_is_the_same_to_the_bit_for_every_number_of_threads(monkeypatch, seed, rule, parts):
    search_often(monkeypatch, first=2, later=9)
    divide(monkeypatch, parts)
    game = ready_to_prune(RandomGame(seed=seed, depth=9, observability=0.5))
    found = []
    for count in (1, 2, 5, 8):
        with secateur.threads(count):
            state = started(game, rule)
            state.step(40)
            arrays = {name: part.tobytes() for name, part in state.saved().arrays.items()}
            found.append((arrays, state.saved().numbers, state.nash_conv()))
    assert found == 4 * found[:1]


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 40),
    rule=st.sampled_from(ROUND_RULES),
    later=st.integers(1, 9),
    observability=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_every_decision_on_random_games_is_that_of_the_reference(
    monkeypatch, seed, rule, later, observability
):
    search_often(monkeypatch, later=later)
    both = SideBySide(RandomGame(seed=seed, observability=observability), rule)
    for _ in range(40):
        both.step()
        if both.is_near_tie():
            return
        assert both.differences() == []


@pytest.mark.parametrize("rule", ["cfr+", "dcfr"])
def test_every_discard_is_that_of_the_reference(monkeypatch, rule):
    search_often(monkeypatch)
    both = SideBySide(loaded("leduc"), rule, discard=0.45)
    for _ in range(50):
        both.step()
        if both.is_near_tie() and both.fast.iteration > 24:
            break
        assert both.differences() == []
    assert any(event.kind == "discard" for event in both.slow.events)


@pytest.mark.parametrize("rule", ["cfr+", "dcfr", "pcfr+", "sapcfr+"])
def test_rounds_are_undone_where_the_reference_undoes_them(monkeypatch, rule):
    search_often(monkeypatch, later=8)
    undo_often(monkeypatch)
    both = SideBySide(loaded("leduc"), rule)
    for _ in range(100):
        both.step()
        assert both.differences(1e-6) == []
    assert both.slow.undone > 1
    assert both.fast.iteration - both.fast.undone == both.slow.iteration


@pytest.mark.parametrize("rule", ["cfr+", "dcfr", "sapcfr+"])
def test_nothing_is_left_of_a_round_that_is_undone(monkeypatch, rule):
    search_often(monkeypatch, first=20, later=30)
    game = ready_to_prune(loaded("leduc"))
    state = started(game, rule, discard=0.0)
    state.step(20)
    sums, weight = state.strategy_sums(), state.weight
    monkeypatch.setattr(rounds, "_HARM", -np.inf)
    state.step(30)
    assert (state.iteration, state.undone) == (50, 30)
    assert (state.weight, state.caution) == (weight, 4.0 * rounds._FIRST_CAUTION)
    assert np.array_equal(state.strategy_sums(), sums)
    monkeypatch.setattr(rounds, "_HARM", np.inf)
    state.step(30)
    assert (state.iteration, state.undone, state.caution) == (80, 30, 1.0)
    assert state.weight > weight


def test_what_did_harm_is_not_cut_again(monkeypatch):
    search_often(monkeypatch, first=20, later=8)
    undo_often(monkeypatch)
    seen = []
    undo = RoundsBooks.undo

    def watched(books):
        seen.append([kept.alive.copy() for kept in books.kept])
        undo(books)

    monkeypatch.setattr(RoundsBooks, "undo", watched)
    state = started(ready_to_prune(loaded("leduc")), "dcfr", discard=0.0)
    while not state.undone:
        state.step()
    barred = [kept.barred > 0 for kept in state._books.kept]
    assert sum(map(np.count_nonzero, barred)) > 0
    for kept, cut, before in zip(state._books.kept, barred, seen[0], strict=True):
        assert not before[cut].any()
        assert kept.alive[cut].all()


def test_games_of_many_different_payoffs_take_no_more_than_estimated():
    """Where each entry is a number of its own, what it takes to find them counts, too."""
    shape = {"depth": 5, "branching": 15, "observability": 0.5, "chance_moves": 0.4}
    rules = RandomGame(seed=2, stop=0.0, ties=0.0, **shape)
    game = ready_to_prune(rules)
    state = started(game, "dcfr")
    assert sequence_sides.most_numbers(game) > 0.5 * sequence_sides.most_entries(game) > 5_000
    dense = state.bytes_resident
    tracemalloc.start()
    try:
        state.step(2 + RoundsState.first_look(game))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert state.last_search > 0
    assert peak + dense <= state.solver.memory_estimate(game)


@pytest.mark.parametrize("rule", ["cfr+", "dcfr"])
def test_harm_is_what_best_responses_win_by_what_was_cut(monkeypatch, rule):
    search_often(monkeypatch, first=20, later=30)
    state = started(ready_to_prune(loaded("leduc")), rule, discard=0.0)
    state.step(49)
    books, exploitable = state._books, state.weight * state.nash_conv()
    books.end_round(state._now, state._logs(state._now))
    gained, harm = books.respond(state.weight)
    assert gained == pytest.approx(exploitable)
    assert 0.0 <= harm < gained
    for kept in books.kept:
        kept.alive[:] = 1
    assert books.respond(state.weight) == (gained, 0.0)


@pytest.mark.parametrize(
    "rule", sorted({*ROUND_RULES} - {*PREDICTIVE})
)  # predictions lapse at a search
@pytest.mark.parametrize("name", ["leduc", "goofspiel"])
def test_with_nothing_to_prune_a_run_is_one_with_partial_pruning(monkeypatch, name, rule):
    search_often(monkeypatch, first=10, later=10)
    game = ready_to_prune(loaded(name))
    minimizer, averaging = RULES[rule]
    pruned = started(game, rule, minimum_skip=math.inf)
    plain = secateur.CFR(minimizer=minimizer, averaging=averaging).start(game)
    pruned.step(45)
    plain.step(45)
    assert pruned.last_search > 0
    assert pruned.regret_entries_live == game.cells
    assert np.allclose(pruned.strategy_sums(), plain.strategy_sum, atol=1e-8 * plain.weight)
    assert np.allclose(
        pruned.current_strategy().probabilities, plain.strategy, rtol=1e-7, atol=1e-7
    )
    assert pruned.nash_conv() == pytest.approx(plain.nash_conv(), rel=1e-7)


@pytest.mark.parametrize("rule", ["cfr+", "dcfr", "pcfr+", "pdcfr+"])
@pytest.mark.parametrize("stop", [3, 10, 23, 24])
def test_a_run_resumes_to_the_same_bits_in_any_number_of_steps(monkeypatch, rule, stop):
    """Before the first search, in the middle of a round, and at searches."""
    search_often(monkeypatch, first=10, later=7)
    undo_often(monkeypatch)
    game = ready_to_prune(loaded("leduc"))
    whole, first, second = (started(game, rule) for _ in range(3))
    whole.step(60)
    assert whole.undone > 0
    first.step(stop)
    second.step(50)  # what it was before counts for nothing
    second.restore(first.saved())
    for steps in (1, 7, 60 - stop - 8):
        second.step(steps)
    ours, theirs = whole.saved(), second.saved()
    assert ours.numbers == theirs.numbers
    assert all(np.array_equal(part, theirs.arrays[name]) for name, part in ours.arrays.items())


@pytest.mark.parametrize("rule", ["cfr+", "sapcfr+"])
def test_what_decides_the_next_rounds_is_resumed(monkeypatch, rule):
    """Caution, how it falls, and the pace of the round, where all of them change."""
    monkeypatch.setattr(RoundsState, "first_look", lambda *_: 20)
    monkeypatch.setattr(rounds, "_SHORTEST", 5)
    monkeypatch.setattr(rounds, "_CALLS", 0.0)
    monkeypatch.setattr(rounds, "_HARM", 0.01)
    game = ready_to_prune(loaded("leduc"))
    whole = started(game, rule)
    seen = set()
    for _ in range(300):
        whole.step()
        seen.add((whole.caution, whole._fall, whole.next_search - whole.last_search))
        other = started(game, rule)
        other.restore(whole.saved())
        whole = other
    assert whole.undone > 0
    assert all(len(set(each)) > 1 for each in zip(*seen, strict=True))
    undisturbed = started(game, rule)
    undisturbed.step(300)
    assert undisturbed.saved().numbers == whole.saved().numbers
    assert np.array_equal(undisturbed.strategy_sums(), whole.strategy_sums())


def test_caution_follows_harm(monkeypatch):
    """It falls by half, doubles after slight harm, falls slowly then; four times after an undo."""
    search_often(monkeypatch, first=20, later=10)
    state = started(ready_to_prune(loaded("leduc")), "dcfr", discard=0.0)
    state.step(20)
    harm = {"none": 0.0, "slight": 0.05, "too much": 0.5}
    expected = [
        *(("none", 0.25, 0), ("none", 0.125, 0), ("none", 0.1, 0), ("slight", 0.2, 0)),
        *(("none", 0.19, 0), ("slight", 0.38, 0), ("slight", 0.76, 0), ("slight", 1.0, 0)),
        *(("none", 0.95, 0), ("too much", 3.8, 10), ("too much", 15.2, 20), ("none", 1.0, 20)),
    ]
    for kind, caution, undone in expected:
        monkeypatch.setattr(RoundsBooks, "respond", lambda *_, kind=kind: (1.0, harm[kind]))
        state.step(10)
        assert (state.caution, state.undone) == (pytest.approx(caution), undone)


def test_searches_take_their_share_of_the_work(monkeypatch):
    """A round is four times as long as its search, by what iterations of the last one touched."""
    monkeypatch.setattr(RoundsState, "first_look", lambda *_: 20)
    monkeypatch.setattr(rounds, "_SHORTEST", 1)
    monkeypatch.setattr(rounds, "_CALLS", 0.0)
    state = started(ready_to_prune(loaded("liars_dice")), "dcfr")
    state.step(20)
    entries, sequences = state._books.size
    assert entries == 442_266
    work = 2.0 * entries + 8.0 * sequences
    assert state.next_search - 20 == math.ceil(work / (0.25 * 0.4 * entries))
    last = state.next_search
    state.step(last - 20 - 1)
    iterations, touched = state.iteration - state.last_search, state._work
    state.step()
    pace = touched / iterations
    assert state.last_search == last
    assert state.next_search - last == pytest.approx(work / (0.25 * pace), rel=0.1)


def test_what_was_barred_stays_barred_while_a_round_is_undone_again(monkeypatch):
    search_often(monkeypatch, first=20, later=8)
    undo_often(monkeypatch)
    state = started(ready_to_prune(loaded("leduc")), "dcfr", discard=0.0)
    while not state.undone:
        state.step()
    barred = [kept.barred.copy() for kept in state._books.kept]
    assert sum(map(np.count_nonzero, barred)) > 0
    monkeypatch.setattr(rounds, "_HARM", -np.inf)
    state.step(8)
    assert state.undone == 16
    for kept, before in zip(state._books.kept, barred, strict=True):
        assert (kept.barred >= before).all()


PREPARED = """
import numpy, secateur
from secateur.kernels.pruning_rounds import contract, form, iterate, search, side
from secateur.preparing import prepare_kernels
from secateur.solvers import rounds

kernels = [
    part
    for module in (contract, form, iterate, search, side)
    for part in vars(module).values()
    if hasattr(part, "signatures")
]
assert len(kernels) > 15
game = secateur.compile(secateur.load("leduc"), pruning=True)
solver = secateur.recipes.{recipe}(pruning=secateur.BestResponsePruning())
prepare_kernels(solver, game)
before = [list(kernel.signatures) for kernel in kernels]
rounds.RoundsState.first_look = lambda *_: 20
rounds._SHARE, rounds._HARM = numpy.inf, -numpy.inf
state = solver.start(game)
state.step(120)
assert state.undone > 0
state.restore(state.saved())
state.step(10)
state.nash_conv(), secateur.cuts(state)
for kernel, known in zip(kernels, before, strict=True):
    assert list(kernel.signatures) == known, kernel.__name__
"""
"""Of a process of its own: here other tests have called these kernels already."""


@pytest.mark.parametrize("recipe", ["dcfr", "sapcfr_plus"])
def test_all_kernels_of_rounds_are_prepared(recipe):
    subprocess.run([sys.executable, "-c", PREPARED.format(recipe=recipe)], check=True)


@pytest.mark.parametrize("rule", ["rm+", "cfr+", "dcfr", "sapcfr+"])
def test_what_is_cut_loses_at_every_search(monkeypatch, rule):
    search_often(monkeypatch)
    state = started(ready_to_prune(loaded("leduc")), rule, discard=0.0)  # which change averages
    for _ in range(12):
        state.step(max(2, state.next_search - state.iteration))
        if state.last_search:
            cuts = secateur.cuts(state)
            assert (cuts.at_most < cuts.earned).all()
    assert len(cuts.cell) > 20
    assert (cuts.again == state.next_search).all()


@pytest.mark.parametrize("rule", ROUND_RULES)
def test_pruned_runs_converge_and_measure_themselves(rule):
    game = ready_to_prune(loaded("leduc"))
    state = started(game, rule)
    state.step(4000)
    assert state.last_search > 0
    average = state.average_strategy()
    assert state.nash_conv() == pytest.approx(secateur.nash_conv(game, average), rel=1e-9)
    assert state.nash_conv() < 0.02
    value = secateur.expected_value(game, average)
    assert abs(value - exact_value(game)) <= state.nash_conv()
    assert state.regret_entries_live == np.count_nonzero(Unpacked(state).alive) < game.cells
    assert state.strategy_entries_live == np.count_nonzero(state.strategy_sums())
    assert not state.has_nan()


def test_what_a_run_holds_is_within_its_estimate():
    game = ready_to_prune(loaded("liars_dice"))
    state = started(game, "dcfr")
    state.step(400)
    assert state.regret_entries_live < 0.9 * game.cells
    assert state.bytes_resident <= state.solver.memory_estimate(game)


@pytest.mark.parametrize(
    "options",
    [
        {"minimizer": secateur.RegretMatching()},
        {"updates": "simultaneous"},
        {"count_nodes": True},
        {"pruning": secateur.BestResponsePruning(check_every=100)},
        {"pruning": secateur.BestResponsePruning(duration="fixed")},
        {"pruning": secateur.BestResponsePruning(softness=0.5)},
        {"pruning": secateur.BestResponsePruning(cut_played=True)},
    ],
)
def test_what_rounds_cannot_do_is_done_with_a_store(options):
    given = {"minimizer": secateur.DiscountedRegretMatching(), **options}
    solver = secateur.CFR(**{"pruning": secateur.BestResponsePruning(), **given})
    assert isinstance(solver.start(ready_to_prune(loaded("kuhn"))), PrunedState)


def test_games_with_many_entries_or_payoffs_are_pruned_with_a_store(monkeypatch):
    game, solver = (
        ready_to_prune(loaded("leduc")),
        secateur.recipes.dcfr(pruning=secateur.BestResponsePruning()),
    )
    assert isinstance(solver.start(game), RoundsState)
    for limit in ("_MOST_ENTRIES", "_MOST_NUMBERS"):
        with monkeypatch.context() as patch:
            patch.setattr(rounds, limit, 500)
            assert isinstance(solver.start(game), PrunedState)


def test_checkpoints_that_no_run_has_written_are_refused(monkeypatch):
    """What is alive behind what is cut, an update still to come, sums that do not fit weights."""
    search_often(monkeypatch)
    game = ready_to_prune(loaded("leduc"))
    state, other = started(game, "dcfr"), started(game, "dcfr")
    state.step(30)
    saved = state.saved()
    changes = [
        *(("alive_0", 0, "alive"), ("alive_1", 2, "alive"), ("before_alive_0", 0, "alive")),
        *(("barred_1", 2, "alive"), ("seen_0", -1, "seen"), ("seen_1", 31, "seen")),
        *(("total_0", 0.0, "_weight"), ("grown_1", 1.0, "_weight")),
    ]
    for name, number, match in changes:
        arrays = {**saved.arrays, name: np.full_like(saved.arrays[name], number)}
        with pytest.raises(secateur.ParameterError, match=match):
            other.restore(saved._replace(arrays=arrays))
    weight = saved.numbers["_weight"]
    for name, number, match in (
        *(("_check", 30.0, "last_search"), ("undone", 31, "undone"), ("_fall", 0.3, "caution")),
        *(("_weight", 0.0, "_weight"), ("_weight_before", 2.0 * weight, "_weight")),
        *(("_weight_before", 0.0, "_weight"), ("caution", 0.0, "caution")),
    ):
        with pytest.raises(secateur.ParameterError, match=match):
            other.restore(saved._replace(numbers={**saved.numbers, name: number}))
    assert other.iteration == 0
    other.restore(saved)
    assert other.iteration == 30


def test_where_hands_are_many_runs_have_a_store():
    game = ready_to_prune(loaded("leduc", ranks=8))
    solver = secateur.recipes.dcfr(pruning=secateur.BestResponsePruning())
    assert isinstance(solver.start(game), PrunedState)


def test_a_run_from_a_warm_start_counts_on(monkeypatch):
    search_often(monkeypatch)
    game = ready_to_prune(loaded("leduc"))
    solver = replace(secateur.recipes.dcfr(), pruning=secateur.BestResponsePruning())
    strategy = secateur.solve(game, "cfr+", secateur.until.iterations(50)).strategy
    state = solver.start(game, strategy, 100)
    state.step(40)
    assert state.last_search > 0
    assert state.nash_conv() == pytest.approx(
        secateur.nash_conv(game, state.average_strategy()), rel=1e-9
    )
