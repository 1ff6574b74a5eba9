"""How much of a game lies behind each sequence."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of


@kernel
def add_what_follows(g, at_slot, parent, behind):
    """Add to each sequence's number those of all own sequences that follow it.

    ``at_slot`` is room for a cell per slot of either player, the second player's after the first's.
    ``parent`` becomes the cell before each information set, -1 where its player has not moved yet.
    ``behind`` holds one number per cell.
    """
    slots = len(at_slot) // 2
    at_slot[U(0)] = -1
    at_slot[U(slots)] = -1
    blocks = len(g.player)
    for block in range(1, blocks):
        at = block_at(g, block)
        first = slots * g.player[U(block)]
        for lane in range(at.lanes):
            parent[U(at.infoset + lane)] = at_slot[U(first + parent_of(g, at.parent, lane))]
            for a in range(at.actions):
                at_slot[U(first + at.slot + a * at.stride + lane)] = at.cell + a * at.lanes + lane
    for block in range(blocks - 1, 0, -1):
        at = block_at(g, block)
        for lane in range(at.lanes):
            before = parent[U(at.infoset + lane)]
            if before >= 0:
                for a in range(at.actions):
                    behind[U(before)] += behind[U(at.cell + a * at.lanes + lane)]
