"""The excessive gap technique: against its slow version, its bound, and what thresholds change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from reference import ReferenceEGT, Tree
from reference.treeplex import dilation as slow_dilation
from secateur import EGT
from secateur.compiled.from_histories import compile_histories
from secateur.games import Game
from secateur.games.random_game import RandomGame
from secateur.solvers.dilation import WEIGHTS, dilation
from support.oracle import Bridge
from support.public import RandomPublicGame
from support.small_games import BUILT_IN, compiled, examples, random_games
from support.written import crossed_orders, diagonal

TOLERANCE = 1e-9
VARIANTS = {
    "adaptive": EGT(),
    "adaptive, older weights": EGT(weights="kroer15"),
    "adaptive, balanced": EGT(balanced=True),
    "fixed": EGT(steps="fixed"),
    "fixed, balanced": EGT(steps="fixed", balanced=True),
    "safe": EGT(steps="fixed", smoothing="safe"),
    "threshold": EGT(threshold=0.0123),
    "large threshold": EGT(threshold=0.217, weights="kroer15"),
}
GAMES: list[Game] = [
    *(RandomGame(seed=seed, ties=0.0, skew=1.0) for seed in range(4)),
    RandomGame(seed=4, ties=0.0, skew=1.0, late=0.5, observability=0.6),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, structured=True, depth=7) for seed in (8, 9)),
    RandomPublicGame(0),
    RandomPublicGame(10),
    crossed_orders(),
    diagonal(3),
]


def compare(game: Game, solver: EGT, iterations: int, way=secateur.compile) -> None:
    """Step both codes side by side; nodes are the same unless probabilities almost vanish."""
    bridge = Bridge(game, way(game, thresholds=solver.needs_branches))
    fast = replace(solver, count_nodes=True).start(bridge.compiled)
    begun = fast.nodes_touched
    slow = ReferenceEGT(
        game,
        fast.smoothing[0],
        solver.weights,
        "adaptive" if solver.adaptive else "fixed",
        solver.balanced,
        solver.threshold,
    )
    slow.nodes_touched = 0
    for _ in range(iterations):
        slow.step()
        fast.step()
        plans = {s: p for plan in slow.plans for s, p in plan.items() if s is not None}
        np.testing.assert_allclose(fast.plan, bridge.array(plans), rtol=0.0, atol=TOLERANCE)
        np.testing.assert_allclose(fast.smoothing, slow.mu, rtol=TOLERANCE)
        if slow.least > 1e-250:
            assert fast.nodes_touched - begun == slow.nodes_touched


@pytest.mark.parametrize("variant", VARIANTS)
def test_plans_smoothings_and_nodes_are_those_of_the_slow_version(variant: str):
    for game in GAMES:
        compare(game, VARIANTS[variant], 8)


@pytest.mark.parametrize("variant", VARIANTS)
def test_leduc_is_iterated_as_by_the_slow_version(variant: str):
    compare(secateur.load("leduc"), VARIANTS[variant], 4)


@pytest.mark.parametrize("game", [secateur.load("leduc-dt"), RandomPublicGame(3)])
def test_games_compiled_by_history_are_cut_alike(game: Game):
    compare(game, VARIANTS["threshold"], 4, compile_histories)


@examples(60)
@given(
    game=random_games(ties=0.0, skew=1.0),
    weights=st.sampled_from(WEIGHTS),
    threshold=st.sampled_from([0.0, 0.0123, 0.217, 0.917]),
)
def test_other_games_are_iterated_as_by_the_slow_version(
    game: Game, weights: str, threshold: float
):
    compare(game, EGT(weights=weights, threshold=threshold, steps="fixed"), 5)


@examples(60)
@given(game=random_games())
def test_weights_are_those_of_their_definitions(game: Game):
    bridge = Bridge(game)
    keys = {(key[0], str(key[1])): key for key in bridge.tree.infosets}
    for weights in WEIGHTS:
        expected = {
            key: beta
            for player in range(2)
            for key, beta in slow_dilation(bridge.tree, player, weights).items()
        }
        found = dilation(bridge.compiled, weights)
        for infoset, beta in zip(bridge.compiled.information_sets(), found, strict=True):
            assert beta == expected[keys[infoset.player, infoset.label]]


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("steps", ["fixed", "adaptive"])
def test_nash_conv_is_at_most_the_bound_which_falls_like_one_over_the_iterations(
    steps: str, weights: str, title: str
):
    state = EGT(weights=weights, steps=steps, smoothing="safe").start(compiled(title))
    first = state.bound
    assert state.nash_conv() <= first + 1e-12
    for t in range(1, 101):
        state.step()
        assert state.excess() >= -1e-11
        assert state.nash_conv() <= state.bound + 1e-12
        assert state.bound <= 4.0 * first / (t + 1)


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("title", BUILT_IN)
def test_adaptive_steps_keep_the_bound(title: str, balanced: bool):
    state = EGT(balanced=balanced).start(compiled(title))
    first = state.bound
    for _ in range(20):
        state.step(10)
        assert state.excess() >= -1e-10
        assert state.nash_conv() <= state.bound + 1e-10
    assert state.bound < first


@pytest.mark.parametrize("balanced", [False, True])
def test_asking_for_the_excess_changes_no_bit_of_the_run(balanced: bool):
    asked, left = (EGT(balanced=balanced).start(compiled("leduc")) for _ in range(2))
    for _ in range(30):
        asked.step()
        asked.excess()
    left.step(30)
    assert np.array_equal(asked.plan, left.plan)


@pytest.mark.parametrize("title", BUILT_IN)
def test_first_smoothing_is_small_and_within_the_condition(title: str):
    searched, safe = (
        EGT(smoothing=smoothing).start(compiled(title)) for smoothing in ("search", "safe")
    )
    assert searched.excess() >= -1e-10
    assert 0.0 < searched.smoothing[0] <= max(1.0, safe.smoothing[0])


@pytest.mark.parametrize("smoothing", [1e-300, 1e-30, 1e-9, 1e9, 1e100])
def test_any_smoothing_gives_distributions(smoothing: float):
    state = EGT(steps="fixed").start(compiled("leduc"))
    state._begin(smoothing)
    state.step(20)
    assert np.isfinite(state.plan).all()
    assert state.nash_conv() > -1e-12
    strategy = state.average_strategy()
    for infoset in compiled("leduc").information_sets():
        assert strategy.probabilities[infoset.cells].sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", ["leduc-dt", "leduc"])
def test_thresholds_touch_fewer_nodes_and_still_converge(name: str):
    game = secateur.compile(secateur.load(name), thresholds=True)
    found = []
    for threshold in (0.0, 0.001, 0.01, 0.05):
        state = EGT(threshold=threshold, steps="fixed", count_nodes=True).start(game)
        state.step(1500)
        found.append((state.nodes_touched, state.nash_conv()))
    nodes = [each[0] for each in found]
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[-1] < 0.75 * nodes[0]
    assert max(each[1] for each in found) < 0.02


def test_without_pruning_every_gradient_visits_all_histories():
    state = EGT(steps="fixed", pruning=secateur.NoPruning()).start(compiled("leduc"))
    before = state.nodes_touched
    assert before > 0
    assert before % 1_936 == 0
    state.step(10)
    assert state.nodes_touched - before == 3 * 10 * 1_936
    assert state.nodes_touched_overhead == 0


def test_games_compiled_for_thresholds_are_the_same_games():
    for rules in (secateur.load("leduc"), RandomGame(seed=1), RandomPublicGame(4)):
        plain, split = secateur.compile(rules), secateur.compile(rules, thresholds=True)
        assert plain.branches is None
        assert split.branches is not None
        first, second = (secateur.recipes.cfr().start(game) for game in (plain, split))
        first.step(3)
        second.step(3)
        assert np.array_equal(first.strategy_sum, second.strategy_sum)
        factors = split.arrays.factors[split.branches.branch_factor]
        histories = factors @ _sums_of_matrices(split)[split.branches.branch_matrix]
        assert round(histories) == split.size.histories == Tree(rules).size


def _sums_of_matrices(game: secateur.CompiledGame) -> np.ndarray:
    a = game.arrays
    ends = np.append(a.matrix_first, len(a.entries))
    return np.array([a.entries[ends[k] : ends[k + 1]].sum() for k in range(0, len(ends) - 1, 2)])


def test_a_threshold_needs_a_game_that_is_compiled_for_it():
    with pytest.raises(secateur.ParameterError, match="thresholds=True"):
        EGT(threshold=0.01).start(compiled("kuhn"))
    result = secateur.solve(
        secateur.load("kuhn"), EGT(threshold=0.01), secateur.until.nodes_touched(20_000)
    )
    assert result.nodes_touched >= 20_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": "even"}, "kroer17"),
        ({"steps": "long"}, "adaptive"),
        ({"smoothing": "none"}, "safe"),
        ({"threshold": -0.1}, "from 0"),
        ({"threshold": 1.0}, "below 1"),
        ({"threshold": float("nan")}, "from 0"),
        ({"threshold": 0.1, "steps": "adaptive"}, "steps='fixed'"),
        ({"threshold": 0.1, "pruning": secateur.NoPruning()}, r"PartialPruning\(\)"),
        ({"pruning": secateur.RegretBasedPruning()}, "no regrets"),
        ({"pruning": secateur.BestResponsePruning()}, "no regrets"),
    ],
)
def test_impossible_choices_are_refused(options: dict, words: str):
    with pytest.raises(secateur.ParameterError, match=words) as caught:
        EGT(**options)
    assert "\n" not in str(caught.value)


def test_steps_that_never_fail_end_in_best_responses():
    """Smoothing halves until it is no number any more."""
    state = EGT().start(compiled("matrix"))
    for _ in range(50):
        state.step(100)
        assert state.nash_conv() == pytest.approx(0.0, abs=1e-12)
    assert state.bound < 1e-300
