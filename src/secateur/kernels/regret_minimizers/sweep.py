"""The sweep of regret minimizers: one walk over the public tree that updates a player's regrets.

Everything on the way lives on two small stacks, so a sweep touches memory once and in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import LEAST_NORM, U, count_histories, pass_reach
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import EVERYTHING, OWN, SKIP, begin, visitor, walk
from secateur.kernels.regret_minimizers.hedge import HedgeBooks, fold_observed
from secateur.kernels.regret_minimizers.hedge_choice import choose_softmax
from secateur.kernels.regret_minimizers.thresholding import cut_small

Float = npt.NDArray[np.float64]


@book
class Numbers(NamedTuple):
    """What regret minimizers keep, per cell."""

    regret: Float
    strategy: Float
    chosen: Float
    """Receives the next strategies: the strategy itself, or, for simultaneous updates, a second
    array, until both players are done."""

    total: Float
    """Strategy sums."""


class Visits(NamedTuple):
    """What iterations visit, and whether that is counted."""

    simultaneous: bool
    skip: bool
    """Whether to leave out subtrees that the opponent does not reach."""

    idle: bool
    """Whether regrets change even there (they are discounted, or predictions lapse): then own
    blocks are still visited, but no opponent's block and no leaf."""

    counted: bool


# Columns of a schedule: what one iteration does to regrets and averages.
POSITIVE, NEGATIVE, WEIGHT, FLOOR, PREDICTION, AVERAGE = range(6)


@part
def _fold_regrets(g, block, books, value, rule):
    """Fold the values of an own block into its parents; update its regrets; choose anew."""
    at = block_at(g, block)
    regret, strategy, chosen = books.regret, books.strategy, books.chosen
    # a tuple of numbers stays in registers; an array might change with every store
    numbers = (rule[0], rule[1], rule[2], rule[3], rule[4])
    lane = 0
    if at.parent >= 0:
        # Three at a time keep the processor busy, and poker games like the number.
        while lane + 3 <= at.lanes:
            _fold_three_lanes(
                at.actions,
                at.lanes,
                at.stride,
                at.cell + lane,
                at.slot + lane,
                at.parent + lane,
                regret,
                strategy,
                chosen,
                value,
                numbers,
            )
            lane += 3
    while lane < at.lanes:
        above = parent_of(g, at.parent, lane)
        _fold_lane(
            at.actions,
            at.lanes,
            at.stride,
            at.cell + lane,
            at.slot + lane,
            above,
            regret,
            strategy,
            chosen,
            value,
            numbers,
        )
        lane += 1


@part
def _fold_lane(
    actions, lanes, stride, first_cell, first_slot, parent, regret, strategy, chosen, value, numbers
):
    """Fold and update one information set."""
    # The strategy must follow from regrets as they are stored, which may be in less precision.
    stored = regret.dtype.type
    expected = 0.0
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        expected += strategy[U(cell)] * value[U(slot)]
        cell += lanes
        slot += stride
    value[U(parent)] += expected
    norm = 0.0
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        instant = value[U(slot)] - expected
        new = stored(updated(regret[U(cell)], instant, numbers))
        claim = max(0.0, new + numbers[PREDICTION] * instant)
        regret[U(cell)] = new
        value[U(slot)] = claim
        norm += claim
        cell += lanes
        slot += stride
    scale = 1.0 / norm if norm >= LEAST_NORM else 0.0
    share = 0.0 if norm >= LEAST_NORM else 1.0 / actions
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        chosen[U(cell)] = scale * value[U(slot)] + share
        cell += lanes
        slot += stride


@part
def _fold_three_lanes(
    actions, lanes, stride, first_cell, first_slot, parent, regret, strategy, chosen, value, numbers
):
    """Fold and update three information sets side by side; the same as one after the other."""
    stored = regret.dtype.type
    expected_0 = expected_1 = expected_2 = 0.0
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        expected_0 += strategy[U(cell)] * value[U(slot)]
        expected_1 += strategy[U(cell + 1)] * value[U(slot + 1)]
        expected_2 += strategy[U(cell + 2)] * value[U(slot + 2)]
        cell += lanes
        slot += stride
    value[U(parent)] += expected_0
    value[U(parent + 1)] += expected_1
    value[U(parent + 2)] += expected_2
    norm_0 = norm_1 = norm_2 = 0.0
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        instant_0 = value[U(slot)] - expected_0
        instant_1 = value[U(slot + 1)] - expected_1
        instant_2 = value[U(slot + 2)] - expected_2
        new_0 = stored(updated(regret[U(cell)], instant_0, numbers))
        new_1 = stored(updated(regret[U(cell + 1)], instant_1, numbers))
        new_2 = stored(updated(regret[U(cell + 2)], instant_2, numbers))
        claim_0 = max(0.0, new_0 + numbers[PREDICTION] * instant_0)
        claim_1 = max(0.0, new_1 + numbers[PREDICTION] * instant_1)
        claim_2 = max(0.0, new_2 + numbers[PREDICTION] * instant_2)
        regret[U(cell)] = new_0
        regret[U(cell + 1)] = new_1
        regret[U(cell + 2)] = new_2
        value[U(slot)] = claim_0
        value[U(slot + 1)] = claim_1
        value[U(slot + 2)] = claim_2
        norm_0 += claim_0
        norm_1 += claim_1
        norm_2 += claim_2
        cell += lanes
        slot += stride
    scale_0 = 1.0 / norm_0 if norm_0 >= LEAST_NORM else 0.0
    scale_1 = 1.0 / norm_1 if norm_1 >= LEAST_NORM else 0.0
    scale_2 = 1.0 / norm_2 if norm_2 >= LEAST_NORM else 0.0
    share_0 = 0.0 if norm_0 >= LEAST_NORM else 1.0 / actions
    share_1 = 0.0 if norm_1 >= LEAST_NORM else 1.0 / actions
    share_2 = 0.0 if norm_2 >= LEAST_NORM else 1.0 / actions
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        chosen[U(cell)] = scale_0 * value[U(slot)] + share_0
        chosen[U(cell + 1)] = scale_1 * value[U(slot + 1)] + share_1
        chosen[U(cell + 2)] = scale_2 * value[U(slot + 2)] + share_2
        cell += lanes
        slot += stride


@part
def updated(regret, instant, numbers):
    """Return a regret after an iteration (see :mod:`secateur.minimizers`)."""
    discount = numbers[POSITIVE] if regret > 0.0 else numbers[NEGATIVE]
    return max(numbers[FLOOR], discount * regret + numbers[WEIGHT] * instant)


@part
def _choose(visit, tally, g, me, block, _depth, w):
    """Leave out what the opponent does not reach; but not own blocks where regrets change idly."""
    nodes, unreached_end = tally
    how = visit.how
    if how.skip and block >= unreached_end and not w.reached[U(g.gate[U(2 * block + 1 - me)])]:
        if not how.idle:
            return SKIP, tally
        unreached_end = g.subtree_end[U(block)]
    return EVERYTHING if block >= unreached_end else OWN, (nodes, unreached_end)


@part
def _face(visit, tally, g, _me, block, w):
    """Put the opponent's strategy on the stack of reach, add it to its sums, and count."""
    nodes, unreached_end = tally
    strategy, total = visit.numbers.strategy, visit.numbers.total
    pass_reach(g, block, strategy, total, visit.rule[U(AVERAGE)], w.reach, w.reached)
    if visit.how.counted:
        nodes += count_histories(g, block, w.reach)
    return nodes, unreached_end


@part
def _leave(visit, tally, g, _me, block, w):
    """Update regrets and what else is kept of a block."""
    _fold(g, block, visit.numbers, visit.rule, visit.hedge, w.value)
    return tally


@part
def _fold(g, block, numbers, rule, hedge, value):
    """Update regrets and match them, or what Hedge observes; it chooses when all is done."""
    if hedge is None:
        _fold_regrets(g, block, numbers, value, rule)
    else:
        fold_observed(g, block, numbers.regret, numbers.strategy, value, hedge)


@visitor(choose=_choose, face=_face, leave=_leave)
class _Sweep(NamedTuple):
    """A sweep; its tally: histories, where an unreached subtree ends."""

    numbers: Numbers
    rule: Float
    how: Visits
    hedge: HedgeBooks | None


@kernel
def sweep_regrets(g, me, numbers, rule, hedge, how, w):
    """Update ``me``'s regrets and add the strategy that ``me`` faces to its sums.

    With the books of ``hedge`` nothing is chosen yet; None is compiled apart, at no cost. Returns
    the number of histories touched, if they are counted.
    """
    begin(w, 1.0)
    return walk(g, me, _Sweep(numbers, rule, how, hedge), (0, 0), w)[0]


@kernel
def iterate(g, numbers, schedule, first_iteration, hedge, thresholds, how, w):
    """Run one iteration per row of ``schedule``, player 0 first; return histories touched.

    Strategies are those of regret matching or, with its books, of ``hedge``; small probabilities
    are cut if there are ``thresholds``.
    """
    nodes = 0
    for t in range(len(schedule)):
        iteration = first_iteration + t
        for me in range(2):
            nodes += sweep_regrets(g, me, numbers, schedule[t], hedge, how, w)
            if hedge is not None:
                choose_softmax(g, me, numbers.regret, hedge, iteration, numbers.chosen)
            if thresholds is not None:
                cut_small(g, me, thresholds, iteration + 1, numbers.chosen)
        if how.simultaneous:
            for cell in range(len(numbers.strategy)):
                numbers.strategy[U(cell)] = numbers.chosen[U(cell)]
    return nodes
