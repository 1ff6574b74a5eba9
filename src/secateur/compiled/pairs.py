"""The table of pairs of rows that leaves join.

Blocks that are never on one path share slots and rows, so the same two places on both stacks are
met again and again: half a million leaves of Leduc poker with 12 bet sizes have 272 pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays
from secateur.compiled.columns import pieces

Array = npt.NDArray[Any]
Int = npt.NDArray[np.int64]


def with_pairs(slot: Array, row: Array) -> dict[str, Array]:
    """Return a table of pairs, in order, and the place of each leaf in it.

    ``slot`` and ``row`` tell where the rows of either player stand, leaf by leaf.
    """
    slot, row = slot.reshape(-1, 2), row.reshape(-1, 2)
    width = 1 + int(row.max(initial=0))

    def standing(player: int, piece: slice) -> Int:
        found: Int = slot[piece, player].astype(np.int64) * width + row[piece, player]
        return found

    known = [_all_of(partial(standing, player), len(slot)) for player in range(2)]
    count = max(1, len(known[1]))

    def pair(piece: slice) -> Int:
        first, second = (np.searchsorted(known[me], standing(me, piece)) for me in range(2))
        found: Int = first * count + second
        return found

    table = _all_of(pair, len(slot))
    place = np.empty(len(slot), np.int16 if len(table) <= 1 << 15 else np.int32)
    for piece in pieces(len(slot)):
        place[piece] = np.searchsorted(table, pair(piece))
    both = np.column_stack([known[0][table // count], known[1][table % count]]).ravel()
    return {"leaf_pair": place, "pair_slot": both // width, "pair_row": both % width}


def _all_of(read: Callable[[slice], Int], length: int) -> Int:
    """Return the numbers that are read, each once and in order."""
    found = [np.unique(read(piece)) for piece in pieces(length)]
    return np.unique(np.concatenate([np.zeros(0, np.int64), *found]))


def slots_of_leaves(arrays: Arrays) -> Array:
    """Return where the rows that each leaf joins begin, a column for each player."""
    return arrays.pair_slot.reshape(-1, 2)[arrays.leaf_pair]


def rows_of_leaves(arrays: Arrays) -> Array:
    """Return the addresses of the rows that each leaf joins, a column for each player."""
    return arrays.pair_row.reshape(-1, 2)[arrays.leaf_pair]
