"""Finds actions that cannot catch up, from regrets alone."""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, clear_values, load_reach, padded
from secateur.kernels.pruning_parts import (
    ALIVE,
    PRUNED,
    choose,
    parent_of,
    reach_of_lanes,
    skip_length,
)


@kernel
def find_prunable(g, p, me, b, weight, total_weight, tolerance, minimum_skip, w, lane_reach):
    """Prune what cannot catch up; return how many cells.

    One pass from the ends up computes, for every active cell, its best-response value minus the
    sum of values so far, from regrets alone: ``gap(I, a) = R(I, a) + sum of Gap(I')`` over the
    information sets that follow, ``Gap(I) = max gap(I, a)``; of a pruned action the bound is taken.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = total_weight
    reached[U(0)] = True
    value[U(0)] = 0.0
    pace = weight / total_weight
    blocks = len(g.player)
    depth = 0
    found = 0
    block = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            found += _fold_gaps(
                g,
                stack[U(depth)],
                b,
                pace,
                tolerance,
                minimum_skip,
                value,
                lane_reach,
            )
        if block == blocks:
            break
        gate = p.gate_number[U(2 * block + me)]
        if gate > 0 and b.alive[U(gate)] == 0:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == you:
            load_reach(g, block, b.total, 1.0, reach, reached)
        elif owner == me:
            clear_values(g, block, value)
            stack[U(depth)] = block
            depth += 1
        block += 1
    return found


@part
def _fold_gaps(g, block, b, pace, tolerance, minimum_skip, value, lane_reach):
    """Fold a block's gaps into its parents and prune; return how many cells."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    found = 0
    for lane in range(lanes):
        infoset = first_infoset + lane
        if not b.active[U(infoset)]:
            continue
        best = -1e300
        best_open = -1e300
        keep = -1  # the best action that is not pruned stays so
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if b.pruned[U(cell)] == ALIVE:
                value[U(slot)] += b.plain[U(cell)]
                if value[U(slot)] > best_open:
                    best_open = value[U(slot)]
                    keep = cell
            else:
                value[U(slot)] = b.regret[U(cell)]
            best = max(best, value[U(slot)])
            cell += lanes
            slot += stride
        value[U(parent_of(g, parent, lane))] += best
        cell = first_cell + lane
        slot = first_slot + lane
        changed = False
        for _ in range(actions):
            gap = value[U(slot)]
            if (
                b.pruned[U(cell)] == ALIVE
                and cell != keep
                and gap < min(0.0, best) - tolerance
                and skip_length(
                    gap,
                    lane_reach[U(first_slot + lane)],
                    pace,
                    b.upper[U(cell)] - b.lower[U(infoset)],
                )
                >= minimum_skip
            ):
                b.pruned[U(cell)] = PRUNED
                b.regret[U(cell)] = gap
                found += 1
                changed = True
            cell += lanes
            slot += stride
        if changed:
            choose(g, block, lane, b)
    return found
