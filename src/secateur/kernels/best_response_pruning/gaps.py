"""Finds actions that cannot catch up, from regrets alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.best_response_pruning.average import face_average
from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    LANE,
    LANES,
    REACH,
    SUM,
    Store,
    after_lane,
    bound_of,
    expected_skip,
    find_rows_alive,
    number_of_bound,
    sections_at,
)
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U, clear_values
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes
from secateur.kernels.core.walk import EVERYTHING, SKIP, begin, no_ends, visitor, walk

Float = npt.NDArray[np.float64]


@stage
def _leave(visit, tally, g, me, block, w):
    """Fold a block's gaps into its parents and prune."""
    p, s, value, lane_reach = visit.p, visit.s, w.value, visit.lane_reach
    reach_of_lanes(g, p, me, block, w.reach, lane_reach)
    at = block_at(g, block)
    ids, numbers = s.ids, s.numbers
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = s.numbers_at[U(block)]
    attic = s.attic_at[U(block)]
    entry = attic + 1
    end = entry + s.attic_ids[U(attic)]
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        alive = ids[U(names + ALIVE)]
        cells = sections_at(values, alive)
        best = -np.inf
        keep = -1  # the best action that is not pruned stays so
        for k in range(alive):
            slot = at.slot + ids[U(names + ACTIONS + k)] * at.stride + lane
            value[U(slot)] += numbers[U(cells + s.plain * alive + k)]
            if value[U(slot)] > best:
                best = value[U(slot)]
                keep = k
        while entry < end and s.attic_ids[U(entry)] < (lane + 1) * at.actions:
            best = max(best, bound_of(g, p, block, s, entry, lane, values))
            entry += 1
        value[U(parent_of(g, at.parent, lane))] += best
        reach = lane_reach[U(at.slot + lane)]
        for k in range(alive):
            a = ids[U(names + ACTIONS + k)]
            gap = value[U(at.slot + a * at.stride + lane)]
            if (
                k != keep
                and gap < min(0.0, best) - visit.tolerance
                and expected_skip(g, p, block, s, lane, a, gap, reach, visit.pace)
                >= visit.minimum_skip
            ):
                numbers[U(cells + k)] = number_of_bound(
                    g,
                    p,
                    block,
                    s,
                    lane,
                    a,
                    gap,
                    numbers[U(values + REACH)],
                    numbers[U(values + SUM)],
                )
                ids[U(names + ACTIONS + k)] = ~a
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
    return tally


@part
def _choose(visit, tally, g, me, block, _depth, _w):
    """Leave out what lies behind rows in which nothing of ``me`` is alive."""
    return EVERYTHING if visit.alive[U(g.gate[U(2 * block + me)])] else SKIP, tally


@part
def _open(visit, tally, g, _me, block, w):
    """Let gaps begin at zero; see which rows are alive."""
    clear_values(g, block, w.value)
    find_rows_alive(g, block, visit.s, visit.alive)
    return tally


@visitor(choose=_choose, open=_open, face=face_average, ends=no_ends, leave=_leave)
class _Find(NamedTuple):
    """Where to look, and what to prune."""

    p: PruningArrays
    s: Store
    pace: float
    tolerance: float
    minimum_skip: float
    flow: Float
    lane_reach: Float
    alive: npt.NDArray[np.bool_]


@kernel
def find_prunable(g, p, me, s, weight, total_weight, tolerance, minimum_skip, w, scratch):
    """Prune what cannot catch up: make its ids negative, and its regrets the numbers of bounds.

    The store must be compacted before it is used again.

    One pass from the ends up computes, for every active cell, its best-response value minus the
    sum of values so far, from regrets alone: ``gap(I, a) = R(I, a) + sum of Gap(I')`` over the
    information sets that follow, ``Gap(I) = max gap(I, a)``; of a pruned action the bound is taken.
    """
    flow, lane_reach, alive = scratch.flows[0], scratch.lane_reach, scratch.alive[0]
    flow[U(0)] = total_weight
    alive[U(0)] = True
    begin(w, total_weight)
    pace = weight / total_weight
    walk(g, me, _Find(p, s, pace, tolerance, minimum_skip, flow, lane_reach, alive), 0, w)
