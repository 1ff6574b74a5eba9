"""Iterations of a round, by one thread or several.

A player's plan is written from the top down; where a sequence is not played, what follows it is
left out. Then the other player goes to the information sets that are reached, and from the last to
the first of them adds up what sequences earn against the plan, row by row, and updates regrets.
Discounts and predictions that lapse are made up for when somebody comes again.

Information sets of a large game are divided: *parts* stand together with all that follows them, and
are shared out among threads; the rest, before which they all stand, is the *trunk*.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.compilation.fetch import fetch
from secateur.kernels.core.heap import await_done, await_heap, note_done, open_heap, take
from secateur.kernels.core.parts import U
from secateur.kernels.pruning_rounds.side import against
from secateur.kernels.regret_minimizers.matching import probability, scale_of
from secateur.kernels.regret_minimizers.sweep import AVERAGE, PREDICTION, updated

Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Flags = npt.NDArray[np.int8]
Float = npt.NDArray[np.float64]

ALONE, LEADS, HELPS = range(3)
"""What a thread does: all, with others who help, or to help."""

_FAR, _NEAR, _NEXT = 8, 4, 2
"""How many information sets before an update its numbers, its rows and the plan are fetched."""

_ENTRIES = 4
"""Of rows, for which the plan is fetched."""

_FAR_AWAY = 200_000
"""Sequences from which that pays: with less, all numbers stay near."""

_PHASES = 4
"""Of an iteration: each player's plan is written, and each updates its regrets."""


@book
class Numbers(NamedTuple):
    """A player's numbers in a round."""

    regret: Float  # per sequence
    claim: Float  # regrets with what is predicted; the same array if nothing is
    total: Float  # strategy sums of the round
    plan: Float  # how often each is played now
    value: Float  # per slot: what follows a sequence is worth
    scale: Float  # per information set
    earned: Float  # sums of values
    seen: Int  # the iteration of the last update
    lit: Flags  # whether the plan may play something behind it, or at it
    reached: Int  # room: those that are reached, from the first one of each part on
    passed_to: Int  # room: slots of sequences before a part that have something behind in it
    passed: Float  # room: what that is worth


@book
class Division(NamedTuple):
    """How a player's information sets are divided."""

    trunk: Int
    first: Int  # per part
    end: Int
    slot: Int  # per information set: where what follows its sequences is added up
    back: Int  # the slot of the sequence before it
    passed: Int  # room: how many sequences before a part are worth something for what is in it
    work: Long  # room: how many numbers were touched there; last, of the trunk


class How(NamedTuple):
    """What the minimizer does."""

    idle: bool  # regrets or strategies change even where nobody comes
    predictive: bool


@kernel
def divide(side, most, trunk, first, end):
    """Divide information sets into parts of at most so many.

    What has more behind it belongs to the trunk. Returns the sizes of trunk and parts.
    """
    stems = parts = 0
    k = 0
    while k < len(side.parent):
        following = int(side.end[U(k)])
        if following - k > most:
            trunk[U(stems)] = k
            stems += 1
            k += 1
            continue
        if parts > 0 and end[U(parts - 1)] == k and following - first[U(parts - 1)] <= most:
            end[U(parts - 1)] = following
        else:
            first[U(parts)] = k
            end[U(parts)] = following
            parts += 1
        k = following
    return stems, parts


@kernel
def give_slots(side, division, standing, behind):
    """Give slots to sequences; return how many there are.

    Those of the trunk have slots of their own. A part has a stack: what stands on one path has
    different slots, all else may share them. ``standing`` and ``behind`` are room for a number per
    sequence: its slot, and the first behind those of its information set.
    """
    standing[U(0)] = 0
    top = 1
    for place in range(len(division.trunk)):
        k = int(division.trunk[U(place)])
        top = _give(side, division, k, top, standing, behind)
    for place in range(len(division.end)):
        bottom = top
        own = side.first[U(division.first[U(place)])]
        for k in range(int(division.first[U(place)]), int(division.end[U(place)])):
            before = side.parent[U(k)]
            slot = int(behind[U(before)]) if before >= own else bottom
            top = max(top, _give(side, division, k, slot, standing, behind))
    return top


@part
def _give(side, division, k, slot, standing, behind):
    """Give the sequences of an information set slots, the first of which is known."""
    first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
    division.slot[U(k)] = slot
    division.back[U(k)] = standing[U(side.parent[U(k)])]
    for sequence in range(first, end):
        standing[U(sequence)] = slot + sequence - first
        behind[U(sequence)] = slot + end - first
    return slot + end - first


@part
def fading(logs, seen, last):
    """Return what iterations make of positive and of negative regrets in which nobody came.

    They are those after ``seen`` up to the ``last``. ``logs`` holds, for every iteration, sums of
    the logarithms of both discounts so far.
    """
    if seen >= last:
        return 1.0, 1.0
    positive = logs[U(2 * last)] - logs[U(2 * seen)]
    negative = logs[U(2 * last + 1)] - logs[U(2 * seen + 1)]
    return math.exp(positive), math.exp(negative)


@stage
def _lapse(side, numbers, k, last, logs):
    """Discount regrets up to the ``last`` iteration; let strategies follow, nothing predicted."""
    first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
    positive, negative = fading(logs, int(numbers.seen[U(k)]), last)
    norm = 0.0
    for sequence in range(first, end):
        regret = numbers.regret[U(sequence)]
        regret *= positive if regret > 0.0 else negative
        numbers.regret[U(sequence)] = regret
        numbers.claim[U(sequence)] = max(0.0, regret)
        norm += max(0.0, regret)
    numbers.scale[U(k)] = scale_of(norm, end - first)
    numbers.seen[U(k)] = last


@stage
def _write(side, numbers, k, before, weight, last, logs, how):
    """Write how an information set plays on from a sequence; add it to the sums."""
    if how.predictive and numbers.seen[U(k)] < last:
        _lapse(side, numbers, k, last, logs)
    numbers.lit[U(k)] = 1
    scale = numbers.scale[U(k)]
    for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
        amount = before * probability(numbers.claim[U(sequence)], scale)
        numbers.plan[U(sequence)] = amount
        numbers.total[U(sequence)] += weight * amount


@part
def _put_out(side, numbers, k, end):
    """Play nothing at some information sets, if that is not so already."""
    if numbers.lit[U(k)] > 0:
        numbers.lit[U(k)] = 0
        for sequence in range(int(side.first[U(k)]), int(side.first[U(end)])):
            numbers.plan[U(sequence)] = 0.0


@part
def _write_trunk(side, numbers, division, weight, last, logs, how):
    """Write the plan of the trunk."""
    numbers.plan[U(0)] = 1.0
    numbers.total[U(0)] += weight
    for place in range(len(division.trunk)):
        k = int(division.trunk[U(place)])
        before = numbers.plan[U(side.parent[U(k)])]
        if before == 0.0:
            _put_out(side, numbers, k, k + 1)
        else:
            _write(side, numbers, k, before, weight, last, logs, how)


@part
def _write_part(side, numbers, first, end, weight, last, logs, how):
    """Write the plan of a part."""
    k = first
    while k < end:
        before = numbers.plan[U(side.parent[U(k)])]
        if before == 0.0:
            following = int(side.end[U(k)])
            _put_out(side, numbers, k, following)
            k = following
        else:
            _write(side, numbers, k, before, weight, last, logs, how)
            k += 1


@part
def _is_reached(side, k, sequences, plan):
    """Return whether a plan comes to an information set."""
    row = sequences + k
    for e in range(int(side.pointer[U(row)]), int(side.pointer[U(row + 1)])):
        if plan[U(side.other[U(e)])] > 0.0:
            return True
    return False


@part
def _fetch_ahead(side, numbers, plan, division, at, begin):
    """Begin to read what it takes to update information sets that are reached, before ``at``.

    Which are reached differs from iteration to iteration, so nobody else can know.
    """
    if at - _FAR >= begin:
        k = int(numbers.reached[U(at - _FAR)])
        sequence = side.first[U(k)]
        fetch(side.pointer, sequence)
        fetch(numbers.regret, sequence)
        fetch(numbers.scale, k)
        fetch(numbers.earned, k)
        fetch(numbers.seen, k)
        fetch(division.slot, k)
        fetch(division.back, k)
    if at - _NEAR >= begin:
        e = side.pointer[U(side.first[U(numbers.reached[U(at - _NEAR)])])]
        fetch(side.other, e)
        fetch(side.code, e)
    if at - _NEXT >= begin:
        e = int(side.pointer[U(side.first[U(numbers.reached[U(at - _NEXT)])])])
        for each in range(e, min(e + _ENTRIES, len(side.other))):
            fetch(plan, side.other[U(each)])


@stage
def _fold(side, numbers, plan, k, slot, iteration, rule, weight, logs, how):
    """Update the regrets of an information set; return what it is worth."""
    if how.predictive and numbers.seen[U(k)] < iteration - 1:
        _lapse(side, numbers, k, iteration - 1, logs)
    positive = negative = 1.0
    if how.idle:
        positive, negative = fading(logs, int(numbers.seen[U(k)]), iteration - 1)
    value = numbers.value
    first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
    slot -= first
    scale = numbers.scale[U(k)]
    expected = 0.0
    for sequence in range(first, end):
        worth = value[U(slot + sequence)] + against(side, sequence, plan)
        value[U(slot + sequence)] = worth
        expected += probability(numbers.claim[U(sequence)], scale) * worth
    norm = 0.0
    for sequence in range(first, end):
        instant = value[U(slot + sequence)] - expected
        value[U(slot + sequence)] = 0.0
        regret = numbers.regret[U(sequence)]
        regret *= positive if regret > 0.0 else negative
        regret = updated(regret, instant, rule)
        claim = max(0.0, regret + rule[PREDICTION] * instant)
        numbers.regret[U(sequence)] = regret
        if how.predictive:
            numbers.claim[U(sequence)] = claim
        norm += claim
    numbers.scale[U(k)] = scale_of(norm, end - first)
    numbers.seen[U(k)] = iteration
    numbers.earned[U(k)] += weight * expected
    return expected


@part
def _size(side, k):
    """Return how many numbers it takes to update an information set."""
    first, end = side.first[U(k)], side.first[U(k + 1)]
    return int(end) - int(first) + int(side.pointer[U(end)]) - int(side.pointer[U(first)])


@part
def _fold_part(side, numbers, plan, division, place, iteration, rule, weight, logs, how):
    """Update the regrets of a part; note what it is worth to sequences before it."""
    begin, end = int(division.first[U(place)]), int(division.end[U(place)])
    sequences = len(numbers.plan)
    top = begin
    k = begin
    while k < end:
        if _is_reached(side, k, sequences, plan):
            numbers.reached[U(top)] = k
            top += 1
            k += 1
        else:
            k = int(side.end[U(k)])
    bottom = division.slot[U(begin)]
    count = work = 0
    far_away = sequences >= _FAR_AWAY
    for at in range(top - 1, begin - 1, -1):
        if far_away:
            _fetch_ahead(side, numbers, plan, division, at, begin)
        k = int(numbers.reached[U(at)])
        slot, back = int(division.slot[U(k)]), division.back[U(k)]
        expected = _fold(side, numbers, plan, k, slot, iteration, rule, weight, logs, how)
        work += _size(side, k)
        if back >= bottom:
            numbers.value[U(back)] += expected
        else:
            numbers.passed_to[U(begin + count)] = back
            numbers.passed[U(begin + count)] = expected
            count += 1
    division.passed[U(place)] = count
    division.work[U(place)] += work


@part
def _fold_trunk(side, numbers, plan, division, iteration, rule, weight, logs, how):
    """Update the regrets of the trunk, when those of all parts have been."""
    value = numbers.value
    for place in range(len(division.end)):
        begin = int(division.first[U(place)])
        for at in range(begin, begin + division.passed[U(place)]):
            value[U(numbers.passed_to[U(at)])] += numbers.passed[U(at)]
    work = 0
    sequences = len(numbers.plan)
    for place in range(len(division.trunk) - 1, -1, -1):
        k = int(division.trunk[U(place)])
        if _is_reached(side, k, sequences, plan):
            slot = int(division.slot[U(k)])
            expected = _fold(side, numbers, plan, k, slot, iteration, rule, weight, logs, how)
            value[U(division.back[U(k)])] += expected
            work += _size(side, k)
    value[U(0)] = 0.0
    division.work[U(len(division.end))] += work


@part
def _next(heap, number, count, who, place):
    """Return the part after one that is done, or after -1; their ``count`` if none is left."""
    if who == ALONE:
        return place + 1
    if place >= 0:
        note_done(heap)
    return take(heap, number, count)


@part
def _open(heap, number, who):
    """Open the heap of parts, or wait until it is."""
    if who == LEADS:
        open_heap(heap, number)
    elif who == HELPS:
        await_heap(heap, number)


@stage
def _turn(mine, my, my_parts, theirs, their, their_parts, numbers, now, last, logs, how, phase):
    """Write the other player's plan, and update a player's regrets against it.

    ``numbers`` are those of the schedule for iteration ``now``; the other player has chosen a
    strategy after iteration ``last``.
    """
    rule = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    weight = numbers[U(AVERAGE)]
    heap, number, who = phase
    if who != HELPS:
        _write_trunk(theirs, their, their_parts, weight, last, logs, how)
    _open(heap, number, who)
    count = len(their_parts.end)
    place = _next(heap, number, count, who, -1)
    while place < count:
        first, end = int(their_parts.first[U(place)]), int(their_parts.end[U(place)])
        _write_part(theirs, their, first, end, weight, last, logs, how)
        place = _next(heap, number, count, who, place)
    if who == LEADS:
        await_done(heap, count)
    plan = their.plan
    number += 1
    _open(heap, number, who)
    count = len(my_parts.end)
    place = _next(heap, number, count, who, -1)
    while place < count:
        _fold_part(mine, my, plan, my_parts, place, now, rule, weight, logs, how)
        place = _next(heap, number, count, who, place)
    if who == LEADS:
        await_done(heap, count)
    if who != HELPS:
        _fold_trunk(mine, my, plan, my_parts, now, rule, weight, logs, how)


@kernel
def iterate_round(
    first, ours, our_parts, second, theirs, their_parts, schedule, iteration, logs, how, heap, who
):
    """Run one iteration per row of ``schedule``.

    ``iteration`` is that of the first row. Player 1 faces what player 0 has just chosen. ``who``
    tells whether a thread works alone, leads others or helps.
    """
    for row in range(len(schedule)):
        now = iteration + row
        number = _PHASES * row + 1
        # a tuple of numbers stays in registers; an array might change with every store
        of_row = schedule[U(row)]
        numbers = (of_row[0], of_row[1], of_row[2], of_row[3], of_row[4], of_row[5])
        phase = (heap, number, who)
        _turn(
            *(first, ours, our_parts, second, theirs, their_parts),
            *(numbers, now, now - 1, logs, how, phase),
        )
        phase = (heap, number + 2, who)
        _turn(
            *(second, theirs, their_parts, first, ours, our_parts),
            *(numbers, now, now, logs, how, phase),
        )
