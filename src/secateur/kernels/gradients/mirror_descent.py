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

from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.core.parts import U
from secateur.kernels.gradients.respond import follow, respond


@kernel
def iterate_mirror_descent(g, b, first, last, step, plans, how, books, room):
    """Run iterations ``first`` to ``last`` with step size eta; return histories touched.

    ``plans`` are the sum of all so far, room for what is faced, and the last ones.
    """
    total, faced, plan = plans
    nodes = 0
    for t in range(first, last + 1):
        share = 1.0 / (t + 1.0)
        for player in range(2):
            follow(g, player, books.behavior, share, 2.0 * share, total, faced, plan, room)
        for cell in range(len(plan)):
            total[U(cell)] += plan[U(cell)]
        for me in range(2):
            _, touched = respond(
                g, b, me, faced, None, 0.0, 1.0, share / step, 0.0, how, books, books, room
            )
            nodes += touched
    return nodes
