"""Arrays in a file, with checksums: what compiled games and checkpoints are written as.

A file is a line of magic, a checksum and a line of JSON (facts, and what follows where, with
checksums), and the arrays, each aligned to 64 bytes.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.atomic import new_file
from secateur.errors import FileError, unreadable

_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 24

DAMAGES = (ValueError, KeyError, TypeError, IndexError, AttributeError)
"""What reading a header can raise that is not what was written."""

Array = npt.NDArray[Any]


class Kind(NamedTuple):
    """A kind of file: its first line, and the words of its errors."""

    magic: bytes
    what: str
    origin: str
    """How a file of this kind is made."""

    remedy: str
    """What to do about one that is damaged."""

    def damaged(self, path: Path, reason: object) -> FileError:
        """Return the error of a file that is not what was written."""
        return FileError(f"{path} is damaged ({reason}); {self.remedy}.")


class Archive(NamedTuple):
    """What a file holds; the file must stay where it is while the arrays are in use."""

    facts: dict[str, Any]
    arrays: dict[str, Array]
    mapping: mmap.mmap


def write_archive(
    path: str | Path, kind: Kind, facts: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Write facts, which JSON must be able to tell, and arrays of one dimension."""
    described: dict[str, Any] = {}
    offset = 0
    for name, part in arrays.items():
        described[name] = {
            "dtype": part.dtype.str,
            "length": len(part),
            "offset": offset,
            "checksum": zlib.crc32(np.ascontiguousarray(part).data),
        }
        offset += _aligned(part.nbytes)
    text = json.dumps({**facts, "arrays": described, "bytes": offset}).encode()
    with new_file(path) as file:
        file.write(kind.magic + b"%08x %s\n" % (zlib.crc32(text), text))
        file.write(bytes(_aligned(file.tell()) - file.tell()))
        for part in arrays.values():
            file.write(np.ascontiguousarray(part).data)
            file.write(bytes(_aligned(part.nbytes) - part.nbytes))


def open_archive(path: str | Path, kind: Kind) -> Archive:
    """Memory-map a file and compare all checksums."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            header = _header(path, kind, file)
            start = _aligned(file.tell())
            # Copy on write: nobody writes, but kernels are compiled for arrays that can be written.
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except OSError as error:
        raise unreadable(path, error) from error
    data = np.frombuffer(mapping, np.uint8)
    try:
        if len(data) != start + header.pop("bytes"):
            raise ValueError("it is cut short or has something appended")
        described = header.pop("arrays").items()
        parts = {name: _array(data, start, name, entry) for name, entry in described}
    except DAMAGES as error:
        raise kind.damaged(path, error) from error
    return Archive(header, parts, mapping)


def _header(path: Path, kind: Kind, file: BinaryIO) -> dict[str, Any]:
    if file.read(len(kind.magic)) != kind.magic:
        raise FileError(f"{path} is not {kind.what}; {kind.origin}.")
    line = file.readline(_LONGEST_HEADER)
    checksum, text = line[:8], line[9:-1]
    if checksum != b"%08x" % zlib.crc32(text):
        raise kind.damaged(path, "the checksum of its header does not match")
    try:
        header: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise kind.damaged(path, error) from error
    return header


def _array(data: Array, start: int, name: str, entry: dict[str, Any]) -> Array:
    dtype = np.dtype(entry["dtype"])
    begin = start + entry["offset"]
    part: Array = data[begin : begin + entry["length"] * dtype.itemsize].view(dtype)
    if len(part) != entry["length"] or zlib.crc32(part.data) != entry["checksum"]:
        raise ValueError(f"the checksum of {name} does not match")
    return part


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
