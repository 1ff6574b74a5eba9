"""Iterations of best-response pruning."""

from __future__ import annotations

from secateur.kernels.average import keep_average
from secateur.kernels.decorator import kernel
from secateur.kernels.gaps import find_prunable
from secateur.kernels.live_sweep import set_played, sweep_live
from secateur.kernels.parts import U
from secateur.kernels.regrow import relink, take_drafts
from secateur.kernels.review import review
from secateur.kernels.sweep import FLOOR, WEIGHT


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
    check_last,
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
    """Run one iteration of best-response pruning per row of ``schedule``.

    After the last one, if ``check_last``, search for actions to prune. Ends early if the store
    or the frames have less than ``room`` left. Adds to ``nodes``: histories touched by regret
    updates, and by reviews; to ``work``: own blocks of both kinds. Returns how many were
    run.
    """
    (flows, alive, lane_reach, mark, marked, ends, stack, expired, back, fresh) = scratch
    for t in range(len(schedule)):
        iteration = first_iteration + t
        if (
            s.used[0] + room[0] > len(s.ids)
            or s.used[1] + room[1] > len(s.numbers)
            or live.used[0] + room[2] > len(live.frames)
            or live.used[1] + room[3] > len(live.factors)
        ):
            return t
        rule = schedule[t]
        weight = rule[WEIGHT]
        before = total_weight
        total_weight += weight
        tolerance = 1e-12 * (1.0 + total_weight * payoff_range)
        for me in range(2):
            expirations, updated, touched = sweep_live(
                g, p, me, s, live, rule, count, w, ends, lane_reach, mark[me], expired
            )
            nodes[0] += touched
            work[0] += updated
            if expirations > 0:
                returned, ids_top, numbers_top, evaluated, touched = review(
                    g,
                    p,
                    me,
                    s,
                    expired,
                    expirations,
                    weight,
                    total_weight,
                    tolerance,
                    rule[FLOOR],
                    minimum_skip,
                    again,
                    softness / iteration,
                    count,
                    w,
                    flows[0],
                    lane_reach,
                    mark[me],
                    marked,
                    back,
                )
                nodes[1] += touched
                work[1] += evaluated
                if returned > 0:
                    take_drafts(g, s, ids_top, numbers_top, rule[FLOOR], mark[me])
                    # the strategies of player 0 are faced by player 1 only later
                    faced = (before if me == 0 else total_weight, total_weight)
                    end = 0
                    for k in range(returned):
                        if back[U(k)] >= end:
                            relink(g, p, s, live, back[U(k)], faced, flows, alive, fresh, stack)
                            end = g.subtree_end[U(back[U(k)])]
            if check_last and t == len(schedule) - 1:
                keep_average(g, me, s, before if me == 0 else total_weight, flows[0])
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
        if s.played > 0:
            set_played(g, s, live)
    return len(schedule)
