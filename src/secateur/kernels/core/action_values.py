"""What each action is worth if its player follows the strategy afterwards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.evaluate import fold_expected
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import reach_of_lanes
from secateur.kernels.core.walk import begin, choose_everything, visitor, walk

Float = npt.NDArray[np.float64]


@part
def _leave(visit, tally, g, me, block, w):
    """Keep the reach of each lane and the values of its actions; fold its expected value."""
    reach_of_lanes(g, visit.p, me, block, w.reach, visit.lane_reach)
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        for lane in range(at.lanes):
            visit.reaches[U(cell + lane)] = visit.lane_reach[U(at.slot + lane)]
            visit.values[U(cell + lane)] = w.value[U(slot + lane)]
        cell += at.lanes
        slot += at.stride
    fold_expected(g, at, visit.behavior, w.value)
    return tally


@visitor(choose=choose_everything, leave=_leave)
class _Evaluate(NamedTuple):
    """Both players' strategies, and where values and reach go."""

    p: PruningArrays
    plan: Float
    scale: float
    behavior: Float
    values: Float
    reaches: Float
    lane_reach: Float


@kernel
def counterfactual_values(g, p, me, plan, behavior, values, reaches, lane_reach, w):
    """Write the counterfactual value of every own sequence, and how it is reached by the others.

    Values are weighted by the probability that chance and the opponent come there: the reach.
    """
    begin(w, 1.0)
    walk(g, me, _Evaluate(p, plan, 1.0, behavior, values, reaches, lane_reach), 0, w)
