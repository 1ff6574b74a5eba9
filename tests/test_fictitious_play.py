"""Fictitious play against its slow version, with and without best-response pruning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from reference import ReferenceFictitiousPlay, ReferenceFictitiousPlayBRP
from secateur import BestResponsePruning, FictitiousPlay
from secateur.games import Game
from secateur.games.random_game import RandomGame
from support.oracle import Bridge
from support.public import RandomPublicGame
from support.small_games import BUILT_IN, compiled, examples, random_games
from support.written import crossed_orders, diagonal

GAMES = [
    secateur.load("kuhn"),
    secateur.load("leduc"),
    secateur.load("leduc-dt"),
    RandomPublicGame(0),
    RandomPublicGame(10),
    crossed_orders(),
    diagonal(3),
]


def pruned(minimum_skip: float, check_every: int = 1, **options: bool) -> FictitiousPlay:
    pruning = BestResponsePruning(minimum_skip=minimum_skip, check_every=check_every)
    return FictitiousPlay(pruning=pruning, **options)


def compare(game: Game, iterations: int) -> None:
    bridge = Bridge(game)
    slow, fast = ReferenceFictitiousPlay(game), FictitiousPlay(count_nodes=True)
    state = fast.start(bridge.compiled)
    for _ in range(iterations):
        slow.step()
        state.step()
        assert_same_play(slow, state, bridge)
        assert state.nodes_touched == slow.nodes_touched


def assert_same_play(slow: ReferenceFictitiousPlay, state: object, bridge: Bridge) -> None:
    total = {s: p for plan in slow.total for s, p in plan.items() if s is not None}
    np.testing.assert_allclose(state.strategy_sum, bridge.array(total), rtol=0.0, atol=1e-9)


def compare_pruned(game: Game, iterations: int, minimum_skip: float, check_every: int) -> int:
    """Step both codes side by side; return in how many iterations what is pruned has changed."""
    bridge = Bridge(game)
    slow = ReferenceFictitiousPlayBRP(game, minimum_skip, check_every)
    state = pruned(minimum_skip, check_every, count_nodes=True).start(bridge.compiled)
    events = 0
    for _ in range(iterations):
        before = set(slow.bound)
        slow.step()
        state.step()
        events += before != set(slow.bound)
        assert_same_play(slow, state, bridge)
        assert state.nodes_touched == slow.nodes_touched
        assert state.nodes_touched_overhead == slow.nodes_touched_overhead
        for cell, bound in slow.bound.items():
            assert state.books.pruned[bridge.cell[cell]]
            assert state.books.worth[bridge.cell[cell]] == pytest.approx(bound, abs=1e-9)
        opened = sum(
            (infoset.key, action) not in slow.bound
            for player in range(2)
            for infoset in slow.open_infosets(player)
            for action in infoset.actions
        )
        assert state.regret_entries_live == opened
    return events


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_sums_of_strategies_and_nodes_are_those_of_the_slow_version(game: Game):
    compare(game, 12)


@examples(60)
@given(game=random_games(ties=0.0, skew=1.0))
def test_random_games_are_played_as_by_the_slow_version(game: Game):
    compare(game, 10)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_pruning_play_bounds_and_nodes_are_those_of_the_slow_version(game: Game):
    iterations = 40 if "leduc" in str(game) else 80
    assert compare_pruned(game, iterations, 3.2171, 2) > 2


@examples(60)
@given(
    game=random_games(ties=0.0, skew=1.0),
    minimum_skip=st.sampled_from([1.0973, 4.1739, 20.313]),
    check_every=st.sampled_from([1, 3]),
)
def test_random_games_are_pruned_as_by_the_slow_version(
    game: Game, minimum_skip: float, check_every: int
):
    compare_pruned(game, 30, minimum_skip, check_every)


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5])
def test_bounds_are_never_below_the_value_of_a_best_response(seed: int):
    game = RandomGame(seed=seed, ties=0.0, skew=1.0, depth=6)
    slow = ReferenceFictitiousPlayBRP(game, min_skip=2.0)
    checked = 0
    for _ in range(60):
        slow.step()
        values = [slow.values(player) for player in range(2)]
        for cell, bound in slow.bound.items():
            checked += 1
            assert values[cell[0][0]][cell] <= bound + 1e-9
    assert checked > 60


@pytest.mark.parametrize("title", BUILT_IN)
@pytest.mark.parametrize(("minimum_skip", "check_every"), [(1, 1), (10, 7), (100, None)])
def test_best_response_pruning_changes_nothing_that_is_played(
    title: str, minimum_skip: float, check_every: int | None
):
    plain = FictitiousPlay(count_nodes=True).start(compiled(title))
    cut = pruned(minimum_skip, check_every, count_nodes=True).start(compiled(title))
    for _ in range(4):
        plain.step(700)
        cut.step(700)
        assert np.array_equal(plain.strategy_sum, cut.strategy_sum)
        updates = cut.nodes_touched - cut.nodes_touched_overhead
        assert updates <= plain.nodes_touched


def test_looking_at_sums_of_strategies_changes_nothing():
    """They lag behind pruned actions of the opponent and are completed when somebody looks."""
    at_once, looked_at = (pruned(5, 10).start(compiled("leduc")) for _ in range(2))
    at_once.step(1_000)
    for _ in range(100):
        looked_at.step(10)
        looked_at.nash_conv()
    assert (at_once.books.counts < looked_at.books.counts).any()
    assert np.array_equal(at_once.strategy_sum, looked_at.strategy_sum)
    for mine, theirs in zip(at_once.books, looked_at.books, strict=True):
        assert np.array_equal(mine, theirs)


def test_best_response_pruning_saves_nodes_and_values():
    plain = FictitiousPlay(count_nodes=True).start(compiled("leduc"))
    cut = pruned(20, 100, count_nodes=True).start(compiled("leduc"))
    plain.step(10_000)
    cut.step(10_000)
    assert plain.nash_conv() == cut.nash_conv()
    assert cut.nodes_touched < 0.6 * plain.nodes_touched
    assert cut.regret_entries_live < 0.35 * plain.regret_entries_live


def test_best_responses_reach_little():
    state = FictitiousPlay(count_nodes=True).start(compiled("leduc"))
    state.step()
    assert state.nodes_touched == 2 * 1_936
    state.step(100)
    assert state.nodes_touched < 0.3 * 101 * 2 * 1_936


def test_nash_conv_is_that_of_an_independent_program():
    state = FictitiousPlay(count_nodes=True).start(compiled("leduc"))
    state.step(10_000)
    assert state.nash_conv() == pytest.approx(0.034871759, abs=5e-10)


@pytest.mark.parametrize(
    ("pruning", "words"),
    [
        (secateur.RegretBasedPruning(), "no regrets"),
        (BestResponsePruning(discard=0.1), "leave discard out"),
        (BestResponsePruning(discard_rule="sqrt"), "leave discard_rule out"),
        (BestResponsePruning(softness=0.5), "leave softness out"),
        (BestResponsePruning(evaluations=0.5), "leave evaluations out"),
    ],
    ids=str,
)
def test_other_pruning_is_refused(pruning: secateur.Pruning, words: str):
    with pytest.raises(secateur.ParameterError, match=words):
        FictitiousPlay(pruning=pruning)


def test_best_response_pruning_needs_a_game_that_is_compiled_for_it():
    with pytest.raises(secateur.ParameterError, match="pruning=True"):
        pruned(5).start(secateur.compile(secateur.load("kuhn")))
