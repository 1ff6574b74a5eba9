"""Liar's dice, goofspiel, battleship and matrix games."""

import numpy as np
import pyspiel
import pytest
from enumeration import OpenSpielGame, enumerate_game

from secateur.errors import ParameterError
from secateur.games import Battleship, Goofspiel, LiarsDice, MatrixGame
from sequence_form import solve_value


@pytest.mark.parametrize(
    ("game", "counts", "infosets"),
    [
        (LiarsDice(), (147_456, 147_420, 1, 294_877), 24_576),
        (LiarsDice(sides=4), (4_096, 4_080, 1, 8_177), 1_024),
        (LiarsDice(dice=2, sides=3), (147_456, 147_420, 1, 294_877), 24_576),
        (Goofspiel(), (501, 576, 0, 1_077), 322),
        (Goofspiel(reveal_bids=False), (501, 576, 0, 1_077), 162),
        (Goofspiel(prizes="random"), (11_156, 13_824, 1_793, 26_773), 7_304),
        (Goofspiel(cards=1), (0, 1, 0, 1), 0),
        (Battleship(), (4_501, 5_568, 0, 10_069), 3_286),
        (Battleship(shots=2), (981, 2_048, 0, 3_029), 470),
        (MatrixGame(), (4, 9, 0, 13), 2),
    ],
    ids=str,
)
def test_counts(game, counts, infosets):
    tree = enumerate_game(game)
    assert tree.counts == counts
    assert tree.infoset_count == infosets


@pytest.mark.parametrize(("dice", "sides"), [(1, 4), (2, 2)])
def test_liars_dice_agrees_with_open_spiel(dice, sides):
    ours = enumerate_game(LiarsDice(dice=dice, sides=sides))
    name = f"liars_dice(numdice={dice},dice_sides={sides})"
    theirs = enumerate_game(OpenSpielGame(pyspiel.load_game(name)))
    assert ours.infoset_count == theirs.infoset_count
    assert ours.outcomes == pytest.approx(theirs.outcomes)
    assert ours.uniform_value == pytest.approx(theirs.uniform_value)
    for mine, other in zip(ours.infosets, theirs.infosets, strict=True):
        assert {key: len(value) for key, value in mine.items()} == {
            key: len(value) for key, value in other.items()
        }


def load_open_spiel_goofspiel(game: Goofspiel):
    settings = {
        "num_cards": game.cards,
        "players": 2,
        "points_order": game.prizes,
        "imp_info": not game.reveal_bids,
        "returns_type": "win_loss" if game.payoff == "win" else "point_difference",
    }
    return OpenSpielGame(pyspiel.load_game_as_turn_based("goofspiel", settings))


@pytest.mark.parametrize("reveal_bids", [True, False])
@pytest.mark.parametrize("payoff", ["points", "win"])
@pytest.mark.parametrize(
    ("cards", "prizes"),
    [(3, "descending"), (3, "ascending"), (3, "random"), (4, "descending"), (4, "ascending")],
)
def test_goofspiel_agrees_with_open_spiel(cards, prizes, reveal_bids, payoff):
    game = Goofspiel(cards, prizes, reveal_bids, payoff)
    ours = enumerate_game(game)
    # With bids revealed OpenSpiel's players forget the order of the bids: fewer information sets.
    same_recall = not reveal_bids or cards == 3
    theirs = enumerate_game(load_open_spiel_goofspiel(game), recall=same_recall)
    scale = 2 if payoff == "points" else 1
    assert ours.counts == theirs.counts
    assert ours.outcomes == pytest.approx({scale * x: p for x, p in theirs.outcomes.items()})
    assert ours.uniform_value == pytest.approx(scale * theirs.uniform_value)
    if same_recall:
        assert ours.infoset_count == theirs.infoset_count


@pytest.mark.parametrize(("dice", "sides"), [(1, 3), (1, 4), (2, 2)])
def test_value_of_liars_dice_agrees_with_open_spiel(dice, sides):
    name = f"liars_dice(numdice={dice},dice_sides={sides})"
    theirs = OpenSpielGame(pyspiel.load_game(name))
    ours = LiarsDice(dice=dice, sides=sides)
    assert solve_value(ours) == pytest.approx(solve_value(theirs), abs=1e-9)


def test_goofspiel_is_symmetric():
    for game in (Goofspiel(), Goofspiel(reveal_bids=False), Goofspiel(3, "random", payoff="win")):
        assert solve_value(game) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("rows", "columns", "shots"), [(2, 2, 2), (1, 3, 2), (2, 2, 3)])
def test_battleship_agrees_with_open_spiel(rows, columns, shots):
    settings = f"board_height={rows},board_width={columns},num_shots={shots}"
    rules = "ship_sizes=[2],ship_values=[1],allow_repeated_shots=False,loss_multiplier=1.0"
    theirs = OpenSpielGame(pyspiel.load_game(f"battleship({settings},{rules})"))
    ours = Battleship(rows=rows, columns=columns, shots=shots)
    trees = enumerate_game(ours), enumerate_game(theirs)
    assert trees[0].counts == trees[1].counts
    assert trees[0].infoset_count == trees[1].infoset_count
    assert trees[0].outcomes == trees[1].outcomes
    assert trees[0].uniform_value == pytest.approx(trees[1].uniform_value)
    if shots == 2:
        assert solve_value(ours) == pytest.approx(solve_value(theirs), abs=1e-9)


def test_battleship_rules():
    game = Battleship(rows=1, columns=3, ships=(2,), shots=2, hit=0.5, sunk=2.0)
    state = game.start()
    for action in ("a1-a2", "a2-a3", "a2", "a3"):
        assert action in game.actions(state)
        state = game.after(state, action)
    assert game.information(state) == "0 a1-a2 | a2 hit a3 miss"
    assert game.actions(state) == ["a1", "a3"]
    assert game.payoffs(game.after(state, "a3")) == (3.0, -3.0)


def test_ships_of_equal_length_do_not_differ():
    one_by_two = Battleship(rows=1, columns=2, ships=(1, 1), shots=1)
    assert one_by_two.actions(one_by_two.start()) == ["a1,a2"]


def test_matrix_values():
    assert solve_value(MatrixGame()) == pytest.approx(0)
    assert solve_value(MatrixGame(np.array([[3, 0], [1, 2]]))) == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("rules", "settings", "message"),
    [
        (LiarsDice, {"dice": 0}, "dice=0"),
        (LiarsDice, {"sides": 1}, "sides=1"),
        (LiarsDice, {"dice": 3, "sides": 6}, "36 bids"),
        (Goofspiel, {"cards": 0}, "cards=0"),
        (Goofspiel, {"prizes": "up"}, "choose descending or ascending or random"),
        (Goofspiel, {"payoff": "chips"}, "choose points or win"),
        (Battleship, {"rows": 0}, "rows=0"),
        (Battleship, {"shots": 5}, "shots=5"),
        (Battleship, {"ships": ()}, "ships=()"),
        (Battleship, {"ships": (3,)}, "do not fit on a board of 2 by 2"),
        (Battleship, {"ships": (2, 2, 2)}, "do not fit"),
        (Battleship, {"sunk": float("inf")}, "sunk=inf"),
        (MatrixGame, {"matrix": [[1, float("nan")]]}, "nan is not finite"),
        (MatrixGame, {"matrix": [[1, 2], [3]]}, "different length"),
        (MatrixGame, {"matrix": []}, "empty"),
        (MatrixGame, {"matrix": 7}, "not rows of numbers"),
        (MatrixGame, {"matrix": [["x"]]}, "not rows of numbers"),
    ],
)
def test_impossible_parameters(rules, settings, message):
    with pytest.raises(ParameterError) as error:
        rules(**settings)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
