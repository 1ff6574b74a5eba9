import json
import shlex

import pytest

import secateur as package


@pytest.fixture
def kuhn_file(secateur, tmp_path):
    path = tmp_path / "kuhn.json"
    assert secateur("solve", "kuhn", "--iterations", 30, "--out", path).code == 0
    return path


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("kuhn", []),
        ("kuhn", ["--set", "cards=5"]),
        ("leduc", ["--set", "bet_sizes=1,2.5/3", "--set", "merge_suits=false"]),
        ("leduc-dt", []),
        ("goofspiel", ["--set", "prizes=random", "--set", "cards=3"]),
        ("matrix", ["--set", "matrix=1,-1/-1,0.1"]),
    ],
)
def test_file_evaluates_to_what_the_run_has_found(secateur, tmp_path, game, settings):
    path = tmp_path / "strategy.json"
    options = ["--iterations", 20, "--out", path, "--json"]
    found = json.loads(secateur("solve", game, *settings, *options).out)
    facts = json.loads(secateur("evaluate", game, path, *settings, "--json").out)
    for key in ("nash_conv", "exploitability", "value"):
        assert facts[key] == pytest.approx(found[key], rel=0, abs=1e-12)
    for key in ("game", "parameters", "histories", "information_sets", "sequences"):
        assert facts[key] == found[key]


def test_numbers_fit_together(secateur, kuhn_file):
    facts = json.loads(secateur("evaluate", "kuhn", kuhn_file, "--json").out)
    first, second = facts["best_response_values"]
    assert facts["nash_conv"] == first + second
    assert facts["exploitability"] == 0.5 * facts["nash_conv"]
    assert -second <= facts["value"] <= first
    game = package.compile(package.load("kuhn"))
    strategy = package.load_strategy(game, kuhn_file)
    assert second == package.best_response_value(game, strategy, 1)


def test_report_for_people(secateur, kuhn_file):
    code, out, err = secateur("evaluate", "kuhn", kuhn_file)
    assert (code, err) == (0, "")
    for words in ("NashConv", "(half of NashConv)", "best response 0", "best response 1"):
        assert words in out


def refused(outcome):
    code, out, err = outcome
    assert (code, out) == (2, "")
    assert err.startswith("secateur: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    ("solved", "asked"),
    [
        ("kuhn --set cards=4", "kuhn"),
        ("kuhn", "kuhn --set cards=4"),
        ("kuhn", "leduc"),
        ("leduc --set bet_sizes=0.5,1/2 --set ante=0.3", "leduc"),
        ("leduc-dt", "leduc"),
        ("leduc", "leduc-dt"),
        ("goofspiel --set cards=3 --set prizes=random", "kuhn"),
    ],
)
def test_error_for_another_game_names_the_command_that_works(secateur, tmp_path, solved, asked):
    path = tmp_path / "a strategy.json"
    assert secateur("solve", *solved.split(), "--iterations", 1, "--out", path).code == 0
    game, *settings = asked.split()
    err = refused(secateur("evaluate", game, path, *settings))
    assert "holds a strategy for" in err
    command = shlex.split(err.partition("use: secateur ")[2])
    assert secateur(*command).code == 0


def test_missing_file_and_directory(secateur, tmp_path):
    assert "No such file" in refused(secateur("evaluate", "kuhn", tmp_path / "none.json"))
    assert "directory" in refused(secateur("evaluate", "kuhn", tmp_path))


HEAD = b'{"format": "secateur strategy", "version": 1, "game": '


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"format": "secateur strategy"}',
        b'{"format": "secateur strategy", "version": 99}',
        b'{"format": "secateur strategy", "version": 1}',
        HEAD + b'["x"], "parameters": 3}',
        HEAD + b'"kuhn", "parameters": {"a": [{}]}}',
        HEAD + b'"kuhn", "parameters": {"cards": 3}}',
    ],
)
def test_malformed_file(secateur, tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    refused(secateur("evaluate", "kuhn", path))


def with_first_actions(path, actions):
    content = json.loads(path.read_text())
    content["strategy"][0]["actions"] = actions
    content["checksum"] = None
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ({"check": 0.5, "bet": 0.6}, "sum to 1.1"),
        ({"check": -0.5, "bet": 1.5}, "from 0 to 1"),
        ({"check": float("nan"), "bet": 0.5}, "a number that is NaN"),
        ({"check": 0.5}, "actions"),
        ({"check": 0.5, "jump": 0.5}, "actions"),
        ({"check": "much", "bet": 0.5}, "probabilities"),
        ([0.5, 0.5], "actions"),
    ],
)
def test_wrong_probabilities(secateur, kuhn_file, actions, words):
    with_first_actions(kuhn_file, actions)
    assert words in refused(secateur("evaluate", "kuhn", kuhn_file))


def test_incomplete_strategy(secateur, kuhn_file):
    content = json.loads(kuhn_file.read_text())
    content["strategy"].pop()
    content["checksum"] = None
    kuhn_file.write_text(json.dumps(content))
    assert "missing" in refused(secateur("evaluate", "kuhn", kuhn_file))
