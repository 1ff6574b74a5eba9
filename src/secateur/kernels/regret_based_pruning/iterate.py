"""Iterations of interval regret-based pruning."""

from __future__ import annotations

from typing import NamedTuple

from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.core.parts import U
from secateur.kernels.regret_based_pruning.catch_up import catch_up
from secateur.kernels.regret_based_pruning.choice import choose_everywhere
from secateur.kernels.regret_based_pruning.likely import find_likely
from secateur.kernels.regret_based_pruning.parts import HEDGE
from secateur.kernels.regret_based_pruning.search import prune_losing
from secateur.kernels.regret_based_pruning.sweep import sweep_interval


class Pruning(NamedTuple):
    """How a run prunes."""

    payoff_range: float
    rule: int
    two_sums: bool  # whether what is faced is summed apart from the average
    simultaneous: bool
    check_every: int
    minimum_skip: float
    counted: bool  # whether histories are


@kernel
def iterate_interval(
    g, p, b, weights, first_iteration, pruning, hedge, thresholds, w, scratch, nodes
):
    """Run one iteration per number of ``weights``, which are those of the average strategy.

    The books of ``hedge`` are empty unless that is the rule; ``thresholds`` are empty if no
    probabilities are to be cut.

    Adds to ``nodes``: histories touched by regret updates, and by returns of pruned actions.
    """
    rule, counted = pruning.rule, pruning.counted
    for t in range(len(weights)):
        iteration = first_iteration + t
        tolerance = 1e-12 * (1.0 + iteration) * pruning.payoff_range
        for me in range(2):
            returns, touched = sweep_interval(
                g, p, me, b, weights[U(t)], pruning.two_sums, rule, counted, w, scratch
            )
            nodes[0] += touched
            if rule == HEDGE:
                returns = find_likely(g, p, me, b, hedge, thresholds, iteration, scratch)
            if returns > 0:
                nodes[1] += catch_up(
                    g, p, me, b, returns, True, iteration, tolerance, rule, counted, w, scratch
                )
            if iteration % pruning.check_every == 0:
                enclosed = prune_losing(
                    g,
                    p,
                    me,
                    b,
                    iteration,
                    tolerance,
                    pruning.minimum_skip,
                    rule,
                    hedge,
                    thresholds,
                    scratch,
                )
                if enclosed > 0:
                    nodes[1] += catch_up(
                        g,
                        p,
                        me,
                        b,
                        enclosed,
                        False,
                        iteration,
                        tolerance,
                        rule,
                        counted,
                        w,
                        scratch,
                    )
            if rule == HEDGE or len(thresholds) > 0:
                choose_everywhere(g, p, me, b, rule, hedge, thresholds, iteration)
        if pruning.simultaneous:
            for cell in range(len(b.strategy)):
                b.strategy[U(cell)] = b.chosen[U(cell)]
