"""Evaluates pruned branches whose bounds have expired, against the opponent's average.

Of branches that come back, a second walk writes drafts (:mod:`secateur.kernels.drafts`).
"""

from __future__ import annotations

import numpy as np

from secateur.kernels.average import follow_average, share_out
from secateur.kernels.decorator import kernel, stage
from secateur.kernels.drafts import fold_best, write_draft
from secateur.kernels.parts import U, clear_values, padded
from secateur.kernels.pruning_parts import (
    add_marked_leaves,
    may_be_below,
    parent_of,
    place_of,
    reach_of_lanes,
    sort_blocks,
    tally_histories,
)
from secateur.kernels.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    LANE,
    LANES,
    REACH,
    SUM,
    after_lane,
    expected_skip,
    has_expired,
    number_of_bound,
    watch,
)


@stage
def _mark_below(g, block, mark, marked):
    """Mark own slots below one that is marked, and their rows."""
    lanes = g.lanes[U(block)]
    row = g.first_row[U(block)]
    slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        some = False
        for lane in range(lanes):
            below = mark[U(parent_of(g, parent, lane))]
            mark[U(slot + lane)] = below
            some |= below
        marked[U(row)] = some
        row += 1
        slot += padded(lanes)


@stage
def _mark_review(g, p, block, s, tolerance, drafting, mark, marked):
    """Mark own slots whose bounds have expired, or, if ``drafting``, that come back."""
    actions = g.actions[U(block)]
    stride = padded(g.lanes[U(block)])
    first_slot = g.first_slot[U(block)]
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = s.numbers_at[U(block)]
    attic = s.attic_at[U(block)]
    entry = attic + 1
    end = entry + s.attic_ids[U(attic)]
    for _ in range(s.ids[U(record + LANES)]):
        lane = s.ids[U(names + LANE)]
        alive = s.ids[U(names + ALIVE)]
        while entry < end:
            name = s.attic_ids[U(entry)]
            a = max(name, ~name) - lane * actions
            if a >= actions:
                break
            if name < 0 or (
                not drafting and has_expired(g, p, block, s, entry, lane, values, tolerance)
            ):
                mark[U(first_slot + a * stride + lane)] = True
                marked[U(g.first_row[U(block)] + a)] = True
            entry += 1
        names += ACTIONS + alive
        values = after_lane(s, values, alive)


@stage
def _decide(g, p, block, s, pace, tolerance, again, value, lane_reach):
    """Prune expired cells of a block again or bring them back; return how many come back.

    Their ids in the attic become negative, with the gaps as numbers.
    """
    actions = g.actions[U(block)]
    stride = padded(g.lanes[U(block)])
    first_slot = g.first_slot[U(block)]
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = s.numbers_at[U(block)]
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
        earned = s.numbers[U(values + SUM)]
        reach = lane_reach[U(first_slot + lane)]
        while entry < end and s.attic_ids[U(entry)] < (lane + 1) * actions:
            if has_expired(g, p, block, s, entry, lane, values, tolerance):
                a = s.attic_ids[U(entry)] - lane * actions
                gap = value[U(first_slot + a * stride + lane)] - earned
                skip = expected_skip(g, p, block, s, lane, a, gap, reach, pace)
                if gap < -tolerance and skip >= again:
                    s.attic_numbers[U(entry)] = number_of_bound(
                        g, p, block, s, lane, a, gap, s.numbers[U(values + REACH)], earned
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


@kernel
def review(
    g,
    p,
    me,
    s,
    drafting,
    chosen,
    chosen_count,
    limits,
    count,
    w,
    flow,
    lane_reach,
    mark,
    marked,
    back,
):
    """Evaluate expired cells of the blocks ``chosen``; prune them again or let them come back.

    ``limits`` are the weight of the iteration and of all so far, what counts as zero, the minimum
    skip of actions to be pruned, and of those that stay so, and an allowance: if positive,
    responses need only be nearly best; their squared regrets may sum up to it, times the square of
    reach times payoff range, times the number of actions.

    Returns the number of blocks with cells that come back (they are in ``back``, in order), the
    number of blocks evaluated, and, if ``count``, the number of histories touched.

    For ``chosen`` blocks with cells that come back, a second call that is ``drafting`` writes
    drafts of what lies behind these. Actions there that can be skipped for long enough are pruned
    at once. Instead of the numbers of blocks it returns where the drafts begin among ids and
    numbers.
    """
    reach, reached, value, stack = w.reach, w.reached, w.value, w.stack
    weight, total_weight, tolerance, minimum_skip, again, allowance = limits
    you = 1 - me
    flow[U(0)] = total_weight
    reach[U(0)] = total_weight
    reached[U(0)] = True
    mark[U(0)] = False
    marked[U(0)] = False
    pace = weight / total_weight
    sort_blocks(chosen, chosen_count)
    ids_top = len(s.ids)
    numbers_top = len(s.numbers)
    depth = 0
    nodes = 0.0
    evaluated = 0
    returned = 0
    block = 0
    following = 0  # in order: the next chosen block at or after this one
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            own = stack[U(depth)]
            evaluated += 1
            place = place_of(chosen, chosen_count, own)
            is_chosen = place < chosen_count and chosen[U(place)] == own
            if drafting or is_chosen or allowance > 0.0:
                reach_of_lanes(g, p, me, own, reach, lane_reach)
            if drafting:
                ids_top, numbers_top = write_draft(
                    g,
                    p,
                    own,
                    s,
                    pace,
                    tolerance,
                    minimum_skip,
                    allowance,
                    value,
                    lane_reach,
                    mark,
                    ids_top,
                    numbers_top,
                )
            elif is_chosen and _decide(g, p, own, s, pace, tolerance, again, value, lane_reach):
                back[U(returned)] = own
                returned += 1
            fold_best(g, p, own, allowance, value, lane_reach, mark)
        if block == len(g.player):
            break
        while following < chosen_count and chosen[U(following)] < block:
            following += 1
        end = g.subtree_end[U(block)]
        ahead = following < chosen_count and chosen[U(following)] < end
        if not ahead:
            useful = drafting or reached[U(g.gate[U(2 * block + you)])]
            if not (useful and may_be_below(g, me, block, stack, depth, marked)):
                block = end
                continue
        owner = g.player[U(block)]
        if owner == you:
            share_out(g, block, s, False, flow)
            follow_average(g, block, flow, reach, reached)
        elif owner == me:
            clear_values(g, block, value)
            _mark_below(g, block, mark, marked)
            if ahead and chosen[U(following)] == block:
                _mark_review(g, p, block, s, tolerance, drafting, mark, marked)
            stack[U(depth)] = block
            depth += 1
        add_marked_leaves(g, me, block, reach, reached, marked, value)
        if count:
            nodes += tally_histories(g, p, me, block, mark, reach, reached)
        block += 1
    if drafting:
        return ids_top, numbers_top, nodes
    sort_blocks(back, returned)
    return returned, evaluated, nodes
