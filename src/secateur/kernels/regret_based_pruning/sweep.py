"""A sweep that skips pruned actions and lets their bounds grow.

A subtree is skipped where no lane of the own gate is alive; below it, only the opponent's sums
of strategies go on.
"""

from __future__ import annotations

from typing import NamedTuple

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U, add_leaves, clear_values, pass_reach
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes, tally_histories
from secateur.kernels.core.walk import EVERYTHING, FACED, SKIP, begin, visitor, walk
from secateur.kernels.regret_based_pruning.books import IntervalBooks, IntervalScratch
from secateur.kernels.regret_based_pruning.parts import (
    HEDGE,
    MATCHING_PLUS,
    OPEN,
    RETURNING,
    choose_open,
)


@part
def _leave(visit, tally, g, me, block, w):
    """Update an own block's regrets and bounds; note bounds above zero.

    Regret matching+ may remember regrets below zero: what increases from there starts from zero.
    Hedge chooses, and finds out which bounds are too high, when the sweep is over.
    """
    found, nodes, dead_end = tally
    b, rule, scratch, value = visit.b, visit.rule, visit.scratch, w.value
    reach_of_lanes(g, visit.p, me, block, w.reach, scratch.lane_reach)
    at = block_at(g, block)
    regret, plain, bound, pruned, upper = b.regret, b.plain, b.bound, b.pruned, b.upper
    for lane in range(at.lanes):
        if not b.active[U(at.infoset + lane)]:
            continue
        arrived = scratch.lane_reach[U(at.slot + lane)]
        expected = 0.0
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            if pruned[U(cell)] == OPEN:
                expected += b.strategy[U(cell)] * value[U(slot)]
            cell += at.lanes
            slot += at.stride
        value[U(parent_of(g, at.parent, lane))] += expected
        b.value_sum[U(at.infoset + lane)] += expected
        b.reach_sum[U(at.infoset + lane)] += arrived
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            if pruned[U(cell)] == OPEN:
                instant = value[U(slot)] - expected
                plain[U(cell)] += instant
                if rule == MATCHING_PLUS:
                    old = regret[U(cell)]
                    regret[U(cell)] = instant if old <= 0.0 < instant else old + instant
            else:
                bound[U(cell)] += arrived * b.payoffs[U(upper[U(cell)])] - expected
                if rule != HEDGE and bound[U(cell)] > 0.0:
                    pruned[U(cell)] = RETURNING
                    scratch.returning[U(found)] = cell
                    scratch.returning_block[U(found)] = block
                    found += 1
            cell += at.lanes
            slot += at.stride
        if rule == HEDGE:
            b.square_sum[U(at.infoset + lane)] += expected * expected
        else:
            choose_open(g, block, lane, pruned, regret, b.chosen)
    return found, nodes, dead_end


@part
def _add_reach(g, block, reach, total):
    """Add the reach of a block's sequences to ``total``."""
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        for lane in range(at.lanes):
            total[U(cell + lane)] += reach[U(slot + lane)]
        cell += at.lanes
        slot += at.stride


@part
def _mark_alive(g, block, active, pruned, mark):
    """Mark the slots of own cells that are active and not pruned."""
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        for lane in range(at.lanes):
            mark[U(slot + lane)] = active[U(at.infoset + lane)] and pruned[U(cell + lane)] == OPEN
        cell += at.lanes
        slot += at.stride


@part
def _choose(visit, tally, g, me, block, _depth, w):
    """Leave out what the opponent does not reach; only face it where nothing own is alive."""
    found, nodes, dead_end = tally
    if not w.reached[U(g.gate[U(2 * block + 1 - me)])]:
        return SKIP, tally
    if block >= dead_end:
        gate = visit.p.gate_number[U(2 * block + me)]
        if gate > 0 and visit.b.alive[U(gate)] == 0:
            dead_end = g.subtree_end[U(block)]
    return EVERYTHING if block >= dead_end else FACED, (found, nodes, dead_end)


@part
def _open(visit, tally, g, _me, block, w):
    """Let values begin at zero; mark what is alive if histories are counted."""
    clear_values(g, block, w.value)
    if visit.counted:
        _mark_alive(g, block, visit.b.active, visit.b.pruned, visit.scratch.mark)
    return tally


@part
def _face(visit, tally, g, _me, block, w):
    """Put the opponent's strategy on the stack of reach, and add it to its sums."""
    pass_reach(g, block, visit.b.strategy, visit.b.total, visit.omega, w.reach, w.reached)
    if visit.two_sums:
        _add_reach(g, block, w.reach, visit.b.faced)
    return tally


@part
def _ends(visit, tally, g, me, block, w):
    """Add values of ends; count histories."""
    found, nodes, dead_end = tally
    add_leaves(g, me, block, w.reach, w.reached, None, w.value)
    if visit.counted:
        nodes += tally_histories(g, visit.p, me, block, visit.scratch.mark, w.reach, w.reached)
    return found, nodes, dead_end


@visitor(choose=_choose, open=_open, face=_face, ends=_ends, leave=_leave)
class _Sweep(NamedTuple):
    """A sweep; its tally: bounds above zero, histories, where a dead subtree ends."""

    p: PruningArrays
    b: IntervalBooks
    omega: float
    two_sums: bool
    rule: int
    counted: bool
    scratch: IntervalScratch


@kernel
def sweep_interval(g, p, me, b, omega, two_sums, rule, count, w, scratch):
    """Update ``me``'s regrets and bounds; add the strategy that ``me`` faces to its sums.

    Returns the number of bounds above zero, whose cells are now in ``scratch.returning``, and, if
    ``count``, the number of histories touched.
    """
    begin(w, 1.0)
    scratch.mark[U(0)] = True
    sweep = _Sweep(p, b, omega, two_sums, rule, count, scratch)
    found, nodes, _ = walk(g, me, sweep, (0, 0.0, 0), w)
    return found, nodes
