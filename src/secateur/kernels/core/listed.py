"""Walks to some blocks only: those of a list, in order, and what lies behind what they mark."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.parts import U


@part
def next_listed(blocks, count, following, block):
    """Return the place of the first of ``count`` listed blocks that is ``block`` or after it."""
    while following < count and blocks[U(following)] < block:
        following += 1
    return following


@part
def is_ahead(g, blocks, count, following, block):
    """Return whether a listed block is in a block's subtree; the block itself counts."""
    return following < count and blocks[U(following)] < g.subtree_end[U(block)]
