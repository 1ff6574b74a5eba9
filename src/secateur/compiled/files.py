"""Compiled games on disk, read by memory-mapping: only what is used comes into memory.

A file is a line of magic, a checksum and a line of JSON (what follows where, with checksums), and
the arrays, each aligned to 64 bytes.
"""

from __future__ import annotations

import json
import mmap
import zlib
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from secateur.atomic import new_file
from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays
from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.labels import LabelArrays
from secateur.errors import FileError

_MAGIC = b"secateur compiled game 1\n"
_ALIGNMENT = 64
_LONGEST_HEADER = 1 << 20

Array = npt.NDArray[Any]
T = TypeVar("T", PruningArrays, BranchArrays)


def save_compiled(game: CompiledGame, path: str | Path) -> None:
    """Write a compiled game to a file."""
    arrays = {**game.arrays._asdict(), **game.labels._asdict()}
    for more in (game.pruning, game.branches):
        if more is not None:
            arrays |= more._asdict()
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
    header = {
        "name": game.name,
        "parameters": game.parameters,
        "root_histories": game.root_histories,
        "stack": game.stack,
        "arrays": described,
        "bytes": offset,
    }
    text = json.dumps(header).encode()
    with new_file(path) as file:
        file.write(_MAGIC + b"%08x %s\n" % (zlib.crc32(text), text))
        file.write(bytes(_aligned(file.tell()) - file.tell()))
        for part in arrays.values():
            file.write(np.ascontiguousarray(part).data)
            file.write(bytes(_aligned(part.nbytes) - part.nbytes))


def open_compiled(path: str | Path) -> CompiledGame:
    """Memory-map a compiled game; the file must stay where it is while the game is in use."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
            line = file.readline(_LONGEST_HEADER)
            start = _aligned(file.tell())
            # Copy on write: nobody writes, but kernels are compiled for arrays that can be written.
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        data = np.frombuffer(mapping, np.uint8)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {error}; check the path.") from error
    if magic != _MAGIC:
        raise FileError(f"{path} is not a compiled game; write one with save_compiled().")
    try:
        checksum, text = line[:8], line[9:-1]
        if checksum != b"%08x" % zlib.crc32(text):
            raise ValueError("the checksum of its header does not match")
        header = json.loads(text)
        if len(data) != start + header["bytes"]:
            raise ValueError("it is cut short or has something appended")
        parts = {name: _array(data, start, name, entry) for name, entry in header["arrays"].items()}
        return CompiledGame(
            name=header["name"],
            parameters={key: _tuples(value) for key, value in header["parameters"].items()},
            arrays=Arrays(**{name: parts[name] for name in Arrays._fields}),
            pruning=_found(PruningArrays, parts),
            branches=_found(BranchArrays, parts),
            labels=LabelArrays(**{name: parts[name] for name in LabelArrays._fields}),
            root_histories=(header["root_histories"][0], header["root_histories"][1]),
            stack=Stack(*header["stack"]),
            mapping=mapping,
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise FileError(f"{path} is damaged ({error}); compile the game again.") from error


def _array(data: Array, start: int, name: str, entry: dict[str, Any]) -> Array:
    dtype = np.dtype(entry["dtype"])
    begin = start + entry["offset"]
    part: Array = data[begin : begin + entry["length"] * dtype.itemsize].view(dtype)
    if len(part) != entry["length"] or zlib.crc32(part.data) != entry["checksum"]:
        raise ValueError(f"the checksum of {name} does not match")
    return part


def _found(kind: type[T], parts: dict[str, Array]) -> T | None:
    """Return arrays that not every game has, if this one has them."""
    names: tuple[str, ...] = kind._fields
    if names[0] not in parts:
        return None
    return kind(**{name: parts[name] for name in names})


def _tuples(value: Any) -> Any:
    """Return JSON's lists as the tuples that parameters are made of."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
