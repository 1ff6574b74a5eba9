"""Finds out whether a result can be written before it is computed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from secateur.errors import FileError


def writable(name: str) -> Path:
    """Return the path of a file that a strategy can be saved to; leave nothing behind.

    A strategy replaces the file as a whole. So what counts is that a file can be made beside it;
    and links are followed, or the link itself would be replaced.

    Raises
    ------
    FileError
        If that is no place for a file.
    """
    try:
        path = Path(name).resolve()
        if path.is_dir():
            raise FileError(f"cannot write {name!r}: it is a directory; give a file name.")
        if path.exists():
            _check_replaceable(name, path)
        if not path.parent.is_dir():
            raise FileError(f"cannot write {name}: no directory {path.parent}; create it first.")
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except (OSError, RuntimeError) as error:  # RuntimeError: links that go round in circles
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"cannot write {name}: {reason}; choose another path.") from error
    return path


def writable_directory(name: str) -> Path:
    """Return the path of a directory for results; make it if it is not there.

    Raises
    ------
    FileError
        If that is no place for a directory.
    """
    path = Path(name)
    try:
        path.mkdir(exist_ok=True)
    except FileNotFoundError as error:
        parent = path.absolute().parent
        raise FileError(f"cannot write {name}: no directory {parent}; create it first.") from error
    except FileExistsError as error:
        raise FileError(f"cannot write {name}: not a directory; choose another path.") from error
    except OSError as error:
        raise FileError(f"cannot write {name}: {error.strerror}; choose another path.") from error
    return path


def _check_replaceable(name: str, path: Path) -> None:
    # Devices and pipes, and what a shell has opened as our output, cannot be replaced.
    taken = any(_is_stream(path, descriptor) for descriptor in range(3))
    if taken or not path.is_file():
        raise FileError(f"cannot write {name}: not an ordinary file; choose another path.")
    if not os.access(path, os.W_OK):
        raise FileError(f"cannot write {name}: Permission denied; choose another path.")


def _is_stream(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False
