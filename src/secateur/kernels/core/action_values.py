"""What each action is worth if its player follows the strategy afterwards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes
from secateur.kernels.core.walk import begin, choose_everything, visitor, walk

Float = npt.NDArray[np.float64]


@part
def _leave(visit, tally, g, me, block, w):
    """Keep the reach of each lane and the values of its actions; fold its expected value."""
    reach_of_lanes(g, visit.p, me, block, w.reach, visit.lane_reach)
    value = w.value
    at = block_at(g, block)
    for lane in range(at.lanes):
        cell = at.cell + lane
        slot = at.slot + lane
        expected = 0.0
        for _ in range(at.actions):
            visit.reaches[U(cell)] = visit.lane_reach[U(at.slot + lane)]
            visit.values[U(cell)] = value[U(slot)]
            expected += visit.behavior[U(cell)] * value[U(slot)]
            cell += at.lanes
            slot += at.stride
        value[U(parent_of(g, at.parent, lane))] += expected
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
