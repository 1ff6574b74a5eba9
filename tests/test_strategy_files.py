"""Both forms of strategy files: the same strategy back, or a clear error; never a wrong answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import secateur
from secateur.games import RandomGame
from support.oracle import random_strategy
from support.small_games import BUILT_IN, compiled, examples

REMARKS = {"exploitability": 0.25, "iterations": 7, "algorithm": "cfr+ für alle"}
FORMS = ("strategy.json", "strategy.bin")


@pytest.mark.parametrize("title", BUILT_IN)
def test_compact_file_gives_the_same_bits_back(title: str, tmp_path: Path):
    strategy = random_strategy(compiled(title), seed=3)
    strategy.save(tmp_path / "strategy.bin", **REMARKS)
    read = secateur.load_strategy(compiled(title), tmp_path / "strategy.bin")
    assert np.array_equal(read.probabilities, strategy.probabilities)
    assert read.remarks == REMARKS


@pytest.mark.parametrize("title", BUILT_IN)
def test_float32_takes_half_the_room_and_still_sums_to_one(title: str, tmp_path: Path):
    game = compiled(title)
    strategy = random_strategy(game, seed=3)
    for precision in ("float64", "float32"):
        strategy.save(tmp_path / f"{precision}.bin", precision=precision)
    read = secateur.load_strategy(game, tmp_path / "float32.bin")
    assert np.abs(read.probabilities - strategy.probabilities).max() < 1e-7
    for infoset in game.information_sets():
        assert read.probabilities[infoset.cells].sum() == pytest.approx(1.0, abs=1e-15)
    saved = 4 * game.cells
    sizes = [(tmp_path / f"{each}.bin").stat().st_size for each in ("float64", "float32")]
    assert abs(sizes[0] - sizes[1] - saved) <= 128  # parts are aligned


def test_compact_file_is_mapped_and_small(tmp_path: Path):
    game = compiled("leduc")
    result = secateur.solve(game, until=secateur.until.iterations(20))
    for name in FORMS:
        result.save(tmp_path / name)
    sizes = [(tmp_path / name).stat().st_size for name in FORMS]
    assert sizes[1] < 8 * game.cells + 1024 < sizes[0] / 4
    probabilities = secateur.load_strategy(game, tmp_path / "strategy.bin").probabilities
    assert not probabilities.flags.owndata


@pytest.mark.parametrize("name", FORMS)
def test_remarks_survive_a_change_of_form(name: str, tmp_path: Path):
    game = compiled("kuhn")
    result = secateur.solve(game, until=secateur.until.iterations(20))
    result.save(tmp_path / name)
    other = tmp_path / f"other {FORMS[1 - FORMS.index(name)]}"
    secateur.load_strategy(game, tmp_path / name).save(other)
    read = secateur.load_strategy(game, other)
    assert np.array_equal(read.probabilities, result.strategy.probabilities)
    assert read.remarks == {
        "exploitability": result.exploitability,
        "nash_conv": result.nash_conv,
        "value": result.value,
        "iterations": 20,
    }


def test_fingerprint_does_not_depend_on_what_else_is_compiled(tmp_path: Path):
    for rules in (secateur.load("leduc"), secateur.load("goofspiel"), RandomGame(seed=4)):
        plain = secateur.compile(rules)
        more = secateur.compile(rules, pruning=True, thresholds=True)
        secateur.save_compiled(plain, tmp_path / "game")
        mapped = secateur.open_compiled(tmp_path / "game")
        assert (
            plain.strategy_fingerprint == more.strategy_fingerprint == mapped.strategy_fingerprint
        )


class Renamed(RandomGame):
    """The same game, but for the name of one action."""

    def actions(self, state):
        return [f"{action}!" for action in super().actions(state)]

    def after(self, state, action):
        plain = action.removesuffix("!") if isinstance(action, str) else action
        known = (
            {str(each): each for each in super().actions(state)} if self.turn(state) >= 0 else {}
        )
        return super().after(state, known.get(plain, action))


def test_compact_file_of_changed_rules_is_refused(tmp_path: Path):
    path = tmp_path / "strategy.bin"
    secateur.Strategy.uniform(secateur.compile(RandomGame())).save(path)
    with pytest.raises(secateur.FileError, match="other information sets, actions"):
        secateur.load_strategy(secateur.compile(Renamed()), path)


@pytest.mark.parametrize("name", FORMS)
def test_swapped_files_are_refused(name: str, tmp_path: Path):
    for asked, title in (("kuhn", "leduc"), ("kuhn", "kuhn of 5 cards"), ("leduc", "leduc-dt")):
        secateur.Strategy.uniform(compiled(title)).save(tmp_path / name)
        with pytest.raises(secateur.FileError, match="holds a strategy for"):
            secateur.load_strategy(compiled(asked), tmp_path / name)


@pytest.mark.parametrize("name", FORMS)
def test_form_is_told_by_content_not_by_name(name: str, tmp_path: Path):
    strategy = random_strategy(compiled("kuhn"), seed=1)
    strategy.save(tmp_path / name)
    moved = (tmp_path / name).rename(tmp_path / "strategy")
    read = secateur.load_strategy(compiled("kuhn"), moved)
    assert np.array_equal(read.probabilities, strategy.probabilities)


@pytest.mark.parametrize("name", FORMS)
def test_empty_files_and_other_files_are_refused(name: str, tmp_path: Path):
    path = tmp_path / name
    for content in (
        b"",
        b"\0",
        b"secateur strategy",
        b"secateur strategy, compact\n",
        b"\x93NUMPY",
    ):
        path.write_bytes(content)
        with pytest.raises(secateur.FileError) as caught:
            secateur.load_strategy(compiled("kuhn"), path)
        assert "write one with Result.save()" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_later_version_of_a_compact_file_is_refused(tmp_path: Path, monkeypatch):
    from secateur.strategy_files import compact

    monkeypatch.setattr(compact, "VERSION", 2)
    secateur.Strategy.uniform(compiled("kuhn")).save(tmp_path / "strategy.bin")
    monkeypatch.undo()
    with pytest.raises(secateur.FileError, match="version 2"):
        secateur.load_strategy(compiled("kuhn"), tmp_path / "strategy.bin")


@pytest.mark.parametrize("wrong", [[1.5, -0.5], [0.5, 0.4], [0.0, 0.0]])
def test_compact_file_with_impossible_probabilities_is_refused(wrong: list, tmp_path: Path):
    game = compiled("kuhn")
    strategy = secateur.Strategy.uniform(game)
    strategy.own_probabilities[next(game.information_sets()).cells] = wrong
    strategy.save(tmp_path / "strategy.bin")
    with pytest.raises(secateur.FileError, match="do not sum to 1"):
        secateur.load_strategy(game, tmp_path / "strategy.bin")


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_nothing_is_written_that_is_not_finite(name: str, number: float, tmp_path: Path):
    game = compiled("kuhn")
    with pytest.raises(secateur.FileError, match="not finite"):
        secateur.Strategy.uniform(game).save(tmp_path / name, exploitability=number)
    broken = secateur.Strategy.trusted(game, np.full(game.cells, number))
    with pytest.raises(secateur.FileError, match="probabilities that are not finite"):
        broken.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_choices_that_cannot_be_are_refused(tmp_path: Path):
    strategy = secateur.Strategy.uniform(compiled("kuhn"))
    with pytest.raises(secateur.ParameterError, match=r"ends in \.bin"):
        strategy.save(tmp_path / "strategy.json", precision="float32")
    with pytest.raises(secateur.ParameterError, match="choose float64 or float32"):
        strategy.save(tmp_path / "strategy.bin", precision="float16")
    with pytest.raises(secateur.FileError, match="'version' already"):
        strategy.save(tmp_path / "strategy.bin", version=3)
    assert list(tmp_path.iterdir()) == []


def test_file_changed_by_hand_needs_its_checksum_removed(tmp_path: Path):
    path = tmp_path / "strategy.json"
    secateur.Strategy.uniform(compiled("kuhn")).save(path)
    content = json.loads(path.read_text())
    content["strategy"][0]["actions"] = {"check": 0.25, "bet": 0.75}
    path.write_text(json.dumps(content))
    with pytest.raises(secateur.FileError, match="set its checksum to null"):
        secateur.load_strategy(compiled("kuhn"), path)
    path.write_text(json.dumps({**content, "checksum": None}))
    read = secateur.load_strategy(compiled("kuhn"), path)
    first = content["strategy"][0]
    assert read.at(first["player"], first["information_set"]) == first["actions"]


@st.composite
def corruptions(draw, size: int):
    """Return a function that damages the bytes of a file of that size."""
    kind = draw(st.sampled_from(["cut", "flip", "overwrite", "append", "swap", "drop"]))
    place = draw(st.integers(0, size - 1), label="place")
    length = draw(st.integers(1, 200), label="length")
    bit = 1 << draw(st.integers(0, 7), label="bit")
    noise = draw(st.binary(min_size=1, max_size=80), label="noise")
    other = draw(st.integers(0, size - 1), label="other place")

    def damage(content: bytes) -> bytes:
        if kind == "cut":
            return content[:place]
        if kind == "flip":
            return content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]
        if kind == "overwrite":
            return content[:place] + noise + content[place + len(noise) :]
        if kind == "append":
            return content + noise
        if kind == "drop":
            return content[:place] + content[place + length :]
        first, second = sorted((place, other))
        middle = content[first + length : second]
        swapped = content[second : second + length] + middle + content[first : first + length]
        return content[:first] + swapped + content[second + length :]

    return damage


@pytest.mark.parametrize("name", FORMS)
@settings(
    parent=examples(250),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_damage_never_gives_another_strategy(name: str, tmp_path: Path, data: st.DataObject):
    game = compiled("kuhn")
    strategy = random_strategy(game, seed=11)
    path = tmp_path / name
    strategy.save(path, **REMARKS)
    content = path.read_bytes()
    path.write_bytes(data.draw(corruptions(len(content)))(content))
    try:
        read = secateur.load_strategy(game, path)
    except secateur.FileError:
        return
    # the damage may have hit padding, or the checksum's own name
    assert np.array_equal(read.probabilities, strategy.probabilities)
    assert {key: read.remarks[key] for key in REMARKS} == REMARKS
