"""JSON files whose last entry is a checksum of everything above it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Raw

from secateur.atomic import new_file
from secateur.errors import FileError
from secateur.regular_files import read_regular
from secateur.schema import MalformedError, decoded, shortened, written

_LAST = b'"checksum": '

Entries = dict[str, Raw]
"""The entries of an object, each still as it is written."""


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


def head_lines(path: str | Path, facts: Mapping[str, Any]) -> list[str]:
    """Return facts as lines to begin a file with.

    Raises
    ------
    FileError
        If JSON cannot tell them.
    """
    try:
        lines = [f"{written(key)}: {written(value)},\n" for key, value in facts.items()]
    except ValueError as error:
        raise FileError(
            f"cannot write {path}: what is told about the strategy has numbers that are not finite "
            f"({error}); leave them out."
        ) from error
    return ["{", *lines]


def read_checked(path: str | Path, what: str, remedy: str, limit: int) -> Entries:
    """Return the entries of the object in a file.

    A file whose checksum is null, or that has none, is not checked: somebody wrote it by hand.

    Parameters
    ----------
    path : str or Path
        The file.
    what, remedy : str
        What it should be and how to get one, for errors.
    limit : int
        The bytes that it may have.
    """
    content = read_regular(path, limit, what)
    if not content:
        raise FileError(f"{path} is not {what}, it is empty; {remedy}.")
    try:
        found = decoded(content, Entries)
    except MalformedError as error:
        raise FileError(f"{path} is not {what} ({error}); {remedy}.") from error
    if bytes(found.get("checksum", Raw(b"null"))) != b"null":
        above, last, _ = content.rpartition(_LAST)
        if not last or content[len(above) :] != _ending(zlib.crc32(above)):
            raise FileError(
                f"{path} is damaged: its checksum does not match; {remedy}, "
                "or, if you have changed it on purpose, set its checksum to null."
            )
    return found


def check_format(
    path: str | Path, content: Entries, form: str, version: int, what: str, remedy: str
) -> None:
    """Raise FileError unless a file says that it has this format and version."""
    if _told(content, "format") != form:
        raise FileError(f"{path} is not {what}; {remedy}.")
    theirs = _told(content, "version")
    if theirs != version or isinstance(theirs, bool):
        raise FileError(
            f"{path} has version {shortened(repr(theirs))} of the format; "
            f"this release reads version {version}."
        )


def _told(content: Entries, name: str) -> Any:
    try:
        return decoded(content.get(name, Raw(b"null")), str | int | float | bool | None)  # type: ignore[arg-type]
    except MalformedError:
        return None


def _ending(checksum: int) -> bytes:
    return _LAST + b'"%08x"}\n' % checksum
