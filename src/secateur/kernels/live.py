"""The part of a game that both players may still reach, packed for the sweep.

A *frame* holds what a sweep needs to know about a block: where its slots and rows are, its leaves
and its links, but for leaves that one of the players cannot reach any more. Frames stand in the
order of the walk, so a sweep reads memory in order, however little of the game is left.

New frames are written at ``used``; those that they replace stay behind until all are written anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.decorator import part
from secateur.kernels.parts import U

Float = npt.NDArray[np.float64]
Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]

(PLAYER, ACTION_COUNT, LANE_COUNT, SLOT, ROW, PARENT, GATES, LEAVES, LINKS, BODY) = (
    *range(7),
    8,
    9,
    10,
)
"""A frame: of the block's arrays, two gates, the number of leaves and links; then these."""

LEAF_SIZE = 5
"""Of a leaf: rows and slots of both players, and the matrix."""

LINK_SIZE = 2
"""Of a link: slot and matrix."""


class Live(NamedTuple):
    """The blocks that both players may still reach, in preorder, and their frames."""

    order: Int
    size: Int  # how many of them are in the subtree, the block itself included
    frames_at: Long
    factors_at: Long
    length: Long  # one number
    frames: Int
    factors: Float  # of leaves, then of links
    used: Long  # of frames, of factors


@part
def write_frame(g, p, block, live, place, alive):
    """Put a block at a place of the list and write its frame; ``alive`` are rows per player."""
    frames = live.frames
    frame = live.used[0]
    factor = live.used[1]
    live.order[U(place)] = block
    live.frames_at[U(place)] = frame
    live.factors_at[U(place)] = factor
    frames[U(frame + PLAYER)] = g.player[U(block)]
    frames[U(frame + ACTION_COUNT)] = g.actions[U(block)]
    frames[U(frame + LANE_COUNT)] = g.lanes[U(block)]
    frames[U(frame + SLOT)] = g.first_slot[U(block)]
    frames[U(frame + ROW)] = g.first_row[U(block)]
    frames[U(frame + PARENT)] = g.parent_slot[U(block)]
    frames[U(frame + GATES)] = g.gate[U(2 * block)]
    frames[U(frame + GATES + 1)] = g.gate[U(2 * block + 1)]
    end = frame + BODY
    leaves = 0
    for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
        row_0 = g.leaf_row[U(2 * leaf)]
        row_1 = g.leaf_row[U(2 * leaf + 1)]
        if alive[0][U(row_0)] and alive[1][U(row_1)]:
            frames[U(end)] = row_0
            frames[U(end + 1)] = row_1
            frames[U(end + 2)] = g.leaf_slot[U(2 * leaf)]
            frames[U(end + 3)] = g.leaf_slot[U(2 * leaf + 1)]
            frames[U(end + 4)] = g.leaf_matrix[U(leaf)]
            live.factors[U(factor)] = g.leaf_factor[U(leaf)]
            end += LEAF_SIZE
            factor += 1
            leaves += 1
    for link in range(p.first_link[U(block)], p.first_link[U(block + 1)]):
        frames[U(end)] = p.link_slot[U(link)]
        frames[U(end + 1)] = p.link_matrix[U(link)]
        live.factors[U(factor)] = p.link_factor[U(link)]
        end += LINK_SIZE
        factor += 1
    frames[U(frame + LEAVES)] = leaves
    frames[U(frame + LINKS)] = p.first_link[U(block + 1)] - p.first_link[U(block)]
    live.used[0] = end
    live.used[1] = factor
