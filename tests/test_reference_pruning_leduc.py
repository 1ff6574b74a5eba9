"""Pruning on Leduc poker: cost, space and convergence, as far as a slow oracle gets."""

from __future__ import annotations

import pytest

from reference import ReferenceCFR
from reference.brp import ReferenceBRP
from reference.interval_rbp import ReferenceRBP
from reference.metrics import nash_conv
from reference.pruned_cfr import PrunedCFR
from secateur.games.leduc import Leduc

LEDUC = Leduc(bet_sizes=((2.0,), (4.0,)))


def exploited(solver: ReferenceCFR) -> float:
    return nash_conv(solver.tree, solver.average_strategy())


def step_until_nodes(solver: PrunedCFR, nodes: int) -> None:
    """Run until as many histories were visited, those to look behind pruned actions included."""
    while solver.nodes_touched + solver.overhead_nodes < nodes:
        solver.step()


def test_at_equal_cost_pruning_is_better():
    plain = ReferenceCFR(LEDUC, "rm", "uniform", "simultaneous", partial_pruning=True)
    plain.step(250)
    interval = ReferenceRBP(LEDUC, "rm", "uniform", "simultaneous")
    best_response = ReferenceBRP(LEDUC, "rm", "simultaneous")
    for solver in (interval, best_response):
        step_until_nodes(solver, plain.nodes_touched)
        assert solver.iteration > 1.1 * plain.iteration
        assert exploited(solver) < exploited(plain)
