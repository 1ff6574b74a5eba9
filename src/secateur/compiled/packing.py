"""Packs the arrays of a game: numbers that repeat into tables, small numbers into few bytes.

That is the last step of compiling. Before it, arrays hold numbers themselves, of wide types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays, number_types
from secateur.compiled.pairs import with_pairs

Array = npt.NDArray[Any]
T = TypeVar("T", Arrays, PruningArrays, BranchArrays)

TABLES = {
    "factors": ("leaf_factor", "link_factor", "tally_factor", "end_factor", "branch_factor"),
    "payoffs": ("upper", "lower"),
    "chances": ("block_chance", "end_chance", "branch_chance"),
}
"""Which arrays hold places in each table."""

_MOST = int(np.iinfo(np.int16).max)


class Packed(NamedTuple):
    """The arrays of a game, all of them narrow or all of them wide."""

    arrays: Arrays
    pruning: PruningArrays | None
    branches: BranchArrays | None


def packed(found: dict[str, Array], slots: int) -> Packed:
    """Return the arrays of a game with so many slots, narrow if that is possible.

    They are taken away from those that are given, one by one, so that few are there in two forms.
    """
    found |= with_pairs(found.pop("leaf_slot"), found.pop("leaf_row"))
    narrow = counts_are_small(found, slots) and all(
        _fits(found[name], each)
        for kind in (Arrays, PruningArrays, BranchArrays)
        for name, each in number_types(kind, narrow=True).items()
        if name in found
    )
    return Packed(
        _typed(Arrays, found, narrow=narrow),
        _typed(PruningArrays, found, narrow=narrow) if "upper" in found else None,
        _typed(BranchArrays, found, narrow=narrow) if "first_end" in found else None,
    )


def widened(arrays: T) -> T:
    """Return the same arrays as those of a wide game."""
    return _typed(type(arrays), arrays._asdict(), narrow=False)


def counts_are_small(parts: Mapping[str, Array], slots: int) -> bool:
    """Return whether sums of two slots, and a block's leaves and links, can be counted narrowly."""
    shares = [parts[name] for name in ("first_leaf", "first_link") if name in parts]
    return slots_are_small(slots) and all(np.diff(part).max(initial=0) <= _MOST for part in shares)


def slots_are_small(slots: int) -> bool:
    """Return whether sums of two slots can be counted narrowly."""
    return 2 * slots <= _MOST


def with_tables(plain: Mapping[str, Array]) -> dict[str, Array]:
    """Return arrays with places in tables instead of numbers that repeat."""
    found = {**plain}
    for table, names in TABLES.items():
        parts = [plain[name] for name in names if name in plain]
        if parts:
            numbers = np.unique(np.concatenate([np.unique(part) for part in parts]))
            found[table] = numbers
            found |= {
                name: np.searchsorted(numbers, plain[name]) for name in names if name in plain
            }
    return found


def _fits(part: Array, numbers: np.dtype[Any]) -> bool:
    """Return whether a type holds all numbers of an array; of fractions it is not asked."""
    if numbers.kind == "f":
        return True
    limits = np.iinfo(numbers)
    return bool(part.min(initial=0) >= limits.min and part.max(initial=0) <= limits.max)


def _typed(kind: type[T], parts: dict[str, Array], *, narrow: bool) -> T:
    types = number_types(kind, narrow=narrow)
    return kind(**{name: parts.pop(name).astype(each, copy=False) for name, each in types.items()})
