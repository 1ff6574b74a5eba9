"""How the shards of a run on a cluster were at the last checkpoint, in a file of the run."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, json

from secateur.atomic import new_file
from secateur.errors import FileError
from secateur.regular_files import read_regular
from secateur.schema import Duration, MalformedError, decoded

_LARGEST = 1 << 24
"""Bytes of the file."""


class ShardReport(Struct, frozen=True):
    """How a shard was."""

    node: str
    process: int
    pieces: int
    memory: int
    """Bytes that its process took."""

    seconds: Duration
    """That it had swept."""

    waiting: Duration
    """Seconds in which others swept, or letters were on their way."""


def write_reports(path: Path, reports: list[ShardReport]) -> None:
    """Write the file; it appears whole or not at all."""
    with new_file(path) as file:
        file.write(json.encode(reports) + b"\n")


def read_reports(path: Path) -> list[ShardReport]:
    """Read the file; there are no reports if there is none.

    Raises
    ------
    FileError
        If it is not what was written.
    """
    if not path.exists():
        return []
    try:
        return decoded(read_regular(path, _LARGEST, "a report of shards"), list[ShardReport])
    except MalformedError as error:
        raise FileError(f"{path} is damaged ({error}); remove it.") from error
