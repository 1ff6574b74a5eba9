"""How much of a run on dense arrays would stay alive if it were pruned now."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.best_response_pruning.store import ROUNDING, rounding
from secateur.kernels.best_response_pruning.value_sums import face_counted
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes, skip_length
from secateur.kernels.core.walk import begin, visitor, walk

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@part
def _leave(visit, tally, g, me, block, w):
    """Note which cells of a block could be pruned; pass best responses on."""
    p, value, lane_reach = visit.p, w.value, visit.lane_reach
    at = block_at(g, block)
    reach_of_lanes(g, p, me, block, w.reach, lane_reach)
    for lane in range(at.lanes):
        best = -np.inf
        keep = -1
        for a in range(at.actions):
            here = value[U(at.slot + a * at.stride + lane)]
            if here > best:
                best = here
                keep = a
        value[U(parent_of(g, at.parent, lane))] += best
        value_sum = visit.sums[U(at.infoset + lane)]
        least = p.payoffs[U(p.lower[U(at.infoset + lane)])]
        reach = lane_reach[U(at.slot + lane)]
        for a in range(at.actions):
            cell = at.cell + a * at.lanes + lane
            gap = value[U(at.slot + a * at.stride + lane)] - value_sum
            most = p.payoffs[U(p.upper[U(cell)])]
            skip = skip_length(gap, reach, visit.pace, most - least)
            visit.loses[U(cell)] = (
                a != keep
                and visit.regret[U(cell)] <= visit.nothing
                and gap < min(0.0, best - value_sum) - visit.tolerance
                and skip >= visit.minimum_skip
            )
    return tally


@visitor(face=face_counted, leave=_leave)
class _Foresee(NamedTuple):
    """A best response to strategy sums, and what it says of cells; its tally: histories touched."""

    p: PruningArrays
    plan: Float
    regret: Float
    sums: Float
    pace: float
    tolerance: float
    nothing: float
    minimum_skip: float
    lane_reach: Float
    loses: Flags


@kernel
def foresee(
    g, p, me, regret, total, sums, weight, total_weight, payoff_range, minimum_skip, loses, w, room
):
    """Note which cells of ``me`` ``lose`` enough to be pruned; return the histories touched.

    ``sums`` are what information sets have earned, ``room`` is one number per slot. It is what a
    search would find, but for actions that are played by regrets which are sums.
    """
    begin(w, total_weight)
    visit = _Foresee(
        p,
        total,
        regret,
        sums,
        weight / total_weight,
        rounding(total_weight, payoff_range),
        ROUNDING * payoff_range,
        minimum_skip,
        room,
        loses,
    )
    return walk(g, me, visit, 0, w)


@kernel
def blocks_alive(g, loses, marks, alive):
    """Return how many blocks both players may still reach without the cells that ``lose``.

    ``marks`` and ``alive`` are room for the slots and rows of both players.
    """
    for player in range(2):
        marks[player][U(0)] = True
        alive[player][U(0)] = True
    count = 0
    block = 0
    while block < len(g.player):
        if not (alive[0][U(g.gate[U(2 * block)])] and alive[1][U(g.gate[U(2 * block + 1)])]):
            block = g.subtree_end[U(block)]
            continue
        count += 1
        player = g.player[U(block)]
        if player < 2:
            _mark(g, block, loses, marks[player], alive[player])
        block += 1
    return count


@part
def _mark(g, block, loses, mark, alive):
    """Mark the slots and rows of a block that stay alive."""
    at = block_at(g, block)
    for a in range(at.actions):
        some = False
        for lane in range(at.lanes):
            lives = not loses[U(at.cell + a * at.lanes + lane)]
            lives &= mark[U(parent_of(g, at.parent, lane))]
            mark[U(at.slot + a * at.stride + lane)] = lives
            some |= lives
        alive[U(at.row + a)] = some
