"""Finds actions that will not be played for a while, and prunes them.

Regret matching does not play what has negative regret; Hedge has limits of its own.
"""

from __future__ import annotations

import math

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of, skip_length
from secateur.kernels.regret_based_pruning.likely import limit_of_regret
from secateur.kernels.regret_based_pruning.parts import HEDGE, OPEN, PRUNED, RETURNING, choose_open


@kernel
def prune_losing(g, p, me, b, iteration, tolerance, minimum_skip, rule, hedge, thresholds, scratch):
    """Prune, from the top down, what can be skipped for ``minimum_skip`` iterations.

    What lies behind is frozen and must be up to date: actions that were pruned there have to
    return first. Their number is returned, and their cells are in ``scratch.returning``.
    """
    mark = scratch.mark  # of own slots on the way: pruned, or behind what is
    mark[U(0)] = False
    found = 0
    block = 0
    while block < len(g.player):
        gate = p.gate_number[U(2 * block + me)]
        if gate > 0 and b.alive[U(gate)] == 0:
            block = g.subtree_end[U(block)]
            continue
        if g.player[U(block)] == me:
            _clear_marks(g, block, mark)
            if _prune_block(
                g, p, block, b, iteration, tolerance, minimum_skip, rule, hedge, thresholds
            ):
                found = _freeze_behind(g, p, me, block, b, iteration, rule, scratch, found)
        block += 1
    return found


@part
def _clear_marks(g, block, mark):
    at = block_at(g, block)
    for slot in range(at.slot, at.slot + at.actions * at.stride):
        mark[U(slot)] = False


@part
def _prune_block(g, p, block, b, iteration, tolerance, minimum_skip, rule, hedge, thresholds):
    """Prune what can be skipped, but no lane's largest regret; return whether there was any."""
    at = block_at(g, block)
    number = p.first_row_number[U(block)]
    pace = 1.0 / iteration
    some = False
    for lane in range(at.lanes):
        infoset = at.infoset + lane
        if not b.active[U(infoset)]:
            continue
        first = at.cell + lane
        keep = -1
        largest = -math.inf
        least = math.inf
        cell = first
        for _ in range(at.actions):
            if b.pruned[U(cell)] == OPEN:
                regret = b.regret[U(cell)]
                least = min(least, regret)
                if regret > largest:
                    largest = regret
                    keep = cell
            cell += at.lanes
        limit = 0.0
        if rule == HEDGE:
            limit = limit_of_regret(g, block, lane, b, hedge, thresholds, iteration, False)
        if least >= limit - tolerance:
            continue
        changed = False
        cell = first
        for a in range(at.actions):
            regret = b.regret[U(cell)]
            if b.pruned[U(cell)] == OPEN and cell != keep and regret < limit - tolerance:
                payoffs = b.payoffs[U(b.upper[U(cell)])] - b.payoffs[U(b.lower[U(infoset)])]
                arrived = b.reach_sum[U(infoset)]
                if skip_length(regret - limit, arrived, pace, payoffs) >= minimum_skip:
                    b.pruned[U(cell)] = PRUNED
                    b.bound[U(cell)] = regret
                    b.alive[U(number + a)] -= 1
                    changed = True
            cell += at.lanes
        if changed:
            some = True
            if rule != HEDGE:
                choose_open(g, block, lane, b.pruned, b.regret, b.chosen)
    return some


@part
def _freeze_behind(g, p, me, above, b, iteration, rule, scratch, found):
    """Take out of play what lies behind the pruned cells of a block.

    Notes pruned cells there, which are to return, and returns how many have been noted.
    """
    mark, marked = scratch.mark, scratch.marked
    lanes = g.lanes[U(above)]
    first_row = g.first_row[U(above)]
    end_row = first_row + g.actions[U(above)]
    cell = g.first_cell[U(above)]
    slot = g.first_slot[U(above)]
    for row in range(first_row, end_row):
        marked[U(row)] = False
        for lane in range(lanes):
            here = b.pruned[U(cell + lane)] != OPEN
            mark[U(slot + lane)] = here
            marked[U(row)] |= here
        cell += lanes
        slot += padded(lanes)
    block = above + 1
    while block < g.subtree_end[U(above)]:
        gate = g.gate[U(2 * block + me)]
        if first_row <= gate < end_row and not marked[U(gate)]:
            block = g.subtree_end[U(block)]
            continue
        if g.player[U(block)] == me:
            for lane in range(g.lanes[U(block)]):
                behind = mark[U(parent_of(g, g.parent_slot[U(block)], lane))]
                found = _freeze_lane(g, p, block, lane, b, behind, iteration, rule, scratch, found)
        block += 1
    return found


@part
def _freeze_lane(g, p, block, lane, b, behind, iteration, rule, scratch, found):
    """Mark one lane; if it is ``behind`` what is pruned, take it out of play."""
    at = block_at(g, block)
    infoset = at.infoset + lane
    number = p.first_row_number[U(block)]
    freeze = behind and b.active[U(infoset)]
    cell = at.cell + lane
    slot = at.slot + lane
    for a in range(at.actions):
        scratch.mark[U(slot)] = behind
        if freeze:
            if b.pruned[U(cell)] == OPEN:
                b.alive[U(number + a)] -= 1
            else:
                b.pruned[U(cell)] = RETURNING
                scratch.returning[U(found)] = cell
                scratch.returning_block[U(found)] = block
                found += 1
        cell += at.lanes
        slot += at.stride
    if freeze:
        b.active[U(infoset)] = False
        if rule == HEDGE:
            b.frozen_at[U(infoset)] = iteration
    return found
