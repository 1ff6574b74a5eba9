import csv
import json
import platform
from pathlib import Path

import numpy
import pytest

import secateur as package
from secateur.cli import summary

RUNS = Path(__file__).parents[2] / "docs" / "runs.md"


def solved(outcome):
    assert outcome.code == 0
    return json.loads(outcome.out)


def test_json_holds_all_that_shaped_the_run(secateur):
    options = ["--set", "cards=4", "--iterations", 20, "--seconds", 100, "--algorithm", "cfrplus"]
    facts = solved(secateur("solve", "kuhn", *options, "--json", "--curve"))
    assert facts["versions"]["secateur"] == package.__version__
    assert facts["versions"]["python"] == platform.python_version()
    assert facts["versions"]["numpy"] == numpy.__version__
    assert (facts["settings"], facts["parameters"]) == ({"cards": "4"}, {"cards": 4})
    assert facts["limits"] == {
        "iterations": 20,
        "target": None,
        "seconds": 100,
        "memory_limit": None,
    }
    assert facts["options"]["algorithm"] == facts["algorithm"] == "cfr+"
    assert facts["solver"].startswith("CFR(minimizer=RegretMatchingPlus()")
    assert facts["compile_seconds"] > 0.0
    assert facts["ending"] == {"kind": "iterations", "condition": "20 iterations were done"}
    assert sum(facts["best_response_values"]) == pytest.approx(facts["nash_conv"])
    assert [each["iteration"] for each in facts["curve"]] == list(range(1, 21))
    assert facts["curve"][-1]["nash_conv"] == facts["nash_conv"]


def test_the_curve_is_there_on_request_only(secateur):
    assert "curve" not in solved(secateur("solve", "kuhn", "--iterations", 2, "--json"))
    outcome = secateur("solve", "kuhn", "--curve")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--curve goes with --json only" in outcome.err


def test_the_summary_comes_last_and_names_the_target(secateur):
    out = secateur("solve", "kuhn").out
    assert out.index("information set ") < out.index("exploitability ")
    assert "(the default; --target changes it)" in " ".join(out.replace("│", " ").split())
    out = " ".join(secateur("solve", "kuhn", "--target", 0.01).out.replace("│", " ").split())
    assert "exploitability at most 0.01 was reached" in out
    assert "the default" not in out


def test_small_games_that_take_long_are_for_the_linear_program(secateur, monkeypatch):
    assert "--algorithm exact" not in secateur("solve", "kuhn", "--iterations", 10).out
    monkeypatch.setattr(summary, "_EXACT_PATIENCE", 0.0)
    monkeypatch.setattr(summary, "_EXACT_PER_SEQUENCE", 1e-12)
    assert "--algorithm exact" in secateur("solve", "kuhn", "--iterations", 10).out
    assert "--algorithm exact" not in secateur("solve", "kuhn", "--algorithm", "exact").out
    monkeypatch.setattr(summary, "_EXACT_AT_MOST", 23)
    assert "--algorithm exact" not in secateur("solve", "kuhn", "--iterations", 10).out


@pytest.fixture
def two(secateur, tmp_path):
    files = tmp_path / "rough.json", tmp_path / "fine.json"
    for file, iterations in zip(files, (3, 300), strict=True):
        assert secateur("solve", "kuhn", "--iterations", iterations, "--out", file).code == 0
    return files


def test_strategy_against_strategy(secateur, two):
    rough, fine = two
    facts = solved(secateur("evaluate", "kuhn", rough, fine, "--json"))
    game = package.compile(package.load("kuhn"))
    mine, theirs = (package.load_strategy(game, each) for each in two)
    match = facts["match"]
    assert match["as_player_0"] == package.expected_value(game, mine, theirs)
    assert match["as_player_1"] == -package.expected_value(game, theirs, mine)
    assert match["average"] == 0.5 * (match["as_player_0"] + match["as_player_1"])
    assert match["average"] >= -facts["exploitability"]
    assert facts["exploitability"] > facts["opponent"]["exploitability"] > 0.0
    other = solved(secateur("evaluate", "kuhn", fine, rough, "--json"))["match"]
    assert other["average"] == pytest.approx(-match["average"])
    shown = secateur("evaluate", "kuhn", rough, fine).out
    assert shown.count("best response 0") == 2
    assert "as player 1" in shown


def test_values_of_actions(secateur, two, tmp_path):
    _, fine = two
    facts = solved(secateur("show", "kuhn", fine, "--at", "bet", "--values", "--json"))
    rows = {row["information_set"]: row for row in facts["information_sets"]}
    king = rows["K bet"]
    assert king["values"] == {"fold": pytest.approx(-1.0), "call": pytest.approx(2.0)}
    assert king["losses"] == {"fold": pytest.approx(3.0), "call": 0.0}
    assert "2.0000 (0.0000)" in secateur("show", "kuhn", fine, "--at", "bet", "--values").out
    export = ("export", "kuhn", "--to", "csv", tmp_path / "k.csv", "--strategy", fine, "--values")
    assert secateur(*export).code == 0
    with (tmp_path / "k.csv").open() as file:
        lines = {(line["information_set"], line["action"]): line for line in csv.DictReader(file)}
    assert float(lines["K bet", "call"]["value"]) == king["values"]["call"]
    assert float(lines["K bet", "fold"]["loss"]) == king["losses"]["fold"]
    assert float(lines["K bet", "fold"]["reach"]) == king["reach"]


def test_values_where_nobody_comes_are_left_out(secateur, tmp_path):
    game = package.compile(package.load("kuhn"))
    probabilities = numpy.zeros(game.cells)
    for infoset in game.information_sets():
        probabilities[infoset.cells] = [action in ("check", "fold") for action in infoset.actions]
    package.Strategy(game, probabilities).save(tmp_path / "passive.json")
    shown = secateur("show", "kuhn", tmp_path / "passive.json", "--at", "bet", "--values")
    assert "never" in shown.out
    export = ("export", "kuhn", "--to", "csv", tmp_path / "k.csv", "--values")
    assert secateur(*export, "--strategy", tmp_path / "passive.json").code == 0
    with (tmp_path / "k.csv").open() as file:
        lines = {(line["information_set"], line["action"]): line for line in csv.DictReader(file)}
    assert lines["K bet", "call"]["value"] == ""


def test_the_documents_name_every_key_of_the_record(secateur):
    facts = solved(secateur("solve", "kuhn", "--iterations", 2, "--json", "--curve"))
    section = RUNS.read_text("utf-8").partition("## The record of a run")[2].partition("\n## ")[0]
    assert {key for key in facts if f"`{key}`" not in section} == set()


def test_plays_are_drawn(secateur, two):
    rough, fine = two
    play = ("play", "kuhn", fine, rough, "--count", 7, "--seed", 3)
    plays = solved(secateur(*play, "--json"))
    rules = package.load("kuhn")
    game = package.compile(rules)
    mine, theirs = (package.load_strategy(game, each) for each in (fine, rough))
    expected = package.sample_play(rules, mine, 7, 3, theirs)
    assert [each["history"] for each in plays] == [each.history for each in expected]
    assert plays[0]["moves"][0]["player"] == package.CHANCE
    shown = secateur(*play).out
    assert plays[-1]["history"] in shown
    assert "On average player 0 wins" in shown
    assert "give a whole number, 0 or more" in secateur("play", "kuhn", fine, "--seed", -1).err
