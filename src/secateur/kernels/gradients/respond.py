r"""Responses to a plan of the opponent: the sweep of methods that follow gradients.

A gradient is what each own sequence earns at ends of the game against the opponent's plan. The
response to it maximizes :math:`\langle u, x \rangle - \mu\, d(x)` with the dilated entropy
:math:`d`; from the last decisions up, at information set j with weight :math:`\beta_j` and
:math:`n_j` actions,

.. math:: b_{ja} \propto \exp\frac{v_{ja}}{\mu\beta_j}, \qquad
    V_j = \mu\beta_j \ln \frac1{n_j}\sum_a \exp\frac{v_{ja}}{\mu\beta_j}, \qquad
    v_{ja} = u_{ja} + \sum_{k \text{ after } (j, a)} V_k

Where :math:`\mu` is almost zero, it is a best response that shares out evenly between equals.

Exponentials and logarithms of many numbers at once are faster. So information sets wait in a row
until it is full, or until one is done that has some of the player's own behind it.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import BranchArrays
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.exponential import exponentiate
from secateur.kernels.core.heap import await_heap, following
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.logarithm import take_logarithms
from secateur.kernels.core.parts import U, add_leaves, clear_values, count_histories, load_reach
from secateur.kernels.core.pieces import keep_slots, take_slots, take_up
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import EVERYTHING, FACED, NOTHING, OWN, nothing_at, visitor
from secateur.kernels.gradients.books import SPARE, GradientBooks, GradientPieces, Mixture, Visits
from secateur.kernels.gradients.likely import (
    add_likely_ends,
    count_likely_histories,
    forget_unlikely_rows,
)
from secateur.kernels.gradients.orders import FOLLOW, RESPOND, read_order

Float = npt.NDArray[np.float64]

_LEAST_SCALE = 1e-290
"""Smoothing below that has an infinite inverse."""


@part
def _score(g, block, row, place, old, new, smoothing, before, books, room):
    """Update the gradient of an own block; write how far its actions are behind the best to a row.

    ``row`` is where its actions begin there, ``place`` where its information sets do.
    """
    lanes = g.lanes[U(block)]
    for lane in range(0, lanes, 4):
        count = min(4, lanes - lane)
        _score_four_lanes(
            g, block, lane, count, row, place, old, new, smoothing, before, books, room
        )


@part
def _score_four_lanes(g, block, lane, count, row, place, old, new, smoothing, before, books, room):
    """Score four information sets side by side, which become vector instructions.

    Slots have room for whole groups of four, and books some more at their ends: the last group of a
    block computes with numbers that mean nothing, and leaves them out in the end.
    """
    dilation, known, gradient = books.dilation, before.gradient, books.gradient
    value, up = room.value, room.up
    at = block_at(g, block)
    infoset = at.infoset + lane
    cell = at.cell + lane
    first_slot = at.slot + lane
    best_0 = best_1 = best_2 = best_3 = -inf
    slot = first_slot
    for _ in range(at.actions):
        earned_0 = old * known[U(cell)] + new * value[U(slot)]
        earned_1 = old * known[U(cell + 1)] + new * value[U(slot + 1)]
        earned_2 = old * known[U(cell + 2)] + new * value[U(slot + 2)]
        earned_3 = old * known[U(cell + 3)] + new * value[U(slot + 3)]
        worth_0 = earned_0 + up[U(slot)]
        worth_1 = earned_1 + up[U(slot + 1)]
        worth_2 = earned_2 + up[U(slot + 2)]
        worth_3 = earned_3 + up[U(slot + 3)]
        value[U(slot)] = worth_0
        value[U(slot + 1)] = worth_1
        value[U(slot + 2)] = worth_2
        value[U(slot + 3)] = worth_3
        best_0 = max(best_0, worth_0)
        best_1 = max(best_1, worth_1)
        best_2 = max(best_2, worth_2)
        best_3 = max(best_3, worth_3)
        _write(gradient, cell, count, earned_0, earned_1, earned_2, earned_3)
        cell += at.lanes
        slot += at.stride
    steepness_0 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset)])
    steepness_1 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset + 1)])
    steepness_2 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset + 2)])
    steepness_3 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset + 3)])
    score = row + lane
    slot = first_slot
    for _ in range(at.actions):
        _write(
            room.row,
            score,
            count,
            (value[U(slot)] - best_0) * steepness_0,
            (value[U(slot + 1)] - best_1) * steepness_1,
            (value[U(slot + 2)] - best_2) * steepness_2,
            (value[U(slot + 3)] - best_3) * steepness_3,
        )
        score += at.lanes
        slot += at.stride
    _write(room.bests, place + lane, count, best_0, best_1, best_2, best_3)


@part
def _respond_in_row(g, waiting, filled, smoothing, books, room):
    """Choose the smoothed responses of blocks that share a row; fold their values upwards."""
    # the best action scores 1 and others less: nothing overflows, and no sum is zero
    exponentiate(room.row, 0, filled)
    row = 0
    place = 0
    for k in range(waiting):
        block = room.waiting[U(k)]
        lanes = g.lanes[U(block)]
        for lane in range(0, lanes, 4):
            _play_four_lanes(g, block, lane, min(4, lanes - lane), row, place, books, room)
        row += g.actions[U(block)] * lanes
        place += lanes
    take_logarithms(room.means, 0, place)
    place = 0
    for k in range(waiting):
        block = room.waiting[U(k)]
        _add_worths(g, block, place, smoothing, books, room)
        place += g.lanes[U(block)]


@part
def _play_four_lanes(g, block, lane, count, row, place, books, room):
    """Play four information sets in proportion to their scores; keep the means of these.

    The last group of a block may read scores of the next, or old ones, and leaves them out.
    """
    behavior, scores = books.behavior, room.row
    at = block_at(g, block)
    norm_0 = norm_1 = norm_2 = norm_3 = 0.0
    score = row + lane
    for _ in range(at.actions):
        norm_0 += scores[U(score)]
        norm_1 += scores[U(score + 1)]
        norm_2 += scores[U(score + 2)]
        norm_3 += scores[U(score + 3)]
        score += at.lanes
    share_0 = 1.0 / norm_0
    share_1 = 1.0 / norm_1
    share_2 = 1.0 / norm_2
    share_3 = 1.0 / norm_3
    cell = at.cell + lane
    score = row + lane
    for _ in range(at.actions):
        _write(
            behavior,
            cell,
            count,
            share_0 * scores[U(score)],
            share_1 * scores[U(score + 1)],
            share_2 * scores[U(score + 2)],
            share_3 * scores[U(score + 3)],
        )
        cell += at.lanes
        score += at.lanes
    _write(
        room.means,
        place + lane,
        count,
        norm_0 / at.actions,
        norm_1 / at.actions,
        norm_2 / at.actions,
        norm_3 / at.actions,
    )


@part
def _add_worths(g, block, place, smoothing, books, room):
    """Add what information sets are worth to the sequences before them."""
    at = block_at(g, block)
    for lane in range(at.lanes):
        scale = max(_LEAST_SCALE, smoothing * books.dilation[U(at.infoset + lane)])
        worth = room.bests[U(place + lane)] + scale * room.means[U(place + lane)]
        room.up[U(parent_of(g, at.parent, lane))] += worth


@part
def _respond_to_nothing(g, block, books):
    """Play uniformly where nothing is earned; that is worth nothing either."""
    at = block_at(g, block)
    for cell in range(at.cell, at.cell + at.actions * at.lanes):
        books.gradient[U(cell)] = 0.0
        books.behavior[U(cell)] = 1.0 / at.actions


@part
def _write(numbers, place, count, number_0, number_1, number_2, number_3):
    """Write the first ``count`` of four numbers."""
    numbers[U(place)] = number_0
    if count > 1:
        numbers[U(place + 1)] = number_1
    if count > 2:
        numbers[U(place + 2)] = number_2
    if count > 3:
        numbers[U(place + 3)] = number_3


@part
def _face_mixture(g, block, plan, mixture, room):
    """Mix the plan of a block's owner with that of its behavior, and put that on the stack."""
    behavior, target = mixture.behavior, mixture.target
    reach, flow = room.reach, room.flow
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for a in range(at.actions):
        some = 0.0
        for lane in range(at.lanes):
            before = plan[U(cell + lane)]
            after = flow[U(parent_of(g, at.parent, lane))] * behavior[U(cell + lane)]
            faced = mixture.keep * before + mixture.share * after
            flow[U(slot + lane)] = after
            reach[U(slot + lane)] = faced
            target[U(cell + lane)] = mixture.target_keep * before + mixture.target_share * after
            some += faced
        room.reached[U(at.row + a)] = some > 0.0
        cell += at.lanes
        slot += at.stride


@part
def _choose(visit, tally, g, me, block, _depth, w):
    """Leave out ends where the opponent does not come, and own blocks where nothing is earned."""
    nodes, waits, unreached_end = tally
    if (
        visit.how.skip
        and block >= unreached_end
        and not w.reached[U(g.gate[U(2 * block + 1 - me)])]
    ):
        unreached_end = g.subtree_end[U(block)]
    what = EVERYTHING
    if block < unreached_end:
        what = OWN + FACED
        if g.player[U(block)] == me and visit.old == 0.0:
            _respond_to_nothing(g, block, visit.books)
            what = NOTHING
    return what, (nodes, waits, unreached_end)


@part
def _open(_visit, tally, g, _me, block, w):
    """Let values begin at zero."""
    nodes, waits, unreached_end = tally
    clear_values(g, block, w.value)
    clear_values(g, block, w.up)
    return nodes, _Waits(block, waits.blocks, waits.filled, waits.place), unreached_end


@part
def _face(visit, tally, g, _me, block, w):
    """Put what the opponent plays on the stack of reach; plans are mixed everywhere."""
    nodes, waits, unreached_end = tally
    reached = block >= unreached_end
    _load_faced(g, block, visit.plan, visit.mixture, reached, w)
    if reached:
        nodes += _look_at_rows(visit, g, block, w)
    return nodes, waits, unreached_end


@part
def _load_faced(g, block, plan, mixture, reached, w):
    """Put a plan on the stack of reach if anything of it is reached, or a mixture."""
    if mixture is not None:
        _face_mixture(g, block, plan, mixture, w)
    elif reached:
        load_reach(g, block, plan, 1.0, w.reach, w.reached)


@part
def _look_at_rows(visit, g, block, w):
    """Forget rows that are too unlikely; return how many histories are touched."""
    if visit.threshold > 0.0:
        forget_unlikely_rows(g, visit.b, block, w.reach, w.reached, visit.threshold)
    elif visit.how.counted:
        return count_histories(g, block, w.reach)
    return 0.0


@part
def _ends(visit, tally, g, me, block, w):
    """Add what is earned at ends that are likely enough."""
    nodes, waits, unreached_end = tally
    threshold = visit.threshold
    if threshold > 0.0:
        add_likely_ends(g, visit.b, me, block, w.reach, w.reached, threshold, w.value)
        if visit.how.counted:
            nodes += count_likely_histories(g, visit.b, me, block, w.reach, w.reached, threshold)
    else:
        add_leaves(g, me, block, w.reach, w.reached, None, w.value)
    return nodes, waits, unreached_end


@part
def _leave(visit, tally, g, _me, block, w):
    """Let a block wait in the row; first respond where others do that are behind it."""
    nodes, waits, unreached_end = tally
    count, filled, place = waits.blocks, waits.filled, waits.place
    at = block_at(g, block)
    size = at.actions * at.lanes
    if block != waits.last or filled + size > len(w.row) - SPARE:
        # own blocks behind it wait, or the row is full
        _respond_in_row(g, count, filled, visit.smoothing, visit.books, w)
        count = 0
        filled = 0
        place = 0
    _score(
        g,
        block,
        filled,
        place,
        visit.old,
        visit.new,
        visit.smoothing,
        visit.before,
        visit.books,
        w,
    )
    w.waiting[U(count)] = block
    now = _Waits(waits.last, count + 1, filled + size, place + at.lanes)
    return nodes, now, unreached_end


class _Waits(NamedTuple):
    """How full the row is in which blocks wait."""

    last: int  # the own block that was opened last
    blocks: int  # how many wait
    filled: int  # by so many actions
    place: int  # of so many information sets


@part
def _start(visit, me, w):
    """Put the empty sequences on the stacks of what else flows."""
    w.up[U(0)] = 0.0
    w.flow[U(0)] = 1.0
    roots = 0.0 if visit.threshold > 0.0 else float(visit.how.roots[1 - me])
    return roots, _Waits(0, 0, 0, 0), 0


@part
def _keep(visit, tally, me, pieces, piece, w):
    """Keep the reach of a behavior, and whether anybody comes to a piece."""
    keep_slots(visit.there.flow, pieces, piece, 1 - me, w.flow)
    visit.there.unreached[U(piece)] = tally[2]


@part
def _take(visit, me, pieces, piece, w):
    """Begin a piece."""
    take_slots(visit.there.flow, pieces, piece, 1 - me, w.flow)
    for slot in range(pieces.slots[U(2 * piece + me)]):
        w.up[U(slot)] = 0.0
    return 0.0, _Waits(0, 0, 0, 0), visit.there.unreached[U(piece)]


@part
def _note(visit, tally, g, me, pieces, piece, w):
    """Respond where blocks of a piece still wait; note what is worth something above."""
    nodes, waits, _ = tally
    _respond_in_row(g, waits.blocks, waits.filled, visit.smoothing, visit.books, w)
    keep_slots(visit.there.up, pieces, piece, me, w.up)
    pieces.tally[U(piece)] = nodes


@part
def _join(visit, tally, me, pieces, piece, w):
    """Add what a piece is worth."""
    nodes, waits, unreached_end = tally
    first = piece * pieces.slots_kept
    for slot in range(pieces.slots[U(2 * piece + me)]):
        w.up[U(slot)] += visit.there.up[U(first + slot)]
    return nodes + take_up(me, pieces, piece, w), waits, unreached_end


@visitor(
    choose=_choose,
    open=_open,
    face=_face,
    ends=_ends,
    leave=_leave,
    start=_start,
    keep=_keep,
    take=_take,
    note=_note,
    join=_join,
)
class _Respond(NamedTuple):
    """A response; its tally: histories, the row, where an unreached subtree ends."""

    b: BranchArrays
    plan: Float
    mixture: Mixture | None
    old: float
    new: float
    smoothing: float
    threshold: float
    how: Visits
    before: GradientBooks
    books: GradientBooks
    there: GradientPieces


@stage
def _respond(g, b, order, mixture, seen, desk, turn, number, room):
    """Respond to a plan, or to a mixture; return the value, and histories.

    On the way down the mixture is ``seen``, and changes nothing.
    """
    before, books = desk.books[order.before], desk.books[order.books]
    plan = desk.plans[order.plan]
    given = (order.old, order.new, order.smoothing, order.threshold, desk.how, before, books)
    visit = _Respond(b, plan, mixture, *given, desk.there)
    glance = _Respond(b, plan, seen, *given, desk.there)
    nodes, waits, _ = in_pieces(g, order.me, visit, glance, 1.0, desk.pieces, turn, number, room)
    if turn.helps:
        return 0.0, 0.0
    _respond_in_row(g, waits.blocks, waits.filled, order.smoothing, books, room)
    unmoved = order.old * before.unmoved[order.me] + order.new * room.value[U(0)]
    books.unmoved[order.me] = unmoved
    return room.up[U(0)] + unmoved, nodes


@part
def _nobody(_visit, tally, _g, _me, _block, _depth, _w):
    """Come to blocks of the opponent, whose behavior is followed."""
    return FACED, tally


@part
def _face_behavior(visit, tally, g, _me, block, w):
    """Write what a behavior leads to."""
    behavior, plan, target, reach = visit.behavior, visit.plan, visit.target, w.reach
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        for lane in range(at.lanes):
            before = plan[U(cell + lane)]
            after = reach[U(parent_of(g, at.parent, lane))] * behavior[U(cell + lane)]
            reach[U(slot + lane)] = after
            if visit.added > 0.0:
                plan[U(cell + lane)] = before + visit.added * after
            target[U(cell + lane)] = visit.kept * before + visit.share * after
        cell += at.lanes
        slot += at.stride
    return tally


@visitor(choose=_nobody, open=nothing_at, face=_face_behavior, ends=nothing_at, leave=nothing_at)
class _Follow(NamedTuple):
    """A behavior, and the plans that are changed by where it leads."""

    behavior: Float
    plan: Float
    target: Float
    kept: float
    share: float
    added: float


@stage
def _follow(g, order, desk, turn, number, room):
    """Write where a behavior leads."""
    plan, behavior = desk.plans[order.plan], desk.books[order.books].behavior
    target = desk.plans[order.target]
    visit = _Follow(behavior, plan, target, order.target_keep, order.target_share, order.new)
    glance = _Follow(behavior, plan, plan, 1.0, 0.0, 0.0)
    in_pieces(g, 1 - order.me, visit, glance, 1.0, desk.pieces, turn, number, room)


@stage
def _carry_out(g, b, desk, turn, number, room):
    """Carry out the order on a desk, or take part in it; return a value, and histories."""
    order = read_order(desk.there.order)
    if order.task == FOLLOW:
        _follow(g, order, desk, turn, number, room)
        return 0.0, 0.0
    if order.task == RESPOND:
        return _respond(g, b, order, None, None, desk, turn, number, room)
    behavior, plan = desk.books[order.behavior].behavior, desk.plans[order.plan]
    given = (behavior, order.keep, order.share)
    mixture = Mixture(*given, desk.plans[order.target], order.target_keep, order.target_share)
    return _respond(g, b, order, mixture, Mixture(*given, plan, 1.0, 0.0), desk, turn, number, room)


@stage
def ordered(g, b, desk, turn, room):
    """Have an order carried out; return the value of a response, and histories if counted.

    The gradient becomes ``old`` times what it was in the books ``before``, which may be ``books``
    themselves, plus ``new`` times what is earned now; the response is to all of it, and so is the
    value. What is less likely than a positive ``threshold`` is left out. Own blocks never are:
    behind what is left out the response is to what was earned before, or uniform.
    """
    return _carry_out(g, b, desk, turn, following(desk.pieces.heap), room)


@stage
def help_out(g, b, desk, turn, room):
    """Take part in all that is ordered until it is over."""
    number = await_heap(desk.pieces.heap, 1)
    while number > 0:
        # if this is late, the order may be half of another one; but then no piece can be taken
        _carry_out(g, b, desk, turn, number, room)
        number = await_heap(desk.pieces.heap, number + 1)
