"""Numbers the blocks of a tree of places in preorder."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from secateur.compiled.ranges import before_in_run

Int = npt.NDArray[np.int64]


def preorder(parent: Int, blocks: Int, depth_ends: list[int]) -> tuple[Int, Int]:
    """Return the first block of each place, and the one after the last below it.

    Parameters
    ----------
    parent : array
        Of each place; places stand depth by depth, and siblings in order.
    blocks : array
        How many each has; they come before those below, and all are counted from 1 on.
    depth_ends : list of int
        How many places there are down to each depth.
    """
    total = blocks.copy()
    layers = [slice(*ends) for ends in pairwise([0, *depth_ends])]
    for layer in reversed(layers[1:]):
        np.add.at(total, parent[layer], total[layer])
    first = np.ones(len(parent), np.int64)
    for layer in layers[1:]:
        order = np.argsort(parent[layer], kind="stable")
        above, size = parent[layer][order], total[layer][order]
        here = np.arange(layer.start, layer.stop)[order]
        first[here] = first[above] + blocks[above] + before_in_run(above, size)
    return first, first + total
