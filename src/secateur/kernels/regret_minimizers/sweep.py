"""The sweep of regret minimizers: one walk over the public tree that updates a player's regrets.

Everything on the way lives on two small stacks, so a sweep touches memory once and in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.heap import note_done
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.parts import U, count_histories, pass_reach
from secateur.kernels.core.pieces import AT_ONCE, begin_blocks, end_blocks, next_blocks, number_of
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import EVERYTHING, SKIP, visitor
from secateur.kernels.regret_minimizers.hedge import HedgeBooks, fold_observed
from secateur.kernels.regret_minimizers.hedge_choice import choose_softmax
from secateur.kernels.regret_minimizers.matching import (
    match_block,
    pass_matched,
    probability,
    scale_of,
    write_block,
)
from secateur.kernels.regret_minimizers.thresholding import cut_block, cut_small

Float = npt.NDArray[np.float64]


@book
class Numbers(NamedTuple):
    """What regret minimizers keep, per cell."""

    regret: Float
    strategy: Float | None
    """None if strategies match regrets: then they are not stored."""

    chosen: Float | None
    """Receives the next strategies: the strategy itself, or, for simultaneous updates, a second
    array, until both players are done."""

    scale: Float
    """Of each information set, how its strategy matches regrets
    (:mod:`secateur.kernels.regret_minimizers.matching`); empty if strategies are stored."""

    total: Float
    """Strategy sums."""

    seen: npt.NDArray[np.uint16]
    """Of each block, the rows of the schedule that its numbers know of; empty if what nobody sees
    does not change."""


class Visits(NamedTuple):
    """What iterations visit, and whether that is counted."""

    simultaneous: bool
    skip: bool
    """Whether to leave out subtrees that the opponent does not reach."""

    idle: bool
    """Whether numbers change even there: regrets are discounted, predictions lapse, or thresholds
    fall. Blocks make up for what they have missed when somebody comes again."""

    counted: bool


# Columns of a schedule: what one iteration does to regrets and averages.
POSITIVE, NEGATIVE, WEIGHT, FLOOR, PREDICTION, AVERAGE = range(6)


@part
def _fold_regrets(g, block, numbers, value, rule):
    """Fold the values of an own block into its parents; update its regrets; choose anew."""
    at = block_at(g, block)
    # a tuple of numbers stays in registers; an array might change with every store
    update = (rule[0], rule[1], rule[2], rule[3], rule[4])
    lane = 0
    if at.parent >= 0:
        # Three at a time keep the processor busy, and poker games like the number.
        while lane + 3 <= at.lanes:
            _fold_three_lanes(at, lane, numbers, numbers.strategy, numbers.chosen, value, update)
            lane += 3
    while lane < at.lanes:
        above = parent_of(g, at.parent, lane)
        _fold_lane(at, lane, above, numbers, numbers.strategy, numbers.chosen, value, update)
        lane += 1


@part
def _played(strategy, cell, regret, scale):
    """Return the probability of an action: as it is stored or, if None is, as it matches."""
    if strategy is None:
        return probability(regret[U(cell)], scale)
    return strategy[U(cell)]


@part
def _scale(strategy, infoset, scales):
    """Return the scale of an information set; none where strategies are stored."""
    if strategy is None:
        return scales[U(infoset)]
    return 0.0


@part
def _claim(chosen, slot, claim, value):
    """Keep a claim where a strategy is stored: in place of the value, which is done with."""
    if chosen is not None:
        value[U(slot)] = claim


@part
def _choose_lane(at, lane, norm, value, scales, chosen):
    """Let an information set choose by its claims, which sum up to ``norm``."""
    scale = scale_of(norm, at.actions)
    if chosen is None:
        scales[U(at.infoset + lane)] = scale
    else:
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            chosen[U(cell)] = probability(value[U(slot)], scale)
            cell += at.lanes
            slot += at.stride


@part
def _fold_lane(at, lane, parent, numbers, strategy, chosen, value, update):
    """Fold and update one information set."""
    regret = numbers.regret
    scale = _scale(strategy, at.infoset + lane, numbers.scale)
    # The strategy must follow from regrets as they are stored, which may be in less precision.
    stored = regret.dtype.type
    expected = 0.0
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        expected += _played(strategy, cell, regret, scale) * value[U(slot)]
        cell += at.lanes
        slot += at.stride
    value[U(parent)] += expected
    norm = 0.0
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        instant = value[U(slot)] - expected
        new = stored(updated(regret[U(cell)], instant, update))
        claim = max(0.0, new + update[PREDICTION] * instant)
        regret[U(cell)] = new
        _claim(chosen, slot, claim, value)
        norm += claim
        cell += at.lanes
        slot += at.stride
    _choose_lane(at, lane, norm, value, numbers.scale, chosen)


@part
def _fold_three_lanes(at, lane, numbers, strategy, chosen, value, update):
    """Fold and update three information sets side by side; the same as one after the other."""
    regret = numbers.regret
    infoset = at.infoset + lane
    scale_0 = _scale(strategy, infoset, numbers.scale)
    scale_1 = _scale(strategy, infoset + 1, numbers.scale)
    scale_2 = _scale(strategy, infoset + 2, numbers.scale)
    stored = regret.dtype.type
    expected_0 = expected_1 = expected_2 = 0.0
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        expected_0 += _played(strategy, cell, regret, scale_0) * value[U(slot)]
        expected_1 += _played(strategy, cell + 1, regret, scale_1) * value[U(slot + 1)]
        expected_2 += _played(strategy, cell + 2, regret, scale_2) * value[U(slot + 2)]
        cell += at.lanes
        slot += at.stride
    parent = at.parent + lane
    value[U(parent)] += expected_0
    value[U(parent + 1)] += expected_1
    value[U(parent + 2)] += expected_2
    norm_0 = norm_1 = norm_2 = 0.0
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        instant_0 = value[U(slot)] - expected_0
        instant_1 = value[U(slot + 1)] - expected_1
        instant_2 = value[U(slot + 2)] - expected_2
        new_0 = stored(updated(regret[U(cell)], instant_0, update))
        new_1 = stored(updated(regret[U(cell + 1)], instant_1, update))
        new_2 = stored(updated(regret[U(cell + 2)], instant_2, update))
        claim_0 = max(0.0, new_0 + update[PREDICTION] * instant_0)
        claim_1 = max(0.0, new_1 + update[PREDICTION] * instant_1)
        claim_2 = max(0.0, new_2 + update[PREDICTION] * instant_2)
        regret[U(cell)] = new_0
        regret[U(cell + 1)] = new_1
        regret[U(cell + 2)] = new_2
        _claim(chosen, slot, claim_0, value)
        _claim(chosen, slot + 1, claim_1, value)
        _claim(chosen, slot + 2, claim_2, value)
        norm_0 += claim_0
        norm_1 += claim_1
        norm_2 += claim_2
        cell += at.lanes
        slot += at.stride
    _choose_lane(at, lane, norm_0, value, numbers.scale, chosen)
    _choose_lane(at, lane + 1, norm_1, value, numbers.scale, chosen)
    _choose_lane(at, lane + 2, norm_2, value, numbers.scale, chosen)


@part
def updated(regret, instant, numbers):
    """Return a regret after an iteration (see :mod:`secateur.minimizers`)."""
    discount = numbers[POSITIVE] if regret > 0.0 else numbers[NEGATIVE]
    return max(numbers[FLOOR], discount * regret + numbers[WEIGHT] * instant)


@part
def _catch_up(visit, g, block, end):
    """Make up for what a block has missed of the schedule, up to its row ``end``."""
    if visit.how.idle and visit.numbers.seen[U(block)] < end:
        _settle(visit, g, block, end)


@stage
def _settle(visit, g, block, end):
    """Update the regrets of a block for rows in which nothing was observed; choose anew."""
    at = block_at(g, block)
    numbers, schedule = visit.numbers, visit.schedule
    regret = numbers.regret
    last_cell = at.cell + at.actions * at.lanes
    stored = regret.dtype.type
    some = False
    for cell in range(at.cell, last_cell):
        some |= regret[U(cell)] != 0.0
    # where all are zero they stay so, and without discounts all do
    for row in range(int(numbers.seen[U(block)]) if some else end, end):
        rule = schedule[U(row)]
        if rule[U(POSITIVE)] == 1.0 and rule[U(NEGATIVE)] == 1.0:
            continue
        update = (rule[0], rule[1], rule[2], rule[3], rule[4])
        for cell in range(at.cell, last_cell):
            regret[U(cell)] = stored(updated(regret[U(cell)], 0.0, update))
    _choose_unseen(visit, g, block, end, numbers.strategy, numbers.chosen)
    numbers.seen[U(block)] = end


@part
def _choose_unseen(visit, g, block, row, strategy, chosen):
    """Let the information sets of a block choose that nobody saw."""
    if strategy is None:
        match_block(g, block, visit.numbers.regret, visit.numbers.scale)
    else:
        write_block(g, block, visit.numbers.regret, strategy)
        _cut(g, block, visit.thresholds, visit.first_iteration + row, strategy)
        if visit.how.simultaneous:
            at = block_at(g, block)
            for cell in range(at.cell, at.cell + at.actions * at.lanes):
                chosen[U(cell)] = strategy[U(cell)]


@part
def _cut(g, block, thresholds, iteration, chosen):
    """Cut small probabilities of a block for an iteration, if there are thresholds."""
    if thresholds is not None:
        cut_block(g, block, thresholds, iteration, chosen)


@part
def choose_unskipped(visit, nodes, g, me, block, _depth, w):
    """Leave out what the opponent does not reach, if that may be skipped."""
    reached = not visit.how.skip or w.reached[U(g.gate[U(2 * block + 1 - me)])]
    return EVERYTHING if reached else SKIP, nodes


@part
def _face(visit, nodes, g, me, block, w):
    """Put the opponent's strategy on the stack of reach, add it to its sums, and count."""
    # player 1 faces what player 0 has just chosen
    _catch_up(visit, g, block, visit.row + (0 if visit.how.simultaneous else me))
    _pass(g, block, visit.numbers, visit.numbers.strategy, visit.weight, w)
    if visit.how.counted:
        nodes += count_histories(g, block, w.reach)
    return nodes


@part
def _pass(g, block, numbers, strategy, weight, w):
    """Multiply reach through strategies that are stored, or through those that match regrets."""
    if strategy is None:
        regret, scale = numbers.regret, numbers.scale
        pass_matched(g, block, regret, scale, numbers.total, weight, w.reach, w.reached)
    else:
        pass_reach(g, block, strategy, numbers.total, weight, w.reach, w.reached)


@part
def _leave(visit, nodes, g, _me, block, w):
    """Update regrets and what else is kept of a block."""
    _fold(visit, g, block, visit.hedge, w.value)
    return nodes


@part
def _fold(visit, g, block, hedge, value):
    """Update regrets and match them, or what Hedge observes; it chooses when all is done."""
    numbers, row = visit.numbers, visit.row
    if hedge is None:
        _catch_up(visit, g, block, row)
        _fold_regrets(g, block, numbers, value, visit.schedule[U(row)])
        _cut(g, block, visit.thresholds, visit.first_iteration + row + 1, numbers.chosen)
        if visit.how.idle:
            numbers.seen[U(block)] = row + 1
    else:
        fold_observed(g, block, numbers.regret, numbers.strategy, value, hedge)


@visitor(choose=choose_unskipped, face=_face, leave=_leave)
class _Sweep(NamedTuple):
    """A sweep; its tally: histories."""

    numbers: Numbers
    weight: float
    """Of the strategies that are faced, in their sums; those change by nothing if it is zero."""

    schedule: Float
    row: int
    first_iteration: int
    """That of the schedule's first row."""

    hedge: HedgeBooks | None
    thresholds: Float | None
    how: Visits


@part
def adopt(strategy, chosen):
    """Play what was chosen."""
    if strategy is not None:
        for cell in range(len(strategy)):
            strategy[U(cell)] = chosen[U(cell)]


@part
def _choose(g, me, numbers, hedge, thresholds, iteration):
    """Let Hedge choose what is played after an iteration."""
    if hedge is not None:
        choose_softmax(g, me, numbers.regret, hedge, iteration, numbers.chosen)
        if thresholds is not None:
            cut_small(g, me, thresholds, iteration + 1, numbers.chosen)


@kernel
def iterate(g, numbers, schedule, first_iteration, hedge, thresholds, how, pieces, turn, w):
    """Run one iteration per row of ``schedule``, player 0 first; return histories touched.

    Each updates the players' regrets and adds the strategies that they face to their sums.
    Strategies are those of regret matching or, with its books, of ``hedge``; small probabilities
    are cut if there are ``thresholds``. None is compiled apart, at no cost. ``turn`` may ask for
    less: for some rows, for one player, for a share of a sweep.
    """
    nodes = 0.0
    for row in range(turn.row, turn.last_row):
        for me in range(turn.player, turn.last_player):
            weight = schedule[U(row), U(AVERAGE)]
            given = (schedule, row, first_iteration, hedge, thresholds, how)
            visit, glance = _Sweep(numbers, weight, *given), _Sweep(numbers, 0.0, *given)
            nodes += in_pieces(g, me, visit, glance, 1.0, pieces, turn, number_of(row, me), w)
            if turn.up:
                _choose(g, me, numbers, hedge, thresholds, first_iteration + row)
        if how.simultaneous and turn.up and turn.last_player == 2:
            adopt(numbers.strategy, numbers.chosen)
    if hedge is None and how.idle and turn.settle:
        rows = len(schedule)
        visit = _Sweep(numbers, 0.0, schedule, rows, first_iteration, hedge, thresholds, how)
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
