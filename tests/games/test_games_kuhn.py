import pyspiel
import pytest
from enumeration import OpenSpielGame, enumerate_game

from secateur.errors import ParameterError
from secateur.games import Kuhn
from sequence_form import solve_value


@pytest.mark.parametrize(
    ("cards", "counts", "infosets"),
    [(2, (8, 10, 1, 19), 8), (3, (24, 30, 1, 55), 12), (13, (624, 780, 1, 1405), 52)],
)
def test_counts(cards, counts, infosets):
    tree = enumerate_game(Kuhn(cards))
    assert tree.counts == counts
    assert tree.infoset_count == infosets


def test_agrees_with_open_spiel():
    ours = enumerate_game(Kuhn())
    theirs = enumerate_game(OpenSpielGame(pyspiel.load_game("kuhn_poker")))
    assert (ours.decisions, ours.ends) == (theirs.decisions, theirs.ends)
    assert ours.infoset_count == theirs.infoset_count
    assert ours.outcomes == pytest.approx(theirs.outcomes)
    assert ours.uniform_value == pytest.approx(theirs.uniform_value)


def test_value():
    assert solve_value(Kuhn()) == pytest.approx(-1 / 18)


def test_labels():
    assert {"J", "K check", "Q check bet"} <= set().union(*enumerate_game(Kuhn()).infosets)


@pytest.mark.parametrize("cards", [1, 14, -3, 2.5, "3"])
def test_impossible_numbers_of_cards(cards):
    with pytest.raises(ParameterError, match=r"cards=.*choose 2 to 13"):
        Kuhn(cards)
