"""Checkpoints: all that a run needs to go on, the last two of them.

Those of runs on a cluster are in parts (:mod:`secateur.runs.part_files`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from secateur import __version__
from secateur.archive import Kind, open_archive, write_archive
from secateur.atomic import cannot_write
from secateur.compiled.game import CompiledGame
from secateur.conditions import Snapshot
from secateur.errors import FileError, ParameterError
from secateur.kernels.compilation.decorator import STAMP
from secateur.running import next_look
from secateur.runs.games import OtherGameError
from secateur.runs.part_files import Origin
from secateur.schema import LARGEST_COUNT, Duration, Name, shortened
from secateur.solvers.protocols import Solver, State
from secateur.solvers.resumable import UNBOUNDED, Saved

KIND = Kind(
    magic=b"secateur checkpoint 1\n",
    what="a checkpoint",
    origin="runs that are kept write them",
    remedy="the run cannot go on from it",
)
_NAME = "checkpoint-"
_NUMBER = re.compile("0|[1-9][0-9]{0,18}")
_PART = r"checkpoint-[0-9]{1,19}\.part-[0-9]{1,9}"
_KEPT = 2


class Checkpoint(NamedTuple):
    """Where a run is."""

    saved: Saved
    history: list[Snapshot]
    """The scheduled snapshots up to here."""

    seconds: float
    parts: dict[int, Path] = {}  # noqa: RUF012 - nobody changes it
    """Of a run on a cluster, the file of each piece; what was saved is the trunk's then."""


class _Facts(Struct, frozen=True):
    """What the header of a file says."""

    game: str
    fingerprint: str
    solver: str
    program: str
    seconds: Duration
    numbers: dict[Name, int | float]
    history: list[Snapshot]
    origin: str = ""
    """By which version; what wrote none is another program, and refused for that."""

    parts: dict[Annotated[str, Meta(pattern=f"^{_PART}$")], list[int]] = {}


class Identity(NamedTuple):
    """What a checkpoint belongs to."""

    program: str
    """First, because what another program writes may tell of the same things in other words."""

    game: str
    fingerprint: str
    """Of the whole compiled game."""

    solver: str

    @staticmethod
    def of(game: CompiledGame, solver: Solver) -> Identity:
        """Return what checkpoints of a run have in common."""
        program = f"secateur {__version__}, kernels {STAMP}"
        return Identity(program, str(game), game.fingerprint, repr(solver))

    @property
    def origin(self) -> Origin:
        """What parts of checkpoints say about themselves."""
        return Origin(self.fingerprint, self.solver, self.program)


def write_checkpoint(path: Path, identity: Identity, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; it appears whole or not at all."""
    facts = {
        **identity._asdict(),
        "seconds": checkpoint.seconds,
        "numbers": checkpoint.saved.numbers,
        "origin": checkpoint.saved.origin,
        "history": checkpoint.history,
        **({"parts": _by_file(checkpoint.parts)} if checkpoint.parts else {}),
    }
    write_archive(path, KIND, facts, checkpoint.saved.arrays, UNBOUNDED)


def read_checkpoint(path: Path, identity: Identity) -> Checkpoint:
    """Read a checkpoint whose arrays are mapped into memory.

    Raises
    ------
    FileError
        If it is damaged, or belongs to something else.
    """
    facts, arrays, _ = open_archive(path, KIND, _Facts)
    for name in Identity._fields:
        mine, other = getattr(identity, name), getattr(facts, name)
        if mine != other:
            kind = OtherGameError if name in ("game", "fingerprint") else FileError
            raise kind(
                f"{path} is foreign: its {name} is {shortened(other)}, that of the run {mine}."
            )
    saved = Saved(facts.numbers, arrays, facts.origin)
    parts = {
        piece: path.with_name(name) for name, pieces in facts.parts.items() for piece in pieces
    }
    return Checkpoint(saved, facts.history, facts.seconds, parts)


def _by_file(parts: dict[int, Path]) -> dict[str, list[int]]:
    """Return the pieces that are in each file."""
    found: dict[str, list[int]] = {}
    for piece, path in parts.items():
        found.setdefault(path.name, []).append(piece)
    return found


class Checkpoints:
    """The checkpoints of a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def iterations(self) -> list[int]:
        """Return after which iterations there are checkpoints, the last one first."""
        names = (path.name.removeprefix(_NAME) for path in self._directory.glob(f"{_NAME}*"))
        numbers = {int(name) for name in names if _NUMBER.fullmatch(name)}
        return sorted(numbers, reverse=True)

    def largest(self) -> int:
        """Return the bytes of the largest one; 0 if there are none."""
        paths = map(self.path, self.iterations())
        return max((path.stat().st_size for path in paths if path.is_file()), default=0)

    def write(self, identity: Identity, checkpoint: Checkpoint, iteration: int) -> None:
        """Write a checkpoint; remove those that are older than the one before."""
        write_checkpoint(self.path(iteration), identity, checkpoint)
        kept = self.iterations()[:_KEPT]
        old = [self.path(each) for each in self.iterations()[_KEPT:]]
        for path in (*old, *self._parts_without(kept)):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise cannot_write(path, error) from error

    def _parts_without(self, iterations: list[int]) -> list[Path]:
        """Return parts of checkpoints that are not there, or not any more."""
        kept = {self.path(each).name for each in iterations}
        found = self._directory.glob(f"{_NAME}*.part-*")
        return [path for path in found if path.name.partition(".")[0] not in kept]

    def latest(
        self,
        identity: Identity,
        warn: Callable[[str], Any],
        use: Callable[[Checkpoint], None] = lambda _: None,
    ) -> Checkpoint | None:
        """Return the latest checkpoint that can be used; None if there are none at all.

        Others are set aside, and the reason is told to ``warn``. What ``use`` makes of a checkpoint
        may be a FileError with a reason, too.

        Raises
        ------
        FileError
            If there are checkpoints, but none can be used.
        """
        refused: list[tuple[int, FileError]] = []
        for iteration in self.iterations():
            path = self.path(iteration)
            try:
                found = read_checkpoint(path, identity)
                _check_history(path, found)
            except FileError as error:
                refused.append((iteration, error))
                continue
            try:
                use(found)
            except FileError as error:
                refused.append((iteration, KIND.damaged(path, error)))
                continue
            for number, reason in refused:
                aside = self.path(number).with_suffix(".refused")
                try:
                    self.path(number).replace(aside)
                except OSError as error:
                    raise cannot_write(aside, error) from error
                warn(
                    f"{reason} It is now called {aside.name}; going on from the checkpoint before, "
                    f"iteration {iteration:,}."
                )
            return found
        if refused:
            raise type(refused[0][1])(
                f"{refused[0][1]} No other checkpoint of {self._directory} can be used; to run it "
                "from the beginning, remove its checkpoints."
            )
        return None

    def restore(self, identity: Identity, state: State) -> None:
        """Bring a state to the latest checkpoint that can be used, and touch no file.

        Raises
        ------
        FileError
            If none can be used; the reason is that of the latest.
        """
        reasons: list[FileError] = []
        for iteration in self.iterations():
            path = self.path(iteration)
            try:
                state.restore(read_checkpoint(path, identity).saved)
            except FileError as error:
                reasons.append(error)
            except ParameterError as error:
                reasons.append(KIND.damaged(path, error))
            else:
                return
        raise reasons[0] if reasons else FileError(f"{self._directory} has no checkpoints.")

    def path(self, iteration: int) -> Path:
        """Return where the checkpoint after an iteration is, or will be."""
        return self._directory / f"{_NAME}{iteration}"


def _check_history(path: Path, checkpoint: Checkpoint) -> None:
    """Raise FileError unless the history has the scheduled snapshots up to its iteration."""
    numbers = checkpoint.saved.numbers
    iteration = numbers.get("iteration", numbers.get("_iteration"))
    if iteration is None or not 0 <= iteration <= LARGEST_COUNT:
        raise KIND.damaged(path, "it does not say at which iteration it is")
    expected = 0
    for snapshot in checkpoint.history:
        expected = next_look(expected)
        if snapshot.iteration != expected:
            raise KIND.damaged(path, f"its history has no iteration {expected:,}")
    if expected > iteration or next_look(expected) <= iteration:
        raise KIND.damaged(path, f"its history does not lead up to iteration {iteration:,}")
