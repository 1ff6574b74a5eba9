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
from secateur.errors import FileError, unreadable
from secateur.stopping import Snapshot

_CHECKSUM = ', "crc32": "'


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
        try:
            found = self._path.read_bytes() if self._path.exists() else b""
        except OSError as error:
            raise unreadable(self._path, error) from error
        whole = found[: found.rfind(b"\n") + 1]
        if not (whole.startswith(expected) or expected.startswith(whole)):
            raise FileError(
                f"{self._path} is damaged or foreign: it does not begin with the snapshots that "
                "the checkpoint knows; remove it, and it is written again from the checkpoint."
            )
        if found != expected:
            with new_file(self._path) as file:
                file.write(expected)

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
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    found: list[Snapshot] = []
    checksum = fingerprint
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            facts = json.loads(line)
            del facts["crc32"]
            found.append(Snapshot(**{name: _number(name, facts[name]) for name in facts}))
            expected, checksum = _lines(found[-1:], checksum)
            if line + b"\n" != expected:
                raise ValueError("the checksum does not match")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise FileError(
                f"{path} is damaged or foreign at line {number} ({error}); remove it, and "
                "'secateur resume' writes it again from a checkpoint."
            ) from error
    return found


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
