"""Numbers of own information sets that follow from those after them."""

from __future__ import annotations

from secateur.kernels.decorator import kernel
from secateur.kernels.parts import U, clear_values, padded
from secateur.kernels.pruning_parts import parent_of


@kernel
def fold_own_tree(g, me, base, factor, longest, number, w):
    """Give each of ``me``'s information sets ``base + factor * max_a (numbers after a)``.

    Numbers after an action are added up or, if ``longest``, the largest of them counts. Returns
    what is after the empty sequence.
    """
    value, stack = w.value, w.stack
    value[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    for block in range(blocks + 1):
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            done = stack[U(depth)]
            lanes = g.lanes[U(done)]
            parent = g.parent_slot[U(done)]
            for lane in range(lanes):
                slot = g.first_slot[U(done)] + lane
                best = value[U(slot)]
                for _ in range(g.actions[U(done)]):
                    best = max(best, value[U(slot)])
                    slot += padded(lanes)
                infoset = g.first_infoset[U(done)] + lane
                here = base[U(infoset)] + factor * best
                number[U(infoset)] = here
                above = parent_of(g, parent, lane)
                if longest:
                    value[U(above)] = max(value[U(above)], here)
                else:
                    value[U(above)] += here
        if block < blocks and g.player[U(block)] == me:
            clear_values(g, block, value)
            stack[U(depth)] = block
            depth += 1
    return value[U(0)]
