"""Recovers sums of values from regrets: with regret matching both are two sides of one sum."""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, add_leaves, clear_values, load_reach
from secateur.kernels.pruning_parts import parent_of


@kernel
def recover_value_sums(g, me, regret, total, weight, sums, w):
    """Write what ``me``'s information sets have earned so far to ``sums``.

    The values of an action summed up are those of the leaves behind it against the opponent's
    strategy sums (``total``, and ``weight`` of the empty sequence) and the sums of the information
    sets that follow. Its regret is that minus the sum of its own information set.
    """
    reach, reached, value, stack = w.reach, w.reached, w.value, w.stack
    you = 1 - me
    reach[U(0)] = weight
    reached[U(0)] = True
    value[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    block = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _fold_sums(g, stack[U(depth)], regret, sums, value)
        if block == blocks:
            break
        if not reached[U(g.gate[U(2 * block + you)])]:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == me:
            clear_values(g, block, value)
            stack[U(depth)] = block
            depth += 1
        elif owner == you:
            load_reach(g, block, total, 1.0, reach, reached)
        add_leaves(g, me, block, reach, reached, value)
        block += 1


@part
def _fold_sums(g, block, regret, sums, value):
    """Find what a block's information sets have earned, and add it to their parents."""
    for lane in range(g.lanes[U(block)]):
        earned = value[U(g.first_slot[U(block)] + lane)] - regret[U(g.first_cell[U(block)] + lane)]
        sums[U(g.first_infoset[U(block)] + lane)] = earned
        value[U(parent_of(g, g.parent_slot[U(block)], lane))] += earned
