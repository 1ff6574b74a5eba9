"""Opens files for reading: ordinary ones only, and no more of them than they may hold.

Whatever a path names may be a pipe that nobody fills or a device without an end. So nothing else
in the package opens a file to read it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from secateur.errors import FileError

_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""To open a pipe would else wait for somebody who writes to it."""

_OTHERS = {
    stat.S_IFDIR: "it is a directory",
    stat.S_IFIFO: "it is a pipe, not a file",
    stat.S_IFSOCK: "it is a socket, not a file",
    stat.S_IFCHR: "it is a device, not a file",
    stat.S_IFBLK: "it is a device, not a file",
}


def open_regular(path: str | Path, *, writable: bool = False) -> BinaryIO:
    """Open an ordinary file for reading, or also to map it so that it can be written.

    Raises
    ------
    FileError
        If it is anything else, or cannot be opened.
    """
    try:
        descriptor = os.open(path, _FLAGS | (os.O_RDWR if writable else os.O_RDONLY))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise cannot_read(path, _reason(path, error)) from error
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind != stat.S_IFREG:
        os.close(descriptor)
        raise cannot_read(path, _OTHERS.get(kind, "it is not a file"))
    return os.fdopen(descriptor, "rb")


def read_regular(path: str | Path, limit: int, what: str) -> bytes:
    """Return what an ordinary file holds.

    Raises
    ------
    FileError
        If it cannot be read, or is larger than ``limit`` bytes, which is more than ``what`` takes.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            content = file.read(limit + 1) if size <= limit else b""
        except OSError as error:
            raise cannot_read(path, error.strerror or error) from error
    if size > limit or len(content) > limit:
        raise FileError(
            f"{path} is too large ({max(size, len(content)):,} bytes; {what} takes {limit:,} at "
            "the most); name another file."
        )
    return content


def begins_with(path: str | Path, count: int) -> bytes:
    """Return the first bytes of a file, fewer if it is shorter; none if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(count)
    except (FileError, OSError):
        return b""


def cannot_read(path: str | Path, reason: object) -> FileError:
    """Return the error to raise for a file that cannot be read."""
    return FileError(f"cannot read {path}: {reason}; check the path.")


def _reason(path: str | Path, error: OSError | ValueError) -> object:
    try:
        kind = stat.S_IFMT(os.stat(path).st_mode)  # noqa: PTH116 - names with NUL are no paths
    except (OSError, ValueError):
        kind = 0
    return _OTHERS.get(kind) if kind == stat.S_IFSOCK else getattr(error, "strerror", None) or error
