r"""Iterations of the excessive gap technique.

A step that makes player i's smoothing :math:`\mu_i` smaller by the factor :math:`1-\tau` is

.. math::

    \hat x &= (1-\tau)\, x_i + \tau\, \text{response}_i(x_j, \mu_i) \\
    \bar x_j &= \text{response}_j(\hat x, \mu_j) \\
    x_j &\leftarrow (1-\tau)\, x_j + \tau\, \bar x_j \\
    x_i &\leftarrow (1-\tau)\, x_i + \tau\, \text{prox}

where prox maximizes :math:`\tau\langle u_i(\bar x_j), x\rangle - (1-\tau)\mu_i D(x, r)` with the
divergence D of the entropy d from the first response r. There the gradient of :math:`\mu_i d` is
:math:`u_i(x_j)`, up to what is constant on all plans; so prox is itself a response, with smoothing
:math:`(1-\tau)\mu_i`, to the gradient
:math:`(1-\tau)\, u_i(x_j) + \tau\, u_i(\bar x_j)`. No logarithm of a probability is needed.

Gradients are linear, so that one is :math:`u_i` of the new :math:`x_j`, and prox is the smoothed
best response to it that the excessive gap condition is about: of the two responses by which the
condition is checked after a step, one has been found on the way. The other is the first that a step
of the other player needs.
"""

from __future__ import annotations

from typing import NamedTuple

from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.parts import U
from secateur.kernels.gradients.orders import (
    RESPOND_TO_MIXTURE,
    order_response,
    order_to_follow,
    write_order,
)
from secateur.kernels.gradients.respond import ordered

_GROWTH = 1.11
_LARGEST_STEP = 0.5
_SMALLEST_STEP = 1e-12
"""Steps of the adaptive rule; below the smallest, rounding decides and nothing is gained."""


class _Places(NamedTuple):
    """Where on a desk what stands."""

    plan: int
    mixed: int
    """Room for what a player responds to."""

    target: int
    """Where the next plan goes; may be the plan itself."""

    books: int
    found: int
    """Where responses go; may be the same."""


@stage
def _shrink(g, b, me, tau, mu, threshold, at, desk, turn, room):
    """Make ``me``'s smoothing smaller; return what ``me`` wins by responding then, and histories.

    The books hold ``me``'s response to the plan.
    """
    you = 1 - me
    rest = 1.0 - tau
    write_order(
        desk.there.order,
        RESPOND_TO_MIXTURE,
        you,
        at.plan,
        at.books,
        at.found,
        0.0,
        1.0,
        mu[you],
        threshold,
        at.books,
        rest,
        tau,
        at.mixed,
        rest,
        tau,
    )
    _, nodes = ordered(g, b, desk, turn, room)
    mu[me] *= rest
    write_order(
        desk.there.order,
        RESPOND_TO_MIXTURE,
        me,
        at.plan,
        at.books,
        at.found,
        rest,
        tau,
        mu[me],
        threshold,
        at.found,
        0.0,
        1.0,
        at.target,
        rest,
        tau,
    )
    value, touched = ordered(g, b, desk, turn, room)
    return value, nodes + touched


@part
def _turn(iteration, balanced, mu):
    """Return whose smoothing gets smaller: in turns, or the larger one."""
    if balanced:
        return 0 if mu[0] >= mu[1] else 1
    return (iteration - 1) % 2


@stage
def excess(g, b, mu, desk, turn, room):
    """Return how far the first plans are inside the excessive gap condition, and histories."""
    gap = 0.0
    nodes = 0.0
    for me in range(2):
        order_response(desk.there.order, me, 0, mu[me], 0.0, 0)
        value, touched = ordered(g, b, desk, turn, room)
        gap -= value
        nodes += touched
    return gap, nodes


@stage
def iterate_fixed(g, b, first, last, balanced, cutoff, mu, desk, turn, room):
    """Run iterations ``first`` to ``last`` with steps 2 / (t + 2); return histories touched.

    ``cutoff``, divided by the number of the iteration, is the threshold of gradients. The second
    plan of the desk is room, its books are the same.
    """
    nodes = 0.0
    for t in range(first, last + 1):
        me = _turn(t, balanced, mu)
        tau = 2.0 / (t + 2.0)
        limit = cutoff / t
        order_response(desk.there.order, me, 0, mu[me], limit, 0)
        _, touched = ordered(g, b, desk, turn, room)
        nodes += touched
        at = _Places(0, 1, 0, 0, 0)
        _, touched = _shrink(g, b, me, tau, mu, limit, at, desk, turn, room)
        nodes += touched
        order_to_follow(desk.there.order, me, 0, 0, 0.0, 0, 1.0 - tau, tau)
        ordered(g, b, desk, turn, room)
    return nodes


@stage
def iterate_adaptive(g, b, first, last, balanced, tolerance, mu, step, desk, turn, room):
    """Run iterations whose steps are as long as the excessive gap allows; return histories touched.

    ``step`` is the length of the next step. One that leaves the condition by more than
    ``tolerance`` is not taken, and halved. Plans of the desk are the pair, and room for the next.
    Its first books hold the responses to the pair, before and after; the others are room.
    """
    nodes = 0.0
    now = 0
    for t in range(first, last + 1):
        me = _turn(t, balanced, mu)
        you = 1 - me
        before = mu[me]
        while step[0] >= _SMALLEST_STEP:
            tau = step[0]
            later = 1 - now
            at = _Places(now, later, later, now, later)
            mine, touched = _shrink(g, b, me, tau, mu, 0.0, at, desk, turn, room)
            nodes += touched
            rest = 1.0 - tau
            write_order(
                desk.there.order,
                RESPOND_TO_MIXTURE,
                you,
                now,
                now,
                later,
                0.0,
                1.0,
                mu[you],
                0.0,
                later,
                rest,
                tau,
                later,
                rest,
                tau,
            )
            yours, touched = ordered(g, b, desk, turn, room)
            nodes += touched
            if mine + yours <= tolerance:
                now = later
                break
            mu[me] = before
            step[0] *= 0.5
        if step[0] < _LARGEST_STEP:
            step[0] *= _GROWTH
    if now == 1:
        books, found = desk.books
        _copy(desk.plans[1], desk.plans[0])
        _copy(found.gradient, books.gradient)
        _copy(found.behavior, books.behavior)
        _copy(found.unmoved, books.unmoved)
    return nodes


@part
def _copy(numbers, target):
    for k in range(len(numbers)):
        target[U(k)] = numbers[U(k)]
