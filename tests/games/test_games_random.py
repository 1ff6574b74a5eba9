from collections import defaultdict
from itertools import pairwise

import pytest
from enumeration import enumerate_game
from hypothesis import given, settings
from hypothesis import strategies as st

from secateur.errors import ParameterError
from secateur.games import CHANCE, END, RandomGame

fractions = st.floats(0, 1)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    depth=st.integers(1, 6),
    branching=st.integers(1, 3),
    chance_moves=fractions,
    observability=fractions,
    late=fractions,
    movers=st.sampled_from(["both", "first", "second"]),
    structured=st.booleans(),
)
def test_protocol_and_perfect_recall_hold(**parameters):
    enumerate_game(RandomGame(**parameters))  # asserts both


def walk(game):
    """Return (states on the way, end) for every end."""
    stack = [(game.start(),)]
    while stack:
        path = stack.pop()
        turn = game.turn(path[-1])
        if turn == END:
            yield path
            continue
        moves = [o for o, _ in game.chance(path[-1])] if turn == CHANCE else game.actions(path[-1])
        stack += [(*path, game.after(path[-1], move)) for move in moves]


def test_same_parameters_same_game():
    first, second = (enumerate_game(RandomGame(seed=7)) for _ in range(2))
    assert first == second
    assert first != enumerate_game(RandomGame(seed=8))


def test_game_does_not_change_between_releases():
    tree = enumerate_game(RandomGame())
    assert tree.counts == (46, 62, 13, 121)
    assert tree.infoset_count == 37
    structured = enumerate_game(RandomGame(structured=True))
    assert (structured.total, structured.infoset_count) == (85, 10)
    deep = enumerate_game(RandomGame(depth=9))
    assert (deep.total, deep.infoset_count) == (745, 214)


def test_unstructured_games_have_every_odd_shape():
    shapes = set()
    for seed in range(20):
        game = RandomGame(seed=seed)
        depths = defaultdict(set)
        ends = set()
        for path in walk(game):
            turns = [game.turn(state) for state in path]
            ends.add(len(path))
            shapes |= {"in a row" for a, b in pairwise(turns) if a == b >= 0}
            shapes |= {"tie" for state in path[-1:] if game.payoffs(state)[0] == 0}
            for depth, (state, turn) in enumerate(zip(path, turns, strict=True)):
                if turn >= 0:
                    depths[turn, game.information(state)].add(depth)
                    shapes |= {"single action"} if len(game.actions(state)) == 1 else set()
                    shapes |= {"revealed late"} if "~" in game.information(state) else set()
                elif turn == CHANCE:
                    chances = [p for _, p in game.chance(state)]
                    shapes |= {"rare outcome"} if max(chances) > 20 * min(chances) else set()
        shapes |= {"different ends"} if len(ends) > 1 else set()
        shapes |= {"spans depths" for depth in depths.values() if len(depth) > 1}
    assert shapes == {
        "in a row",
        "tie",
        "single action",
        "revealed late",
        "rare outcome",
        "different ends",
        "spans depths",
    }


@pytest.mark.parametrize(("movers", "idle"), [("first", 1), ("second", 0)])
def test_one_player_never_moves(movers, idle):
    for seed in range(10):
        assert not enumerate_game(RandomGame(seed=seed, movers=movers)).infosets[idle]


def test_structured_games_depend_on_public_events_only():
    shared = 0
    for seed in range(20):
        game = RandomGame(seed=seed, structured=True)
        rules = {}
        for path in walk(game):
            for state in path:
                turn = game.turn(state)
                rule = turn, game.actions(state) if turn >= 0 else None
                assert rules.setdefault(state.public, rule) == rule
        tree = enumerate_game(game)
        shared += tree.decisions > 1.5 * tree.infoset_count
    assert shared >= 10


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"depth": 0}, "depth=0"),
        ({"branching": 27}, "branching=27"),
        ({"late": 1.5}, "late=1.5"),
        ({"stop": float("nan")}, "stop=nan"),
        ({"skew": -1}, "skew=-1"),
        ({"movers": "all"}, "movers='all'"),
        ({"depth": 20, "branching": 3}, "lower them"),
    ],
)
def test_impossible_parameters(parameters, message):
    with pytest.raises(ParameterError) as error:
        RandomGame(**parameters)
    assert message in str(error.value)
