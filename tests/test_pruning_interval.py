"""Interval regret-based pruning: the engine decides what the equations say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import secateur
from reference.thresholding import threshold_of_hedge
from secateur.games import MatrixGame, RandomGame
from secateur.kernels.regret_based_pruning import search as interval_search
from support.interval import CUT, FACTOR, METHODS, SideBySide, UntiedLeduc, started
from support.public import RandomPublicGame
from support.small_games import exact_value, loaded, ready_to_prune

UPDATES = ["alternating", "simultaneous"]
POLICIES = [(5.0, 1), (1.0, 1), (2.0, 3)]
PAIRED = [
    (method, UPDATES[(number + other) % 2], *policy)
    for number, method in enumerate(sorted(METHODS))
    for other, policy in enumerate(POLICIES)
]
"""Each method with each policy, and each of these with updates of both kinds."""


def assert_same_for(both: SideBySide, iterations: int) -> None:
    for _ in range(iterations):
        both.step()
        assert both.differences() == []
        # equal decisions see to equal visits
        total = both.slow.nodes_touched + both.slow.overhead_nodes
        assert both.fast.nodes_touched == total
        assert both.fast.nodes_touched_overhead == both.slow.overhead_nodes


@pytest.mark.parametrize(("method", "updates", "min_skip", "check_every"), PAIRED)
def test_every_decision_on_leduc_is_that_of_the_reference(method, updates, min_skip, check_every):
    both = SideBySide(UntiedLeduc(), method, updates, min_skip, check_every)
    assert_same_for(both, 40)
    kinds = [event.kind for event in both.slow.events]
    assert kinds.count("start") > 150
    assert kinds.count("end") > 50
    assert both.slow.overhead_nodes > 0


@pytest.mark.parametrize("updates", UPDATES)
def test_ties_of_leduc_do_not_matter_to_regret_matching(updates):
    assert_same_for(SideBySide(loaded("leduc"), "rm", updates, 5.0, 1), 30)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    method=st.sampled_from(sorted(METHODS)),
    updates=st.sampled_from(UPDATES),
    policy=st.sampled_from(POLICIES),
    observability=st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    structured=st.booleans(),
)
def test_every_decision_on_random_games_is_that_of_the_reference(
    seed, method, updates, policy, observability, structured
):
    game = RandomGame(seed=seed, ties=0.0, observability=observability, structured=structured)
    both = SideBySide(game, method, updates, *policy)
    for _ in range(40):
        both.step()
        if both.near_tie():
            return
        assert both.differences() == []
        assert both.fast.nodes_touched_overhead == both.slow.overhead_nodes


def test_returns_are_complete_where_a_player_moves_twice_in_a_public_state():
    game = RandomGame(
        seed=526385, depth=8, observability=0.5, late=0.0, chance_moves=0.0, skew=1.0, ties=0.0
    )
    assert_same_for(SideBySide(game, "cfr+", "simultaneous", 1.0, 1), 40)


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("seed", range(4))
def test_every_decision_on_games_with_public_states_is_that_of_the_reference(seed, method):
    both = SideBySide(RandomPublicGame(seed), method, "alternating", 1.0, 1)
    for _ in range(40):
        both.step()
        if both.near_tie():
            return
        assert both.differences() == []


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("name", ["leduc", "goofspiel", "battleship", "liars_dice"])
def test_with_nothing_to_prune_every_bit_is_that_of_partial_pruning(name, method, updates):
    parameters = {"sides": 3} if name == "liars_dice" else {}
    game = ready_to_prune(loaded(name, **parameters))
    pruned = started(game, method, updates, minimum_skip=math.inf)
    plain = secateur.CFR(**METHODS[method], updates=updates, count_nodes=True).start(game)
    pruned.step(50)
    plain.step(50)
    # regret matching+ remembers here how far a regret is below zero, which changes nothing
    plus = isinstance(METHODS[method]["minimizer"], secateur.RegretMatchingPlus)
    floor = 0.0 if plus else -math.inf
    assert np.array_equal(np.maximum(floor, pruned.books.regret), plain.regret)
    assert np.array_equal(pruned.books.strategy, plain.strategy)
    assert np.array_equal(pruned.books.total, plain.strategy_sum)
    assert pruned.nodes_touched == plain.nodes_touched
    assert pruned.nash_conv() == plain.nash_conv()


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_runs_repeat_to_the_bit_in_any_number_of_steps(method, updates):
    game = ready_to_prune(loaded("leduc"))
    once, twice = started(game, method, updates), started(game, method, updates)
    once.step(200)
    for chunk in (1, 49, 150):
        twice.step(chunk)
    for ours, theirs in zip(once.books, twice.books, strict=True):
        assert np.array_equal(ours, theirs)
    assert once.nash_conv() == twice.nash_conv()


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize(("name", "least"), [("leduc", 900), ("liars_dice", 150)])
def test_bounds_are_bounds(name, least, method, updates):
    """What a regret turns out to be, when its action returns, was never more than its bound."""
    parameters = {"sides": 3} if name == "liars_dice" else {}
    game = ready_to_prune(loaded(name, **parameters))
    # with searches now and then, an action that returns is seldom pruned again at once
    state = started(game, method, updates, minimum_skip=1.0, check_every=5)
    books = state.books
    intervals = 0
    for _ in range(300):
        before = books.pruned != 0
        regret, plain = books.regret.copy(), books.plain.copy()
        state.step()
        # nothing else changes the plain regret of an action that was pruned
        returned = before & (books.pruned == 0)
        caught_up = regret + (books.plain - plain)
        assert (caught_up <= books.bound + 1e-9)[returned].all()
        if method != "hedge, cut":
            assert (books.bound <= 0.0)[books.pruned != 0].all()
        intervals += returned.sum()
    assert intervals > least


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("name", ["leduc", "goofspiel"])
def test_what_hedge_skips_is_below_the_threshold(name, updates):
    """Even if every pruned action had the largest regret that it can have by now."""
    game = ready_to_prune(loaded(name))
    state = started(game, "hedge, cut", updates, minimum_skip=1.0)
    books, threshold = state.books, threshold_of_hedge(FACTOR)
    infosets = list(game.information_sets())
    pruned = 0
    for t in range(1, 201):
        before = books.pruned != 0
        state.step()
        for number, infoset in enumerate(infosets):
            cut = books.pruned[infoset.cells] != 0
            mean, square = books.value_sum[number] / t, books.square_sum[number] / t
            if not cut.any() or square - mean**2 <= 1e-12 * square:
                continue
            actions = len(infoset.actions)
            rate = math.sqrt(math.log(actions) / t / (square - mean**2)) / 3
            # of those pruned just now the regret is known
            known = ~cut | ~before[infoset.cells]
            regrets = np.where(cut, books.bound[infoset.cells], books.regret[infoset.cells])
            weights = np.exp(rate * (regrets - regrets.max()))
            likely = weights / (weights[known].sum() + weights * ~known)
            assert (likely[cut] <= threshold(actions, t + 1) * (1 + 1e-9)).all()
            assert (books.strategy[infoset.cells][cut] == 0.0).all()
            pruned += cut.sum()
    assert pruned > 3000


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("name", ["leduc", "goofspiel"])
def test_flags_agree_with_what_is_pruned(name, updates):
    game = ready_to_prune(loaded(name))
    state = started(game, "cfr+", updates, minimum_skip=1.0)
    books, arrays = state.books, game.arrays
    for _ in range(100):
        state.step()
        alive = np.zeros_like(books.alive)
        cells = books.pruned == 0
        for block in range(1, len(arrays.player)):
            actions, lanes = int(arrays.actions[block]), int(arrays.lanes[block])
            first, infoset = int(arrays.first_cell[block]), int(arrays.first_infoset[block])
            active = books.active[infoset : infoset + lanes].astype(bool)
            here = cells[first : first + actions * lanes].reshape(actions, lanes)
            assert here.any(axis=0).all()
            assert here[:, ~active].all()
            row = int(game.pruning.first_row_number[block])
            alive[row : row + actions] = (here & active).sum(axis=1)
        assert np.array_equal(alive, books.alive)


def test_one_action_is_kept_though_all_lose():
    """The one of largest regret, the first of equals."""
    game = secateur.compile(MatrixGame(((-2,), (-1,), (-1,), (-3,))), pruning=True)
    state = started(game, "rm", "alternating")
    state.step()
    books = state.books
    rows = np.flatnonzero(game.cell_player == 0)
    books.pruned[:] = 0
    books.regret[rows] = [-20, -10, -10, -30]
    interval_search.prune_losing(
        *(game.arrays, game.pruning, 0, books, 1, 1e-12, 1.0),
        *(state._rule, state._hedge, state._thresholds, state._scratch),
    )
    assert books.pruned[rows].tolist() == [1, 0, 1, 1]
    assert books.strategy[rows].tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel"])
def test_pruned_runs_converge_to_the_value_of_the_game(name, method):
    game = ready_to_prune(loaded(name))
    solver = secateur.CFR(**METHODS[method], pruning=secateur.RegretBasedPruning())
    result = secateur.solve(
        game, solver, secateur.until.exploitability(5e-3) | secateur.until.seconds(20)
    )
    assert result.exploitability <= 5e-3
    assert abs(result.value - exact_value(game)) <= result.nash_conv + 1e-9


def test_fewer_nodes_for_the_same_exploitability_on_leduc():
    game = ready_to_prune(loaded("leduc"))
    until = secateur.until.nodes_touched(3_000_000)
    pruned = secateur.solve(game, secateur.CFR(pruning=secateur.RegretBasedPruning()), until)
    partial = secateur.solve(game, secateur.recipes.cfr(), until)
    assert pruned.nash_conv < 0.8 * partial.nash_conv


def test_hedge_needs_fewer_nodes_with_thresholds_and_fewer_still_with_pruning():
    game = ready_to_prune(loaded("leduc-dt"))
    until = secateur.until.nodes_touched(10_000_000)
    plain, cut, pruned = (
        secateur.solve(
            game, secateur.recipes.hedge(updates="simultaneous", **options), until
        ).nash_conv
        for options in (
            {},
            {"thresholding": CUT},
            {"thresholding": CUT, "pruning": secateur.RegretBasedPruning()},
        )
    )
    assert pruned < 0.9 * cut < 0.9 * 0.9 * plain


def test_nothing_is_freed():
    game = ready_to_prune(loaded("leduc"))
    state = started(game, "rm", "alternating", minimum_skip=1.0)
    state.step(50)
    assert (state.books.pruned != 0).any()
    assert state.regret_entries_live == game.cells
    assert 0 < state.strategy_entries_live <= game.cells


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"minimizer": secateur.DiscountedRegretMatching()}, "no plain sums"),
        ({"minimizer": secateur.PredictiveRegretMatchingPlus()}, "no plain sums"),
        ({"minimizer": secateur.RegretMatching(linear=True)}, "linear CFR"),
        ({"minimizer": secateur.Hedge()}, "DynamicThresholding"),
        (
            {
                "minimizer": secateur.Hedge(),
                "thresholding": secateur.DynamicThresholding(1.0),
            },
            "factor above 1",
        ),
        ({"storage": secateur.Storage("float32")}, "float64"),
    ],
)
def test_combinations_that_make_no_sense_are_refused(options, words):
    with pytest.raises(secateur.ParameterError, match=words):
        secateur.CFR(pruning=secateur.RegretBasedPruning(), **options)


@pytest.mark.parametrize(
    "options", [{"minimum_skip": 0.5}, {"check_every": 0}, {"minimum_skip": math.nan}]
)
def test_impossible_policies_are_refused(options):
    with pytest.raises(secateur.ParameterError):
        secateur.RegretBasedPruning(**options)


def test_games_must_be_compiled_for_it():
    game = secateur.compile(secateur.load("kuhn"))
    with pytest.raises(secateur.ParameterError, match="pruning=True"):
        secateur.CFR(pruning=secateur.RegretBasedPruning()).start(game)


@pytest.fixture(scope="module")
def leduc5():
    return ready_to_prune(loaded("leduc5"))


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_memory_is_what_was_estimated(leduc5, method, updates):
    state = started(leduc5, method, updates)
    estimate = state.solver.memory_estimate(leduc5)
    assert state.bytes_resident == pytest.approx(estimate, rel=0.02)
