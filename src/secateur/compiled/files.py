"""Compiled games on disk, read by memory-mapping: only what is used comes into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from secateur.archive import DAMAGES, Array, Kind, open_archive, write_archive
from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays
from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.labels import LabelArrays

_KIND = Kind(
    magic=b"secateur compiled game 2\n",
    what="a compiled game",
    origin="write one with save_compiled()",
    remedy="compile the game again",
)

T = TypeVar("T", PruningArrays, BranchArrays)


def save_compiled(game: CompiledGame, path: str | Path) -> None:
    """Write a compiled game to a file."""
    facts = {
        "name": game.name,
        "parameters": game.parameters,
        "root_histories": game.root_histories,
        "stack": game.stack,
    }
    write_archive(path, _KIND, facts, game.all_arrays())


def open_compiled(path: str | Path) -> CompiledGame:
    """Memory-map a compiled game; the file must stay where it is while the game is in use."""
    facts, parts, mapping = open_archive(path, _KIND)
    try:
        return CompiledGame(
            name=facts["name"],
            parameters={key: _tuples(value) for key, value in facts["parameters"].items()},
            arrays=Arrays(**{name: parts[name] for name in Arrays._fields}),
            pruning=_found(PruningArrays, parts),
            branches=_found(BranchArrays, parts),
            labels=LabelArrays(**{name: parts[name] for name in LabelArrays._fields}),
            root_histories=(facts["root_histories"][0], facts["root_histories"][1]),
            stack=Stack(*facts["stack"]),
            mapping=mapping,
        )
    except DAMAGES as error:
        raise _KIND.damaged(Path(path), error) from error


def _found(kind: type[T], parts: dict[str, Array]) -> T | None:
    """Return arrays that not every game has, if this one has them."""
    names: tuple[str, ...] = kind._fields
    if names[0] not in parts:
        return None
    return kind(**{name: parts[name] for name in names})


def _tuples(value: Any) -> Any:
    """Return JSON's lists as the tuples that parameters are made of."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
