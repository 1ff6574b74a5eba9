"""Games of OpenSpiel: solved here, confirmed there; what cannot be solved is refused."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability

import secateur
from secateur.compiled import too_large
from secateur.games.open_spiel import OpenSpielGame
from support.oracle import random_strategy

QUICK = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=3)",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,points_order=random)",
    "oshi_zumo(coins=4,size=1,horizon=5)",
    "blotto(coins=5,fields=3)",
    "dark_hex(board_size=2)",
    "matrix_brps",
    "coordinated_mp",
    "python_kuhn_poker",
)


@cache
def solved(string: str) -> secateur.Result:
    game = secateur.compile(secateur.load(f"openspiel:{string}"))
    return secateur.solve(game, until=secateur.until.exploitability(1e-3))


@pytest.mark.parametrize("string", QUICK)
def test_openspiel_confirms_what_is_solved_here(string: str):
    result = solved(string)
    policy = secateur.to_open_spiel_policy(result.strategy)
    game = pyspiel.load_game_as_turn_based(string)
    found = pyspiel.exploitability(game, policy)
    assert found == pytest.approx(result.exploitability, abs=1e-9)
    assert found <= 1e-3


def test_openspiels_python_accepts_the_policy_too():
    strategy = random_strategy(solved("leduc_poker").game, seed=2)
    policy = secateur.to_open_spiel_policy(strategy)
    found = exploitability.exploitability(pyspiel.load_game("leduc_poker"), policy)
    assert found == pytest.approx(secateur.exploitability(strategy.game, strategy))


def test_exported_policy_is_read_back_to_the_bit(tmp_path: Path):
    strategy = random_strategy(solved("leduc_poker").game, seed=2)
    path = tmp_path / "policy.json"
    secateur.export_open_spiel(strategy, path)
    read, direct = (secateur.to_open_spiel_policy(each) for each in (path, strategy))
    assert read.policy_table() == direct.policy_table()
    content = json.loads(path.read_text())
    assert content["game"] == "leduc_poker"
    assert len(content["policy"]) == 936


CHANGES = {
    "cut": (lambda text: text[:-300], "not a policy for OpenSpiel"),
    "empty": (lambda text: "", "empty"),
    "digit": (lambda text: text.replace("0.5", "0.6", 1), "checksum does not match"),
    "other format": (lambda text: '{"format": "recipe"}', "not a policy for OpenSpiel"),
    "version": (lambda text: unchecked(text, version=9), "version 9"),
    "no policy": (lambda text: unchecked(text, policy=3), "must map information states"),
    "sum": (lambda text: unchecked(text, policy={"0": [[0, 0.5]]}), "sum to 1"),
    "negative": (lambda text: unchecked(text, policy={"0": [[0, 2], [1, -1]]}), "from 0 to 1"),
}


def unchecked(text: str, **changes: object) -> str:
    return json.dumps({**json.loads(text), **changes, "checksum": None})


@pytest.mark.parametrize("title", CHANGES)
def test_damaged_policy_is_refused(title: str, tmp_path: Path):
    change, words = CHANGES[title]
    path = tmp_path / "policy.json"
    secateur.export_open_spiel(secateur.Strategy.uniform(solved("kuhn_poker").game), path)
    path.write_text(change(path.read_text()))
    with pytest.raises(secateur.FileError, match=words):
        secateur.to_open_spiel_policy(path)


def test_strategies_of_other_games_have_no_policy():
    strategy = secateur.Strategy.uniform(secateur.compile(secateur.load("kuhn")))
    with pytest.raises(secateur.ParameterError, match="does not come from OpenSpiel"):
        secateur.to_open_spiel_policy(strategy)


CONSTANT_SUM = """EFG 2 R "shared pie" { "A" "B" } ""
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "L" "R" } 0
t "" 1 "" { 7, 3 }
t "" 2 "" { 2, 8 }
p "" 2 1 "" { "L" "R" } 0
t "" 3 "" { 4, 6 }
t "" 4 "" { 6, 4 }
"""


def test_constant_sum_games_are_shifted_to_zero_sum(tmp_path: Path):
    path = tmp_path / "pie.efg"
    path.write_text(CONSTANT_SUM)
    rules = secateur.load(f"openspiel:efg_game(filename={path})")
    assert rules.open_spiel.get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    result = secateur.solve(rules, secateur.Exact())
    # player 0 gets (7 * 6 - 2 * 4) / (7 - 2 - 4 + 6) of the pie of 10
    assert result.value == pytest.approx(34 / 7 - 5)
    policy = secateur.to_open_spiel_policy(result.strategy)
    assert pyspiel.nash_conv(rules.open_spiel, policy) == pytest.approx(0.0, abs=1e-9)


REFUSED = {
    "kuhn_pokr": "did you mean 'kuhn_poker'",
    "": "unknown game ''",
    "kuhn_poker(players=3)": "a game of 3",
    "kuhn_poker(players=x)": "Wrong type for parameter players",
    "kuhn_poker(": "Missing closing bracket",
    "leduc_poker(foo=3)": "Unknown parameter 'foo'",
    "liars_dice(dice_sides=0)": "dice_sides_ >= 1",
    "efg_game(filename=nowhere.efg)": "cannot be loaded",
    "matrix_pd": "not a zero-sum game but general-sum",
    "tiny_hanabi": "not a zero-sum game but identical",
    "pig": "no information state strings",
}


@pytest.mark.parametrize("string", REFUSED)
def test_what_cannot_be_solved_is_refused_in_one_line(string: str, capfd):
    with pytest.raises(secateur.ParameterError) as caught:
        secateur.load(f"openspiel:{string}")
    assert REFUSED[string] in str(caught.value)
    assert capfd.readouterr() == ("", "")  # OpenSpiel itself would print


def test_imperfect_recall_is_refused():
    with pytest.raises(secateur.GameError, match="imperfect recall"):
        secateur.compile(OpenSpielGame("dark_hex_ir(board_size=2)"))


@pytest.mark.parametrize("string", ["phantom_ttt", "hex(board_size=5)"])
def test_games_far_too_large_are_refused_soon(string: str):
    with pytest.raises(secateur.GameError, match="too large"):
        secateur.compile(OpenSpielGame(string))


def test_estimates_do_not_refuse_what_fits():
    rules = OpenSpielGame("leduc_poker")
    assert not too_large.surely_more(rules, 9_457)
    assert too_large.surely_more(rules, 1_000)


def test_memory_sets_the_limit(monkeypatch):
    monkeypatch.setattr(too_large, "free_memory", lambda: 20_000_000)
    secateur.compile(OpenSpielGame("leduc_poker"))
    with pytest.raises(secateur.GameError, match=r"too large: .* fit into the 0\.02 GB"):
        secateur.compile(OpenSpielGame("liars_dice(dice_sides=5)"))


def test_missing_openspiel_is_an_error_that_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(secateur.ParameterError, match=r"pip install .*\[openspiel\]'"):
        secateur.load("openspiel:go_fish")


def test_spellings_of_one_game_are_one_game():
    one = OpenSpielGame("liars_dice(numdice=1,dice_sides=3)")
    assert one == OpenSpielGame("liars_dice(dice_sides=3,numdice=1)") == OpenSpielGame(one.game)
    assert one == secateur.load("OpenSpiel:liars_dice(numdice=1,dice_sides=3)")
    assert one == secateur.load("openspiel", game="liars_dice(dice_sides=3,numdice=1)")


def test_actions_of_the_same_name_are_told_apart():
    class Twins:
        def legal_actions(self):
            return [0, 4]

        def action_to_string(self, action):
            return "Bet"

    assert [str(each) for each in OpenSpielGame().actions(Twins())] == ["Bet (0)", "Bet (4)"]
