"""Finds actions that cannot catch up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.best_response_pruning.average import face_flow, keep_flow, take_flow
from secateur.kernels.best_response_pruning.stacks import LivePieces
from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    LANE,
    LANES,
    REACH,
    ROUNDING,
    VALUE_SUM,
    Store,
    after_lane,
    bound_of,
    expected_skip,
    find_rows_alive,
    lanes_at,
    mark_live,
    number_of_bound,
    rounding,
    sections_at,
    settle,
)
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.parts import U, clear_values
from secateur.kernels.core.pieces import (
    keep_rows,
    keep_slots,
    take_rows,
    take_slots,
)
from secateur.kernels.core.pruning_parts import (
    add_marked_leaves,
    parent_of,
    reach_of_lanes,
    tally_histories,
)
from secateur.kernels.core.walk import EVERYTHING, SKIP, visitor

_NO_DISCOUNTS = np.ones(2)
"""They change no strategy."""


@stage
def _leave(visit, tally, g, me, block, w):
    """Fold a block's gaps into its parents and prune."""
    p, s, value, lane_reach = visit.p, visit.s, w.value, w.lane_reach
    reach_of_lanes(g, p, me, block, w.reach, lane_reach)
    at = block_at(g, block)
    ids, numbers = s.ids, s.numbers
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = lanes_at(s, block)
    attic = s.attic_at[U(block)]
    entry = attic + 1
    end = entry + s.attic_ids[U(attic)]
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        alive = ids[U(names + ALIVE)]
        cells = sections_at(values, alive)
        value_sum = numbers[U(values + VALUE_SUM)]
        best = -np.inf
        keep = -1  # the best action that is not pruned stays so
        for k in range(alive):
            slot = at.slot + ids[U(names + ACTIONS + k)] * at.stride + lane
            value[U(slot)] += numbers[U(cells + k)] if s.summed else -value_sum
            if value[U(slot)] > best:
                best = value[U(slot)]
                keep = k
        while entry < end and s.attic_ids[U(entry)] < (lane + 1) * at.actions:
            best = max(best, bound_of(g, p, block, s, entry, lane, values))
            entry += 1
        value[U(parent_of(g, at.parent, lane))] += best if s.summed else best + value_sum
        reach = lane_reach[U(at.slot + lane)]
        for k in range(alive):
            a = ids[U(names + ACTIONS + k)]
            gap = value[U(at.slot + a * at.stride + lane)]
            if (
                k != keep
                and (numbers[U(cells + k)] <= visit.nothing or visit.cut_played)
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
                    value_sum,
                )
                ids[U(names + ACTIONS + k)] = ~a
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
    return tally


@part
def _ends(visit, tally, g, me, block, w):
    """Add the values of ends behind what is alive, unless regrets tell enough; count histories."""
    if not visit.s.summed:
        add_marked_leaves(g, me, block, w.reach, w.reached, w.alive, w.value)
        if visit.counted:
            tally += tally_histories(g, visit.p, me, block, w.mark, w.reach, w.reached)
    return tally


@part
def _choose(_visit, tally, g, me, block, _depth, w):
    """Leave out what lies behind rows in which nothing of ``me`` is alive."""
    return EVERYTHING if w.alive[U(g.gate[U(2 * block + me)])] else SKIP, tally


@part
def _open(visit, tally, g, _me, block, w):
    """Let gaps begin at zero; see which rows are alive."""
    clear_values(g, block, w.value)
    find_rows_alive(g, block, visit.s, w.alive)
    if visit.counted:
        mark_live(g, block, visit.s, w.mark)
    return tally


@part
def _keep(visit, tally, me, pieces, piece, w):
    """Keep what flows down where a piece begins."""
    keep_flow(visit, tally, me, pieces, piece, w)
    keep_slots(visit.there.mark, pieces, piece, me, w.mark)
    keep_rows(visit.there.alive, pieces, piece, me, w.alive)


@part
def _take(visit, me, pieces, piece, w):
    """Begin a piece with what flows down."""
    tally = take_flow(visit, me, pieces, piece, w)
    take_slots(visit.there.mark, pieces, piece, me, w.mark)
    take_rows(visit.there.alive, pieces, piece, me, w.alive)
    return tally


@visitor(
    choose=_choose,
    open=_open,
    face=face_flow,
    ends=_ends,
    leave=_leave,
    keep=_keep,
    take=_take,
)
class _Find(NamedTuple):
    """Where to look, and what to prune; its tally: histories touched."""

    p: PruningArrays
    s: Store
    there: LivePieces
    pace: float
    tolerance: float
    minimum_skip: float
    nothing: float  # up to which a regret counts as not positive
    cut_played: bool
    counted: bool


@part
def find_prunable(g, p, me, s, weight, pruning, cut_played, pieces, there, turn, number, w):
    """Prune what cannot catch up: make its ids negative, and its regrets the numbers of bounds.

    The store must be compacted before it is used again.

    One pass from the ends up computes, for every active cell, its best-response value minus the sum
    of values so far, the gap. Where regrets are sums with the weights of the average, they tell:
    ``gap(I, a) = R(I, a) + sum of Gap(I')`` over the information sets that follow,
    ``Gap(I) = max gap(I, a)``. Else the pass visits the ends behind what is alive, against the
    opponent's average. Of a pruned action the bound is taken. Unless ``cut_played``, an action with
    a positive regret stays. Returns the number of histories touched, if they are counted.
    """
    total_weight, payoff_range = pruning.weight, pruning.payoff_range
    w.flow[U(0)] = total_weight
    w.alive[U(0)] = True
    w.mark[U(0)] = True
    visit = _Find(
        p,
        s,
        there,
        weight / total_weight,
        rounding(total_weight, payoff_range),
        pruning.minimum_skip,
        ROUNDING * payoff_range,
        cut_played,
        pruning.counted,
    )
    return in_pieces(g, me, visit, visit, total_weight, pieces, turn, number, w)


@part
def let_predictions_lapse(s, first, end):
    """Let the information sets of some blocks choose without predictions, after a search."""
    for block in range(max(1, first), end):
        settle(s, s.ids_at[U(block)], lanes_at(s, block), _NO_DISCOUNTS, 0, 0)
