"""Iterations of best-response pruning."""

from __future__ import annotations

from secateur.kernels.decorator import kernel
from secateur.kernels.gaps import find_prunable
from secateur.kernels.parts import U
from secateur.kernels.pruned_sweep import sweep_pruned
from secateur.kernels.review import refresh, review
from secateur.kernels.sweep import FLOOR, WEIGHT


@kernel
def iterate_pruned(
    g,
    p,
    b,
    schedule,
    first_iteration,
    total_weight,
    payoff_range,
    simultaneous,
    check_every,
    minimum_skip,
    again,
    count,
    w,
    scratch,
    nodes,
):
    """Run one iteration of best-response pruning per row of ``schedule``.

    Adds to ``nodes``: histories touched by regret updates, and by reviews. Returns the sum of
    weights.
    """
    lane_reach, mark, marked, expired, expired_block = scratch
    for t in range(len(schedule)):
        rule = schedule[t]
        iteration = first_iteration + t
        total_weight += rule[WEIGHT]
        tolerance = 1e-12 * (1.0 + total_weight * payoff_range)
        for me in range(2):
            expirations, touched = sweep_pruned(
                g, p, me, b, rule, count, w, lane_reach, mark, expired, expired_block
            )
            nodes[0] += touched
            if expirations > 0:
                nodes[1] += review(
                    g,
                    p,
                    me,
                    b,
                    expired,
                    expired_block,
                    expirations,
                    rule[WEIGHT],
                    total_weight,
                    tolerance,
                    rule[FLOOR],
                    minimum_skip,
                    again,
                    count,
                    w,
                    lane_reach,
                    mark,
                    marked,
                )
            if iteration % check_every == 0:
                found = find_prunable(
                    g, p, me, b, rule[WEIGHT], total_weight, tolerance, minimum_skip, w, lane_reach
                )
                if found > 0:
                    refresh(g, p, me, b, 0, len(g.player), mark)
        if simultaneous:
            for cell in range(len(b.strategy)):
                b.strategy[U(cell)] = b.chosen[U(cell)]
    return total_weight
