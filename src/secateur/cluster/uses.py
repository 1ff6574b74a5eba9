"""What pieces read and write of the stacks of the trunk: a small part of what is kept there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays
from secateur.compiled.parts import Part
from secateur.compiled.ranges import gathered

Int = npt.NDArray[np.int64]


class Uses(NamedTuple):
    """Addresses on the stacks, for each player and piece."""

    slots: list[list[Int]]
    rows: list[list[Int]]


def uses_of(part: Part) -> Uses:
    """Return what the pieces of a part use that belongs to the trunk."""
    arrays, cut = part.game.arrays, part.cut
    found = Uses([[], []], [[], []])
    for piece, (first, end) in enumerate(zip(cut.first.tolist(), cut.end.tolist(), strict=True)):
        blocks = np.arange(first, end)
        leaves = np.arange(int(arrays.first_leaf[first]), int(arrays.first_leaf[end]))
        for player in range(2):
            slots = np.append(
                _parents(arrays, blocks[arrays.player[blocks] == player]),
                _of_leaves(arrays, leaves, player),
            )
            gates = arrays.gate[2 * blocks + player]
            ends = arrays.pair_row[2 * arrays.leaf_pair[leaves].astype(np.int64) + player]
            rows = np.append(gates, ends).astype(np.int64)
            place = 2 * piece + player
            found.slots[player].append(np.unique(slots[slots < cut.slots[place]]))
            found.rows[player].append(np.unique(rows[rows < cut.rows[place]]))
    return found


def _parents(arrays: Arrays, blocks: Int) -> Int:
    """Return the slots of the sequences that lead to blocks."""
    parent = arrays.parent_slot[blocks].astype(np.int64)
    lanes = arrays.lanes[blocks].astype(np.int64)
    in_row = parent >= 0
    first = parent[in_row]
    apart = -1 - parent[~in_row]
    listed = arrays.lane_parent_slot[gathered(apart, apart + lanes[~in_row])]
    return np.append(gathered(first, first + lanes[in_row]), listed)


def _of_leaves(arrays: Arrays, leaves: Int, player: int) -> Int:
    """Return the slots of the sequences that end in leaves."""
    pairs = arrays.leaf_pair[leaves].astype(np.int64)
    first = arrays.pair_slot[2 * pairs + player].astype(np.int64)
    matrices = arrays.leaf_matrix[leaves].astype(np.int64)
    return gathered(first, first + arrays.matrix_lanes[2 * matrices + player].astype(np.int64))
