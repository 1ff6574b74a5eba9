"""The games of the comparison, and the files from which the peers read them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class BenchmarkGame:
    """A game that every solver plays."""

    name: str
    """As ``secateur.load`` knows it."""

    batch: int
    """Iterations in one timed batch: the same for all solvers, so that all time the same work."""


GAMES = {
    game.name: game
    for game in (
        BenchmarkGame("kuhn", batch=2000),
        BenchmarkGame("leduc", batch=200),
        BenchmarkGame("liars_dice", batch=10),
        BenchmarkGame("goofspiel", batch=200),
        BenchmarkGame("leduc5", batch=10),
    )
}


@dataclass(frozen=True)
class GameFiles:
    """One game, written in every format that a solver needs."""

    name: str
    directory: Path

    @property
    def efg(self) -> Path:
        """Gambit's format, for OpenSpiel."""
        return self.directory / f"{self.name}.efg"

    @property
    def liteefg(self) -> Path:
        """LiteEFG's format."""
        return self.directory / f"{self.name}.game"

    @property
    def form(self) -> Path:
        """The sequence form, for noregret, for the linear program and for the judge."""
        return self.directory / f"{self.name}.npz"


def write_files(name: str, directory: Path) -> GameFiles:
    """Write a game for all solvers."""
    from benchmarks.efg import write_efg, write_liteefg
    from benchmarks.sequence_form import sequence_form
    from secateur import load

    game = load(name)
    files = GameFiles(name, directory)
    directory.mkdir(parents=True, exist_ok=True)
    with files.efg.open("w") as file:
        write_efg(game, file, labels=False)
    with files.liteefg.open("w") as file:
        write_liteefg(game, file)
    sequence_form(game).save(files.form)
    return files
