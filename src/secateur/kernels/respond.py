r"""Responses to a plan of the opponent: the sweep of methods that follow gradients.

A gradient is what each own sequence earns at ends of the game against the opponent's plan. The
response to it maximises :math:`\langle u, x \rangle - \mu\, d(x)` with the dilated entropy
:math:`d`; from the last decisions up, at information set j with weight :math:`\beta_j` and
:math:`n_j` actions,

.. math:: b_{ja} \propto \exp\frac{v_{ja}}{\mu\beta_j}, \qquad
    V_j = \mu\beta_j \ln \frac1{n_j}\sum_a \exp\frac{v_{ja}}{\mu\beta_j}, \qquad
    v_{ja} = u_{ja} + \sum_{k \text{ after } (j, a)} V_k

With :math:`\mu = 0` it is a best response.
"""

from __future__ import annotations

from math import exp, inf, log

from secateur.kernels.decorator import kernel, part
from secateur.kernels.likely import (
    add_likely_leaves,
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


@part
def _fold_response(g, block, old, new, smoothing, tie, dilation, gradient, behaviour, value, up):
    """Update the gradient of an own block; choose its response; fold its value upwards."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    parent = g.parent_slot[U(block)]
    infoset = g.first_infoset[U(block)]
    for lane in range(lanes):
        first_cell = g.first_cell[U(block)] + lane
        first_slot = g.first_slot[U(block)] + lane
        best = -inf
        cell = first_cell
        slot = first_slot
        for _ in range(actions):
            earned = old * gradient[U(cell)] + new * value[U(slot)]
            gradient[U(cell)] = earned
            worth = earned + up[U(slot)]
            value[U(slot)] = worth
            best = max(best, worth)
            cell += lanes
            slot += stride
        scale = smoothing * dilation[U(infoset + lane)]
        cell = first_cell
        slot = first_slot
        if scale == 0.0:
            found = False
            for _ in range(actions):
                chosen = not found and value[U(slot)] >= best - tie
                behaviour[U(cell)] = 1.0 if chosen else 0.0
                found = found or chosen
                cell += lanes
                slot += stride
        else:
            # scores are at most 1 and one of them is 1: nothing overflows, no sum is zero
            steepness = 1.0 / scale
            norm = 0.0
            for _ in range(actions):
                score = exp((value[U(slot)] - best) * steepness)
                value[U(slot)] = score
                norm += score
                slot += stride
            best += scale * log(norm / actions)
            share = 1.0 / norm
            slot = first_slot
            for _ in range(actions):
                behaviour[U(cell)] = share * value[U(slot)]
                cell += lanes
                slot += stride
        up[U(parent_of(g, parent, lane))] += best


@kernel
def respond(g, b, me, faced, old, new, smoothing, tie, threshold, how, books, room):
    """Respond to the opponent's plan ``faced``; return the value, and histories touched if counted.

    The gradient becomes ``old`` times what it was plus ``new`` times what is earned now; the
    response is to all of it. The value is right if ``old`` is zero. What is less likely than a
    positive ``threshold`` is left out; own blocks are visited in any case. Where ``smoothing`` is
    zero, values that differ by up to ``tie`` are equal, and the first action is chosen.
    """
    reach, reached, value, stack, up, cut = room
    skip, counted, roots = how
    dilation, gradient, behaviour = books
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    up[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    nodes = 0 if threshold > 0.0 else roots[you]
    block = 0
    unreached_end = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _fold_response(
                g,
                stack[U(depth)],
                old,
                new,
                smoothing,
                tie,
                dilation,
                gradient,
                behaviour,
                value,
                up,
            )
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
        if block >= unreached_end:
            if owner == you:
                load_reach(g, block, faced, 1.0, reach, reached)
                if threshold > 0.0:
                    forget_unlikely_rows(g, b, block, reach, reached, threshold)
                elif counted:
                    nodes += count_histories(g, block, reach)
            if threshold > 0.0:
                add_likely_leaves(g, b, me, block, reach, reached, threshold, value, cut)
                if counted:
                    nodes += count_likely_histories(g, b, me, block, reach, reached, threshold)
            else:
                add_leaves(g, me, block, reach, reached, value)
        block += 1
    return up[U(0)] + value[U(0)], nodes


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
