"""Strategies as behavior profiles: Gambit reads what is written, and the other way round."""

import numpy as np
import pytest

import secateur
from secateur.interop.gambit_profile import is_gambit_profile
from support.gambit import (
    FILES,
    first_payoff,
    gambit_equilibrium,
    gambit_profile,
    gambit_reads,
    write_as_gambit_does,
)
from support.small_games import BUILT_IN, built_in


def random_strategy(game, seed=0):
    random = np.random.default_rng(seed)
    probabilities = np.empty(game.cells)
    for infoset in game.information_sets():
        probabilities[infoset.cells] = random.dirichlet(np.ones(len(infoset.actions)))
    return secateur.Strategy(game, probabilities)


@pytest.mark.parametrize("title", sorted(BUILT_IN))
def test_profiles_come_back_the_same(title, tmp_path):
    rules = built_in(title)
    game = secateur.compile(rules)
    strategy = random_strategy(game)
    secateur.write_gambit_profile(strategy, rules, tmp_path / "profile.csv")
    again = secateur.read_gambit_profile(game, rules, tmp_path / "profile.csv")
    np.testing.assert_allclose(again.probabilities, strategy.probabilities, atol=1e-15)


@pytest.mark.parametrize("title", ["kuhn", "leduc of 2 ranks, 3 suits", "random"])
def test_gambit_gives_every_action_the_same_probability(title, tmp_path):
    rules = built_in(title)
    strategy = random_strategy(secateur.compile(rules))
    secateur.write_efg(rules, tmp_path / "game.efg")
    secateur.write_gambit_profile(strategy, rules, tmp_path / "profile.csv")
    profile = gambit_profile(gambit_reads(tmp_path / "game.efg"), tmp_path / "profile.csv")
    assert first_payoff(profile) == pytest.approx(
        secateur.expected_value(strategy.game, strategy), abs=1e-12
    )


def test_the_order_is_players_then_information_sets_then_actions(tmp_path):
    rules = secateur.read_efg(FILES["inspection"])
    game = secateur.compile(rules)
    (tmp_path / "profile.csv").write_text("NE,1,0,.9,.1,.8,.2,.7,.3,3/5,2/5\n")
    strategy = secateur.read_gambit_profile(game, rules, tmp_path / "profile.csv")
    assert strategy.at(0, "day 1") == {"inspect": 1.0, "wait": 0.0}
    assert strategy.at(0, "day 2") == pytest.approx({"inspect": 0.9, "wait": 0.1})
    assert strategy.at(1, "day 1") == pytest.approx({"violate": 0.8, "obey": 0.2})
    assert strategy["day 2, inspected"] == pytest.approx({"violate": 0.7, "obey": 0.3})
    assert strategy["day 2, not inspected"] == pytest.approx({"violate": 0.6, "obey": 0.4})


def test_information_sets_that_chance_never_reaches_have_their_place(tmp_path):
    rules = secateur.read_efg(FILES["never"])
    game = secateur.compile(rules)
    secateur.write_gambit_profile(random_strategy(game), rules, tmp_path / "profile.csv")
    assert (tmp_path / "profile.csv").read_text().startswith("0.5,0.5,")
    profile = gambit_profile(gambit_reads(FILES["never"]), tmp_path / "profile.csv")
    again = secateur.read_gambit_profile(game, rules, tmp_path / "profile.csv")
    assert first_payoff(profile) == pytest.approx(secateur.expected_value(game, again))


@pytest.mark.parametrize("name", sorted(set(FILES) - {"names"}))
def test_equilibria_of_gambit_are_equilibria_here(name, tmp_path):
    rules = secateur.read_efg(FILES[name])
    game = secateur.compile(rules)
    theirs = gambit_equilibrium(gambit_reads(FILES[name]))
    write_as_gambit_does(theirs, tmp_path / "profile.csv")
    strategy = secateur.read_gambit_profile(game, rules, tmp_path / "profile.csv")
    assert secateur.nash_conv(game, strategy) == pytest.approx(0, abs=1e-9)
    assert secateur.expected_value(game, strategy) == pytest.approx(first_payoff(theirs))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "0 profiles"),
        ("NE,1,0\nNE,1,0\n", "2 profiles"),
        ("NE,1,0,1,0", "holds 4 probabilities, but Coin has 6"),
        ("NE,1,0,1,0,1,zero", "'zero' is not a probability"),
        ("NE,1,0,1,0,1,1/0", "'1/0' is not a probability"),
        ("NE,1,0,1,0,1,nan", "'nan' is not a probability"),
        ("NE,1,0,1,0,1," + "0" * 5000, "is not a probability"),
        ("NE,1,0,1,0,2,-1", "from 0 to 1"),
        ("NE,1,0,0.5,0.25,1,0", "probabilities 3 to 4 (information set 'tails' of player 0)"),
        ("NE,1/2,1/3,1,0,1,0", "sum to 0.833333333"),
        ("0,0,1,0,1,0", "sum to 0"),
        ("1,0,1,0,1,1/3", "sum to 1.33333333"),
        ("1,0,1,0,0,0.6", "sum to 0.6"),
    ],
)
def test_what_is_no_profile_of_the_game(tmp_path, text, words):
    rules = secateur.read_efg(FILES["coin"])
    path = tmp_path / "profile.csv"
    path.write_text(text)
    with pytest.raises(secateur.FileError) as caught:
        secateur.read_gambit_profile(secateur.compile(rules), rules, path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_rounded_decimals_are_brought_back_to_a_sum_of_one(tmp_path):
    rules = secateur.load("matrix")
    path = tmp_path / "profile.csv"
    path.write_text("0.3333,0.3333,0.3333,0.333,0.333,0.333\n")
    strategy = secateur.read_gambit_profile(secateur.compile(rules), rules, path)
    assert strategy.probabilities == pytest.approx([1 / 3] * 6, abs=1e-15)


def test_profiles_are_told_from_strategy_files(tmp_path):
    path = tmp_path / "file"
    for text in ("NE,1,0", "0.5,0.5", " 1/2,1/2", "1,0"):
        path.write_text(text)
        assert is_gambit_profile(path)
    for text in ("", "{}", "[1, 2]", "5", "null", "NES,1", "\x00"):
        path.write_text(text)
        assert not is_gambit_profile(path)
    assert not is_gambit_profile(tmp_path / "missing")
