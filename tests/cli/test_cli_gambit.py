"""Gambit files on the command line."""

import json
from pkgutil import resolve_name

import pytest

import secateur as package
from secateur.interop.formats import FORMATS
from support.gambit import (
    FILES,
    HEADER,
    first_payoff,
    gambit_equilibrium,
    gambit_profile,
    gambit_reads,
    write_as_gambit_does,
)


def test_solve_takes_a_file(secateur, tmp_path):
    code, out, _ = secateur("solve", FILES["coin"], "--json", "--out", tmp_path / "coin.json")
    facts = json.loads(out)
    assert code == 0
    assert facts["game"] == str(FILES["coin"])
    assert facts["exploitability"] <= 1e-3
    assert facts["value"] == pytest.approx(1 / 3, abs=1e-3)
    code, out, _ = secateur("evaluate", FILES["coin"], tmp_path / "coin.json", "--json")
    assert json.loads(out)["exploitability"] == pytest.approx(facts["exploitability"])


def test_solve_shows_the_sum_of_a_constant_sum_game(secateur):
    code, out, _ = secateur("solve", FILES["pie"], "--algorithm", "exact")
    assert code == 0
    assert "payoff_sum=1" in out
    assert "0.5 for Cutter" in out


def test_players_go_by_their_names(secateur, tmp_path):
    file = FILES["pie"]
    code, out, _ = secateur("solve", file, "--out", tmp_path / "pie.json")
    assert code == 0
    assert "Cutter" in out
    assert "Chooser" in out
    out = secateur("evaluate", file, tmp_path / "pie.json").out
    assert "for Chooser against Cutter's strategy" in out
    assert "Cutter at the start" in secateur("show", file, tmp_path / "pie.json").out
    assert "Cutter wins" in secateur("play", file, tmp_path / "pie.json", "--count", "3").out


def test_games_tells_what_a_file_holds(secateur):
    code, out, _ = secateur("games", FILES["pie"])
    assert code == 0
    for words in ("A pie of one", "Cutter, Chooser", "10 histories, 2 information sets"):
        assert words in out
    facts = json.loads(secateur("games", FILES["pie"], "--json").out)
    assert facts["payoff_sum"] == "1"


def test_export_writes_a_game_that_solves_to_the_same(secateur, tmp_path):
    path = tmp_path / "kuhn.efg"
    code, out, err = secateur("export", "kuhn", "--set", "cards=4", "--to", "gambit", path)
    assert (code, err) == (0, "")
    assert str(path) in out.replace("\n", "")
    assert package.compile(package.load(str(path))).size.information_sets == 16
    assert gambit_reads(path).title == "kuhn(cards=4)"


def test_export_writes_a_profile_that_gambit_confirms(secateur, tmp_path):
    strategy, profile = tmp_path / "coin.json", tmp_path / "coin.csv"
    solved = json.loads(secateur("solve", FILES["coin"], "--json", "--out", strategy).out)
    export = ("export", FILES["coin"], "--to", "gambit-profile", profile, "--strategy", strategy)
    assert secateur(*export).code == 0
    theirs = gambit_profile(gambit_reads(FILES["coin"]), profile)
    assert first_payoff(theirs) == pytest.approx(solved["value"], abs=1e-9)
    assert float(theirs.max_regret()) <= solved["nash_conv"] + 1e-9


def test_evaluate_reads_what_gambit_prints(secateur, tmp_path):
    equilibrium = gambit_equilibrium(gambit_reads(FILES["depths"]))
    write_as_gambit_does(equilibrium, tmp_path / "ne.csv")
    code, out, _ = secateur("evaluate", FILES["depths"], tmp_path / "ne.csv", "--json")
    assert code == 0
    assert json.loads(out)["nash_conv"] == pytest.approx(0, abs=1e-9)


def test_every_format_that_help_lists_can_be_written(secateur):
    out = secateur("export", "--help").out
    for name, each in FORMATS.items():
        assert f"{name}: " in out
        assert callable(resolve_name(each.writer))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("solve {folder}/none.efg", "cannot read"),
        ("solve {folder}/bad.efg", "line 2, column 1"),
        ("games {folder}/bad.efg", "line 2, column 1"),
        ("solve {coin} --set cards=3", "has no parameters"),
        ("evaluate {coin} {folder}/short.csv", "2 probabilities"),
        ("evaluate kuhn {folder}/bad.efg", "is not a strategy file"),
        ("export kuhn {folder}/x", "required: --to"),
        ("export kuhn --to chess {folder}/x", "'gambit-profile'"),
        ("export kuhn --to gambit", "required: FILE"),
        ("export kuhn --to gambit {folder}/no/x.efg", "no directory"),
        ("export nothing --to gambit {folder}/x.efg", "unknown game"),
        ("export kuhn --to gambit {folder}/x.efg --strategy y", "leave --strategy out"),
        ("export kuhn --to gambit-profile {folder}/x.csv", "name one with --strategy"),
        ("export kuhn --to gambit-profile {folder}/x.csv --strategy none", "cannot read none"),
    ],
)
def test_wrong_input_is_one_line(secateur, tmp_path, arguments, words):
    (tmp_path / "bad.efg").write_text(HEADER + "?")
    (tmp_path / "short.csv").write_text("NE,1,0\n")
    before = sorted(tmp_path.iterdir())
    filled = arguments.format(folder=tmp_path, coin=FILES["coin"])
    code, out, err = secateur(*filled.split())
    assert (code, out) == (2, "")
    assert err.startswith("secateur: ")
    assert err.count("\n") == 1
    assert words in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_strategy_of_another_file_is_refused(secateur, tmp_path):
    secateur("solve", FILES["coin"], "--out", tmp_path / "coin.json")
    changed = tmp_path / "coin.efg"
    changed.write_text(FILES["coin"].read_text().replace("{ 2, -2 }", "{ 3, -3 }"))
    code, _, err = secateur("evaluate", changed, tmp_path / "coin.json")
    assert code == 2
    assert "holds a strategy for Coin(digest=" in err
