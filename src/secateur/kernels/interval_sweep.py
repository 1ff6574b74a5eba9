"""A sweep that skips pruned actions and lets their bounds grow.

A subtree is skipped where no lane of the own gate is alive; below it, only the opponent's sums
of strategies go on.
"""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.interval_parts import (
    HEDGE,
    MATCHING_PLUS,
    OPEN,
    RETURNING,
    choose_open,
)
from secateur.kernels.parts import U, add_leaves, clear_values, padded, pass_reach
from secateur.kernels.pruning_parts import parent_of, reach_of_lanes, tally_histories


@kernel
def sweep_interval(g, p, me, b, omega, two_sums, rule, count, w, scratch):
    """Update ``me``'s regrets and bounds; add the strategy that ``me`` faces to its sums.

    Returns the number of bounds above zero, whose cells are now in ``scratch.returning``, and, if
    ``count``, the number of histories touched.
    """
    reach, reached, value, stack = w.reach, w.reached, w.value, w.stack
    lane_reach, mark = scratch.lane_reach, scratch.mark
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    mark[U(0)] = True
    blocks = len(g.player)
    depth = 0
    found = 0
    nodes = 0.0
    block = 0
    dead_end = 0  # up to here, nothing of mine is alive
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            found = _fold_open(g, stack[U(depth)], b, rule, value, scratch, found)
        if block == blocks:
            break
        if not reached[U(g.gate[U(2 * block + you)])]:
            block = g.subtree_end[U(block)]
            continue
        if block >= dead_end:
            gate = p.gate_number[U(2 * block + me)]
            if gate > 0 and b.alive[U(gate)] == 0:
                dead_end = g.subtree_end[U(block)]
        owner = g.player[U(block)]
        if owner == you:
            pass_reach(g, block, b.strategy, b.total, omega, reach, reached)
            if two_sums:
                _add_reach(g, block, reach, b.faced)
        if block >= dead_end:
            if owner == me:
                clear_values(g, block, value)
                stack[U(depth)] = block
                depth += 1
                if count:
                    _mark_alive(g, block, b.active, b.pruned, mark)
            add_leaves(g, me, block, reach, reached, value)
            if count:
                nodes += tally_histories(g, p, me, block, mark, reach, reached)
        block += 1
    return found, nodes


@part
def _fold_open(g, block, b, rule, value, scratch, found):
    """Update an own block's regrets and bounds; note bounds above zero, return their number.

    Regret matching+ may remember regrets below zero: what increases from there starts from zero.
    Hedge chooses, and finds out which bounds are too high, when the sweep is over.
    """
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    regret, plain, bound, pruned, upper = b.regret, b.plain, b.bound, b.pruned, b.upper
    for lane in range(lanes):
        if not b.active[U(first_infoset + lane)]:
            continue
        arrived = scratch.lane_reach[U(first_slot + lane)]
        expected = 0.0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == OPEN:
                expected += b.strategy[U(cell)] * value[U(slot)]
            cell += lanes
            slot += stride
        value[U(parent_of(g, parent, lane))] += expected
        b.value_sum[U(first_infoset + lane)] += expected
        b.reach_sum[U(first_infoset + lane)] += arrived
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == OPEN:
                instant = value[U(slot)] - expected
                plain[U(cell)] += instant
                if rule == MATCHING_PLUS:
                    old = regret[U(cell)]
                    regret[U(cell)] = instant if old <= 0.0 < instant else old + instant
            else:
                bound[U(cell)] += arrived * upper[U(cell)] - expected
                if rule != HEDGE and bound[U(cell)] > 0.0:
                    pruned[U(cell)] = RETURNING
                    scratch.returning[U(found)] = cell
                    scratch.returning_block[U(found)] = block
                    found += 1
            cell += lanes
            slot += stride
        if rule == HEDGE:
            b.square_sum[U(first_infoset + lane)] += expected * expected
        else:
            choose_open(g, block, lane, pruned, regret, b.chosen)
    return found


@part
def _add_reach(g, block, reach, total):
    """Add the reach of a block's sequences to ``total``."""
    lanes = g.lanes[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        for lane in range(lanes):
            total[U(cell + lane)] += reach[U(slot + lane)]
        cell += lanes
        slot += padded(lanes)


@part
def _mark_alive(g, block, active, pruned, mark):
    """Mark the slots of own cells that are active and not pruned."""
    lanes = g.lanes[U(block)]
    infoset = g.first_infoset[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        for lane in range(lanes):
            mark[U(slot + lane)] = active[U(infoset + lane)] and pruned[U(cell + lane)] == OPEN
        cell += lanes
        slot += padded(lanes)
