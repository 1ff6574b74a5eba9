"""The store of best-response pruning: what it keeps, forgets, and gives back."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import secateur
from secateur.games import RandomGame
from secateur.memory import Reserve
from secateur.metrics import counterfactual_best_response_values
from secateur.solvers.pruned import PrunedState
from secateur.strategy import Strategy
from support.pruning import RULES, started
from support.small_games import loaded, ready_to_prune
from support.stored import Unpacked, unpacked


def assert_same(ours: Unpacked, theirs: Unpacked) -> None:
    for field in fields(ours):
        left, right = getattr(ours, field.name), getattr(theirs, field.name)
        same = np.array_equal(left, right, equal_nan=True)
        assert same, field.name


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 60),
    rule=st.sampled_from(sorted(RULES)),
    updates=st.sampled_from(["alternating", "simultaneous"]),
    compactions=st.lists(st.integers(1, 7), min_size=1, max_size=6),
    structured=st.booleans(),
)
def test_a_compacted_store_gives_the_same_bits(seed, rule, updates, compactions, structured):
    rules = RandomGame(seed=seed, observability=float(structured))
    game = secateur.compile(rules, pruning=True)
    policy = {"minimum_skip": 1.0, "check_every": 11, "discard": 0.05}
    left, packed = started(game, rule, updates, **policy), started(game, rule, updates, **policy)
    left.step(11)
    packed.step(11)
    for steps in compactions:
        left.step(steps)
        packed.step(steps)
        packed._books.compact(packed.weight, 0.0)
        assert_same(unpacked(left), unpacked(packed))
        assert left.nash_conv() == packed.nash_conv()


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_compacted_store_of_leduc_gives_the_same_bits(rule):
    game = ready_to_prune(loaded("leduc"))
    policy = {"check_every": 20}
    left, packed = (started(game, rule, "alternating", **policy) for _ in range(2))
    left.step(20)
    packed.step(20)
    for steps in (7, 50, 3, 140, 100):
        left.step(steps)
        packed.step(steps)
        packed._books.compact(packed.weight, 0.0)
        assert_same(unpacked(left), unpacked(packed))
    assert packed.bytes_resident <= left.bytes_resident


def assert_in_order(state: PrunedState) -> None:
    """Check the list of blocks that are alive: in preorder, with the sizes of subtrees."""
    count = int(state.live.length[0])
    order, size = state.live.order[:count], state.live.size[:count]
    assert order[0] == 0
    assert (np.diff(order) > 0).all()
    ends = np.searchsorted(order, state.game.arrays.subtree_end[order])
    assert np.array_equal(size, ends - np.arange(count))


@pytest.mark.parametrize("check_every", [1, 10])
@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("rule", ["rm", "linear", "dcfr", "pcfr+"])
def test_what_is_alive_stays_in_order(rule, updates, check_every):
    for rules in (loaded("leduc"), loaded("leduc", bet_sizes=((1, 2, 4), (2, 4)))):
        game = ready_to_prune(rules)
        state = started(game, rule, updates, minimum_skip=1.0, check_every=check_every)
        state.step(check_every)
        for _ in range(100):
            state.step()
            assert_in_order(state)


def best_response_values(state: PrunedState) -> np.ndarray:
    """Return what each sequence is worth against the average so far, times the sum of weights."""
    average = Strategy.from_plan(state.game, state.strategy_sums())
    values = np.zeros(state.game.cells)
    for player in range(2):
        mine = state.game.cell_player == player
        values[mine] = counterfactual_best_response_values(state.game, average, player)[mine]
    return state.weight * values


@pytest.mark.parametrize("rule", ["rm", "linear", "cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize(
    ("name", "parameters", "iterations", "intervals"),
    [
        ("leduc", {}, 120, 70),
        ("goofspiel", {}, 120, 30),
        ("liars_dice", {"sides": 3}, 120, 30),
        ("leduc", {"bet_sizes": ((1, 2, 4), (2, 4, 8))}, 40, 300),
    ],
)
def test_a_pruned_action_could_not_have_caught_up(name, parameters, iterations, intervals, rule):
    """Theorem 1, in any weights: a pruned action's best response stays below the values earned."""
    game = ready_to_prune(loaded(name, **parameters))
    state = started(game, rule, "alternating", minimum_skip=1.0, check_every=2, discard=0.0)
    state.step(2)
    infoset_of = np.zeros(game.cells, np.int64)
    for number, infoset in enumerate(game.information_sets()):
        infoset_of[infoset.cells] = number
    ended = 0
    pruned = np.zeros(game.cells, np.bool_)
    for _ in range(iterations):
        state.step()
        books = unpacked(state)
        margin = 1e-9 * (1.0 + state.weight)
        gaps = best_response_values(state) - books.value_sum[infoset_of]
        here = books.pruned
        assert (gaps[here] <= margin).all()
        assert (gaps[here] <= books.regret[here] + margin).all()
        ended += int((pruned & ~books.pruned).sum())
        pruned = books.pruned
    assert ended >= intervals


def test_memory_falls_and_the_estimate_holds():
    game = ready_to_prune(loaded("leduc5"))
    for rule in ("rm", "rm+", "dcfr"):
        state = started(game, rule, "alternating", minimum_skip=1e9, check_every=10)
        estimate = state.solver.memory_estimate(game)
        state.step(10)  # has searched, and found nothing
        everything = state.bytes_resident
        cuts = game.cells + 8 * game.size.information_sets  # while the store is filled
        assert everything + cuts == pytest.approx(estimate, rel=0.05)
        state = started(game, rule, "alternating", check_every=100)
        state.step(500)
        assert state.bytes_resident < 0.93 * everything
        assert state.regret_entries_live < 0.66 * game.cells


INTERPRETED = """
import secateur
game = secateur.compile(secateur.load("leduc"), pruning=True)
for minimizer, updates in (
    (secateur.RegretMatching(), "simultaneous"),
    (secateur.DiscountedRegretMatching(), "alternating"),
    (secateur.PredictiveRegretMatchingPlus(), "simultaneous"),
):
    policy = secateur.BestResponsePruning(
        minimum_skip=1.0, check_every=3, discard=0.3, discard_rule="sqrt"
    )
    solver = secateur.CFR(minimizer=minimizer, updates=updates, pruning=policy, count_nodes=True)
    state = solver.start(game)
    for _ in range(12):
        state.step()
    print(float(state.nash_conv()))
"""


def test_kernels_stay_within_their_arrays():
    """Without compilation an index out of bounds is an error; the numbers are the same."""
    printed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", INTERPRETED],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for environment in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert len(printed[0]) == 3
    assert [float(x) for x in printed[0]] == pytest.approx([float(x) for x in printed[1]])


def test_pages_are_given_back():
    reserve = Reserve(1 << 20, np.float64)
    reserve.array[:] = 1.0
    reserve.release(1000, 900_000)
    assert (reserve.array[:1000] == 1.0).all()
    assert (reserve.array[900_000:] == 1.0).all()
    assert (reserve.array[2000:890_000] == 0.0).all()
