"""Best responses and other ways to judge a strategy: the walk of a sweep without updates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.parts import U, load_reach, pass_reach
from secateur.kernels.core.pieces import number_of
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import EVERYTHING, choose_reached, visitor

Float = npt.NDArray[np.float64]


@part
def leave_best(visit, tally, g, _me, block, w):
    """Fold the best value of each lane into its parent; keep all values if ``kept`` has room."""
    value, kept = w.value, visit.kept
    at = block_at(g, block)
    keep = len(kept) > 0
    for lane in range(at.lanes):
        cell = at.cell + lane
        slot = at.slot + lane
        best = value[U(slot)]
        for _ in range(at.actions):
            best = max(best, value[U(slot)])
            if keep:
                kept[U(cell)] = value[U(slot)]
            cell += at.lanes
            slot += at.stride
        if at.parent >= 0:
            value[U(at.parent + lane)] += best
        else:
            value[U(g.lane_parent_slot[U(lane - at.parent - 1)])] += best
    return tally


@part
def _choose(visit, tally, g, me, block, depth, w):
    """Leave out what the opponent does not reach, unless values of all sequences are kept."""
    if len(visit.kept) > 0:
        return EVERYTHING, tally
    return choose_reached(visit, tally, g, me, block, depth, w)


@part
def _face(visit, tally, g, _me, block, w):
    """Put the opponent's reach on the stack."""
    _load(g, block, visit.faced, visit.scale, w)
    return tally


@part
def _load(g, block, faced, scale, w):
    """Put the reach of ``block``'s owner on the stack; without a scale from probabilities."""
    if scale is None:
        pass_reach(g, block, faced, None, 0.0, w.reach, w.reached)
    else:
        load_reach(g, block, faced, scale, w.reach, w.reached)


@visitor(choose=_choose, face=_face, leave=leave_best)
class _Respond(NamedTuple):
    """A best response, whose values are ``kept``."""

    faced: Float
    scale: float | None
    kept: Float


@kernel
def best_response_values(g, faced, scale, kept, pieces, turn, w):
    """Return the sum of the values of players' best responses to their opponents.

    Opponents follow ``scale`` times a realization plan or, if ``scale`` is None, probabilities.
    ``kept``, if not empty, receives the counterfactual best-response value of every own sequence;
    subtrees that the opponent does not reach have value zero and are then visited too. ``turn``
    says for which players, and may ask for a part of the sweep.
    """
    total = 0.0
    for me in range(turn.player, turn.last_player):
        visit = _Respond(faced, scale, kept)
        in_pieces(g, me, visit, visit, 1.0, pieces, turn, number_of(0, me), w)
        total += w.value[U(0)]
    return total


@part
def _face_sums(visit, tally, g, _me, block, w):
    """Put the opponent's average on the stack; uniform where its sums are zero."""
    at = block_at(g, block)
    for a in range(at.actions):
        w.reached[U(at.row + a)] = False
    for lane in range(at.lanes):
        norm = 0.0
        for a in range(at.actions):
            norm += visit.sums[U(at.cell + a * at.lanes + lane)]
        before = w.reach[U(parent_of(g, at.parent, lane))]
        for a in range(at.actions):
            share = (
                visit.sums[U(at.cell + a * at.lanes + lane)] / norm if norm else 1.0 / at.actions
            )
            after = before * share
            w.reach[U(at.slot + a * at.stride + lane)] = after
            w.reached[U(at.row + a)] |= after > 0.0
    return tally


@visitor(face=_face_sums, leave=leave_best)
class _RespondToSums(NamedTuple):
    """A best response to the behavior of strategy sums, whose values are ``kept``."""

    sums: Float
    kept: Float


@kernel
def nash_conv_of_sums(g, sums, kept, pieces, turn, w):
    """Return the sum of both players' best-response values to the behavior of strategy sums.

    Of a block the sums may have any scale, and be no realization plan but for rounding.
    """
    total = 0.0
    for me in range(turn.player, turn.last_player):
        visit = _RespondToSums(sums, kept)
        in_pieces(g, me, visit, visit, 1.0, pieces, turn, number_of(0, me), w)
        total += w.value[U(0)]
    return total


@part
def fold_expected(g, at, behavior, value):
    """Fold what each lane of a block wins by its probabilities into its parent."""
    for lane in range(at.lanes):
        cell = at.cell + lane
        slot = at.slot + lane
        expected = 0.0
        for _ in range(at.actions):
            expected += behavior[U(cell)] * value[U(slot)]
            cell += at.lanes
            slot += at.stride
        value[U(parent_of(g, at.parent, lane))] += expected


@part
def _leave_expected(visit, tally, g, _me, block, w):
    """Fold what is won by the strategy that is followed."""
    fold_expected(g, block_at(g, block), visit.faced, w.value)
    return tally


@visitor(face=_face, leave=_leave_expected)
class _Follow(NamedTuple):
    """What both players do, as probabilities: ``scale`` is None."""

    faced: Float
    scale: float | None


@kernel
def expected_value(g, behavior, pieces, turn, w):
    """Return the value to a player when both follow these probabilities.

    ``turn`` says to which, and may ask for a part of the sweep.
    """
    visit = _Follow(behavior, None)
    in_pieces(g, turn.player, visit, visit, 1.0, pieces, turn, number_of(0, turn.player), w)
    return w.value[U(0)]


@kernel
def realization_plan(g, behavior, plan, w, other):
    """Write the product of each player's own probabilities along the way to every sequence."""
    w.reach[0] = 1.0
    other.reach[0] = 1.0
    for cell in range(len(plan)):
        plan[U(cell)] = 0.0
    for block in range(len(g.player)):
        if g.player[U(block)] == 0:
            pass_reach(g, block, behavior, plan, 1.0, w.reach, w.reached)
        elif g.player[U(block)] == 1:
            pass_reach(g, block, behavior, plan, 1.0, other.reach, other.reached)


@kernel
def behavior(g, plan, strategy):
    """Normalize a realization plan (or a sum of some) per information set; uniform where zero."""
    for block in range(1, len(g.player)):
        actions = g.actions[U(block)]
        lanes = g.lanes[U(block)]
        cell = g.first_cell[U(block)]
        for lane in range(lanes):
            norm = 0.0
            for a in range(actions):
                norm += plan[U(cell + a * lanes + lane)]
            for a in range(actions):
                k = cell + a * lanes + lane
                strategy[U(k)] = plan[U(k)] / norm if norm > 0.0 else 1.0 / actions
