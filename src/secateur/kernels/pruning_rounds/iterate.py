"""Iterations of a round.

A player faces the other's plan column by column: where a sequence is not played, nothing is read.
What is earned and how often each information set is reached come together, and only information
sets that are reached update their regrets. Discounts and predictions that lapse are made up for
when somebody comes again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.parts import U
from secateur.kernels.pruning_rounds.side import add_column
from secateur.kernels.regret_minimizers.matching import probability, scale_of
from secateur.kernels.regret_minimizers.sweep import AVERAGE, PREDICTION, updated

Int = npt.NDArray[np.int32]
Float = npt.NDArray[np.float64]


@book
class Numbers(NamedTuple):
    """A player's numbers in a round."""

    regret: Float  # per sequence
    claim: Float  # regrets with what is predicted; the same array if nothing is
    total: Float  # strategy sums of the round
    plan: Float  # how often each is played now
    scale: Float  # per information set
    earned: Float  # sums of values
    seen: Int  # the iteration of the last update
    value: Float  # of sequences and, behind them, how often information sets are reached


class How(NamedTuple):
    """What the minimizer does."""

    idle: bool  # regrets or strategies change even where nobody comes
    predictive: bool


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
def _face(side, numbers, value, weight, last, logs, how):
    """Let the other player face a plan; add it to the sums; return how much was read.

    ``last`` is the last iteration in which its owner has chosen a strategy.
    """
    plan = numbers.plan
    plan[U(0)] = 1.0
    numbers.total[U(0)] += weight
    add_column(side, 0, 1.0, value)
    work = int(side.pointer[U(1)])
    k = 0
    while k < len(side.parent):
        before = plan[U(side.parent[U(k)])]
        if before == 0.0:
            k = int(side.end[U(k)])
            continue
        if how.predictive and numbers.seen[U(k)] < last:
            _lapse(side, numbers, k, last, logs)
        scale = numbers.scale[U(k)]
        for sequence in range(int(side.first[U(k)]), int(side.first[U(k + 1)])):
            amount = before * probability(numbers.claim[U(sequence)], scale)
            plan[U(sequence)] = amount
            if amount > 0.0:
                numbers.total[U(sequence)] += weight * amount
                add_column(side, sequence, amount, value)
                work += int(side.pointer[U(sequence + 1)]) - int(side.pointer[U(sequence)])
        k += 1
    return work


@part
def _fold(side, numbers, k, iteration, rule, weight, logs, how):
    """Update the regrets of an information set; pass on what it is worth."""
    if how.predictive and numbers.seen[U(k)] < iteration - 1:
        _lapse(side, numbers, k, iteration - 1, logs)
    positive = negative = 1.0
    if how.idle:
        positive, negative = fading(logs, int(numbers.seen[U(k)]), iteration - 1)
    value = numbers.value
    first, end = int(side.first[U(k)]), int(side.first[U(k + 1)])
    scale = numbers.scale[U(k)]
    expected = 0.0
    for sequence in range(first, end):
        expected += probability(numbers.claim[U(sequence)], scale) * value[U(sequence)]
    norm = 0.0
    for sequence in range(first, end):
        instant = value[U(sequence)] - expected
        value[U(sequence)] = 0.0
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
    value[U(side.parent[U(k)])] += expected


@stage
def _turn(mine, my, theirs, their, schedule, row, iteration, last, logs, how):
    """Let a player face the other's plan and update its regrets; return how much was done."""
    # a tuple of numbers stays in registers; an array might change with every store
    numbers = schedule[U(row)]
    rule = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    weight = numbers[U(AVERAGE)]
    value = my.value
    work = _face(theirs, their, value, weight, last, logs, how)
    sequences = len(my.plan)
    for k in range(len(mine.parent) - 1, -1, -1):
        if value[U(sequences + k)] > 0.0:
            value[U(sequences + k)] = 0.0
            _fold(mine, my, k, iteration, rule, weight, logs, how)
            work += int(mine.first[U(k + 1)]) - int(mine.first[U(k)])
    value[U(0)] = 0.0
    return work


@kernel
def iterate_round(first, ours, second, theirs, schedule, iteration, logs, how):
    """Run one iteration per row of ``schedule``; return how many numbers were touched.

    ``iteration`` is that of the first row. Player 1 faces what player 0 has just chosen.
    """
    work = 0
    for row in range(len(schedule)):
        now = iteration + row
        work += _turn(first, ours, second, theirs, schedule, row, now, now - 1, logs, how)
        work += _turn(second, theirs, first, ours, schedule, row, now, now, logs, how)
    return work
