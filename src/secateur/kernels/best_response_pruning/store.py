"""Where a run that prunes keeps its numbers: only those of what is alive, block by block.

What every iteration needs and what it does not stand apart. A block with active lanes has a
*record*, found by ``ids_at`` and ``numbers_at``: a head, and its active lanes, in order. A lane has
ids (which one it is, how many actions are alive, and those actions, in order) and numbers: the sum
of values, the sum of reach, a line that watches over pruned actions, the scale of its strategy, and
sections of one number per living action. Where only one action is alive there is nothing to choose:
the lane has no scale, and only a regret.

The *attic* of a block, found by ``attic_at``, is a list of entries, each an id with a number. Entry
0 holds how many of them are bounds, and, as its number, how many entries follow. Bounds of pruned
actions of active lanes come first, in order, under ``lane * actions + action``; then strategy sums
of cells that are not alive, under the distance of the cell's slot from the block's first; then what
lanes have lost by discards, where one more action would have its slots. Beside a bound stands
the date since which its action is pruned; no kernel asks, but people do.

Blocks without a record, or without an attic, have the empty one, which stands at the beginning. New
records and attics are written at ``used``; those that they replace stay behind until the store is
compacted. All arrays are much longer than what is used, but memory is taken only where something
was written.

The strategy is not stored: it follows from regrets or, where the minimizer predicts, from *claims*,
its regrets with what it predicts. Where the scale is positive, an action is played with its
positive claim times the scale; else all actions that are alive with minus the scale. The strategy
sum of an only living action is what came to the lane but for the sums of the other actions
(:mod:`secateur.kernels.best_response_pruning.average`).

Values, reach, bounds and strategies are summed with the weights of the average; regrets are updated
by the minimizer's own rule. Some minimizers change regrets or strategies even where nobody comes:
they discount, or predictions lapse. Then the numbers of a record begin with its *past*, the
iteration in which they were updated last, so that the rest is made up for when somebody comes
again.

The bound of a pruned action, on its best-response value minus the sum of values, is its number in
the attic plus its best payoff times the lane's reach minus the lane's sum of values. Reach is
summed from when the lane came into the store. Where durations are fixed, a bound is its number plus
the range of payoffs times the weight of all iterations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import skip_length
from secateur.kernels.regret_minimizers.matching import scale_of

Float = npt.NDArray[np.float64]
Half = npt.NDArray[np.float32]
Int = npt.NDArray[np.signedinteger]
Long = npt.NDArray[np.int64]
Place = npt.NDArray[np.int32] | npt.NDArray[np.int64]

LANES, BOUNDS, HEAD = range(3)
"""The head of a record: active lanes, pruned cells; and its length."""

LANE, ALIVE, ACTIONS = range(3)
"""The ids of a lane: its number, how many actions are alive, and where these begin."""

VALUE_SUM, REACH, LINE, SCALE = range(4)
"""The numbers of a lane: the sum of values, the sum of reach, a line above all bounds, and, unless
only one action is alive, the scale; then the sections, that of regrets first."""

UPDATED, PAST = range(2)
"""The past of a record, if it has one: the iteration of its last update; and its length."""

WEIGHT_NOW, WEIGHT_NEXT, ITERATION, CLOCK = range(4)
"""What the clock of a store tells: the weight of all iterations, what it will be after the next,
and the iteration; and its length."""

DATE_BITS = 11
"""Of an iteration, kept as its date: later ones are rounded down by a 2048th at the most."""

LEAST_REGRET = 2.0**-1000
"""The regret of an action that is to be played because it is best, though none is positive."""

LIMIT, SLOPE = range(2)
"""The halves of a line, ``limit + slope * reach``, to be compared with the sum of values."""

ROUNDING = 1e-12
"""What counts as zero, as a share of the range of payoffs."""

NO_ATTIC = 1
"""Entries of the empty attic."""


@book
class Store(NamedTuple):
    """The records and attics of all blocks."""

    ids_at: Place
    numbers_at: Place
    attic_at: Place
    ids: Int
    numbers: Float
    attic_ids: Int
    attic_numbers: Float
    attic_dates: npt.NDArray[np.uint16]  # of bounds: after which iteration they began
    lines: Half  # the same memory as numbers
    used: Long  # of ids, of numbers, of the attics
    summed: bool  # whether regrets are sums of what was observed, with the weights of the average
    past: int  # the length of each record's past: none, or that
    claims: int  # section of claims, after that of regrets; 0, that of regrets, without predictions
    total: int  # section of strategy sums, after these
    played: int  # section of the strategies of this iteration, for simultaneous updates; else 0
    sections: int
    fixed: bool  # whether bounds grow as if the opponent always came
    clock: Float
    deadlines: Float  # if fixed, of each block: the weight at which its first bound is zero


@stage
def date_of(s):
    """Return the iteration that the clock tells in 16 bits: its first 11, and how many follow."""
    digits = int(s.clock[ITERATION])
    more = 0
    while digits >= 1 << DATE_BITS:
        digits >>= 1
        more += 1
    return more << DATE_BITS | digits


@part
def rounding(total_weight, payoff_range):
    """Return what counts as zero: rounding grows with the numbers that are summed."""
    return ROUNDING * (1.0 + total_weight) * payoff_range


@part
def lanes_at(s, block):
    """Return where the numbers of a block's first lane begin."""
    return s.numbers_at[U(block)] + s.past


@part
def sections_at(values, alive):
    """Return where the sections of a lane begin, whose numbers begin at ``values``."""
    return values + (SCALE if alive == 1 else SCALE + 1)


@part
def after_lane(s, values, alive):
    """Return where the numbers of a lane end."""
    return sections_at(values, alive) + (1 if alive == 1 else s.sections * alive)


@part
def discounted(regret, discounts, first, end):
    """Return a regret after iterations in which nothing was seen, with two discounts for each."""
    for t in range(first, end):
        regret *= discounts[U(2 * t + (0 if regret > 0.0 else 1))]
    return regret


@stage
def settle(s, record, values, discounts, first, end):
    """Discount the regrets of a block; let its strategies follow from these, nothing predicted.

    Nothing was seen in iterations from ``first`` to before ``end``. Its lanes begin at ``values``.
    """
    names = record + HEAD
    for _ in range(s.ids[U(record + LANES)]):
        alive = s.ids[U(names + ALIVE)]
        cells = sections_at(values, alive)
        norm = 0.0
        for k in range(alive):
            regret = discounted(s.numbers[U(cells + k)], discounts, first, end)
            s.numbers[U(cells + k)] = regret
            norm += max(0.0, regret)
            if alive > 1 and s.claims > 0:
                s.numbers[U(cells + s.claims * alive + k)] = max(0.0, regret)
        if alive > 1:
            s.numbers[U(values + SCALE)] = scale_of(norm, alive)
        names += ACTIONS + alive
        values = after_lane(s, values, alive)


@part
def catch_up(s, record, numbers_at, discounts, last):
    """Make up for what a block has missed up to the ``last`` iteration, if nobody came."""
    if s.past > 0:
        updated = int(s.numbers[U(numbers_at + UPDATED)])
        if updated < last:
            settle(s, record, numbers_at + s.past, discounts, updated + 1, last + 1)
            s.numbers[U(numbers_at + UPDATED)] = last


@part
def best_payoff(g, p, block, lane, a):
    """Return the most that a player may win after an action."""
    at = block_at(g, block)
    return p.payoffs[U(p.upper[U(at.cell + a * at.lanes + lane)])]


@part
def _payoff_range(g, p, block, lane, a):
    """Return how much more may be won after an action than at its information set at the least."""
    least = p.payoffs[U(p.lower[U(g.first_infoset[U(block)] + lane)])]
    return best_payoff(g, p, block, lane, a) - least


@part
def expected_skip(g, p, block, s, lane, a, gap, reach, pace):
    """Return for how many iterations an action may be skipped.

    ``reach`` is that of the lane, summed over all iterations, and ``pace`` the share of the last.
    """
    payoffs = _payoff_range(g, p, block, lane, a)
    if s.fixed:
        return skip_length(gap, 1.0, s.clock[WEIGHT_NEXT] - s.clock[WEIGHT_NOW], payoffs)
    return skip_length(gap, reach, pace, payoffs)


@part
def number_of_bound(g, p, block, s, lane, a, gap, reach, value_sum):
    """Return the number under which to keep a bound that is ``gap`` now.

    ``reach`` and ``value_sum`` are the sums of reach and of values of its lane.
    """
    if s.fixed:
        return gap - _payoff_range(g, p, block, lane, a) * s.clock[WEIGHT_NOW]
    return gap - best_payoff(g, p, block, lane, a) * reach + value_sum


@part
def bound_of(g, p, block, s, entry, lane, values):
    """Return the bound that an entry of the attic holds; ``values`` are its lane's numbers."""
    a = s.attic_ids[U(entry)] - lane * g.actions[U(block)]
    if s.fixed:
        return s.attic_numbers[U(entry)] + _payoff_range(g, p, block, lane, a) * s.clock[WEIGHT_NOW]
    most = best_payoff(g, p, block, lane, a)
    reach = s.numbers[U(values + REACH)]
    return s.attic_numbers[U(entry)] + most * reach - s.numbers[U(values + VALUE_SUM)]


@part
def has_expired(g, p, block, s, entry, lane, values, tolerance):
    """Return whether a bound no longer holds, or, if fixed, will not after the next iteration."""
    bound = bound_of(g, p, block, s, entry, lane, values)
    if s.fixed:
        a = s.attic_ids[U(entry)] - lane * g.actions[U(block)]
        growth = (s.clock[WEIGHT_NEXT] - s.clock[WEIGHT_NOW]) * _payoff_range(g, p, block, lane, a)
        return bound + growth > tolerance
    return bound > -tolerance


@stage
def watch(g, p, block, s, entry, end, lane, values):
    """Draw the line above the bounds of a lane, which begin at ``entry`` or later.

    Where durations are fixed, a line would be of no use: see to it that the block is in time.
    """
    actions = g.actions[U(block)]
    reach = s.numbers[U(values + REACH)]
    slope = -np.inf
    top = -np.inf
    while entry < end and s.attic_ids[U(entry)] < (lane + 1) * actions:
        cell = s.attic_ids[U(entry)]
        if s.fixed and cell >= lane * actions:
            growth = _payoff_range(g, p, block, lane, cell - lane * actions)
            if growth > 0.0:
                end_of_skip = -s.attic_numbers[U(entry)] / growth
                s.deadlines[U(block)] = min(s.deadlines[U(block)], end_of_skip)
        elif cell >= lane * actions:
            most = best_payoff(g, p, block, lane, cell - lane * actions)
            slope = max(slope, most)
            top = max(top, s.attic_numbers[U(entry)] + most * reach)
        entry += 1
    watched = slope > -np.inf
    line = 2 * (values + LINE)
    s.lines[U(line + SLOPE)] = _rounded_up(slope) if watched else 0.0
    s.lines[U(line + LIMIT)] = _rounded_up(top - slope * reach) if watched else -np.inf


@part
def _rounded_up(number):
    """Return a number that is no less in single precision either."""
    return max(number + 1.2e-7 * abs(number), -3e38)


@stage
def mark_live(g, block, s, mark):
    """Mark the slots of a block's cells that are alive."""
    at = block_at(g, block)
    for slot in range(at.slot, at.slot + at.actions * at.stride):
        mark[U(slot)] = False
    record = s.ids_at[U(block)]
    names = record + HEAD
    for _ in range(s.ids[U(record + LANES)]):
        slot = at.slot + s.ids[U(names + LANE)]
        alive = s.ids[U(names + ALIVE)]
        for k in range(alive):
            mark[U(slot + s.ids[U(names + ACTIONS + k)] * at.stride)] = True
        names += ACTIONS + alive


@stage
def find_rows_alive(g, block, s, alive):
    """Note which rows have a cell that is alive."""
    at = block_at(g, block)
    for a in range(at.actions):
        alive[U(at.row + a)] = False
    record = s.ids_at[U(block)]
    names = record + HEAD
    for _ in range(s.ids[U(record + LANES)]):
        choices = s.ids[U(names + ALIVE)]
        for k in range(choices):
            alive[U(at.row + s.ids[U(names + ACTIONS + k)])] = True
        names += ACTIONS + choices
