"""JSON files whose last entry is a checksum of everything above it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from secateur.atomic import new_file
from secateur.errors import FileError, unreadable

_LAST = b'"checksum": '


def write_checked(path: str | Path, lines: Iterable[str]) -> None:
    """Write a JSON object given by its lines, all but the closing brace, and its checksum.

    The file appears whole or not at all.
    """
    checksum = 0
    with new_file(path) as file:
        for line in lines:
            part = line.encode()
            checksum = zlib.crc32(part, checksum)
            file.write(part)
        file.write(_ending(checksum))


def read_checked(path: str | Path, what: str, remedy: str) -> dict[str, Any]:
    """Return the object in a file.

    A file whose checksum is null, or that has none, is not checked: somebody wrote it by hand.

    Parameters
    ----------
    path : str or Path
        The file.
    what, remedy : str
        What it should be and how to get one, for errors.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    if not content:
        raise FileError(f"{path} is not {what}, it is empty; {remedy}.")
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is not {what} ({error}); {remedy}.") from error
    if not isinstance(found, dict):
        raise FileError(f"{path} is not {what}; {remedy}.")
    if found.get("checksum") is not None:
        above, last, _ = content.rpartition(_LAST)
        if not last or content[len(above) :] != _ending(zlib.crc32(above)):
            raise FileError(
                f"{path} is damaged: its checksum does not match; {remedy}, "
                "or, if you have changed it on purpose, set its checksum to null."
            )
    return found


def check_format(
    path: Path, content: Mapping[str, Any], form: str, version: int, what: str, remedy: str
) -> None:
    """Raise FileError unless a file says that it has this format and version."""
    if content.get("format") != form:
        raise FileError(f"{path} is not {what}; {remedy}.")
    if content.get("version") != version:
        raise FileError(
            f"{path} has version {content.get('version')!r} of the format; "
            f"this release reads version {version}."
        )


def _ending(checksum: int) -> bytes:
    return _LAST + b'"%08x"}\n' % checksum
