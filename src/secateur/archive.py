"""Arrays in a file, with checksums: what compiled games and checkpoints are written as.

A file is a line of magic, a checksum and a line of JSON (facts, and what follows where, with
checksums), and the arrays, each aligned to 64 bytes.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Collection, Container, Mapping
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from secateur.atomic import new_file
from secateur.errors import FileError
from secateur.memory import release_pages
from secateur.regular_files import cannot_read, open_regular
from secateur.schema import Bytes, Checksum, MalformedError, Name, decoded, shortened, written

_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 24
_CHUNK = 1 << 20

Array = npt.NDArray[Any]

DTYPES = {
    np.dtype(each).str: np.dtype(each)
    for each in (
        *(np.float64, np.float32),
        *(np.int64, np.int32, np.int16, np.int8),
        *(np.uint16, np.uint8),
    )
} | {each: np.dtype(each) for each in ("<f8", "<f4")}
"""The types that arrays may have, by the names that stand in files: of this machine, and those of
compact strategies."""


class _Entry(Struct, frozen=True):
    """Where an array stands, and what it is made of."""

    dtype: Annotated[str, Meta(max_length=8)]
    length: Bytes
    offset: Bytes
    checksum: Checksum


class _Layout(Struct, frozen=True):
    """What every header says."""

    arrays: dict[Name, _Entry]
    bytes: Bytes


class Kind(NamedTuple):
    """A kind of file: its first line, and the words of its errors."""

    magic: bytes
    what: str
    origin: str
    """How a file of this kind is made."""

    remedy: str
    """What to do about one that is damaged."""

    def damaged(self, path: str | Path, reason: object) -> FileError:
        """Return the error of a file that is not what was written."""
        return FileError(f"{path} is damaged ({shortened(reason)}); {self.remedy}.")


Facts = TypeVar("Facts")


class Archive(NamedTuple, Generic[Facts]):
    """What a file holds; the file must stay where it is while the arrays are in use."""

    facts: Facts
    arrays: dict[str, Array]
    mapping: mmap.mmap


def write_archive(
    path: str | Path,
    kind: Kind,
    facts: Mapping[str, Any],
    arrays: Mapping[str, Array],
    unbounded: Collection[str] = (),
) -> None:
    """Write facts, which JSON must be able to tell, and arrays of one dimension.

    Raises
    ------
    FileError
        If a number is not finite, but for arrays named in ``unbounded``.
    """
    described: dict[str, Any] = {}
    offset = 0
    for name, part in arrays.items():
        if name not in unbounded and not is_finite(part):
            raise _not_finite(path, kind, name)
        described[name] = {
            "dtype": part.dtype.str,
            "length": len(part),
            "offset": offset,
            "checksum": zlib.crc32(np.ascontiguousarray(part).data),
        }
        offset += _aligned(part.nbytes)
    try:
        text = written({**facts, "arrays": described, "bytes": offset}).encode()
    except ValueError as error:
        raise _not_finite(path, kind, "what is told about it") from error
    with new_file(path) as file:
        file.write(kind.magic + b"%08x %s\n" % (zlib.crc32(text), text))
        file.write(bytes(_aligned(file.tell()) - file.tell()))
        for part in arrays.values():
            file.write(np.ascontiguousarray(part).data)
            file.write(bytes(_aligned(part.nbytes) - part.nbytes))


def archive_header(path: str | Path, kind: Kind) -> bytes:
    """Return the JSON on top of a file, whatever may follow."""
    with open_regular(path) as file:
        try:
            return _header(path, kind, file)
        except OSError as error:
            raise cannot_read(path, error.strerror or error) from error


def open_archive(
    path: str | Path,
    kind: Kind,
    facts: type[Facts],
    most: int | None = None,
    only: Container[str] | None = None,
    *,
    own: bool = False,
) -> Archive[Facts]:
    """Memory-map a file and compare the checksums of its arrays.

    Parameters
    ----------
    path : str or Path
        The file.
    kind : Kind
        What it should be.
    facts : type
        What its header must tell.
    most : int
        How many numbers it can hold, if that is known: a file that claims more is not read.
    only : container of str
        The arrays to return; others are not even read. All if not given.
    own : bool
        Whether the file is this program's alone. Then no copy is made if somebody writes, and the
        system does not count the file as memory that the process may need.
    """
    with open_regular(path, writable=own) as file:
        try:
            header = _header(path, kind, file)
            start = _aligned(file.tell())
            # Copy on write: nobody writes, but kernels are compiled for arrays that can be written.
            access = mmap.ACCESS_WRITE if own else mmap.ACCESS_COPY
            mapping = mmap.mmap(file.fileno(), 0, access=access)
        except (OSError, ValueError) as error:
            raise cannot_read(path, getattr(error, "strerror", None) or error) from error
    data = np.frombuffer(mapping, np.uint8)
    try:
        layout = decoded(header, _Layout)
        found = decoded(header, facts)
        if len(data) != start + layout.bytes:
            raise MalformedError("it is cut short or has something appended")
        if most is not None and sum(each.length for each in layout.arrays.values()) > most:
            raise MalformedError(f"it holds more than {most:,} numbers")
        parts = _arrays(data[start:], layout, layout.arrays if only is None else only)
    except MalformedError as error:
        raise kind.damaged(path, error) from error
    return Archive(found, parts, mapping)


def is_finite(part: Array) -> bool:
    """Return whether all numbers are finite, without another array of that size."""
    if part.dtype.kind != "f":
        return True
    chunks = (part[begin : begin + _CHUNK] for begin in range(0, len(part), _CHUNK))
    return all(np.isfinite(chunk).all() for chunk in chunks)


def _header(path: str | Path, kind: Kind, file: BinaryIO) -> bytes:
    begin = file.read(len(kind.magic))
    if begin != kind.magic:
        if begin[:-2] == kind.magic[:-2] and begin[-2:-1].isdigit():
            raise FileError(f"{path} is {kind.what} in another format; {kind.remedy}.")
        raise FileError(f"{path} is not {kind.what}; {kind.origin}.")
    line = file.readline(_LONGEST_HEADER)
    checksum, text = line[:8], line[9:-1]
    if checksum != b"%08x" % zlib.crc32(text):
        raise kind.damaged(path, "the checksum of its header does not match")
    return text


def _arrays(data: Array, layout: _Layout, only: Container[str]) -> dict[str, Array]:
    """Return some arrays; all must stand one after the other as they are written."""
    parts: dict[str, Array] = {}
    offset = 0
    for name, entry in layout.arrays.items():
        dtype = DTYPES.get(entry.dtype)
        if dtype is None:
            raise MalformedError(f"{name} has numbers of an unknown type, {entry.dtype!r}")
        size = entry.length * dtype.itemsize
        if entry.offset != offset or offset + size > len(data):
            raise MalformedError(f"{name} does not stand where it should")
        if name in only:
            part: Array = data[offset : offset + size].view(dtype)
            if zlib.crc32(part.data) != entry.checksum:
                raise MalformedError(f"the checksum of {name} does not match")
            release_pages(part, len(part))  # it is read again where it is used
            parts[name] = part
        offset += _aligned(size)
    if offset != len(data):
        raise MalformedError("it is cut short or has something appended")
    return parts


def _not_finite(path: str | Path, kind: Kind, name: str) -> FileError:
    return FileError(
        f"cannot write {path}: {name} would have numbers that are not finite, with which "
        f"{kind.what} is of no use; the payoffs may be too large."
    )


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
