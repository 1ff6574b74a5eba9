"""Where the numbers of a block are."""

from __future__ import annotations

from typing import NamedTuple

from secateur.kernels.compilation.decorator import part
from secateur.kernels.compilation.index import unsigned as U  # noqa: N812 - as everywhere in kernels


class Block(NamedTuple):
    """What a game's arrays say of a block; what is not used of it costs nothing."""

    actions: int
    lanes: int
    stride: int  # the room of a row in slots and matrices: a multiple of four lanes
    cell: int  # the first of its cells; those of an action stand together
    slot: int  # the first of its slots on the stacks
    row: int  # the first of its rows
    infoset: int  # the first of its information sets
    parent: int  # see :func:`~secateur.kernels.core.pruning_parts.parent_of`


@part
def padded(lanes):
    """Return the room that a row takes in slots and matrices: a multiple of four lanes."""
    return (lanes + 3) & ~3


@part
def block_at(g, block):
    """Return where the numbers of a block are."""
    lanes = int(g.lanes[U(block)])
    return Block(
        int(g.actions[U(block)]),
        lanes,
        padded(lanes),
        int(g.first_cell[U(block)]),
        int(g.first_slot[U(block)]),
        int(g.first_row[U(block)]),
        int(g.first_infoset[U(block)]),
        int(g.parent_slot[U(block)]),
    )
