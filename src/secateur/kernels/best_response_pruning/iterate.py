"""Iterations of best-response pruning."""

from __future__ import annotations

from secateur.kernels.best_response_pruning.average import keep_average
from secateur.kernels.best_response_pruning.gaps import find_prunable
from secateur.kernels.best_response_pruning.live_sweep import sweep_live
from secateur.kernels.best_response_pruning.played import set_played
from secateur.kernels.best_response_pruning.regrow import relink, take_drafts
from secateur.kernels.best_response_pruning.review import Limits, review
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.parts import U
from secateur.kernels.regret_minimizers.sweep import FLOOR, WEIGHT


@kernel
def iterate_pruned(
    g,
    p,
    s,
    live,
    schedule,
    first_iteration,
    total_weight,
    payoff_range,
    minimum_skip,
    again,
    softness,
    count,
    room,
    w,
    scratch,
    nodes,
    work,
):
    """Run one iteration of best-response pruning per row of ``schedule``, but for searches.

    The last row is that of the iteration after these.

    Ends early if the store or the frames have less than ``room`` left. Adds to ``nodes``: histories
    touched by regret updates, and by reviews; to ``work``: own blocks of both kinds. Returns how
    many were run.
    """
    (flows, alive, lane_reach, mark, marked, ends, stack, expired, back, loose, fresh) = scratch
    for t in range(len(schedule) - 1):
        iteration = first_iteration + t
        if (
            s.used[0] + room[0] > len(s.ids)
            or s.used[1] + room[1] > len(s.numbers)
            or s.used[2] + room[2] > len(s.attic_ids)
            or live.used[0] + room[3] > len(live.frames)
        ):
            return t
        rule = schedule[t]
        weight = rule[WEIGHT]
        before = total_weight
        total_weight += weight
        tolerance = rounding(total_weight, payoff_range)
        s.clock[0] = total_weight
        s.clock[1] = total_weight + schedule[t + 1][WEIGHT]
        for me in range(2):
            expirations, updated, touched = sweep_live(
                g, p, me, s, live, rule, tolerance, count, w, ends, lane_reach, mark[me], expired
            )
            nodes[0] += touched
            work[0] += updated
            if s.fixed:
                expirations = _overdue(g, me, s, expired)
            if expirations > 0:
                allowance = softness / iteration
                limits = Limits(weight, total_weight, tolerance, minimum_skip, again, allowance)
                room_for_review = (w, flows[0], lane_reach, mark[me], marked, back)
                returned, evaluated, touched = review(
                    g, p, me, s, False, expired, expirations, limits, count, *room_for_review
                )
                nodes[1] += touched
                work[1] += evaluated
                if returned > 0:
                    for k in range(returned):
                        expired[U(k)] = back[U(k)]
                    ids_top, numbers_top, _ = review(
                        g, p, me, s, True, expired, returned, limits, False, *room_for_review
                    )
                    # the strategies of player 0 are faced by player 1 only later
                    faced = (before if me == 0 else total_weight, total_weight)
                    take_drafts(
                        g,
                        p,
                        me,
                        s,
                        loose,
                        ids_top,
                        numbers_top,
                        rule[FLOOR],
                        faced[me],
                        flows[me],
                        mark[me],
                    )
                    end = 0
                    for k in range(returned):
                        if back[U(k)] >= end:
                            relink(g, p, s, live, back[U(k)], faced, flows, alive, fresh, stack)
                            end = g.subtree_end[U(back[U(k)])]
        if s.played > 0:
            set_played(s, live)
    return len(schedule) - 1


@stage
def _overdue(g, me, s, overdue):
    """List the blocks of a player with bounds that may have expired; return how many."""
    count = 0
    soon = s.clock[1] * (1.0 + 1e-9)  # whether they have is told by the bounds themselves
    for block in range(1, len(g.player)):
        if s.deadlines[U(block)] <= soon and g.player[U(block)] == me:
            overdue[U(count)] = block
            count += 1
    return count


@part
def rounding(total_weight, payoff_range):
    """Return what counts as zero: rounding grows with the numbers that are summed."""
    return 1e-12 * (1.0 + total_weight) * payoff_range


@kernel
def search(g, p, s, weight, total_weight, payoff_range, minimum_skip, w, scratch):
    """Find actions of both players to prune; the store must be compacted then."""
    flows, alive, lane_reach = scratch
    tolerance = rounding(total_weight, payoff_range)
    for player in range(2):
        keep_average(g, player, s, total_weight, flows[player])
    for me in range(2):
        find_prunable(
            g,
            p,
            me,
            s,
            weight,
            total_weight,
            tolerance,
            minimum_skip,
            w,
            flows[0],
            lane_reach,
            alive[0],
        )
