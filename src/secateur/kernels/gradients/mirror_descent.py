r"""Iterations of optimistic mirror descent with dilated entropy.

In its dual form: with :math:`u_s` what the sequences of a player earn against the opponent's plan
of iteration s, the next plan maximizes

.. math:: \eta\, \bigl\langle u_1 + \dots + u_t + u_t,\; x \bigr\rangle - d(x),

where the last gradient counts twice because it is the prediction of the next. Gradients are linear
in the opponent's plan: the sum is t + 1 times the gradient against the average of plans with the
last one twice. So the plan is a best response to that, smoothed by
:math:`1 / (\eta\, (t + 1))`, and one sweep finds it.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import stage
from secateur.kernels.gradients.orders import order_response, order_to_follow
from secateur.kernels.gradients.respond import ordered


@stage
def iterate_mirror_descent(g, b, first, last, step, desk, turn, room):
    """Run iterations ``first`` to ``last`` with step size eta; return histories touched.

    Plans of the desk are the sum of all so far, and room for what is faced; its books are the same.
    """
    nodes = 0.0
    for t in range(first, last + 1):
        share = 1.0 / (t + 1.0)
        for player in range(2):
            order_to_follow(desk.there.order, player, 0, 0, 1.0, 1, share, 2.0 * share)
            ordered(g, b, desk, turn, room)
        for me in range(2):
            order_response(desk.there.order, me, 1, share / step, 0.0, 0)
            _, touched = ordered(g, b, desk, turn, room)
            nodes += touched
    return nodes
