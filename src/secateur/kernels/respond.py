r"""Responses to a plan of the opponent: the sweep of methods that follow gradients.

A gradient is what each own sequence earns at ends of the game against the opponent's plan. The
response to it maximises :math:`\langle u, x \rangle - \mu\, d(x)` with the dilated entropy
:math:`d`; from the last decisions up, at information set j with weight :math:`\beta_j` and
:math:`n_j` actions,

.. math:: b_{ja} \propto \exp\frac{v_{ja}}{\mu\beta_j}, \qquad
    V_j = \mu\beta_j \ln \frac1{n_j}\sum_a \exp\frac{v_{ja}}{\mu\beta_j}, \qquad
    v_{ja} = u_{ja} + \sum_{k \text{ after } (j, a)} V_k

Where :math:`\mu` is almost zero, it is a best response that shares out evenly between equals.

Exponentials of many numbers at once are faster. So information sets wait in a row until it is full,
or until one is done that has some of the player's own behind it.
"""

from __future__ import annotations

from math import inf, log

from secateur.kernels.decorator import kernel, part
from secateur.kernels.exponential import exponentiate
from secateur.kernels.gradient_books import SPARE
from secateur.kernels.likely import (
    add_likely_ends,
    count_likely_histories,
    forget_unlikely_rows,
)
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
def _score(g, block, row, old, new, smoothing, books, room):
    """Update the gradient of an own block; write how far its actions are behind the best to a row.

    ``row`` is where the block begins there.
    """
    lanes = g.lanes[U(block)]
    for lane in range(0, lanes, 4):
        count = min(4, lanes - lane)
        _score_four_lanes(g, block, lane, count, row, old, new, smoothing, books, room)


@part
def _score_four_lanes(g, block, lane, count, row, old, new, smoothing, books, room):
    """Score four information sets side by side, which become vector instructions.

    Slots have room for whole groups of four, and books some more at their ends: the last group of a
    block computes with numbers that mean nothing, and leaves them out in the end.
    """
    dilation, gradient, _, _ = books
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
        earned_0 = old * gradient[U(cell)] + new * value[U(slot)]
        earned_1 = old * gradient[U(cell + 1)] + new * value[U(slot + 1)]
        earned_2 = old * gradient[U(cell + 2)] + new * value[U(slot + 2)]
        earned_3 = old * gradient[U(cell + 3)] + new * value[U(slot + 3)]
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
    place = row + lane
    slot = first_slot
    for _ in range(actions):
        _write(
            room.row,
            place,
            count,
            (value[U(slot)] - best_0) * steepness_0,
            (value[U(slot + 1)] - best_1) * steepness_1,
            (value[U(slot + 2)] - best_2) * steepness_2,
            (value[U(slot + 3)] - best_3) * steepness_3,
        )
        place += lanes
        slot += stride
    _write(room.bests, row + lane, count, best_0, best_1, best_2, best_3)


@part
def _respond_in_row(g, waiting, filled, smoothing, books, room):
    """Choose the smoothed responses of blocks that share a row; fold their values upwards."""
    # the best action scores 1 and others less: nothing overflows, and no sum is zero
    exponentiate(room.row, 0, filled)
    row = 0
    for k in range(waiting):
        block = room.waiting[U(k)]
        lanes = g.lanes[U(block)]
        for lane in range(0, lanes, 4):
            _fold_four_lanes(g, block, lane, min(4, lanes - lane), row, smoothing, books, room)
        row += g.actions[U(block)] * lanes


@part
def _fold_four_lanes(g, block, lane, count, row, smoothing, books, room):
    """Play four information sets in proportion to their scores; fold their values upwards.

    The last group of a block may read scores of the next, or old ones, and leaves them out.
    """
    behaviour, scores = books.behaviour, room.row
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    norm_0 = norm_1 = norm_2 = norm_3 = 0.0
    place = row + lane
    for _ in range(actions):
        norm_0 += scores[U(place)]
        norm_1 += scores[U(place + 1)]
        norm_2 += scores[U(place + 2)]
        norm_3 += scores[U(place + 3)]
        place += lanes
    share_0 = 1.0 / norm_0
    share_1 = 1.0 / norm_1
    share_2 = 1.0 / norm_2
    share_3 = 1.0 / norm_3
    cell = g.first_cell[U(block)] + lane
    place = row + lane
    for _ in range(actions):
        _write(
            behaviour,
            cell,
            count,
            share_0 * scores[U(place)],
            share_1 * scores[U(place + 1)],
            share_2 * scores[U(place + 2)],
            share_3 * scores[U(place + 3)],
        )
        cell += lanes
        place += lanes
    parent = g.parent_slot[U(block)]
    infoset = g.first_infoset[U(block)]
    _add_worth(g, parent, lane, norm_0, row, infoset, actions, smoothing, books, room)
    if count > 1:
        _add_worth(g, parent, lane + 1, norm_1, row, infoset, actions, smoothing, books, room)
    if count > 2:
        _add_worth(g, parent, lane + 2, norm_2, row, infoset, actions, smoothing, books, room)
    if count > 3:
        _add_worth(g, parent, lane + 3, norm_3, row, infoset, actions, smoothing, books, room)


@part
def _add_worth(g, parent, lane, norm, row, infoset, actions, smoothing, books, room):
    """Add what an information set is worth to the sequence before it."""
    scale = max(_LEAST_SCALE, smoothing * books.dilation[U(infoset + lane)])
    worth = room.bests[U(row + lane)] + scale * log(norm / actions)
    room.up[U(parent_of(g, parent, lane))] += worth


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


@kernel
def respond(g, b, me, faced, old, new, smoothing, threshold, how, books, room):
    """Respond to the opponent's plan ``faced``; return the value, and histories touched if counted.

    The gradient becomes ``old`` times what it was plus ``new`` times what is earned now; the
    response is to all of it, and so is the value. What is less likely than a positive ``threshold``
    is left out; own blocks are visited in any case.
    """
    reach, reached, value, stack, up, row, _, waiting, cut = room
    skip, counted, roots = how
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    up[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    nodes = 0 if threshold > 0.0 else roots[you]
    block = 0
    last = 0  # the own block that was opened last
    count = 0  # how many wait in the row
    filled = 0
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
            _score(g, done, filled, old, new, smoothing, books, room)
            waiting[U(count)] = done
            count += 1
            filled += size
        if block == blocks:
            break
        if skip and block >= unreached_end and not reached[U(g.gate[U(2 * block + you)])]:
            unreached_end = g.subtree_end[U(block)]
        owner = g.player[U(block)]
        if owner == me:
            clear_values(g, block, value)
            clear_values(g, block, up)
            stack[U(depth)] = block
            depth += 1
            last = block
        if block >= unreached_end:
            if owner == you:
                load_reach(g, block, faced, 1.0, reach, reached)
                if threshold > 0.0:
                    forget_unlikely_rows(g, b, block, reach, reached, threshold)
                elif counted:
                    nodes += count_histories(g, block, reach)
            if threshold > 0.0:
                add_likely_ends(g, b, me, block, reach, reached, threshold, value, cut)
                if counted:
                    nodes += count_likely_histories(g, b, me, block, reach, reached, threshold)
            else:
                add_leaves(g, me, block, reach, reached, value)
        block += 1
    _respond_in_row(g, count, filled, smoothing, books, room)
    books.unmoved[me] = old * books.unmoved[me] + new * value[U(0)]
    return up[U(0)] + books.unmoved[me], nodes


@kernel
def follow(g, player, behaviour, keep, share, plan, target, response, room):
    """Write the plan of ``player``'s behaviour to ``response``.

    ``target`` becomes ``keep`` times ``plan`` plus ``share`` times the response; it may be ``plan``
    itself.
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
                response[U(cell + lane)] = after
                target[U(cell + lane)] = keep * plan[U(cell + lane)] + share * after
            cell += lanes
            slot += padded(lanes)
