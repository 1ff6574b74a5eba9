"""A sweep that skips pruned actions.

A subtree is skipped where no lane of the own gate is alive; below it, only the opponent's average
goes on.
"""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, add_leaves, clear_values, padded, pass_reach
from secateur.kernels.pruning_parts import (
    ALIVE,
    mark_alive,
    parent_of,
    reach_of_lanes,
    tally_histories,
)
from secateur.kernels.sweep import AVERAGE, FLOOR, WEIGHT


@part
def _fold_pruned(g, block, b, value, lane_reach, rule, expired, expired_block, count):
    """Update an own block's regrets and bounds; note bounds that no longer hold.

    Returns how many bounds have expired so far.
    """
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    weight = rule[WEIGHT]
    floor = rule[FLOOR]
    regret, plain, pruned, upper = b.regret, b.plain, b.pruned, b.upper
    strategy, chosen = b.strategy, b.chosen
    value_sum, active = b.value_sum, b.active
    for lane in range(lanes):
        if not active[U(first_infoset + lane)]:
            continue
        expected = 0.0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == ALIVE:
                expected += strategy[U(cell)] * value[U(slot)]
            cell += lanes
            slot += stride
        value[U(parent_of(g, parent, lane))] += expected
        value_sum[U(first_infoset + lane)] += weight * expected
        norm = 0.0
        open_actions = 0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == ALIVE:
                instant = weight * (value[U(slot)] - expected)
                plain[U(cell)] += instant
                # for regret matching, plain and regret are one array, updated once
                new = max(floor, regret[U(cell)] + instant) if floor == 0.0 else plain[U(cell)]
                regret[U(cell)] = new
                claim = max(0.0, new)
                norm += claim
                open_actions += 1
            else:
                claim = 0.0
                best = lane_reach[U(first_slot + lane)] * upper[U(cell)]
                regret[U(cell)] += weight * (best - expected)
                if regret[U(cell)] > 0.0:
                    expired[U(count)] = cell
                    expired_block[U(count)] = block
                    count += 1
            value[U(slot)] = claim
            cell += lanes
            slot += stride
        cell = first_cell + lane
        slot = first_slot + lane
        scale = 1.0 / norm if norm > 0.0 else 0.0
        for _ in range(actions):
            if norm > 0.0:
                chosen[U(cell)] = scale * value[U(slot)]
            else:
                chosen[U(cell)] = 1.0 / open_actions if pruned[U(cell)] == ALIVE else 0.0
            cell += lanes
            slot += stride
    return count


@kernel
def sweep_pruned(g, p, me, b, rule, count, w, lane_reach, mark, expired, expired_block):
    """Update ``me``'s regrets and bounds; add the strategy that ``me`` faces to its total.

    Returns the number of bounds that have expired (their cells are in ``expired``) and, if
    ``count``, the number of histories touched.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    mark[U(0)] = True
    blocks = len(g.player)
    depth = 0
    expirations = 0
    nodes = 0.0
    block = 0
    dead_end = 0  # up to here, nothing of mine is alive
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            if b.pruned_count[U(stack[U(depth)])] > 0:
                reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            expirations = _fold_pruned(
                g, stack[U(depth)], b, value, lane_reach, rule, expired, expired_block, expirations
            )
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
            pass_reach(g, block, b.strategy, b.total, rule[AVERAGE], reach, reached)
        if block >= dead_end:
            if owner == me:
                clear_values(g, block, value)
                stack[U(depth)] = block
                depth += 1
                if count:
                    mark_alive(g, block, b, mark)
            add_leaves(g, me, block, reach, reached, value)
            if count:
                nodes += tally_histories(g, p, me, block, mark, reach, reached)
        block += 1
    return expirations, nodes
