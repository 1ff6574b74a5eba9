"""Iterations of best-response pruning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.best_response_pruning.average import keep_average
from secateur.kernels.best_response_pruning.gaps import find_prunable, let_predictions_lapse
from secateur.kernels.best_response_pruning.live_sweep import sweep_live
from secateur.kernels.best_response_pruning.played import set_played
from secateur.kernels.best_response_pruning.regrow import relink, take_drafts
from secateur.kernels.best_response_pruning.review import Limits, review
from secateur.kernels.best_response_pruning.store import (
    ITERATION,
    WEIGHT_NEXT,
    WEIGHT_NOW,
    rounding,
)
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.heap import note_done
from secateur.kernels.core.parts import U
from secateur.kernels.core.pieces import AT_ONCE, begin_blocks, end_blocks, next_blocks, number_of
from secateur.kernels.regret_minimizers.sweep import AVERAGE

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]


@book
class Pruning(NamedTuple):
    """How a run prunes, and where it stands; the arrays are written to."""

    iteration: int  # the first to be run
    weight: float  # of all before it
    payoff_range: float
    minimum_skip: float  # iterations for which an action must be skipped to be pruned
    again: float  # and to stay pruned
    softness: float
    counted: bool  # whether histories are
    room: Long  # entries of ids, numbers, attics and frames that an iteration may take
    discounts: Float  # of positive and negative regrets, in turns, from iteration 0 on
    nodes: Float  # histories touched by regret updates, and by reviews
    work: Float  # own blocks of both kinds


class LiveLimits(NamedTuple):
    """What sweeps are told besides schedules."""

    tolerance: float  # what counts as zero
    counted: bool  # whether histories are


@kernel
def iterate_pruned(
    g, p, s, live, fresh, schedule, pruning, pieces, there, turn, stacks, w, scratch
):
    """Run one iteration of best-response pruning per row of ``schedule``, but for searches.

    The last row is that of the iteration after these. Ends early if the store or the frames have
    not enough room. Returns the row that was not begun. ``turn`` may ask for some rows, one player,
    or a part of a sweep. ``fresh`` is room for another list of what is alive, ``stacks`` and
    ``there`` are for sweeps, ``scratch`` is that of :class:`secateur.solvers.scratch.Scratch`.
    """
    total_weight = pruning.weight
    for t in range(turn.row):
        total_weight += schedule[t][AVERAGE]
    for t in range(turn.row, turn.last_row):
        if turn.down and _is_full(s, live, pruning.room):
            return t
        rule = schedule[t]
        before = total_weight
        total_weight += rule[AVERAGE]
        if turn.down:
            s.clock[WEIGHT_NOW] = total_weight
            s.clock[WEIGHT_NEXT] = total_weight + schedule[t + 1][AVERAGE]
            s.clock[ITERATION] = pruning.iteration + t
        limits = Limits(
            rule[AVERAGE],
            total_weight,
            rounding(total_weight, pruning.payoff_range),
            pruning.minimum_skip,
            pruning.again,
            pruning.softness / (pruning.iteration + t),
        )
        for me in range(turn.player, turn.last_player):
            expirations, updated, touched = sweep_live(
                g,
                p,
                me,
                s,
                live,
                rule,
                pruning.discounts,
                LiveLimits(limits.tolerance, pruning.counted),
                pieces,
                there,
                turn,
                number_of(t, me),
                stacks,
                scratch.expired,
            )
            if turn.up:
                pruning.nodes[0] += touched
                pruning.work[0] += updated
                faced = (before if me == 0 else total_weight, total_weight)
                _look_after(
                    g, p, me, s, live, fresh, rule, pruning, limits, faced, expirations, w, scratch
                )
        if turn.up and turn.last_player == 2 and s.played > 0:
            set_played(s, live, pruning.discounts)
    return turn.last_row


@part
def _is_full(s, live, room):
    """Return whether an iteration might need more room than there is."""
    return (
        s.used[0] + room[0] > len(s.ids)
        or s.used[1] + room[1] > len(s.numbers)
        or s.used[2] + room[2] > len(s.attic_ids)
        or live.used[0] + room[3] > len(live.frames)
    )


@stage
def _look_after(g, p, me, s, live, fresh, rule, pruning, limits, faced, expirations, w, scratch):
    """Evaluate branches whose bounds have expired, and let those come back that must.

    ``faced`` are the weights of both players' strategies that have been faced: those of player 0
    are faced by player 1 only later.
    """
    expired, back = scratch.expired, scratch.back
    if s.fixed:
        expirations = _overdue(g, me, s, expired)
    if expirations == 0:
        return
    returned, evaluated, touched = review(
        g, p, me, s, False, expirations, limits, pruning.counted, w, scratch
    )
    pruning.nodes[1] += touched
    pruning.work[1] += evaluated
    if returned == 0:
        return
    for k in range(returned):
        expired[U(k)] = back[U(k)]
    ids_top, numbers_top, _ = review(g, p, me, s, True, returned, limits, False, w, scratch)
    take_drafts(g, p, me, s, ids_top, numbers_top, rule, pruning.discounts, faced[me], scratch)
    end = 0
    for k in range(returned):
        if back[U(k)] >= end:
            relink(g, p, s, live, fresh, back[U(k)], faced, pruning.discounts, scratch)
            end = g.subtree_end[U(back[U(k)])]


@stage
def _overdue(g, me, s, overdue):
    """List the blocks of a player with bounds that may have expired; return how many."""
    count = 0
    soon = s.clock[WEIGHT_NEXT] * (1.0 + 1e-9)  # whether they have is told by the bounds themselves
    for block in range(1, len(g.player)):
        if s.deadlines[U(block)] <= soon and g.player[U(block)] == me:
            overdue[U(count)] = block
            count += 1
    return count


@kernel
def search(g, p, s, weight, pruning, cut_played, pieces, there, turn, w):
    """Find actions of both players to prune; the store must be compacted then.

    ``weight`` is that of the last iteration, ``pruning.weight`` that of all. There are two rows: in
    the first the sums of averages are brought up to date, in the second actions are found. ``turn``
    may ask for one of them, for one player, or for a part.
    """
    for row in range(turn.row, turn.last_row):
        for me in range(turn.player, turn.last_player):
            number = number_of(row, me)
            if row == 0:
                keep_average(g, me, s, pruning.weight, pieces, there, turn, number, w)
            else:
                touched = find_prunable(
                    g, p, me, s, weight, pruning, cut_played, pieces, there, turn, number, w
                )
                if turn.up:
                    pruning.nodes[1] += touched
    if turn.settle and s.claims > 0:
        shares = begin_blocks(g, turn, pieces)
        first = next_blocks(turn, pieces, shares)
        while first >= 0:
            let_predictions_lapse(s, first, min(first + AT_ONCE, len(g.player)))
            note_done(pieces.heap)
            first = next_blocks(turn, pieces, shares)
        end_blocks(turn, pieces, shares)
    return 0.0  # as sweeps do
