"""What methods that follow gradients do: one kernel, since all of it is made of the same sweeps."""

from __future__ import annotations

from typing import NamedTuple

from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.gradients.books import Float
from secateur.kernels.gradients.egt import excess, iterate_adaptive, iterate_fixed
from secateur.kernels.gradients.mirror_descent import iterate_mirror_descent
from secateur.kernels.gradients.respond import help_out, ordered

ORDER, EXCESS, FIXED, ADAPTIVE, MIRROR = range(5)
"""To carry out the order on the desk; to look at the condition of the excessive gap technique; its
iterations with fixed and with adaptive steps; those of optimistic mirror descent."""


class Program(NamedTuple):
    """What is to be done, and with which numbers; what it has no use for means nothing."""

    what: int
    smoothing: Float
    step: Float
    """One number: the step that is next, or the step size."""

    first: int = 1
    last: int = 0
    """Iterations."""

    balanced: bool = False
    limit: float = 0.0
    """The constant of the threshold, or how much of the condition rounding may take."""


@kernel
def run(g, b, program, desk, turn, room):
    """Do what a program says, or take part in it; return a value, if it has one, and histories."""
    value = 0.0
    nodes = 0.0
    rows = program.first, program.last
    if turn.helps:
        help_out(g, b, desk, turn, room)
    elif program.what == ORDER:
        value, nodes = ordered(g, b, desk, turn, room)
    elif program.what == EXCESS:
        value, nodes = excess(g, b, program.smoothing, desk, turn, room)
    elif program.what == FIXED:
        how = program.balanced, program.limit, program.smoothing
        nodes = iterate_fixed(g, b, *rows, *how, desk, turn, room)
    elif program.what == ADAPTIVE:
        how = program.balanced, program.limit, program.smoothing
        nodes = iterate_adaptive(g, b, *rows, *how, program.step, desk, turn, room)
    else:
        nodes = iterate_mirror_descent(g, b, *rows, program.step[0], desk, turn, room)
    return value, nodes
