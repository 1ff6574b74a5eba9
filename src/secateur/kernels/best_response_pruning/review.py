"""Evaluates pruned branches whose bounds have expired, against the opponent's average.

Of branches that come back, a second walk writes drafts
(:mod:`secateur.kernels.best_response_pruning.drafts`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.best_response_pruning.average import face_average
from secateur.kernels.best_response_pruning.drafts import fold_best, write_draft
from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    LANE,
    LANES,
    REACH,
    VALUE_SUM,
    Store,
    after_lane,
    expected_skip,
    has_expired,
    lanes_at,
    number_of_bound,
    watch,
)
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.listed import is_ahead, next_listed
from secateur.kernels.core.parts import U, clear_values
from secateur.kernels.core.pruning_parts import (
    add_marked_leaves,
    may_be_below,
    parent_of,
    place_of,
    reach_of_lanes,
    sort_blocks,
    tally_histories,
)
from secateur.kernels.core.walk import EVERYTHING, SKIP, begin, visitor, walk

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Blocks = npt.NDArray[np.int32]


class Limits(NamedTuple):
    """What decisions about pruned branches depend on."""

    weight: float
    """Of the iteration."""

    total_weight: float
    """Of all iterations so far."""

    tolerance: float
    """What counts as zero."""

    minimum_skip: float
    """Of actions to be pruned, in iterations."""

    again: float
    """The same of actions that stay so."""

    allowance: float
    """If positive, responses need only be nearly best; their squared regrets may sum up to it,
    times the square of reach times payoff range, times the number of actions."""


@stage
def _mark_below(g, block, mark, marked):
    """Mark own slots below one that is marked, and their rows."""
    at = block_at(g, block)
    row = at.row
    slot = at.slot
    for _ in range(at.actions):
        some = False
        for lane in range(at.lanes):
            below = mark[U(parent_of(g, at.parent, lane))]
            mark[U(slot + lane)] = below
            some |= below
        marked[U(row)] = some
        row += 1
        slot += at.stride


@stage
def _mark_review(g, p, block, s, tolerance, drafting, mark, marked):
    """Mark own slots whose bounds have expired, or, if ``drafting``, that come back."""
    at = block_at(g, block)
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = lanes_at(s, block)
    attic = s.attic_at[U(block)]
    entry = attic + 1
    end = entry + s.attic_ids[U(attic)]
    for _ in range(s.ids[U(record + LANES)]):
        lane = s.ids[U(names + LANE)]
        alive = s.ids[U(names + ALIVE)]
        while entry < end:
            name = s.attic_ids[U(entry)]
            a = max(name, ~name) - lane * at.actions
            if a >= at.actions:
                break
            if name < 0 or (
                not drafting and has_expired(g, p, block, s, entry, lane, values, tolerance)
            ):
                mark[U(at.slot + a * at.stride + lane)] = True
                marked[U(at.row + a)] = True
            entry += 1
        names += ACTIONS + alive
        values = after_lane(s, values, alive)


@stage
def _decide(g, p, block, s, pace, tolerance, again, value, lane_reach):
    """Prune expired cells of a block again or bring them back; return how many come back.

    Their ids in the attic become negative, with the gaps as numbers.
    """
    at = block_at(g, block)
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = lanes_at(s, block)
    attic = s.attic_at[U(block)]
    entry = attic + 1
    end = entry + s.attic_ids[U(attic)]
    returned = 0
    if s.fixed:
        s.deadlines[U(block)] = np.inf
    for _ in range(s.ids[U(record + LANES)]):
        lane = s.ids[U(names + LANE)]
        alive = s.ids[U(names + ALIVE)]
        first = entry
        value_sum = s.numbers[U(values + VALUE_SUM)]
        reach = lane_reach[U(at.slot + lane)]
        while entry < end and s.attic_ids[U(entry)] < (lane + 1) * at.actions:
            if has_expired(g, p, block, s, entry, lane, values, tolerance):
                a = s.attic_ids[U(entry)] - lane * at.actions
                gap = value[U(at.slot + a * at.stride + lane)] - value_sum
                skip = expected_skip(g, p, block, s, lane, a, gap, reach, pace)
                if gap < -tolerance and skip >= again:
                    s.attic_numbers[U(entry)] = number_of_bound(
                        g, p, block, s, lane, a, gap, s.numbers[U(values + REACH)], value_sum
                    )
                else:
                    s.attic_numbers[U(entry)] = gap
                    s.attic_ids[U(entry)] = ~s.attic_ids[U(entry)]
                    returned += 1
            entry += 1
        watch(g, p, block, s, first, entry, lane, values)
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
    return returned


@part
def _choose(visit, tally, g, me, block, depth, w):
    """Go to chosen blocks, and behind what is marked there."""
    following = next_listed(visit.chosen, visit.chosen_count, tally[0], block)
    tally = (following, *tally[1:])
    if not is_ahead(g, visit.chosen, visit.chosen_count, following, block):
        useful = visit.drafting or w.reached[U(g.gate[U(2 * block + 1 - me)])]
        if not (useful and may_be_below(g, me, block, w.stack, depth, visit.marked)):
            return SKIP, tally
    return EVERYTHING, tally


@part
def _open(visit, tally, g, _me, block, w):
    """Let values begin at zero; mark what is evaluated."""
    clear_values(g, block, w.value)
    _mark_below(g, block, visit.mark, visit.marked)
    following = tally[0]
    if following < visit.chosen_count and visit.chosen[U(following)] == block:
        tolerance, drafting = visit.limits.tolerance, visit.drafting
        _mark_review(g, visit.p, block, visit.s, tolerance, drafting, visit.mark, visit.marked)
    return tally


@part
def _ends(visit, tally, g, me, block, w):
    """Add values of ends behind marked rows; count histories."""
    following, nodes, evaluated, returned, ids_top, numbers_top = tally
    add_marked_leaves(g, me, block, w.reach, w.reached, visit.marked, w.value)
    if visit.counted:
        nodes += tally_histories(g, visit.p, me, block, visit.mark, w.reach, w.reached)
    return following, nodes, evaluated, returned, ids_top, numbers_top


@part
def _leave(visit, tally, g, me, block, w):
    """Decide about a block, or write its draft; pass on what it is worth."""
    following, nodes, evaluated, returned, ids_top, numbers_top = tally
    p, s, lane_reach, mark, limits = visit.p, visit.s, visit.lane_reach, visit.mark, visit.limits
    pace = limits.weight / limits.total_weight
    place = place_of(visit.chosen, visit.chosen_count, block)
    is_chosen = place < visit.chosen_count and visit.chosen[U(place)] == block
    if visit.drafting or is_chosen or limits.allowance > 0.0:
        reach_of_lanes(g, p, me, block, w.reach, lane_reach)
    if visit.drafting:
        ids_top, numbers_top = write_draft(
            g,
            p,
            block,
            s,
            pace,
            limits.tolerance,
            limits.minimum_skip,
            limits.allowance,
            w.value,
            lane_reach,
            mark,
            ids_top,
            numbers_top,
        )
    elif is_chosen and _decide(
        g, p, block, s, pace, limits.tolerance, limits.again, w.value, lane_reach
    ):
        visit.back[U(returned)] = block
        returned += 1
    fold_best(g, p, block, limits.allowance, w.value, lane_reach, mark)
    return following, nodes, evaluated + 1, returned, ids_top, numbers_top


@visitor(choose=_choose, open=_open, face=face_average, ends=_ends, leave=_leave)
class _Review(NamedTuple):
    """What is evaluated, and how.

    Its tally: the next chosen block, histories touched, blocks evaluated, blocks with cells that
    come back, and where drafts begin among ids and numbers.
    """

    p: PruningArrays
    s: Store
    drafting: bool
    chosen: Blocks
    chosen_count: int
    limits: Limits
    counted: bool
    flow: Float
    lane_reach: Float
    mark: Flags
    marked: Flags
    back: Blocks


@kernel
def review(g, p, me, s, drafting, chosen, limits, counted, w, scratch):
    """Evaluate expired cells of ``chosen`` blocks; prune them again or let them come back.

    The blocks are the first of ``scratch.expired``. Returns the number of blocks with cells that
    come back (they are in ``scratch.back``, in order), the number of blocks evaluated, and, if
    ``counted``, the number of histories touched.

    For blocks with cells that come back, a second call that is ``drafting`` writes drafts of what
    lies behind these. Actions there that can be skipped for long enough are pruned at once. Instead
    of the numbers of blocks it returns where the drafts begin among ids and numbers.
    """
    flow, mark, marked = scratch.flows[0], scratch.mark[me], scratch.marked
    begin(w, limits.total_weight)
    flow[U(0)] = limits.total_weight
    mark[U(0)] = False
    marked[U(0)] = False
    sort_blocks(scratch.expired, chosen)
    visit = _Review(
        p,
        s,
        drafting,
        scratch.expired,
        chosen,
        limits,
        counted,
        flow,
        scratch.lane_reach,
        mark,
        marked,
        scratch.back,
    )
    tally = (0, 0.0, 0, 0, len(s.ids), len(s.numbers))
    _, nodes, evaluated, returned, ids_top, numbers_top = walk(g, me, visit, tally, w)
    if drafting:
        return ids_top, numbers_top, nodes
    sort_blocks(scratch.back, returned)
    return returned, evaluated, nodes
