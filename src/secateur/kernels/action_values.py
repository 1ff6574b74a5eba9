"""What each action is worth if its player follows the strategy afterwards."""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, add_leaves, clear_values, load_reach, padded
from secateur.kernels.pruning_parts import parent_of, reach_of_lanes


@part
def fold_expectation(g, block, behaviour, value, kept):
    """Fold the expected value of each lane into its parent; keep the values of its actions."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        cell = g.first_cell[U(block)] + lane
        slot = g.first_slot[U(block)] + lane
        expected = 0.0
        for _ in range(actions):
            kept[U(cell)] = value[U(slot)]
            expected += behaviour[U(cell)] * value[U(slot)]
            cell += lanes
            slot += stride
        value[U(parent_of(g, parent, lane))] += expected


@part
def keep_reach(g, block, lane_reach, kept):
    """Keep the reach of a block's lanes, for each of their actions."""
    lanes = g.lanes[U(block)]
    slot = g.first_slot[U(block)]
    cell = g.first_cell[U(block)]
    for _ in range(g.actions[U(block)]):
        for lane in range(lanes):
            kept[U(cell + lane)] = lane_reach[U(slot + lane)]
        cell += lanes


@kernel
def counterfactual_values(g, p, me, plan, behaviour, values, reaches, lane_reach, w):
    """Write the counterfactual value of every own sequence, and how it is reached by the others.

    Values are weighted by the probability that chance and the opponent come there: the reach.
    """
    reach, reached, value, stack = w.reach, w.reached, w.value, w.stack
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    block = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            done = stack[U(depth)]
            reach_of_lanes(g, p, me, done, reach, lane_reach)
            keep_reach(g, done, lane_reach, reaches)
            fold_expectation(g, done, behaviour, value, values)
        if block == blocks:
            break
        owner = g.player[U(block)]
        if owner == me:
            clear_values(g, block, value)
            stack[U(depth)] = block
            depth += 1
        elif owner == you:
            load_reach(g, block, plan, 1.0, reach, reached)
        add_leaves(g, me, block, reach, reached, value)
        block += 1
