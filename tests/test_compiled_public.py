"""Games that name their public states, compiled by public states and by histories."""

from __future__ import annotations

import numpy as np
import pytest

import secateur
from secateur import Strategy
from secateur.compiled.from_histories import compile_histories
from secateur.compiled.from_public import compile_public
from secateur.compiled.game import CompiledGame
from secateur.games import Game, PublicGame
from support.oracle import random_strategy
from support.public import RandomPublicGame

TOLERANCE = 1e-12

GAMES: dict[str, PublicGame] = {
    "leduc": secateur.load("leduc"),
    "leduc-dt": secateur.load("leduc-dt"),
    "leduc, suits apart": secateur.load("leduc", merge_suits=False),
    "leduc of three rounds": secateur.load("leduc", bet_sizes="1/2/4", max_bets=1),
    "leduc of three sizes": secateur.load("leduc", bet_sizes="0.5,2,8/1,4", max_bets=1),
    "liars-dice of 3 sides": secateur.load("liars-dice", sides=3),
    "liars-dice of 2 dice": secateur.load("liars-dice", dice=2, sides=2),
    **{f"random {seed}": RandomPublicGame(seed) for seed in range(12)},
    "random, one hand": RandomPublicGame(2, hands=(1, 5)),
    "random, many hands": RandomPublicGame(3, hands=(8, 6)),
}


def contents(game: CompiledGame) -> list[tuple[int, str, tuple[str, ...]]]:
    return sorted((each.player, each.label, each.actions) for each in game.information_sets())


def translated(strategy: Strategy, game: CompiledGame) -> Strategy:
    """Return the same behavior in a game whose information sets stand in another order."""
    probabilities = np.empty(game.cells)
    for infoset in game.information_sets():
        there = strategy.at(infoset.player, infoset.label)
        probabilities[infoset.cells] = [there[action] for action in infoset.actions]
    return Strategy(game, probabilities)


@pytest.mark.parametrize("title", GAMES)
def test_both_ways_to_compile_give_the_same_game(title: str):
    game: Game = GAMES[title]
    by_public, by_histories = compile_public(game), compile_histories(game)
    for field in ("histories", "information_sets", "sequences", "sequences_by_player"):
        assert getattr(by_public.size, field) == getattr(by_histories.size, field)
    assert contents(by_public) == contents(by_histories)
    assert by_public.root_histories == by_histories.root_histories

    where = np.empty(by_public.cells, np.int64)
    for infoset in by_public.information_sets():
        named = by_histories.by_label[infoset.label]
        (there,) = (each for each in named if each.player == infoset.player)
        where[infoset.cells] = np.arange(by_histories.cells)[there.cells]
    for seed in range(5):
        mine = random_strategy(by_public, seed)
        theirs = translated(mine, by_histories)
        for metric in (secateur.nash_conv, secateur.expected_value):
            assert metric(by_public, mine) == pytest.approx(
                metric(by_histories, theirs), rel=TOLERANCE, abs=TOLERANCE
            )
        for player in range(2):
            values = secateur.counterfactual_best_response_values(by_public, mine, player)
            other = secateur.counterfactual_best_response_values(by_histories, theirs, player)
            np.testing.assert_allclose(values, other[where], rtol=1e-10, atol=TOLERANCE)


@pytest.mark.parametrize("title", ["leduc", "liars-dice of 3 sides", "random 3", "random 8"])
@pytest.mark.parametrize("pruning", [secateur.NoPruning(), secateur.PartialPruning()])
def test_both_ways_to_compile_are_solved_alike(title: str, pruning: secateur.NoPruning):
    runs = []
    for way in (compile_public, compile_histories):
        state = secateur.recipes.dcfr(pruning=pruning, count_nodes=True).start(way(GAMES[title]))
        state.step(10)
        runs.append((state.nash_conv(), state.nodes_touched))
    assert runs[0][0] == pytest.approx(runs[1][0], rel=1e-9)
    assert runs[0][1] == runs[1][1]


def test_public_games_are_compiled_without_enumerating_histories(monkeypatch):
    game = RandomPublicGame(4)
    for method in ("start", "turn", "after", "chance", "payoffs", "information"):
        monkeypatch.setattr(game, method, None)
    assert secateur.compile(game).size.histories == 1_809
