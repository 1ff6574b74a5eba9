"""The part of a game that both players may still reach, packed for the sweep.

A *frame* holds what a sweep needs to know about a block: where its slots and rows are, which rows
are alive, its leaves and its links, but for leaves that one of the players cannot reach any more.
Frames stand in the order of the walk, so a sweep reads memory in order, however little of the game
is left.

New frames are written at ``used``; those that they replace stay behind until all are written anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U

Int = npt.NDArray[np.signedinteger]
Long = npt.NDArray[np.int64]

(PLAYER, ACTION_COUNT, LANE_COUNT, SLOT, ROW, PARENT, GATES, ROWS, LEAVES, LINKS, BODY) = (
    *range(7),
    8,
    9,
    10,
    11,
)
"""A frame: of the block's arrays, two gates, the number of living rows, leaves and links; then
these."""

LEAF_SIZE = 3
"""Of a leaf: which pair of rows, the matrix, and which factor."""

LINK_SIZE = 4
"""Of a link: row, slot, matrix, and which factor."""


@book
class Live(NamedTuple):
    """The blocks that both players may still reach, in preorder, and their frames."""

    order: Int
    size: Int  # how many of them are in the subtree, the block itself included
    frames_at: Int
    ids_at: Int  # of the record
    numbers_at: Int
    length: Long  # one number
    frames: Int
    used: Long  # one number: of frames


@stage
def write_frame(g, p, block, s, live, place, alive):
    """Put a block at a place of the list and write its frame; ``alive`` are rows per player."""
    frames = live.frames
    frame = live.used[0]
    live.order[U(place)] = block
    live.frames_at[U(place)] = frame
    live.ids_at[U(place)] = s.ids_at[U(block)]
    live.numbers_at[U(place)] = s.numbers_at[U(block)]
    frames[U(frame + PLAYER)] = g.player[U(block)]
    at = block_at(g, block)
    frames[U(frame + ACTION_COUNT)] = at.actions
    frames[U(frame + LANE_COUNT)] = at.lanes
    frames[U(frame + SLOT)] = at.slot
    frames[U(frame + ROW)] = at.row
    frames[U(frame + PARENT)] = at.parent
    frames[U(frame + GATES)] = g.gate[U(2 * block)]
    frames[U(frame + GATES + 1)] = g.gate[U(2 * block + 1)]
    end = frame + BODY
    player = g.player[U(block)]
    if player < 2:
        for a in range(at.actions):
            if alive[player][U(at.row + a)]:
                frames[U(end)] = a
                end += 1
    frames[U(frame + ROWS)] = end - frame - BODY
    leaves = 0
    for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
        pair = g.leaf_pair[U(leaf)]
        if alive[0][U(g.pair_row[U(2 * pair)])] and alive[1][U(g.pair_row[U(2 * pair + 1)])]:
            frames[U(end)] = pair
            frames[U(end + 1)] = g.leaf_matrix[U(leaf)]
            frames[U(end + 2)] = g.leaf_factor[U(leaf)]
            end += LEAF_SIZE
            leaves += 1
    for link in range(p.first_link[U(block)], p.first_link[U(block + 1)]):
        frames[U(end)] = p.link_row[U(link)]
        frames[U(end + 1)] = p.link_slot[U(link)]
        frames[U(end + 2)] = p.link_matrix[U(link)]
        frames[U(end + 3)] = p.link_factor[U(link)]
        end += LINK_SIZE
    frames[U(frame + LEAVES)] = leaves
    frames[U(frame + LINKS)] = p.first_link[U(block + 1)] - p.first_link[U(block)]
    live.used[0] = end
