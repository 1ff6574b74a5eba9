"""Numbers of own information sets that follow from those after them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import OWN, nothing_at, visitor, walk

Float = npt.NDArray[np.float64]


@part
def _choose(_visit, tally, _g, _me, _block, _depth, _w):
    """Visit own blocks only."""
    return OWN, tally


@part
def _face(_visit, tally, _g, _me, _block, _w):
    """Nothing comes from the opponent."""
    return tally


@part
def _leave(visit, tally, g, _me, block, w):
    """Find the numbers of a block, and pass them on."""
    value = w.value
    at = block_at(g, block)
    for lane in range(at.lanes):
        slot = at.slot + lane
        best = value[U(slot)]
        for _ in range(at.actions):
            best = max(best, value[U(slot)])
            slot += at.stride
        infoset = at.infoset + lane
        here = visit.base[U(infoset)] + visit.factor * best
        visit.number[U(infoset)] = here
        above = parent_of(g, at.parent, lane)
        if visit.longest:
            value[U(above)] = max(value[U(above)], here)
        else:
            value[U(above)] += here
    return tally


@visitor(choose=_choose, face=_face, ends=nothing_at, leave=_leave)
class _Fold(NamedTuple):
    """What numbers are made of, and where they go."""

    base: Float
    factor: float
    longest: bool
    number: Float


@kernel
def fold_own_tree(g, me, base, factor, longest, number, w):
    """Give each of ``me``'s information sets ``base + factor * max_a (numbers after a)``.

    Numbers after an action are added up or, if ``longest``, the largest of them counts. Returns
    what is after the empty sequence.
    """
    w.value[U(0)] = 0.0
    walk(g, me, _Fold(base, factor, longest, number), 0, w)
    return w.value[U(0)]
