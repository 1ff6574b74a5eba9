"""The metrics of a run: a file with one JSON object a line, one for each snapshot.

Every line ends with a checksum of itself and all lines before, which begins with the fingerprint
of the run. So a reader knows when a line was changed, lost, or comes from another run.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from secateur.atomic import cannot_write, new_file
from secateur.conditions import Snapshot
from secateur.errors import FileError
from secateur.regular_files import read_regular
from secateur.schema import MalformedError, conformed, decoded, shortened

_CHECKSUM = ', "crc32": "'
_LARGEST = 1 << 24
"""Bytes of the file: snapshots become rarer, so it has some hundred lines."""


class MetricsLog:
    """Lines that are appended while a run goes on."""

    def __init__(self, path: Path, fingerprint: int) -> None:
        self._path = path
        self._fingerprint = fingerprint
        self._checksum = fingerprint

    def begin(self, history: list[Snapshot]) -> None:
        """Cut off what comes after ``history``, and get ready to append.

        Raises
        ------
        FileError
            If the file holds something else.
        """
        expected, self._checksum = _lines(history, self._fingerprint)
        found = self._found()
        if not _agree(found, expected):
            raise FileError(
                f"{self._path} is damaged or foreign: it does not begin with the snapshots that "
                "the checkpoint knows; remove it, and it is written again from the checkpoint."
            )
        if found != expected:
            with new_file(self._path) as file:
                file.write(expected)

    def agrees(self, history: list[Snapshot]) -> bool:
        """Return whether the file, as far as it goes, tells of the same run as ``history``."""
        return _agree(self._found(), _lines(history, self._fingerprint)[0])

    def check(self) -> None:
        """Raise FileError if the file is damaged or belongs to another run."""
        read_metrics(self._path, self._fingerprint)

    def _found(self) -> bytes:
        return _content(self._path) if self._path.exists() else b""

    def append(self, snapshot: Snapshot) -> None:
        """Add a snapshot."""
        line, self._checksum = _lines([snapshot], self._checksum)
        try:
            with self._path.open("ab", buffering=0) as file:
                while line:  # a disk that is almost full takes a part before it fails
                    line = line[file.write(line) :]
        except OSError as error:
            raise cannot_write(self._path, error) from error


def read_metrics(path: Path, fingerprint: int) -> list[Snapshot]:
    """Return the snapshots of a file; a last line that is not complete is left out.

    Raises
    ------
    FileError
        If the file is damaged or belongs to another run.
    """
    found: list[Snapshot] = []
    checksum = fingerprint
    for number, line in enumerate(_content(path).split(b"\n")[:-1], start=1):
        try:
            found.append(_snapshot(line))
            expected, checksum = _lines(found[-1:], checksum)
            if line + b"\n" != expected:
                raise MalformedError("the checksum does not match")
        except MalformedError as error:
            raise FileError(
                f"{path} is damaged or foreign at line {number} ({shortened(error)}); remove it, "
                "and resuming the run writes it again from a checkpoint."
            ) from error
    return found


def _content(path: Path) -> bytes:
    return read_regular(path, _LARGEST, "a list of snapshots")


def _agree(found: bytes, expected: bytes) -> bool:
    """Return whether one of two logs begins with the other, but for a line that is not complete."""
    whole = found[: found.rfind(b"\n") + 1]
    return whole.startswith(expected) or expected.startswith(whole)


def _snapshot(line: bytes) -> Snapshot:
    facts = decoded(line, dict[str, int | float | str | None])
    if facts.keys() != {*Snapshot._fields, "crc32"}:
        raise MalformedError("it has other entries than a snapshot")
    return conformed([_number(name, facts[name]) for name in Snapshot._fields], Snapshot)


def _lines(history: Iterable[Snapshot], checksum: int) -> tuple[bytes, int]:
    """Return snapshots as lines, and the checksum of the last."""
    written = []
    for snapshot in history:
        facts = {name: _shown(value) for name, value in snapshot._asdict().items()}
        text = json.dumps(facts, allow_nan=False)
        checksum = zlib.crc32(text.encode(), checksum)
        written.append(f'{text[:-1]}{_CHECKSUM}{checksum:08x}"}}\n')
    return "".join(written).encode(), checksum


def _shown(value: float | None) -> float | None:
    """Return a number that JSON has."""
    return value if value is not None and math.isfinite(value) else None


def _number(name: str, value: Any) -> Any:
    """Return a number that was shown; nodes may not have been counted."""
    return math.nan if value is None and name != "nodes_touched" else value
