"""The best and the worst payoff behind every action."""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, padded
from secateur.kernels.pruning_parts import parent_of


@kernel
def spread_bounds(g, p, me, upper, lower, w, low):
    """Extend the bounds of ends right after each sequence to all ends below it.

    ``upper`` holds the bounds per cell, ``lower`` receives them per information set; ``low`` is a
    stack like those of the workspace.
    """
    value, stack = w.value, w.stack
    depth = 0
    for block in range(len(g.player) + 1):
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _fold_bounds(g, stack[U(depth)], upper, lower, value, low)
        if block == len(g.player):
            break
        if g.player[U(block)] == me:
            lanes = g.lanes[U(block)]
            cell = g.first_cell[U(block)]
            slot = g.first_slot[U(block)]
            for _ in range(g.actions[U(block)]):
                for lane in range(lanes):
                    value[U(slot + lane)] = p.upper[U(cell + lane)]
                    low[U(slot + lane)] = p.lower[U(cell + lane)]
                cell += lanes
                slot += padded(lanes)
            stack[U(depth)] = block
            depth += 1


@part
def _fold_bounds(g, block, upper, lower, value, low):
    """Write a block's bounds and fold them into its parents."""
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        most = -1e300
        least = 1e300
        cell = g.first_cell[U(block)] + lane
        slot = g.first_slot[U(block)] + lane
        for _ in range(g.actions[U(block)]):
            upper[U(cell)] = value[U(slot)]
            most = max(most, value[U(slot)])
            least = min(least, low[U(slot)])
            cell += lanes
            slot += stride
        lower[U(g.first_infoset[U(block)] + lane)] = least
        above = parent_of(g, parent, lane)
        value[U(above)] = max(value[U(above)], most)
        low[U(above)] = min(low[U(above)], least)
