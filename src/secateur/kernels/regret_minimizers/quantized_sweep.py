"""The sweep of regret minimizers whose numbers are kept in 16 bits.

It is that of :mod:`secateur.kernels.regret_minimizers.sweep`; but a block is read twice when its
numbers change, first to find the largest, which tells the power of two that all are multiples of.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.lanes import ONE, THREE, add, each, minus, plus, put, take, times
from secateur.kernels.core.parts import U, count_histories
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import EVERYTHING, SKIP, begin, visitor, walk
from secateur.kernels.regret_minimizers.matching import probability
from secateur.kernels.regret_minimizers.quantized import (
    BROKEN,
    MOST_SUM,
    REGRET_BITS,
    SUM_BITS,
    QuantizedNumbers,
    exponent_for,
    power_of_two,
    turn_of,
    whole_regret,
    whole_sum,
)
from secateur.kernels.regret_minimizers.sweep import (
    AVERAGE,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    Visits,
    updated,
)

_LEAST_NORM = 2.0**-1000
"""The smallest sum of claims to divide by."""


@part
def _share(strategy, regret, cell):
    """Return what the probability of an action is in proportion to."""
    if strategy is None:
        return max(0.0, float(regret[U(cell)]))
    return float(strategy[U(cell)])


@part
def _shares(strategy, regret, cell, zeros):
    """Return shares of an action, for as many lanes as there are zeros."""
    if len(zeros) == 3:
        return (
            _share(strategy, regret, cell),
            _share(strategy, regret, cell + 1),
            _share(strategy, regret, cell + 2),
        )
    return (_share(strategy, regret, cell),)


@part
def _cells(cell, zeros):
    """Return the cells of an action, of as many lanes as there are zeros."""
    return (cell, cell + 1, cell + 2) if len(zeros) == 3 else (cell,)


@part
def _fold_block(g, block, numbers, value, rule, iteration):
    """Fold the values of an own block into its parents; update its regrets; choose anew."""
    at = block_at(g, block)
    # a tuple of numbers stays in registers; an array might change with every store
    update = (rule[0], rule[1], rule[2], rule[3], rule[4])
    unit = power_of_two(numbers.regret_exponent[U(block)])
    largest = check = 0.0
    lane = 0
    if at.parent >= 0:
        # Three at a time keep the processor busy, and poker games like the number.
        while lane + 3 <= at.lanes:
            parent = at.parent + lane
            high, sum_ = _fold_lanes(
                at, lane, parent, numbers, numbers.strategy, value, unit, update, THREE
            )
            largest, check = max(largest, high), check + sum_
            lane += 3
    while lane < at.lanes:
        parent = parent_of(g, at.parent, lane)
        high, sum_ = _fold_lanes(
            at, lane, parent, numbers, numbers.strategy, value, unit, update, ONE
        )
        largest, check = max(largest, high), check + sum_
        lane += 1
    # a value that is no number, or infinite, makes the expected one so; and broken blocks stay so
    exponent = exponent_for(largest + 0.0 * (check + unit), REGRET_BITS)
    numbers.regret_exponent[U(block)] = exponent
    if exponent == BROKEN:
        return
    rounding = (unit, power_of_two(-exponent), power_of_two(exponent), turn_of(iteration))
    lane = 0
    while lane + 3 <= at.lanes:
        _keep_lanes(at, lane, numbers, numbers.chosen, value, update, rounding, THREE)
        lane += 3
    while lane < at.lanes:
        _keep_lanes(at, lane, numbers, numbers.chosen, value, update, rounding, ONE)
        lane += 1


@part
def _fold_lanes(at, lane, parent, numbers, strategy, value, unit, update, zeros):
    """Fold information sets; leave instantaneous regrets in the place of their values.

    Returns the largest regret there will be, and the sum of expected values.
    """
    regret = numbers.regret
    norm = expected = zeros
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        shares = _shares(strategy, regret, cell, zeros)
        norm = plus(norm, shares)
        expected = plus(expected, times(shares, take(value, slot, zeros)))
        cell += at.lanes
        slot += at.stride
    expected = _expected(at, lane, norm, expected, value)
    add(value, parent, expected)
    largest = zeros
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        instant = minus(take(value, slot, zeros), expected)
        put(value, slot, instant)
        new = each(updated, each(_product, take(regret, cell, zeros), zeros, unit), instant, update)
        largest = each(_larger, largest, new, 0.0)
        cell += at.lanes
        slot += at.stride
    if len(zeros) == 3:
        high = max(largest[0], max(largest[1], largest[2]))
        return high, expected[0] + expected[1] + expected[2]
    return largest[0], expected[0]


@part
def _product(number, _zero, unit):
    """Return a whole number times a power of two."""
    return number * unit


@part
def _larger(largest, number, _rest):
    """Return the larger of a size and that of a number."""
    return max(largest, abs(number))


@part
def _expected(at, lane, norm, weighted, value):
    """Return expected values, given sums of shares and of values times shares."""
    if len(norm) == 3:
        return (
            _expected_of_lane(at, lane, norm[0], weighted[0], value),
            _expected_of_lane(at, lane + 1, norm[1], weighted[1], value),
            _expected_of_lane(at, lane + 2, norm[2], weighted[2], value),
        )
    return (_expected_of_lane(at, lane, norm[0], weighted[0], value),)


@part
def _expected_of_lane(at, lane, norm, weighted, value):
    """Return the expected value of an information set; without shares all actions are alike."""
    if norm > 0.0:
        return weighted / norm
    expected = 0.0
    slot = at.slot + lane
    for _ in range(at.actions):
        expected += value[U(slot)]
        slot += at.stride
    return expected / at.actions


@part
def _keep_lanes(at, lane, numbers, chosen, value, update, rounding, zeros):
    """Update the regrets of information sets by what was left in the place of their values."""
    regret = numbers.regret
    unit, inverse, new_unit, turn = rounding
    norm = zeros
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        instant = take(value, slot, zeros)
        new = each(updated, each(_product, take(regret, cell, zeros), zeros, unit), instant, update)
        kept = each(_whole, new, _cells(cell, zeros), (inverse, turn))
        put(regret, cell, kept)
        if chosen is not None:
            # the strategy must follow from regrets as they are stored
            claims = each(_claim, kept, instant, (new_unit, update[PREDICTION]))
            put(value, slot, claims)
            norm = plus(norm, claims)
        cell += at.lanes
        slot += at.stride
    if chosen is not None:
        scale = each(_scale_of, norm, norm, 0.0)
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            put(chosen, cell, each(_whole_share, take(value, slot, zeros), scale, 0.0))
            cell += at.lanes
            slot += at.stride


@part
def _whole(number, cell, rest):
    """Return what is kept of a regret."""
    inverse, turn = rest
    return whole_regret(number * inverse, cell, turn)


@part
def _claim(kept, instant, rest):
    """Return the claim of an action: its regret, with what is predicted, if that is positive."""
    unit, prediction = rest
    return max(0.0, kept * unit + prediction * instant)


@part
def _scale_of(norm, _same, _rest):
    """Return what claims that sum up to ``norm`` are multiplied by to be shares."""
    return MOST_SUM / norm if norm >= _LEAST_NORM else 0.0


@part
def _whole_share(claim, scale, _rest):
    """Return the share of a claim."""
    return int(claim * scale + 0.5)


@part
def _catch_up(visit, g, block, end):
    """Make up for what a block has missed of the schedule, up to its row ``end``."""
    if visit.how.idle and visit.numbers.seen[U(block)] < end:
        _settle(visit, g, block, end)


@stage
def _settle(visit, g, block, end):
    """Update the regrets of a block for rows in which nothing was observed; choose anew."""
    numbers = visit.numbers
    at = block_at(g, block)
    some = False
    for cell in range(at.cell, at.cell + at.actions * at.lanes):
        some |= numbers.regret[U(cell)] != 0
    # where all are zero they stay so, and without discounts all do
    for row in range(numbers.seen[U(block)] if some else end, end):
        rule = visit.schedule[U(row)]
        if rule[U(POSITIVE)] != 1.0 or rule[U(NEGATIVE)] != 1.0:
            _discount(at, block, numbers, rule, visit.first_iteration + row)
    _choose_unseen(at, numbers.regret, numbers.strategy, numbers.chosen)
    numbers.seen[U(block)] = end


@part
def _discount(at, block, numbers, rule, iteration):
    """Update the regrets of a block by an iteration in which nothing was observed."""
    update = (rule[0], rule[1], rule[2], rule[3], rule[4])
    regret = numbers.regret
    unit = power_of_two(numbers.regret_exponent[U(block)])
    cells = range(at.cell, at.cell + at.actions * at.lanes)
    largest = 0.0
    for cell in cells:
        largest = max(largest, abs(updated(regret[U(cell)] * unit, 0.0, update)))
    exponent = exponent_for(largest + 0.0 * unit, REGRET_BITS)
    numbers.regret_exponent[U(block)] = exponent
    if exponent == BROKEN:
        return
    inverse = power_of_two(-exponent)
    turn = turn_of(iteration)
    for cell in cells:
        new = updated(regret[U(cell)] * unit, 0.0, update)
        regret[U(cell)] = whole_regret(new * inverse, cell, turn)


@part
def _choose_unseen(at, regret, strategy, chosen):
    """Let the information sets of a block choose that nobody saw, if strategies are stored."""
    if strategy is not None:
        for lane in range(at.lanes):
            norm = 0.0
            cell = at.cell + lane
            for _ in range(at.actions):
                norm += max(0.0, float(regret[U(cell)]))
                cell += at.lanes
            scale = _scale_of(norm, norm, 0.0)
            cell = at.cell + lane
            for _ in range(at.actions):
                share = _whole_share(max(0.0, float(regret[U(cell)])), scale, 0.0)
                strategy[U(cell)] = share
                chosen[U(cell)] = share
                cell += at.lanes


@part
def _choose(visit, nodes, g, me, block, _depth, w):
    """Leave out what the opponent does not reach, if that may be skipped."""
    reached = not visit.how.skip or w.reached[U(g.gate[U(2 * block + 1 - me)])]
    return EVERYTHING if reached else SKIP, nodes


@part
def _face(visit, nodes, g, me, block, w):
    """Put the opponent's strategy on the stack of reach, add it to its sums, and count."""
    # player 1 faces what player 0 has just chosen
    _catch_up(visit, g, block, visit.row + (0 if visit.how.simultaneous else me))
    at = block_at(g, block)
    numbers = visit.numbers
    _load_factors(g, at, numbers.regret, numbers.strategy, w.reach)
    weight = visit.schedule[U(visit.row), U(AVERAGE)]
    largest = _pass(at, numbers.regret, numbers.strategy, numbers.total, weight,
                    power_of_two(numbers.total_exponent[U(block)]), w)
    if weight != 0.0:
        _add(at, block, numbers, weight, largest, visit.first_iteration + visit.row, w)
    if visit.how.counted:
        nodes += count_histories(g, block, w.reach)
    return nodes


@part
def _load_factors(g, at, regret, strategy, reach):
    """Write what shares of each lane are multiplied by to be reach, where its first row will be.

    Where all actions are alike that is minus the reach of each.
    """
    for lane in range(at.lanes):
        norm = 0.0
        cell = at.cell + lane
        for _ in range(at.actions):
            norm += _share(strategy, regret, cell)
            cell += at.lanes
        before = reach[U(parent_of(g, at.parent, lane))]
        reach[U(at.slot + lane)] = before / norm if norm > 0.0 else -before / at.actions


@part
def _pass(at, regret, strategy, total, weight, unit, w):
    """Multiply reach through a block; return the largest sum that it will have been added to."""
    reach = w.reach
    largest = 0.0
    for back in range(at.actions):
        a = at.actions - 1 - back  # the first row, where factors stand, comes last
        cell = at.cell + a * at.lanes
        slot = at.slot + a * at.stride
        some = 0.0
        for lane in range(at.lanes):
            share = _share(strategy, regret, cell + lane)
            after = probability(share, reach[U(at.slot + lane)])
            reach[U(slot + lane)] = after
            some += after
            largest = max(largest, total[U(cell + lane)] * unit + weight * after)
        w.reached[U(at.row + a)] = some > 0.0
    return largest


@part
def _add(at, block, numbers, weight, largest, iteration, w):
    """Add the reach of a block times a weight to its sums."""
    total, reach = numbers.total, w.reach
    before = numbers.total_exponent[U(block)]
    exponent = max(np.int64(before), exponent_for(largest, SUM_BITS))
    numbers.total_exponent[U(block)] = exponent
    if exponent == BROKEN:
        return
    inverse = power_of_two(-exponent)
    kept = power_of_two(before) * inverse
    weight *= inverse
    turn = turn_of(iteration)
    cell = at.cell
    slot = at.slot
    for row in range(at.row, at.row + at.actions):
        if w.reached[U(row)] or kept != 1.0:
            for lane in range(at.lanes):
                new = total[U(cell + lane)] * kept + reach[U(slot + lane)] * weight
                total[U(cell + lane)] = whole_sum(new, cell + lane, turn)
        cell += at.lanes
        slot += at.stride


@part
def _leave(visit, nodes, g, _me, block, w):
    """Update the regrets of a block and choose."""
    numbers, row = visit.numbers, visit.row
    _catch_up(visit, g, block, row)
    rule = visit.schedule[U(row)]
    _fold_block(g, block, numbers, w.value, rule, visit.first_iteration + row)
    if visit.how.idle:
        numbers.seen[U(block)] = row + 1
    return nodes


@visitor(choose=_choose, face=_face, leave=_leave)
class _Sweep(NamedTuple):
    """A sweep; its tally: histories."""

    numbers: QuantizedNumbers
    schedule: npt.NDArray[np.float64]
    row: int
    first_iteration: int
    """That of the schedule's first row."""

    how: Visits


@part
def _adopt(strategy, chosen):
    """Play what was chosen."""
    if strategy is not None:
        for cell in range(len(strategy)):
            strategy[U(cell)] = chosen[U(cell)]


@kernel
def iterate_quantized(g, numbers, schedule, first_iteration, how, w):
    """Run one iteration per row of ``schedule``, player 0 first; return histories touched."""
    nodes = 0
    rows = len(schedule)
    for row in range(rows):
        visit = _Sweep(numbers, schedule, row, first_iteration, how)
        for me in range(2):
            begin(w, 1.0)
            nodes += walk(g, me, visit, 0, w)
        if how.simultaneous:
            _adopt(numbers.strategy, numbers.chosen)
    if how.idle:
        visit = _Sweep(numbers, schedule, rows, first_iteration, how)
        for block in range(len(g.player)):
            _catch_up(visit, g, block, rows)
            numbers.seen[U(block)] = 0
    return nodes
