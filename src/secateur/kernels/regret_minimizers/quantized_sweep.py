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
from secateur.kernels.core.heap import note_done
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.lanes import ONE, THREE, add, each, minus, plus, put, take, times
from secateur.kernels.core.parts import U, count_histories
from secateur.kernels.core.pieces import AT_ONCE, begin_blocks, end_blocks, next_blocks, number_of
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import visitor
from secateur.kernels.regret_minimizers.matching import probability
from secateur.kernels.regret_minimizers.quantized import (
    BROKEN,
    MOST_REGRET,
    MOST_SUM,
    REGRET_BITS,
    SUM_BITS,
    Draft,
    QuantizedNumbers,
    exponent_for,
    first_turn,
    power_of_two,
    take_turns,
    turn_of,
    whole,
)
from secateur.kernels.regret_minimizers.sweep import (
    AVERAGE,
    FLOOR,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    WEIGHT,
    Visits,
    adopt,
    choose_unskipped,
    updated,
)

_FEW_REGRETS = 16383.0
"""Where the largest is smaller, a smaller power of two will do."""

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
def _fold_block(g, block, numbers, value, rule, draft):
    """Fold the values of an own block into its parents; update its regrets; choose anew."""
    at = block_at(g, block)
    before = np.int64(numbers.regret_exponent[U(block)])
    update = _rule_in_units(rule, before)
    strategy, fresh = numbers.strategy, draft.fresh
    largest = check = 0.0
    lane = 0
    if at.parent >= 0:
        # Three at a time keep the processor busy, and poker games like the number.
        while lane + 3 <= at.lanes:
            high, expected = _fold_lanes(
                at,
                lane,
                at.parent + lane,
                numbers.regret,
                strategy,
                value,
                update,
                fresh,
                THREE,
            )
            largest, check = max(largest, high), check + expected
            lane += 3
    while lane < at.lanes:
        parent = parent_of(g, at.parent, lane)
        high, expected = _fold_lanes(
            at, lane, parent, numbers.regret, strategy, value, update, fresh, ONE
        )
        largest, check = max(largest, high), check + expected
        lane += 1
    # a value that is no number, or infinite, makes the expected one so
    exponent = _exponent_of_regrets(before, largest + 0.0 * check)
    numbers.regret_exponent[U(block)] = exponent
    if exponent == BROKEN:
        return
    rounding = (draft.fresh, draft.turns, first_turn(at), power_of_two(before - exponent))
    prediction = rule[U(PREDICTION)] * power_of_two(-exponent)
    lane = 0
    while lane + 3 <= at.lanes:
        _keep_lanes(at, lane, numbers.regret, numbers.chosen, value, rounding, prediction, THREE)
        lane += 3
    while lane < at.lanes:
        _keep_lanes(at, lane, numbers.regret, numbers.chosen, value, rounding, prediction, ONE)
        lane += 1


@part
def _rule_in_units(rule, exponent):
    """Return a row of the schedule for regrets that are divided by their power of two.

    A tuple of numbers stays in registers; an array might change with every store.
    """
    inverse = power_of_two(-exponent)
    weight, floor = rule[U(WEIGHT)] * inverse, rule[U(FLOOR)] * inverse
    return (rule[U(POSITIVE)], rule[U(NEGATIVE)], weight, floor)


@part
def _exponent_of_regrets(before, largest):
    """Return the exponent of a block whose largest regret has this size; mostly that of before."""
    if _FEW_REGRETS <= largest <= MOST_REGRET or before == BROKEN:
        return before
    return np.int64(exponent_for(largest, before, MOST_REGRET, REGRET_BITS))


@part
def _fold_lanes(at, lane, parent, regret, strategy, value, update, fresh, zeros):
    """Fold information sets; draft their regrets, and leave instantaneous ones in place of values.

    Returns the size of the largest regret, and the sum of expected values.
    """
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
        new = each(updated, take(regret, cell, zeros), instant, update)
        put(value, slot, instant)
        put(fresh, cell - at.cell, new)
        largest = each(_larger, largest, new, 0.0)
        cell += at.lanes
        slot += at.stride
    return _largest(largest), _sum(expected)


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
def _keep_lanes(at, lane, regret, chosen, value, rounding, prediction, zeros):
    """Keep the regrets of information sets that were drafted; choose, if that is stored."""
    fresh, turns, first, inverse = rounding
    norm = zeros
    place = lane
    slot = at.slot + lane
    for _ in range(at.actions):
        turn = take(turns, first + place, zeros)
        kept = each(whole, take(fresh, place, zeros), turn, inverse)
        put(regret, at.cell + place, kept)
        if chosen is not None:
            # the strategy must follow from regrets as they are stored
            claims = each(_claim, kept, take(value, slot, zeros), prediction)
            put(value, slot, claims)
            norm = plus(norm, claims)
        place += at.lanes
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
def _claim(kept, instant, prediction):
    """Return the claim of an action: its regret, with what is predicted, if that is positive."""
    return max(0.0, kept + prediction * instant)


@part
def _scale_of(norm, _same, _rest):
    """Return what claims that sum up to ``norm`` are multiplied by to be shares."""
    return MOST_SUM / norm if norm >= _LEAST_NORM else 0.0


@part
def _whole_share(claim, scale, _rest):
    """Return the share of a claim."""
    return np.int32(claim * scale + 0.5)


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
            _discount(at, block, numbers, rule, visit.first_iteration + row, visit.draft)
    _choose_unseen(at, numbers.regret, numbers.strategy, numbers.chosen)
    numbers.seen[U(block)] = end


@part
def _discount(at, block, numbers, rule, iteration, draft):
    """Update the regrets of a block by an iteration in which nothing was observed."""
    before = np.int64(numbers.regret_exponent[U(block)])
    update = _rule_in_units(rule, before)
    count = at.actions * at.lanes
    largest = 0.0
    for k in range(count):
        new = updated(numbers.regret[U(at.cell + k)], 0.0, update)
        draft.fresh[U(k)] = new
        largest = max(largest, abs(new))
    exponent = _exponent_of_regrets(before, largest)
    numbers.regret_exponent[U(block)] = exponent
    if exponent == BROKEN:
        return
    for k in range(count):
        turn = turn_of(first_turn(at) + k, iteration)
        new = whole(draft.fresh[U(k)], turn, power_of_two(before - exponent))
        numbers.regret[U(at.cell + k)] = new


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
def _face(visit, nodes, g, me, block, w):
    """Put the opponent's strategy on the stack of reach, add it to its sums, and count."""
    # player 1 faces what player 0 has just chosen
    _catch_up(visit, g, block, visit.row + (0 if visit.how.simultaneous else me))
    _pass_block(g, block, visit.numbers, visit.numbers.strategy, visit.weight, visit.draft, w)
    if visit.how.counted:
        nodes += count_histories(g, block, w.reach)
    return nodes


@part
def _pass_block(g, block, numbers, strategy, weight, draft, w):
    """Multiply the reach of a block's owner through its strategy; add it to sums."""
    at = block_at(g, block)
    before = np.int64(numbers.total_exponent[U(block)])
    sums = (numbers.total, weight * power_of_two(-before))
    largest = 0.0
    lane = 0
    if at.parent >= 0:
        while lane + 3 <= at.lanes:
            reach = take(w.reach, at.parent + lane, THREE)
            high = _pass_lanes(at, lane, reach, numbers.regret, strategy, sums, draft.fresh, w)
            largest = max(largest, high)
            lane += 3
    while lane < at.lanes:
        reach = take(w.reach, parent_of(g, at.parent, lane), ONE)
        high = _pass_lanes(at, lane, reach, numbers.regret, strategy, sums, draft.fresh, w)
        largest = max(largest, high)
        lane += 1
    exponent = before
    if not largest <= MOST_SUM and before != BROKEN:
        exponent = np.int64(exponent_for(largest, before, MOST_SUM, SUM_BITS))
        numbers.total_exponent[U(block)] = exponent
    if exponent == BROKEN:
        return
    rounding = (draft.fresh, draft.turns, first_turn(at), power_of_two(before - exponent))
    place = 0
    cells = at.actions * at.lanes
    while place + 3 <= cells:
        _keep_sums(at, place, numbers.total, rounding, THREE)
        place += 3
    while place < cells:
        _keep_sums(at, place, numbers.total, rounding, ONE)
        place += 1


@part
def _keep_sums(at, place, total, rounding, zeros):
    """Keep sums that were drafted."""
    fresh, turns, first, inverse = rounding
    turn = take(turns, first + place, zeros)
    put(total, at.cell + place, each(whole, take(fresh, place, zeros), turn, inverse))


@part
def _pass_lanes(at, lane, before, regret, strategy, sums, fresh, w):
    """Multiply the reach of information sets; draft their sums and return the largest."""
    total, weight = sums
    norm = minus(before, before)
    cell = at.cell + lane
    for _ in range(at.actions):
        norm = plus(norm, _shares(strategy, regret, cell, before))
        cell += at.lanes
    factor = each(_factor, before, norm, at.actions)
    largest = 0.0
    cell = at.cell + lane
    slot = at.slot + lane
    for row in range(at.row, at.row + at.actions):
        after = each(_reach, _shares(strategy, regret, cell, before), factor, 0.0)
        put(w.reach, slot, after)
        new = each(_sum_of, take(total, cell, before), after, weight)
        put(fresh, cell - at.cell, new)
        largest = max(largest, _largest(new))
        w.reached[U(row)] = _largest(after) > 0.0 or (lane > 0 and w.reached[U(row)])
        cell += at.lanes
        slot += at.stride
    return largest


@part
def _factor(before, norm, actions):
    """Return what shares are multiplied by to be reach; minus that of each if all are alike."""
    return before / norm if norm > 0.0 else -before / actions


@part
def _reach(share, factor, _rest):
    """Return the reach of an action."""
    return probability(share, factor)


@part
def _sum_of(kept, after, weight):
    """Return a sum after an iteration."""
    return kept + weight * after


@part
def _sum(lanes):
    """Return the sum of some numbers."""
    return lanes[0] + lanes[1] + lanes[2] if len(lanes) == 3 else lanes[0]


@part
def _largest(lanes):
    """Return the largest of some numbers."""
    return max(lanes[0], lanes[1], lanes[2]) if len(lanes) == 3 else lanes[0]


@part
def _leave(visit, nodes, g, _me, block, w):
    """Update the regrets of a block and choose."""
    numbers, row = visit.numbers, visit.row
    _catch_up(visit, g, block, row)
    rule = visit.schedule[U(row)]
    _fold_block(g, block, numbers, w.value, rule, visit.draft)
    if visit.how.idle:
        numbers.seen[U(block)] = row + 1
    return nodes


@visitor(choose=choose_unskipped, face=_face, leave=_leave)
class _Sweep(NamedTuple):
    """A sweep; its tally: histories."""

    numbers: QuantizedNumbers
    weight: float
    """Of the strategies that are faced, in their sums; those change by nothing if it is zero."""

    schedule: npt.NDArray[np.float64]
    row: int
    first_iteration: int
    """That of the schedule's first row."""

    how: Visits
    draft: Draft


@kernel
def iterate_quantized(g, numbers, schedule, first_iteration, how, draft, pieces, turn, w):
    """Run one iteration per row of ``schedule``, player 0 first; return histories touched.

    ``turn`` may ask for less (see :func:`secateur.kernels.regret_minimizers.sweep.iterate`).
    """
    nodes = 0.0
    for row in range(turn.row, turn.last_row):
        given = (schedule, row, first_iteration, how, draft)
        visit = _Sweep(numbers, schedule[U(row), U(AVERAGE)], *given)
        glance = _Sweep(numbers, 0.0, *given)
        take_turns(draft.turns, first_iteration + row)
        for me in range(turn.player, turn.last_player):
            nodes += in_pieces(g, me, visit, glance, 1.0, pieces, turn, number_of(row, me), w)
        if how.simultaneous and turn.up and turn.last_player == 2:
            adopt(numbers.strategy, numbers.chosen)
    if how.idle and turn.settle:
        rows = len(schedule)
        visit = _Sweep(numbers, 0.0, schedule, rows, first_iteration, how, draft)
        shares = begin_blocks(g, turn, pieces)
        first = next_blocks(turn, pieces, shares)
        while first >= 0:
            for block in range(first, min(first + AT_ONCE, len(g.player))):
                _catch_up(visit, g, block, rows)
                numbers.seen[U(block)] = 0
            note_done(pieces.heap)
            first = next_blocks(turn, pieces, shares)
        end_blocks(turn, pieces, shares)
    return nodes
