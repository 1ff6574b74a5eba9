"""Strategy files: what is written is what is read, and nothing else is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import secateur
from secateur.games import Game
from support.oracle import random_strategy
from support.small_games import BUILT_IN, compiled, examples, random_games


@pytest.mark.parametrize("title", BUILT_IN)
def test_file_gives_the_same_bits_back(title: str, tmp_path: Path):
    game = compiled(title)
    strategy = random_strategy(game, seed=5)
    strategy.save(tmp_path / "strategy.json")
    read = secateur.load_strategy(game, tmp_path / "strategy.json")
    assert np.array_equal(read.probabilities, strategy.probabilities)
    assert secateur.nash_conv(game, read) == secateur.nash_conv(game, strategy)


@examples(40)
@given(game=random_games())
def test_file_of_a_random_game_gives_the_same_bits_back(tmp_path_factory, game: Game):
    path = tmp_path_factory.mktemp("strategies") / "strategy.json"
    compact = secateur.compile(game)
    state = secateur.recipes.dcfr().start(compact)
    state.step(7)
    state.average_strategy().save(path)
    read = secateur.load_strategy(compact, path)
    assert np.array_equal(read.probabilities, state.average_strategy().probabilities)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_result_writes_what_it_found(tmp_path: Path, precision: str):
    solver = secateur.recipes.cfr_plus(storage=secateur.Storage(precision))
    result = secateur.solve(compiled("leduc"), solver, secateur.until.iterations(50))
    result.save(tmp_path / "found.json")
    content = json.loads((tmp_path / "found.json").read_text())
    assert content["game"] == "leduc"
    assert content["iterations"] == 50
    assert content["exploitability"] == result.exploitability
    assert content["nash_conv"] == result.nash_conv
    assert content["value"] == result.value
    assert len(content["strategy"]) == 288
    read = secateur.load_strategy(compiled("leduc"), tmp_path / "found.json")
    assert np.array_equal(read.probabilities, result.strategy.probabilities)


def test_file_has_one_information_set_a_line(tmp_path: Path):
    path = tmp_path / "strategy.json"
    secateur.Strategy.uniform(compiled("kuhn")).save(path)
    lines = [line.rstrip(",") for line in path.read_text().splitlines()]
    entries = [json.loads(line) for line in lines if line.startswith('{"player"')]
    assert len(entries) == 12
    assert {
        "player": 1,
        "information_set": "K bet",
        "actions": {"fold": 0.5, "call": 0.5},
    } in entries


def written(tmp_path: Path) -> tuple[Path, dict]:
    path = tmp_path / "strategy.json"
    secateur.Strategy.uniform(compiled("kuhn")).save(path)
    return path, json.loads(path.read_text())


CHANGES = {
    "another game": (lambda c: c.update(game="leduc"), "leduc"),
    "other parameters": (lambda c: c.update(parameters={"cards": 5}), "cards=5"),
    "another version": (lambda c: c.update(version=99), "version 99"),
    "another format": (lambda c: c.update(format="recipe"), "not a strategy file"),
    "no strategy": (lambda c: c.pop("strategy"), "list of information sets"),
    "missing": (lambda c: c["strategy"].pop(), "missing"),
    "twice": (lambda c: c["strategy"].append(c["strategy"][0]), "twice"),
    "not one": (
        lambda c: c["strategy"][0].update(actions={"check": 0.5, "bet": 0.4}),
        "sum to 0.9",
    ),
    "negative": (
        lambda c: c["strategy"][0].update(actions={"check": 1.5, "bet": -0.5}),
        "from 0 to 1",
    ),
    "no number": (
        lambda c: c["strategy"][0].update(actions={"check": float("nan"), "bet": 0.5}),
        "a number that is NaN",
    ),
    "other actions": (lambda c: c["strategy"][0].update(actions={"check": 1.0}), "actions"),
    "other player": (lambda c: c["strategy"][0].update(player=1), "no such information set"),
    "other label": (lambda c: c["strategy"][0].update(information_set="Z"), "no such information"),
    "no actions": (lambda c: c["strategy"][0].pop("actions"), "must have"),
}


@pytest.mark.parametrize("title", CHANGES)
def test_changed_files_are_refused_in_one_line(title: str, tmp_path: Path):
    change, word = CHANGES[title]
    path, content = written(tmp_path)
    content["checksum"] = None  # as somebody who changes a file would
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(secateur.FileError) as caught:
        secateur.load_strategy(compiled("kuhn"), path)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "\x00\x01"])
def test_other_files_are_refused(content: str, tmp_path: Path):
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(secateur.FileError, match="is not a strategy file"):
        secateur.load_strategy(compiled("kuhn"), path)


def test_missing_files_and_directories_are_refused(tmp_path: Path):
    with pytest.raises(secateur.FileError, match="cannot read"):
        secateur.load_strategy(compiled("kuhn"), tmp_path / "nothing.json")
    with pytest.raises(secateur.FileError, match="cannot write"):
        secateur.Strategy.uniform(compiled("kuhn")).save(tmp_path / "no" / "such" / "place.json")


def test_failed_save_leaves_the_old_file_and_no_draft(tmp_path: Path):
    path, _ = written(tmp_path)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        secateur.Strategy.uniform(compiled("kuhn")).save(path, remark=object())
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
