"""What information sets have earned in a run that has not kept sums of values.

With regret matching it is told by regrets: both are two sides of one sum. Other minimizers forget
it; then what average strategies earn against each other takes its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.parts import LEAST_NORM, U, count_histories, load_reach
from secateur.kernels.core.pieces import number_of
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import visitor

Float = npt.NDArray[np.float64]


@part
def _leave(visit, tally, g, _me, block, w):
    """Find what a block's information sets have earned, and add it to their parents."""
    value, regret = w.value, visit.regret
    at = block_at(g, block)
    for lane in range(at.lanes):
        value_sum = value[U(at.slot + lane)] - regret[U(at.cell + lane)]
        visit.sums[U(at.infoset + lane)] = value_sum
        value[U(parent_of(g, at.parent, lane))] += value_sum
    return tally


@visitor(leave=_leave)
class _Recover(NamedTuple):
    """What is known of a run, and where its sums of values go."""

    plan: Float  # strategy sums
    scale: float
    regret: Float
    sums: Float


@kernel
def recover_value_sums(g, regret, total, weight, sums, pieces, turn, w):
    """Write what players' information sets have earned so far to ``sums``.

    The values of an action summed up are those of the leaves behind it against the opponent's
    strategy sums (``total``, and ``weight`` of the empty sequence) and the sums of the information
    sets that follow. Its regret is that minus the sum of its own information set. ``turn`` says for
    which players, and may ask for a part of the sweep.
    """
    touched = 0.0
    for me in range(turn.player, turn.last_player):
        visit = _Recover(total, 1.0, regret, sums)
        touched += in_pieces(g, me, visit, visit, weight, pieces, turn, number_of(0, me), w)
    return touched


@part
def face_counted(visit, tally, g, _me, block, w):
    """Put the opponent's strategy sums on the stack of reach; count histories."""
    load_reach(g, block, visit.plan, 1.0, w.reach, w.reached)
    return tally + count_histories(g, block, w.reach)


@part
def _leave_expected(visit, tally, g, _me, block, w):
    """Find what own average strategies earn at a block; where there is none, the best response."""
    value, plan = w.value, visit.plan
    at = block_at(g, block)
    for lane in range(at.lanes):
        norm = 0.0
        expected = 0.0
        best = value[U(at.slot + lane)]
        for a in range(at.actions):
            here = value[U(at.slot + a * at.stride + lane)]
            total = plan[U(at.cell + a * at.lanes + lane)]
            norm += total
            expected += total * here
            best = max(best, here)
        value_sum = expected / norm if norm >= LEAST_NORM else best
        visit.sums[U(at.infoset + lane)] = value_sum
        value[U(parent_of(g, at.parent, lane))] += value_sum
    return tally


@visitor(face=face_counted, leave=_leave_expected)
class _Expect(NamedTuple):
    """Strategy sums, and where what they earn goes; its tally: histories touched."""

    plan: Float
    sums: Float


@kernel
def values_of_averages(g, total, weight, sums, pieces, turn, w):
    """Write what average strategies earn at players' information sets to ``sums``.

    ``total`` are the strategy sums of both players, ``weight`` that of the empty sequence; values
    are those of as many iterations. Returns the number of histories touched after a move of the
    opponent. ``turn`` says for which players, and may ask for a part of the sweep.
    """
    touched = 0.0
    for me in range(turn.player, turn.last_player):
        visit = _Expect(total, sums)
        touched += in_pieces(g, me, visit, visit, weight, pieces, turn, number_of(0, me), w)
    return touched
