r"""Responses to a plan of the opponent: the sweep of methods that follow gradients.

A gradient is what each own sequence earns at ends of the game against the opponent's plan. The
response to it maximises :math:`\langle u, x \rangle - \mu\, d(x)` with the dilated entropy
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

from secateur.kernels.decorator import kernel, part
from secateur.kernels.exponential import exponentiate
from secateur.kernels.gradient_books import SPARE
from secateur.kernels.likely import (
    add_likely_ends,
    count_likely_histories,
    forget_unlikely_rows,
)
from secateur.kernels.logarithm import take_logarithms
from secateur.kernels.parts import (
    U,
    add_leaves,
    clear_values,
    count_histories,
    load_reach,
    padded,
)
from secateur.kernels.pruning_parts import parent_of

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
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    infoset = g.first_infoset[U(block)] + lane
    cell = g.first_cell[U(block)] + lane
    first_slot = g.first_slot[U(block)] + lane
    best_0 = best_1 = best_2 = best_3 = -inf
    slot = first_slot
    for _ in range(actions):
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
        cell += lanes
        slot += stride
    steepness_0 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset)])
    steepness_1 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset + 1)])
    steepness_2 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset + 2)])
    steepness_3 = 1.0 / max(_LEAST_SCALE, smoothing * dilation[U(infoset + 3)])
    score = row + lane
    slot = first_slot
    for _ in range(actions):
        _write(
            room.row,
            score,
            count,
            (value[U(slot)] - best_0) * steepness_0,
            (value[U(slot + 1)] - best_1) * steepness_1,
            (value[U(slot + 2)] - best_2) * steepness_2,
            (value[U(slot + 3)] - best_3) * steepness_3,
        )
        score += lanes
        slot += stride
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
    behaviour, scores = books.behaviour, room.row
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    norm_0 = norm_1 = norm_2 = norm_3 = 0.0
    score = row + lane
    for _ in range(actions):
        norm_0 += scores[U(score)]
        norm_1 += scores[U(score + 1)]
        norm_2 += scores[U(score + 2)]
        norm_3 += scores[U(score + 3)]
        score += lanes
    share_0 = 1.0 / norm_0
    share_1 = 1.0 / norm_1
    share_2 = 1.0 / norm_2
    share_3 = 1.0 / norm_3
    cell = g.first_cell[U(block)] + lane
    score = row + lane
    for _ in range(actions):
        _write(
            behaviour,
            cell,
            count,
            share_0 * scores[U(score)],
            share_1 * scores[U(score + 1)],
            share_2 * scores[U(score + 2)],
            share_3 * scores[U(score + 3)],
        )
        cell += lanes
        score += lanes
    _write(
        room.means,
        place + lane,
        count,
        norm_0 / actions,
        norm_1 / actions,
        norm_2 / actions,
        norm_3 / actions,
    )


@part
def _add_worths(g, block, place, smoothing, books, room):
    """Add what information sets are worth to the sequences before them."""
    infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    for lane in range(g.lanes[U(block)]):
        scale = max(_LEAST_SCALE, smoothing * books.dilation[U(infoset + lane)])
        worth = room.bests[U(place + lane)] + scale * room.means[U(place + lane)]
        room.up[U(parent_of(g, parent, lane))] += worth


@part
def _respond_to_nothing(g, block, books):
    """Play uniformly where nothing is earned; that is worth nothing either."""
    actions = g.actions[U(block)]
    first = g.first_cell[U(block)]
    for cell in range(first, first + actions * g.lanes[U(block)]):
        books.gradient[U(cell)] = 0.0
        books.behaviour[U(cell)] = 1.0 / actions


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
    """Mix the plan of a block's owner with that of its behaviour, and put that on the stack."""
    behaviour, target = mixture.behaviour, mixture.target
    reach, flow = room.reach, room.flow
    lanes = g.lanes[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    row = g.first_row[U(block)]
    parent = g.parent_slot[U(block)]
    for a in range(g.actions[U(block)]):
        some = 0.0
        for lane in range(lanes):
            before = plan[U(cell + lane)]
            after = flow[U(parent_of(g, parent, lane))] * behaviour[U(cell + lane)]
            faced = mixture.keep * before + mixture.share * after
            flow[U(slot + lane)] = after
            reach[U(slot + lane)] = faced
            target[U(cell + lane)] = mixture.target_keep * before + mixture.target_share * after
            some += faced
        room.reached[U(row + a)] = some > 0.0
        cell += lanes
        slot += padded(lanes)


@kernel
def respond(g, b, me, plan, mixture, old, new, smoothing, threshold, how, before, books, room):
    """Respond to the opponent's plan; return the value, and histories touched if counted.

    A :class:`~secateur.kernels.gradient_books.Mixture` says that the opponent plays a mixture of
    that plan and a behaviour; otherwise it is None.

    The gradient becomes ``old`` times what it was in the books ``before``, which may be ``books``
    themselves, plus ``new`` times what is earned now; the response is to all of it, and so is the
    value. What is less likely than a positive ``threshold`` is left out. Own blocks never are:
    behind what is left out the response is to what was earned before, or uniform.
    """
    reach, reached, value, stack = room.reach, room.reached, room.value, room.stack
    up, flow, row, waiting = room.up, room.flow, room.row, room.waiting
    skip, counted, roots = how
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    up[U(0)] = 0.0
    flow[U(0)] = 1.0
    blocks = len(g.player)
    depth = 0
    nodes = 0 if threshold > 0.0 else roots[you]
    block = 0
    last = 0  # the own block that was opened last
    count = 0  # how many wait in the row
    filled = 0  # by so many actions
    place = 0  # of so many information sets
    unreached_end = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            done = stack[U(depth)]
            size = g.actions[U(done)] * g.lanes[U(done)]
            if done != last or filled + size > len(row) - SPARE:
                # own blocks behind it wait, or the row is full
                _respond_in_row(g, count, filled, smoothing, books, room)
                count = 0
                filled = 0
                place = 0
            _score(g, done, filled, place, old, new, smoothing, before, books, room)
            waiting[U(count)] = done
            count += 1
            filled += size
            place += g.lanes[U(done)]
        if block == blocks:
            break
        if skip and block >= unreached_end and not reached[U(g.gate[U(2 * block + you)])]:
            unreached_end = g.subtree_end[U(block)]
        owner = g.player[U(block)]
        if owner == me and old == 0.0 and block < unreached_end:
            _respond_to_nothing(g, block, books)
        elif owner == me:
            clear_values(g, block, value)
            clear_values(g, block, up)
            stack[U(depth)] = block
            depth += 1
            last = block
        if owner == you and mixture is not None:
            _face_mixture(g, block, plan, mixture, room)
        if block >= unreached_end:
            if owner == you:
                if mixture is None:
                    load_reach(g, block, plan, 1.0, reach, reached)
                if threshold > 0.0:
                    forget_unlikely_rows(g, b, block, reach, reached, threshold)
                elif counted:
                    nodes += count_histories(g, block, reach)
            if threshold > 0.0:
                add_likely_ends(g, b, me, block, reach, reached, threshold, value)
                if counted:
                    nodes += count_likely_histories(g, b, me, block, reach, reached, threshold)
            else:
                add_leaves(g, me, block, reach, reached, value)
        block += 1
    _respond_in_row(g, count, filled, smoothing, books, room)
    books.unmoved[me] = old * before.unmoved[me] + new * value[U(0)]
    return up[U(0)] + books.unmoved[me], nodes


@kernel
def follow(g, player, behaviour, keep, share, plan, target, response, room):
    """Let ``target`` be ``keep`` times ``plan`` plus ``share`` times ``player``'s behaviour's plan.

    ``target`` may be ``plan`` itself. The behaviour's plan goes to ``response``, if that is given.
    """
    reach = room.reach
    reach[U(0)] = 1.0
    for block in range(1, len(g.player)):
        if g.player[U(block)] != player:
            continue
        lanes = g.lanes[U(block)]
        cell = g.first_cell[U(block)]
        slot = g.first_slot[U(block)]
        parent = g.parent_slot[U(block)]
        for _ in range(g.actions[U(block)]):
            for lane in range(lanes):
                after = reach[U(parent_of(g, parent, lane))] * behaviour[U(cell + lane)]
                reach[U(slot + lane)] = after
                if response is not None:
                    response[U(cell + lane)] = after
                target[U(cell + lane)] = keep * plan[U(cell + lane)] + share * after
            cell += lanes
            slot += padded(lanes)
