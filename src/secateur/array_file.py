"""Files of named arrays, read by memory-mapping: only what is used comes into memory.

A file is a line of magic, a line with a checksum and JSON (a header, and what follows where, with
checksums), and the arrays, each aligned to 64 bytes.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.atomic import new_file
from secateur.errors import FileError

_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 20

Array = npt.NDArray[Any]


class ArrayFile(NamedTuple):
    """What a file holds."""

    header: dict[str, Any]
    arrays: dict[str, Array]
    mapping: mmap.mmap
    """The memory that the arrays are in."""


def write_arrays(
    path: str | Path, magic: bytes, header: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Write a file that begins with ``magic``; it appears whole or not at all."""
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
    text = json.dumps({**header, "arrays": described, "bytes": offset}).encode()
    with new_file(path) as file:
        file.write(magic + b"%08x %s\n" % (zlib.crc32(text), text))
        file.write(bytes(_aligned(file.tell()) - file.tell()))
        for part in arrays.values():
            file.write(np.ascontiguousarray(part).data)
            file.write(bytes(_aligned(part.nbytes) - part.nbytes))


def begins_with(path: str | Path, magic: bytes) -> bool:
    """Whether a file can be read and begins so."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False


def read_arrays(path: str | Path, magic: bytes) -> ArrayFile:
    """Map a file that begins with ``magic``; it must stay where it is while arrays are in use.

    Raises
    ------
    FileError
        If it cannot be read.
    ValueError
        If it is damaged; the message says how.
    """
    try:
        with Path(path).open("rb") as file:
            file.seek(len(magic))
            line = file.readline(_LONGEST_HEADER)
            start = _aligned(file.tell())
            # Copy on write: nobody writes, but kernels are compiled for arrays that can be written.
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {error}; check the path.") from error
    data = np.frombuffer(mapping, np.uint8)
    checksum, text = line[:8], line[9:-1]
    if checksum != b"%08x" % zlib.crc32(text):
        raise ValueError("the checksum of its header does not match")
    try:
        header = json.loads(text)
        if len(data) != start + header.pop("bytes"):
            raise ValueError("it is cut short or has something appended")
        described = header.pop("arrays")
        arrays = {name: _array(data, start, name, entry) for name, entry in described.items()}
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"its header makes no sense: {error!r}") from error
    return ArrayFile(header, arrays, mapping)


def _array(data: Array, start: int, name: str, entry: dict[str, Any]) -> Array:
    dtype = np.dtype(entry["dtype"])
    begin = start + entry["offset"]
    part: Array = data[begin : begin + entry["length"] * dtype.itemsize].view(dtype)
    if len(part) != entry["length"] or zlib.crc32(part.data) != entry["checksum"]:
        raise ValueError(f"the checksum of {name} does not match")
    return part


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
