"""Paths that name no ordinary file: one sentence at once, whatever is there, and little memory."""

from __future__ import annotations

import json
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import secateur
from secateur.cli.main import main
from secateur.errors import FileError
from secateur.games.gambit.game import read_efg
from secateur.interop.gambit_profile import read_gambit_profile
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.games import named
from secateur.runs.metrics_log import read_metrics
from secateur.runs.reading import open_run
from support.small_games import compiled

READERS: dict[str, Callable[[Path], object]] = {
    "strategy": lambda path: secateur.load_strategy(compiled("kuhn"), path),
    "compiled game": secateur.open_compiled,
    "efg": read_efg,
    "profile": lambda path: read_gambit_profile(compiled("kuhn"), secateur.load("kuhn"), path),
    "policy": secateur.to_open_spiel_policy,
    "configuration": Configuration.read,
    "metrics": lambda path: read_metrics(path, 1),
}
LARGE = 3_000_000_000


def made(kind: str, folder: Path) -> Path:
    path = folder / "it"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(os.path.relpath(path))
    elif kind == "device":
        return Path("/dev/zero")
    elif kind == "NUL":
        return Path(f"{path}\0")
    elif kind == "long name":
        return folder / ("x" * 300)
    elif kind == "circle":
        path.symlink_to(path)
    return path


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "kind", ["pipe", "directory", "socket", "device", "NUL", "long name", "circle", "missing"]
)
def test_what_is_no_file_is_a_sentence(reader: str, kind: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    path = made(kind, tmp_path)
    with pytest.raises(FileError, match=r"^cannot read .*; check the path\.$") as caught:
        READERS[reader](path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
@pytest.mark.parametrize("reader", READERS)
def test_what_may_not_be_read_is_a_sentence(reader: str, tmp_path: Path):
    path = tmp_path / "it"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(FileError, match="Permission denied"):
        READERS[reader](path)


@pytest.mark.parametrize("reader", READERS)
def test_gigabytes_of_zeros_are_refused_without_being_read(reader: str, tmp_path: Path):
    path = tmp_path / "zeros"
    with path.open("wb") as file:
        file.truncate(LARGE)  # a hole: it takes no room on the disk
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FileError, match=r"is too large|is not a compiled game"):
        READERS[reader](path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_a_strategy_may_be_as_large_as_its_game_needs(tmp_path: Path):
    game, path = compiled("leduc"), tmp_path / "strategy.json"
    secateur.Strategy.uniform(game).save(path)
    content = json.loads(path.read_text()) | {"checksum": None}
    path.write_text(json.dumps(content) + " " * (1 << 22))
    assert len(secateur.load_strategy(game, path)) == 288
    with path.open("ab") as file:
        file.truncate(1 << 27)
    with pytest.raises(FileError, match="is too large"):
        secateur.load_strategy(game, path)


@pytest.mark.parametrize("name", ["run.json", "metrics.jsonl", "lock", "checkpoint-7"])
def test_pipes_in_a_run_directory_make_nobody_wait(name: str, tmp_path: Path):
    facts = Configuration.of(named("kuhn"), secateur.recipes.cfr(), secateur.until.iterations(3))
    facts.write(tmp_path / "run.json")
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    assert main(["resume", str(tmp_path)]) == 2
    if name in ("run.json", "metrics.jsonl"):
        with pytest.raises(FileError):
            open_run(tmp_path)
    else:
        assert not RunDirectory(tmp_path).is_running


def test_a_log_that_cannot_be_read_is_not_blamed_on_checkpoints(tmp_path: Path):
    run = tmp_path / "run"
    secateur.solve("kuhn", until=secateur.until.iterations(7), run=run)
    (run / "metrics.jsonl").unlink()
    os.mkfifo(run / "metrics.jsonl")
    with pytest.raises(FileError, match=r"^cannot read .*metrics\.jsonl: it is a pipe") as caught:
        secateur.resume(run, secateur.until.iterations(9))
    assert "checkpoint" not in str(caught.value)


@pytest.mark.parametrize("kind", ["pipe", "directory", "socket"])
def test_rules_that_are_no_file_are_a_sentence(kind: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made(kind, tmp_path).rename("rules.py")
    with pytest.raises(FileError, match=r"cannot read .*rules\.py: it is a "):
        secateur.load("rules.py:Coin")


def test_rules_of_gigabytes_are_refused_without_being_read(tmp_path: Path):
    path = tmp_path / "rules.py"
    with path.open("wb") as file:
        file.truncate(LARGE)
    with pytest.raises(FileError, match="is too large"):
        secateur.load(f"{path}:Coin")
