"""Finds actions that cannot catch up, from regrets alone."""

from __future__ import annotations

import numpy as np

from secateur.kernels.average import follow_average, share_out
from secateur.kernels.decorator import kernel, stage
from secateur.kernels.parts import U, clear_values, padded
from secateur.kernels.pruning_parts import parent_of, reach_of_lanes
from secateur.kernels.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    LANE,
    LANES,
    REACH,
    SUM,
    after_lane,
    bound_of,
    expected_skip,
    find_rows_alive,
    number_of_bound,
    sections_at,
)


@kernel
def find_prunable(
    g, p, me, s, weight, total_weight, tolerance, minimum_skip, w, flow, lane_reach, alive
):
    """Prune what cannot catch up: make its ids negative, and its regrets the numbers of bounds.

    The store must be compacted before it is used again.

    One pass from the ends up computes, for every active cell, its best-response value minus the
    sum of values so far, from regrets alone: ``gap(I, a) = R(I, a) + sum of Gap(I')`` over the
    information sets that follow, ``Gap(I) = max gap(I, a)``; of a pruned action the bound is taken.
    """
    reach, reached, value, stack = w.reach, w.reached, w.value, w.stack
    you = 1 - me
    flow[U(0)] = total_weight
    reach[U(0)] = total_weight
    reached[U(0)] = True
    alive[U(0)] = True
    value[U(0)] = 0.0
    pace = weight / total_weight
    blocks = len(g.player)
    depth = 0
    block = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            _fold_gaps(g, p, stack[U(depth)], s, pace, tolerance, minimum_skip, value, lane_reach)
        if block == blocks:
            break
        if not alive[U(g.gate[U(2 * block + me)])]:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == you:
            share_out(g, block, s, False, flow)
            follow_average(g, block, flow, reach, reached)
        elif owner == me:
            clear_values(g, block, value)
            find_rows_alive(g, block, s, alive)
            stack[U(depth)] = block
            depth += 1
        block += 1


@stage
def _fold_gaps(g, p, block, s, pace, tolerance, minimum_skip, value, lane_reach):
    """Fold a block's gaps into its parents and prune."""
    actions = g.actions[U(block)]
    stride = padded(g.lanes[U(block)])
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
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
            slot = first_slot + ids[U(names + ACTIONS + k)] * stride + lane
            value[U(slot)] += numbers[U(cells + s.plain * alive + k)]
            if value[U(slot)] > best:
                best = value[U(slot)]
                keep = k
        while entry < end and s.attic_ids[U(entry)] < (lane + 1) * actions:
            best = max(best, bound_of(g, p, block, s, entry, lane, values))
            entry += 1
        value[U(parent_of(g, parent, lane))] += best
        reach = lane_reach[U(first_slot + lane)]
        for k in range(alive):
            a = ids[U(names + ACTIONS + k)]
            gap = value[U(first_slot + a * stride + lane)]
            if (
                k != keep
                and gap < min(0.0, best) - tolerance
                and expected_skip(g, p, block, s, lane, a, gap, reach, pace) >= minimum_skip
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
