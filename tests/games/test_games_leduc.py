from collections import Counter

import numpy as np
import pyspiel
import pytest
from enumeration import OpenSpielGame, enumerate_game

from secateur.errors import ParameterError
from secateur.games import CHANCE, END, Leduc, load
from sequence_form import solve_value


@pytest.mark.parametrize(
    ("game", "counts", "infosets"),
    [
        (Leduc(), (774, 1116, 46, 1936), 288),
        (Leduc(merge_suits=False), (3780, 5520, 151, 9451), 936),
        (load("leduc5"), (91_326, 177_684, 550, 269_560), 34_224),
        (Leduc(bet_sizes=((1,), (2,), (4,))), (8_874, 12_666, 646, 22_186), 3_888),
        (Leduc(bet_sizes=((1,),)), (54, 81, 1, 136), 18),
        (Leduc(max_bets=1, bet_sizes=((1, 2),)), (3 * 3 * 6, 3 * 3 * 9, 1, 136), 18),
    ],
    ids=str,
)
def test_counts(game, counts, infosets):
    tree = enumerate_game(game)
    assert tree.counts == counts
    assert tree.infoset_count == infosets
    assert sum(tree.outcomes.values()) > 0


@pytest.mark.parametrize("merge_suits", [True, False])
def test_agrees_with_open_spiel(merge_suits):
    ours = enumerate_game(Leduc(merge_suits=merge_suits))
    theirs = enumerate_game(OpenSpielGame(pyspiel.load_game("leduc_poker")))
    assert ours.infoset_count == (288 if merge_suits else theirs.infoset_count)
    assert ours.outcomes == pytest.approx(theirs.outcomes)
    assert ours.uniform_value == pytest.approx(theirs.uniform_value)
    if not merge_suits:
        assert (ours.decisions, ours.ends) == (theirs.decisions, theirs.ends)


@pytest.mark.parametrize(
    ("name", "value", "range_"), [("leduc", -0.0856064241, 13), ("leduc-dt", -0.0524557485, 7)]
)
def test_known_values(name, value, range_):
    game = load(name)
    assert solve_value(game) == pytest.approx(value, abs=1e-9)
    payoffs = enumerate_game(game).outcomes
    assert (min(payoffs), max(payoffs)) == (-range_, range_)


@pytest.mark.parametrize(("name", "largest"), [("leduc5", 49), ("leduc5-dt", 97)])
def test_payoff_range_with_five_sizes(name, largest):
    game = load(name)
    assert max(abs(game.payoff(public).factor) for public in public_states(game, END)) == largest


@pytest.mark.parametrize(
    "settings",
    [
        {"ranks": 4, "suits": 3, "bet_sizes": ((1,), (2,))},
        {"ranks": 2, "suits": 2, "bet_sizes": ((1,), (2,), (3,))},
        {"ranks": 3, "suits": 2, "bet_sizes": ((1,), (2,), (3,)), "max_bets": 1},
        {"ranks": 14, "suits": 1, "bet_sizes": ((1, 0.5),), "ante": 0.25},
    ],
    ids=str,
)
def test_merging_suits_changes_no_probability(settings):
    merged = enumerate_game(Leduc(**settings))
    kept = enumerate_game(Leduc(**settings, merge_suits=False))
    assert merged.outcomes == pytest.approx(kept.outcomes)
    assert merged.uniform_value == pytest.approx(kept.uniform_value)


def test_merging_suits_keeps_the_value():
    settings = {"ranks": 2, "bet_sizes": ((1,), (2,)), "max_bets": 1}
    merged, kept = Leduc(**settings), Leduc(**settings, merge_suits=False)
    assert solve_value(merged) == pytest.approx(solve_value(kept))


def test_chance_probabilities_of_leduc():
    game = Leduc()
    (deal,) = game.deals(game.public_start())
    weights = game.hands(deal.state).weights
    np.testing.assert_allclose(weights, (np.full((3, 3), 4) - 2 * np.eye(3)) / 30)
    end_of_round = game.public_after(game.public_after(deal.state, "check"), "check")
    jack_king = {state[0].label[-1]: p for state, p in game.chance((end_of_round, 0, 2))}
    assert jack_king == pytest.approx({"J": 1 / 4, "Q": 2 / 4, "K": 1 / 4})
    two_jacks = {state[0].label[-1]: p for state, p in game.chance((end_of_round, 0, 0))}
    assert two_jacks == pytest.approx({"Q": 1 / 2, "K": 1 / 2})


@pytest.mark.parametrize(
    ("board", "best_to_worst"),
    [
        ("", "KQJT"),
        ("Q", "QKJT"),
        ("JQ", "QJKT"),  # two pairs cannot be made: the higher pair, then the higher card
        ("JJ", "JKQT"),  # three of a kind, then the higher card beside the pair on the board
        ("JJQ", "JQKT"),  # three of a kind beats two pairs
    ],
)
def test_hand_ranking(board, best_to_worst):
    game = Leduc(ranks=4, suits=4, bet_sizes=((1,),) * (1 + len(board)))
    state = game.deals(game.public_start())[0].state
    for card in board:
        checked = game.public_after(game.public_after(state, "check"), "check")
        state = next(deal.state for deal in game.deals(checked) if deal.label == card)
    labels = game.hands(state).labels[0]
    end = game.public_after(game.public_after(state, "check"), "check")
    matrix, stake = game.payoff(end)
    assert stake == 1
    wins = {label: row.sum() for label, row in zip(labels, matrix, strict=True)}
    assert "".join(sorted(wins, key=wins.get, reverse=True)) == best_to_worst
    np.testing.assert_array_equal(matrix, -matrix.T)


def test_raise_is_call_and_more_and_fold_loses_the_own_stake():
    game = Leduc(bet_sizes=((2, 8), (4,)))
    state = game.deals(game.public_start())[0].state
    for action, staked in [("bet8", (9, 1)), ("raise2", (9, 11))]:
        assert action in game.public_actions(state)
        state = game.public_after(state, action)
        assert state.staked == staked
    assert game.public_actions(state) == ("fold", "call")
    assert game.payoff(game.public_after(state, "fold")).factor == -9


def test_labels():
    labels = set().union(*enumerate_game(Leduc()).infosets)
    assert {"Q", "Q check", "K check bet2 raise2", "J bet2 call | K check bet4"} <= labels
    assert "Kd bet2" in enumerate_game(Leduc(merge_suits=False)).infosets[1]


def public_states(game, turn):
    found, stack = [], [game.public_start()]
    while stack:
        public = stack.pop()
        if game.public_turn(public) == turn:
            found.append(public)
        if game.public_turn(public) == CHANCE:
            stack += [deal.state for deal in game.deals(public)]
        elif game.public_turn(public) != END:
            stack += [game.public_after(public, action) for action in game.public_actions(public)]
    return found


def test_hands_and_matrices_are_shared():
    game = Leduc(bet_sizes=((1, 2), (2, 3), (4,)))
    ends = public_states(game, END)
    boards = {public.board for public in ends}
    assert len({id(game.hands(public)) for public in ends}) == len(boards)
    matrices = Counter(id(game.payoff(public).matrix) for public in ends)
    hand_numbers = {len(game.hands(public).labels[0]) for public in ends}
    shown = {public.board for public in ends if len(public.board) == 2}
    assert len(matrices) == len(shown) + len(hand_numbers)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ranks": 0}, "ranks=0"),
        ({"suits": -1}, "suits=-1"),
        ({"max_bets": 0}, "max_bets=0"),
        ({"ante": 0}, "ante=0"),
        ({"ante": float("nan")}, "ante=nan"),
        ({"bet_sizes": ()}, "no betting round"),
        ({"bet_sizes": ((1,), ())}, "without sizes"),
        ({"bet_sizes": (1, 2)}, "without sizes"),
        ({"bet_sizes": ((1, -2), (1,))}, "size -2"),
        ({"bet_sizes": ((float("inf"),),)}, "size inf"),
        ({"bet_sizes": ((1, 1.0),)}, "give each size once"),
        ({"ranks": 1, "suits": 2}, "make 2 cards but 2 rounds deal 3; raise ranks or suits"),
    ],
)
def test_impossible_parameters(settings, message):
    with pytest.raises(ParameterError) as error:
        Leduc(**settings)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
