"""Compiled games on disk, read by memory-mapping: only what is used comes into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy.typing as npt

from secateur.array_file import begins_with, read_arrays, write_arrays
from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays
from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.labels import LabelArrays
from secateur.errors import FileError

_MAGIC = b"secateur compiled game 1\n"

Array = npt.NDArray[Any]
T = TypeVar("T", PruningArrays, BranchArrays)


def save_compiled(game: CompiledGame, path: str | Path) -> None:
    """Write a compiled game to a file."""
    arrays = {**game.arrays._asdict(), **game.labels._asdict()}
    for more in (game.pruning, game.branches):
        if more is not None:
            arrays |= more._asdict()
    header = {
        "name": game.name,
        "parameters": game.parameters,
        "root_histories": game.root_histories,
        "stack": game.stack,
    }
    write_arrays(path, _MAGIC, header, arrays)


def open_compiled(path: str | Path) -> CompiledGame:
    """Memory-map a compiled game; the file must stay where it is while the game is in use."""
    path = Path(path)
    if path.is_file() and not begins_with(path, _MAGIC):
        raise FileError(f"{path} is not a compiled game; write one with save_compiled().")
    try:
        header, parts, mapping = read_arrays(path, _MAGIC)
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


def _found(kind: type[T], parts: dict[str, Array]) -> T | None:
    """Return arrays that not every game has, if this one has them."""
    names: tuple[str, ...] = kind._fields
    if names[0] not in parts:
        return None
    return kind(**{name: parts[name] for name in names})


def _tuples(value: Any) -> Any:
    """Return JSON's lists as the tuples that parameters are made of."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
