"""Checkpoints: all that a run needs to go on, the last two of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from secateur import __version__
from secateur.archive import DAMAGES, Kind, open_archive, write_archive
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError
from secateur.kernels.decorator import STAMP
from secateur.solvers.iterative import Iterative
from secateur.solvers.resumable import Saved
from secateur.stopping import Snapshot

KIND = Kind(
    magic=b"secateur checkpoint 1\n",
    what="a checkpoint",
    origin="'secateur solve --run' writes them",
    remedy="the run cannot go on from it",
)
_NAME = "checkpoint-"
_KEPT = 2


class Checkpoint(NamedTuple):
    """Where a run is."""

    saved: Saved
    history: list[Snapshot]
    """The scheduled snapshots up to here."""

    seconds: float


class Identity(NamedTuple):
    """What a checkpoint belongs to."""

    game: str
    fingerprint: str
    """Of the whole compiled game."""

    solver: str
    program: str

    @staticmethod
    def of(game: CompiledGame, solver: Iterative) -> Identity:
        """Return what checkpoints of a run have in common."""
        program = f"secateur {__version__}, kernels {STAMP}"
        return Identity(str(game), game.fingerprint, repr(solver), program)


def write_checkpoint(path: Path, identity: Identity, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; it appears whole or not at all."""
    facts = {
        **identity._asdict(),
        "seconds": checkpoint.seconds,
        "numbers": checkpoint.saved.numbers,
        "history": checkpoint.history,
    }
    write_archive(path, KIND, facts, checkpoint.saved.arrays)


def read_checkpoint(path: Path, identity: Identity) -> Checkpoint:
    """Read a checkpoint whose arrays are mapped into memory.

    Raises
    ------
    FileError
        If it is damaged, or belongs to something else.
    """
    facts, arrays, _ = open_archive(path, KIND)
    try:
        theirs = Identity(*(facts[name] for name in Identity._fields))
        history = [Snapshot(*each) for each in facts["history"]]
        found = Checkpoint(Saved(facts["numbers"], arrays), history, facts["seconds"])
    except DAMAGES as error:
        raise KIND.damaged(path, error) from error
    for name in Identity._fields:
        mine, other = getattr(identity, name), getattr(theirs, name)
        if mine != other:
            raise FileError(f"{path} is foreign: its {name} is {other}, that of the run {mine}.")
    return found


class Checkpoints:
    """The checkpoints of a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def iterations(self) -> list[int]:
        """Return after which iterations there are checkpoints, the last one first."""
        names = (path.name.removeprefix(_NAME) for path in self._directory.glob(f"{_NAME}*"))
        return sorted((int(name) for name in names if name.isdecimal()), reverse=True)

    def write(self, identity: Identity, checkpoint: Checkpoint, iteration: int) -> None:
        """Write a checkpoint; remove those that are older than the one before."""
        write_checkpoint(self._path(iteration), identity, checkpoint)
        for old in self.iterations()[_KEPT:]:
            self._path(old).unlink(missing_ok=True)

    def latest(self, identity: Identity, warn: Callable[[str], Any]) -> Checkpoint | None:
        """Return the latest checkpoint that can be used; None if there are none at all.

        Others are set aside, and the reason is told to ``warn``.

        Raises
        ------
        FileError
            If there are checkpoints, but none can be used.
        """
        refused: list[tuple[int, FileError]] = []
        for iteration in self.iterations():
            try:
                found = read_checkpoint(self._path(iteration), identity)
            except FileError as error:
                refused.append((iteration, error))
                continue
            for number, reason in refused:
                aside = self._path(number).with_suffix(".refused")
                self._path(number).replace(aside)
                warn(
                    f"{reason} It is now called {aside.name}; going on from the checkpoint before, "
                    f"iteration {iteration:,}."
                )
            return found
        if refused:
            raise FileError(
                f"{refused[0][1]} No other checkpoint of {self._directory} can be used; to run it "
                "from the beginning, remove its checkpoints."
            )
        return None

    def _path(self, iteration: int) -> Path:
        return self._directory / f"{_NAME}{iteration}"
