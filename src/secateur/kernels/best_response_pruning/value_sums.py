"""Recovers sums of values from regrets: with regret matching both are two sides of one sum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import begin, visitor, walk

Float = npt.NDArray[np.float64]


@part
def _leave(visit, tally, g, _me, block, w):
    """Find what a block's information sets have earned, and add it to their parents."""
    value, regret = w.value, visit.regret
    at = block_at(g, block)
    for lane in range(at.lanes):
        earned = value[U(at.slot + lane)] - regret[U(at.cell + lane)]
        visit.sums[U(at.infoset + lane)] = earned
        value[U(parent_of(g, at.parent, lane))] += earned
    return tally


@visitor(leave=_leave)
class _Recover(NamedTuple):
    """What is known of a run, and where its sums of values go."""

    plan: Float  # strategy sums
    scale: float
    regret: Float
    sums: Float


@kernel
def recover_value_sums(g, me, regret, total, weight, sums, w):
    """Write what ``me``'s information sets have earned so far to ``sums``.

    The values of an action summed up are those of the leaves behind it against the opponent's
    strategy sums (``total``, and ``weight`` of the empty sequence) and the sums of the information
    sets that follow. Its regret is that minus the sum of its own information set.
    """
    begin(w, weight)
    walk(g, me, _Recover(total, 1.0, regret, sums), 0, w)
