"""Compiled games that are kept: read again only if nothing has changed, and never if damaged."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import secateur
from secateur.compiled import compile as compiling
from secateur.compiled.cache import cache_folder
from support.written import Move, Over, Written

RULES = """
from secateur.games import Game, END

class Pick(Game):
    name = "pick"

    def __init__(self, most):
        self.most = most

    def start(self):
        return ()

    def turn(self, state):
        return END if state else 0

    def actions(self, state):
        return range(self.most)

    def after(self, state, action):
        return (*state, action)

    def information(self, state):
        return "pick"

    def payoffs(self, state):
        return PAYOFF * state[0], -PAYOFF * state[0]

PAYOFF = 1.0
"""


@pytest.fixture
def compiles(monkeypatch) -> list[str]:
    """Return the games that have really been compiled."""
    done: list[str] = []
    for name in ("compile_histories", "compile_public"):
        way = getattr(compiling, name)

        def counted(game, way=way, **options):
            done.append(game.name)
            return way(game, **options)

        monkeypatch.setattr(compiling, name, counted)
    return done


def written(folder: Path, source: str):
    path = folder / "pick_rules.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("pick_rules", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["pick_rules"] = module
    spec.loader.exec_module(module)
    return module.Pick


@pytest.mark.parametrize("name", ["kuhn", "leduc", "openspiel:kuhn_poker"])
def test_a_game_is_compiled_once(name: str, tmp_path: Path, compiles):
    first = secateur.compile(secateur.load(name), cache=tmp_path)
    again = secateur.compile(secateur.load(name), cache=str(tmp_path))
    assert len(compiles) == 1
    assert again.mapping is not None
    assert first.fingerprint == again.fingerprint
    assert again.fingerprint == secateur.compile(secateur.load(name)).fingerprint


def test_what_is_compiled_otherwise_is_another_file(tmp_path: Path, compiles):
    for options in ({}, {"pruning": True}, {"thresholds": True}):
        found = secateur.compile(secateur.load("kuhn"), cache=tmp_path, **options)
        assert (found.pruning is not None) == options.get("pruning", False)
    secateur.compile(secateur.load("goofspiel", cards=2), cache=tmp_path)
    secateur.compile(secateur.load("goofspiel", cards=3), cache=tmp_path)
    assert len(compiles) == len(list(tmp_path.iterdir())) == 5


def test_rules_that_have_changed_are_compiled_again(tmp_path: Path, compiles):
    cache = tmp_path / "cache"
    secateur.compile(written(tmp_path, RULES)(2), cache=cache)
    secateur.compile(written(tmp_path, RULES)(2), cache=cache)
    assert len(compiles) == 1
    assert secateur.compile(written(tmp_path, RULES)(3), cache=cache).size.sequences == 3
    changed = written(tmp_path, RULES.replace("PAYOFF = 1.0", "PAYOFF = 5.0"))
    secateur.compile(changed(2), cache=cache)
    assert len(compiles) == 3


def test_a_file_that_has_changed_is_compiled_again(tmp_path: Path, compiles):
    path = tmp_path / "game.efg"
    for payoff in (1, 1, 2):
        path.write_text(
            f'EFG 2 R "g" {{ "A" "B" }} p "" 1 1 "" {{ "x" "y" }} 0 '
            f't "" 1 "" {{ {payoff} -{payoff} }} t "" 2 "" {{ 0 0 }}'
        )
        secateur.compile(secateur.load(str(path)), cache=tmp_path / "cache")
    assert len(compiles) == 2


@pytest.mark.parametrize("content", [b"", b"something else", None])
def test_damaged_and_foreign_files_are_compiled_again(content, tmp_path: Path, compiles):
    secateur.compile(secateur.load("kuhn"), cache=tmp_path)
    (path,) = tmp_path.iterdir()
    if content is None:
        kept = bytearray(path.read_bytes())
        kept[-100] ^= 255
        content = bytes(kept)
    path.write_bytes(content)
    game = secateur.compile(secateur.load("kuhn"), cache=tmp_path)
    assert len(compiles) == 2
    assert game.fingerprint == secateur.open_compiled(path).fingerprint


def test_rules_that_nobody_can_tell_apart_are_not_cached(tmp_path: Path):
    game = Written(lambda s: Over((0.0, 0.0)) if s else Move(0, "go", ("a",)))
    with pytest.raises(secateur.ParameterError, match="cannot be cached"):
        secateur.compile(game, cache=tmp_path)


def test_a_folder_that_cannot_be_written_costs_a_warning_only(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning, match="not cached"):
        game = secateur.compile(secateur.load("kuhn"), cache=tmp_path / "file" / "folder")
    assert game.size.histories == 55


def test_the_users_cache_is_where_the_system_says(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    secateur.compile(secateur.load("kuhn"), cache=True)
    assert cache_folder() == tmp_path / "secateur"
    assert len(list(cache_folder().iterdir())) == 1
