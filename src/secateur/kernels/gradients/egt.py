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

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.parts import U
from secateur.kernels.gradients.books import Mixture
from secateur.kernels.gradients.respond import follow, respond

_GROWTH = 1.11
_LARGEST_STEP = 0.5
_SMALLEST_STEP = 1e-12
"""Steps of the adaptive rule; below the smallest, rounding decides and nothing is gained."""


@kernel
def _shrink(g, b, me, tau, mu, threshold, plan, mixed, target, how, books, found, room):
    """Make ``me``'s smoothing smaller; return what ``me`` wins by responding then, and histories.

    The books hold ``me``'s response to the plan; the other responses go to ``found``, which may be
    the same. The other player's next plan goes to ``target``, which may be the plan itself;
    ``mixed`` is room for what that player responds to.
    """
    you = 1 - me
    rest = 1.0 - tau
    between = Mixture(books.behavior, rest, tau, mixed, rest, tau)
    _, nodes = respond(
        g, b, you, plan, between, 0.0, 1.0, mu[you], threshold, how, books, found, room
    )
    answer = Mixture(found.behavior, 0.0, 1.0, target, rest, tau)
    mu[me] *= rest
    value, touched = respond(
        g, b, me, plan, answer, rest, tau, mu[me], threshold, how, books, found, room
    )
    return value, nodes + touched


@part
def _turn(iteration, balanced, mu):
    """Return whose smoothing gets smaller: in turns, or the larger one."""
    if balanced:
        return 0 if mu[0] >= mu[1] else 1
    return (iteration - 1) % 2


@kernel
def excess(g, b, mu, plan, how, books, room):
    """Return how far the pair of plans is inside the excessive gap condition, and histories."""
    gap = 0.0
    nodes = 0
    for me in range(2):
        value, touched = respond(
            g, b, me, plan, None, 0.0, 1.0, mu[me], 0.0, how, books, books, room
        )
        gap -= value
        nodes += touched
    return gap, nodes


@kernel
def iterate_fixed(g, b, first, last, balanced, cutoff, mu, plan, mixed, how, books, room):
    """Run iterations ``first`` to ``last`` with steps 2 / (t + 2); return histories touched.

    ``cutoff``, divided by the number of the iteration, is the threshold of gradients; ``mixed`` is
    room for a plan.
    """
    nodes = 0
    for t in range(first, last + 1):
        me = _turn(t, balanced, mu)
        tau = 2.0 / (t + 2.0)
        limit = cutoff / t
        _, touched = respond(g, b, me, plan, None, 0.0, 1.0, mu[me], limit, how, books, books, room)
        nodes += touched
        _, touched = _shrink(g, b, me, tau, mu, limit, plan, mixed, plan, how, books, books, room)
        nodes += touched
        follow(g, me, books.behavior, 1.0 - tau, tau, plan, plan, None, room)
    return nodes


@kernel
def iterate_adaptive(
    g, b, first, last, balanced, tolerance, mu, step, plans, how, books, found, room
):
    """Run iterations whose steps are as long as the excessive gap allows; return histories touched.

    ``step`` is the length of the next step. One that leaves the condition by more than
    ``tolerance`` is not taken, and halved. ``plans`` are the pair, and room for the next. The books
    hold the responses to the pair, before and after; ``found`` is room for others.
    """
    plan, target = plans
    now, later = books, found
    nodes = 0
    for t in range(first, last + 1):
        me = _turn(t, balanced, mu)
        you = 1 - me
        before = mu[me]
        while step[0] >= _SMALLEST_STEP:
            tau = step[0]
            mine, touched = _shrink(
                g, b, me, tau, mu, 0.0, plan, target, target, how, now, later, room
            )
            nodes += touched
            rest = 1.0 - tau
            next_plan = Mixture(later.behavior, rest, tau, target, rest, tau)
            yours, touched = respond(
                g, b, you, plan, next_plan, 0.0, 1.0, mu[you], 0.0, how, now, later, room
            )
            nodes += touched
            if mine + yours <= tolerance:
                plan, target = target, plan
                now, later = later, now
                break
            mu[me] = before
            step[0] *= 0.5
        if step[0] < _LARGEST_STEP:
            step[0] *= _GROWTH
    _copy(plan, plans[0])
    _copy(now.gradient, books.gradient)
    _copy(now.behavior, books.behavior)
    _copy(now.unmoved, books.unmoved)
    return nodes


@part
def _copy(numbers, target):
    for k in range(len(numbers)):
        target[U(k)] = numbers[U(k)]
