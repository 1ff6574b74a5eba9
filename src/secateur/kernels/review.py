"""Evaluates pruned branches whose bounds have expired, against the opponent's average.

A branch that comes back is written as it goes, block by block, as *drafts* from the far end of
the store, children before parents; :mod:`secateur.kernels.regrow` takes over what is alive of them.
"""

from __future__ import annotations

import numpy as np

from secateur.kernels.average import follow_average, share_out
from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, add_leaves, clear_values, padded
from secateur.kernels.pruning_parts import (
    may_be_below,
    parent_of,
    reach_of_lanes,
    skip_length,
    tally_histories,
)
from secateur.kernels.store import (
    ACTIONS,
    ALIVE,
    BOUNDS,
    CEILING,
    CELLS,
    LANE,
    SUM,
    active_lanes,
    lane_ids,
    lane_numbers,
    settle,
)


@part
def _mark_review(g, block, s, mark, marked):
    """Mark own slots that are under review or below one that is; and their rows."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    row = g.first_row[U(block)]
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    slot = first_slot
    for a in range(actions):
        marked[U(row + a)] = False
        for lane in range(lanes):
            below = mark[U(parent_of(g, parent, lane))]
            mark[U(slot + lane)] = below
            if below:
                marked[U(row + a)] = True
        slot += stride
    if s.ids[U(s.ids_at[U(block)] + BOUNDS)] > 0:
        for i in range(active_lanes(s, block)):
            names = lane_ids(s, block, actions, i)
            cells = lane_numbers(s, block, actions, i) + CELLS
            for k in range(s.ids[U(names + ALIVE)], actions):
                if s.numbers[U(cells + k)] > 0.0:
                    a = s.ids[U(names + ACTIONS + k)]
                    mark[U(first_slot + a * stride + s.ids[U(names + LANE)])] = True
                    marked[U(row + a)] = True


@part
def _decide(g, p, block, s, pace, tolerance, floor, again, value, lane_reach):
    """Prune expired cells of a block again or bring them back; return how many came back."""
    actions = g.actions[U(block)]
    stride = padded(g.lanes[U(block)])
    first_slot = g.first_slot[U(block)]
    ids, numbers = s.ids, s.numbers
    returned = 0
    for i in range(active_lanes(s, block)):
        names = lane_ids(s, block, actions, i)
        values = lane_numbers(s, block, actions, i)
        cells = values + CELLS
        slot = first_slot + ids[U(names + LANE)]
        least = p.lower[U(g.first_infoset[U(block)] + ids[U(names + LANE)])]
        changed = 0
        for k in range(ids[U(names + ALIVE)], actions):
            if numbers[U(cells + k)] > 0.0:
                gap = value[U(slot + ids[U(names + ACTIONS + k)] * stride)]
                gap -= numbers[U(values + SUM)]
                most = numbers[U(cells + CEILING * actions + k)]
                skip = skip_length(gap, lane_reach[U(slot)], pace, most - least)
                if gap < -tolerance and skip >= again:
                    numbers[U(cells + k)] = gap
                else:
                    numbers[U(cells + s.plain * actions + k)] = gap
                    numbers[U(cells + k)] = max(floor, gap)
                    numbers[U(cells + CEILING * actions + k)] = np.inf
                    changed += 1
        if changed > 0:
            ids[U(s.ids_at[U(block)] + BOUNDS)] -= changed
            settle(s, names, values, actions)
            returned += changed
    return returned


@part
def _near_best(value, slot, stride, actions, best, allowance):
    """Return how little a response may win and still count as nearly best.

    That is the least x, but at least the worst value, with ``sum of max(0, value - x)^2`` at most
    ``allowance``.
    """
    worst = best
    for a in range(actions):
        worst = min(worst, value[U(slot + a * stride)])
    low, high = 0.0, allowance**0.5
    for _ in range(60):
        middle = 0.5 * (low + high)
        total = 0.0
        for a in range(actions):
            total += max(0.0, value[U(slot + a * stride)] - best + middle) ** 2
        if total <= allowance:
            low = middle
        else:
            high = middle
    return max(worst, best - low)


@part
def _write_draft(
    g,
    p,
    block,
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
):
    """Write lanes below a reviewed cell as if their (near) best response had been played all along.

    A draft is the lanes below, and, among numbers, the block, and for each lane the sum of values,
    gaps and ceilings. Returns where it begins.
    """
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    drafted = 0
    for lane in range(lanes):
        if mark[U(parent_of(g, parent, lane))]:
            drafted += 1
    ids_top -= 1 + drafted
    numbers_top -= 1 + drafted * (1 + 2 * actions)
    s.ids[U(ids_top)] = drafted
    s.numbers[U(numbers_top)] = block
    i = 0
    for lane in range(lanes):
        above = parent_of(g, parent, lane)
        if not mark[U(above)]:
            continue
        best = value[U(first_slot + lane)]
        slot = first_slot + lane
        for _ in range(actions):
            best = max(best, value[U(slot)])
            slot += stride
        least = p.lower[U(g.first_infoset[U(block)] + lane)]
        if allowance > 0.0:
            most = least
            for a in range(actions):
                most = max(most, p.upper[U(g.first_cell[U(block)] + a * lanes + lane)])
            scale = lane_reach[U(first_slot + lane)] * (most - least)
            best = _near_best(
                value, first_slot + lane, stride, actions, best, allowance * scale**2 * actions
            )
        value[U(above)] += best
        s.ids[U(ids_top + 1 + i)] = lane
        draft = numbers_top + 1 + i * (1 + 2 * actions)
        s.numbers[U(draft)] = best
        slot = first_slot + lane
        for a in range(actions):
            gap = value[U(slot)] - best
            most = p.upper[U(g.first_cell[U(block)] + a * lanes + lane)]
            skip = skip_length(gap, lane_reach[U(first_slot + lane)], pace, most - least)
            stays = gap < -tolerance and skip >= minimum_skip
            s.numbers[U(draft + 1 + a)] = gap
            s.numbers[U(draft + 1 + actions + a)] = most if stays else np.inf
            slot += stride
        i += 1
    return ids_top, numbers_top


@part
def _sort(blocks, count):
    """Sort by insertion: sweeps leave blocks almost in order, children before parents."""
    for k in range(1, count):
        block = blocks[U(k)]
        place = k
        while place > 0 and blocks[U(place - 1)] > block:
            blocks[U(place)] = blocks[U(place - 1)]
            place -= 1
        blocks[U(place)] = block


@kernel
def review(
    g,
    p,
    me,
    s,
    expired,
    expirations,
    weight,
    total_weight,
    tolerance,
    floor,
    minimum_skip,
    again,
    allowance,
    count,
    w,
    flow,
    lane_reach,
    mark,
    marked,
    back,
):
    """Evaluate expired cells of the blocks ``expired``; prune them again or bring them back.

    With an ``allowance``, responses need only be nearly best: their squared regrets may sum up to
    it, times the square of reach times payoff range, times the number of actions.
    A branch whose value still allows a skip of ``again`` iterations stays pruned. In one that
    comes back, actions that can be skipped for ``minimum_skip`` iterations are pruned at once.
    Returns the number of blocks with cells that come back (they are in ``back``, in order), where
    the drafts begin among ids and numbers, the number of drafts, and, if ``count``, the number of
    histories touched.
    """
    reach, reached, value, stack = w
    you = 1 - me
    flow[U(0)] = total_weight
    reach[U(0)] = total_weight
    reached[U(0)] = True
    mark[U(0)] = False
    pace = weight / total_weight
    _sort(expired, expirations)
    ids_top = len(s.ids)
    numbers_top = len(s.numbers)
    depth = 0
    nodes = 0.0
    drafts = 0
    returned = 0
    block = 0
    following = 0  # in order: the next expired block at or after this one
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            own = stack[U(depth)]
            drafts += 1
            reach_of_lanes(g, p, me, own, reach, lane_reach)
            bounds = s.ids[U(s.ids_at[U(own)] + BOUNDS)]
            if (
                bounds > 0
                and _decide(g, p, own, s, pace, tolerance, floor, again, value, lane_reach) > 0
            ):
                back[U(returned)] = own
                returned += 1
            ids_top, numbers_top = _write_draft(
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
        if block == len(g.player):
            break
        while following < expirations and expired[U(following)] < block:
            following += 1
        end = g.subtree_end[U(block)]
        ahead = following < expirations and expired[U(following)] < end
        if not (ahead or may_be_below(g, me, block, stack, depth, marked)):
            block = end
            continue
        owner = g.player[U(block)]
        if owner == you:
            share_out(g, block, s, False, flow)
            follow_average(g, block, flow, reach, reached)
        elif owner == me:
            clear_values(g, block, value)
            _mark_review(g, block, s, mark, marked)
            stack[U(depth)] = block
            depth += 1
        add_leaves(g, me, block, reach, reached, value)
        if count:
            nodes += tally_histories(g, p, me, block, mark, reach, reached)
        block += 1
    _sort(back, returned)
    return returned, ids_top, numbers_top, drafts, nodes
