"""Brings pruned branches up to date.

The iterations that a branch has missed are made up for as if, in each of them, a best response to
the opponent's average over just these had been played in it. No record of that interval is
needed. Let Q(q) be the sum of counterfactual values of an own sequence q, and l(q) the part of it
that is won before the player moves again; the rest are the sums of values of the information sets
that follow. Everything in the branch still stands where the interval began, so the old l follows
from the books; the new one comes from a visit against the opponent's whole sum. From the ends up:

    new Q(q)  =  new l(q) + sum of new value_sum(I) over the information sets I that follow q
    new value_sum(I)  =  old value_sum(I) + the largest of (new Q - old Q) at I
"""

from __future__ import annotations

import math
from typing import NamedTuple

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.listed import is_ahead, next_listed
from secateur.kernels.core.parts import U, add_leaves, clear_values, load_reach
from secateur.kernels.core.pruning_parts import (
    may_be_below,
    parent_of,
    reach_of_lanes,
    tally_histories,
)
from secateur.kernels.core.walk import EVERYTHING, SKIP, begin, visitor, walk
from secateur.kernels.regret_based_pruning.books import IntervalBooks, IntervalScratch
from secateur.kernels.regret_based_pruning.parts import (
    HEDGE,
    MATCHING_PLUS,
    OPEN,
    RETURNING,
    choose_open,
)


@part
def _sort_by_block(returning, returning_block, returns):
    """Sort by insertion: sweeps leave blocks almost in order, children before parents."""
    for k in range(1, returns):
        cell = returning[U(k)]
        block = returning_block[U(k)]
        place = k
        while place > 0 and returning_block[U(place - 1)] > block:
            returning[U(place)] = returning[U(place - 1)]
            returning_block[U(place)] = returning_block[U(place - 1)]
            place -= 1
        returning[U(place)] = cell
        returning_block[U(place)] = block


@part
def _mark_returning(g, block, pruned, mark, marked):
    """Mark own slots that return or lie behind one that does; and their rows."""
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for a in range(at.actions):
        some = False
        for lane in range(at.lanes):
            behind = mark[U(parent_of(g, at.parent, lane))]
            here = behind or pruned[U(cell + lane)] == RETURNING
            mark[U(slot + lane)] = here
            some = some or here
        marked[U(at.row + a)] = some
        cell += at.lanes
        slot += at.stride


@part
def _fold_return(g, p, block, b, revive, iteration, tolerance, rule, value, lane_reach, mark):
    """Bring the lanes of a block up to date that lie behind returning cells, or hold some."""
    at = block_at(g, block)
    number = p.first_row_number[U(block)]
    for lane in range(at.lanes):
        above = parent_of(g, at.parent, lane)
        if mark[U(above)]:
            arrived = lane_reach[U(at.slot + lane)]
            value[U(above)] += _respond(
                g, block, lane, b, number, revive, iteration, rule, value, arrived
            )
        else:
            _return_cells(g, block, lane, b, number, revive, tolerance, rule, value)


@part
def _respond(g, block, lane, b, number, revive, iteration, rule, value, arrived):
    """Play the best response at an information set that was skipped; return its sum of values.

    To Hedge that is as many observations of the mean as there were iterations.
    """
    at = block_at(g, block)
    first_cell = at.cell + lane
    first_slot = at.slot + lane
    infoset = at.infoset + lane
    old = b.value_sum[U(infoset)]
    best = -math.inf
    cell = first_cell
    slot = first_slot
    for _ in range(at.actions):
        best = max(best, value[U(slot)] - (b.plain[U(cell)] + old))
        cell += at.lanes
        slot += at.stride
    cell = first_cell
    slot = first_slot
    for a in range(at.actions):
        increase = value[U(slot)] - (b.plain[U(cell)] + old) - best
        b.plain[U(cell)] += increase
        if rule == MATCHING_PLUS:
            b.regret[U(cell)] += increase
        if revive:
            b.alive[U(number + a)] += 1
        cell += at.lanes
        slot += at.stride
    if revive:
        b.active[U(infoset)] = True
    b.value_sum[U(infoset)] = old + best
    b.reach_sum[U(infoset)] = arrived
    if rule == HEDGE:
        b.square_sum[U(infoset)] += best * best / (iteration - b.frozen_at[U(infoset)])
        b.frozen_at[U(infoset)] = iteration
    else:
        choose_open(g, block, lane, b.pruned, b.regret, b.chosen)
    return old + best


@part
def _return_cells(g, block, lane, b, number, revive, tolerance, rule, value):
    """End the pruning of the returning cells of one information set.

    In regret matching+ a regret that has increased is at least zero; but what is a sum over many
    iterations must not be taken for one increase from zero.
    """
    at = block_at(g, block)
    cell = at.cell + lane
    slot = at.slot + lane
    value_sum = b.value_sum[U(at.infoset + lane)]
    some = False
    for a in range(at.actions):
        if b.pruned[U(cell)] == RETURNING:
            some = True
            b.pruned[U(cell)] = OPEN
            increase = value[U(slot)] - value_sum - b.plain[U(cell)]
            b.plain[U(cell)] += increase
            if rule == MATCHING_PLUS:
                caught_up = b.regret[U(cell)] + increase
                b.regret[U(cell)] = max(0.0, caught_up) if increase > tolerance else caught_up
            if revive:
                b.alive[U(number + a)] += 1
        cell += at.lanes
        slot += at.stride
    if some and rule != HEDGE:
        choose_open(g, block, lane, b.pruned, b.regret, b.chosen)


@part
def _choose(visit, tally, g, me, block, depth, w):
    """Go to returning cells, and behind them."""
    following, nodes = tally
    scratch = visit.scratch
    following = next_listed(scratch.returning_block, visit.returns, following, block)
    here = is_ahead(g, scratch.returning_block, visit.returns, following, block) or may_be_below(
        g, me, block, w.stack, depth, scratch.marked
    )
    return EVERYTHING if here else SKIP, (following, nodes)


@part
def _open(visit, tally, g, _me, block, w):
    """Let values begin at zero; mark what returns."""
    clear_values(g, block, w.value)
    _mark_returning(g, block, visit.b.pruned, visit.scratch.mark, visit.scratch.marked)
    return tally


@part
def _face(visit, tally, g, _me, block, w):
    """Put the sum of the opponent's strategies on the stack of reach."""
    load_reach(g, block, visit.b.faced, 1.0, w.reach, w.reached)
    return tally


@part
def _ends(visit, tally, g, me, block, w):
    """Add values of ends; count histories."""
    following, nodes = tally
    add_leaves(g, me, block, w.reach, w.reached, None, w.value)
    if visit.counted:
        nodes += tally_histories(g, visit.p, me, block, visit.scratch.mark, w.reach, w.reached)
    return following, nodes


@part
def _leave(visit, tally, g, me, block, w):
    """Make up for what was missed."""
    reach_of_lanes(g, visit.p, me, block, w.reach, visit.scratch.lane_reach)
    _fold_return(
        g,
        visit.p,
        block,
        visit.b,
        visit.revive,
        visit.iteration,
        visit.tolerance,
        visit.rule,
        w.value,
        visit.scratch.lane_reach,
        visit.scratch.mark,
    )
    return tally


@visitor(choose=_choose, open=_open, face=_face, ends=_ends, leave=_leave)
class _Return(NamedTuple):
    """What returns; its tally: the next returning cell, and histories."""

    p: PruningArrays
    b: IntervalBooks
    returns: int
    revive: bool
    iteration: int
    tolerance: float
    rule: int
    counted: bool
    scratch: IntervalScratch


@kernel
def catch_up(g, p, me, b, returns, revive, iteration, tolerance, rule, count, w, scratch):
    """Bring the branches behind ``scratch.returning`` up to date, and end their pruning.

    They take part again if ``revive``; else a larger branch around them is about to be pruned.
    Returns the number of histories touched, if ``count``.
    """
    begin(w, iteration)
    scratch.mark[U(0)] = False
    _sort_by_block(scratch.returning, scratch.returning_block, returns)
    visit = _Return(p, b, returns, revive, iteration, tolerance, rule, count, scratch)
    return walk(g, me, visit, (0, 0.0), w)[1]
