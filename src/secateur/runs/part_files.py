"""Files that shards of a cluster write: the numbers of some pieces of a game.

A checkpoint of such a run is in parts: these files, and one that says which of them belong to it,
with the numbers of the trunk. Each piece stands by itself, so any number of shards can go on from
any number of files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from secateur.archive import Kind, open_archive, write_archive
from secateur.errors import FileError
from secateur.schema import Name
from secateur.solvers.resumable import Array

Pieces = dict[int, dict[str, Array]]
"""Arrays of a state, by piece and name."""

KIND = Kind(
    magic=b"secateur checkpoint, a part 1\n",
    what="a part of a checkpoint",
    origin="runs that are kept write them on a cluster",
    remedy="the run cannot go on from this checkpoint",
)


class Origin(NamedTuple):
    """What a part belongs to."""

    fingerprint: str
    solver: str
    program: str


class _Facts(Struct, frozen=True):
    """What the header of a file says."""

    fingerprint: str
    solver: str
    program: str
    numbers: dict[Name, int | float]


def write_part(path: Path, origin: Origin, numbers: dict[str, float], pieces: Pieces) -> None:
    """Write the numbers of some pieces; the file appears whole or not at all."""
    facts: dict[str, Any] = {**origin._asdict(), "numbers": numbers}
    arrays = {
        f"{name}.{number}": part for number, parts in pieces.items() for name, part in parts.items()
    }
    write_archive(path, KIND, facts, arrays)


def read_pieces(files: dict[int, Path], origin: Origin) -> tuple[dict[str, float], Pieces]:
    """Read some pieces, each from its file, and the numbers that all of them share.

    Raises
    ------
    FileError
        If a file is damaged, belongs to something else, or is of another iteration than the others.
    """
    pieces: Pieces = {}
    common: dict[str, float] | None = None
    for path in dict.fromkeys(files.values()):
        numbers, found = _read_part(path, origin, [k for k, file in files.items() if file == path])
        pieces |= found
        if common is not None and numbers != common:
            raise KIND.damaged(path, "it is of another iteration than the other parts")
        common = numbers
    assert common is not None, "there must be a piece"
    return common, pieces


def _read_part(path: Path, origin: Origin, wanted: list[int]) -> tuple[dict[str, float], Pieces]:
    facts, arrays, _ = open_archive(path, KIND, _Facts, only=_Names(wanted))
    if Origin(facts.fingerprint, facts.solver, facts.program) != origin:
        raise FileError(f"{path} is foreign: it is a part of another run.")
    pieces: Pieces = {}
    for full_name, part in arrays.items():
        name, _, number = full_name.rpartition(".")
        pieces.setdefault(int(number), {})[name] = part
    missing = [number for number in wanted if number not in pieces]
    if missing:
        raise KIND.damaged(path, f"piece {missing[0]} is not in it")
    return facts.numbers, pieces


class _Names:
    """The arrays of some pieces, whatever their names."""

    def __init__(self, numbers: list[int]) -> None:
        self._ends = {f"{number}" for number in numbers}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.rpartition(".")[2] in self._ends
