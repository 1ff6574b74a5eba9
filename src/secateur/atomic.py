"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from secateur.errors import FileError
from secateur.sudden_end import at_sudden_end


@contextmanager
def new_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a draft beside ``path``; put it in place when the block ends well, else remove it."""
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise cannot_write(path, error) from error
    draft = Path(name)
    with at_sudden_end(partial(draft.unlink, missing_ok=True)):
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.chmod(0o666 & ~_umask())
            draft.replace(path)
            _sync_directory(path.parent)
        except OSError as error:
            raise cannot_write(path, error) from error
        finally:
            draft.unlink(missing_ok=True)


def _sync_directory(path: Path) -> None:
    """Make a new name survive a power failure; only systems that open directories need it."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def cannot_write(path: Path, error: OSError | ValueError) -> FileError:
    """Return the error of a path that cannot be written, with the remedy."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    remedy = "free some space" if full else "choose another path"
    reason = getattr(error, "strerror", None) or error
    return FileError(f"cannot write {path}: {reason}; {remedy}.")


def _umask() -> int:
    # mkstemp makes private files; there is no other way to ask what the user wants.
    mask = os.umask(0)
    os.umask(mask)
    return mask
