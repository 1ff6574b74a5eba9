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
    plain.step(300)
    interval = ReferenceRBP(LEDUC, "rm", "uniform", "simultaneous")
    best_response = ReferenceBRP(LEDUC, "rm", "simultaneous")
    for solver in (interval, best_response):
        step_until_nodes(solver, plain.nodes_touched)
        assert solver.iteration > 1.2 * plain.iteration
        assert exploited(solver) < 0.9 * exploited(plain)


def test_space_falls_to_about_half():
    """Shares of cells in use, and what an independent implementation measured.

    It discards after each player's turn, not at the end of the iteration: of the difference after
    200 iterations that explains 0.004; the rest was there before and is not explained.
    """
    solver = ReferenceBRP(LEDUC, "rm", "simultaneous", discard=0.1)
    measured = [(30, 0.7001, 0.70), (100, 0.6004, 0.59), (200, 0.5499, 0.57)]
    for t, ours, theirs in measured:
        solver.step(t - solver.iteration)
        assert solver.space().fraction == pytest.approx(ours, abs=0.001)
        assert ours == pytest.approx(theirs, abs=0.021)
    assert exploited(solver) < 0.25


TRAJECTORIES = {
    "rbp": (ReferenceRBP, ("rm", "uniform", "simultaneous"), (112090, 2662, 0.346069, 672)),
    "rbp-cfr+": (ReferenceRBP, ("rm+", "linear", "alternating"), (204075, 1718, 0.065093, 672)),
    "brp": (ReferenceBRP, ("rm", "simultaneous"), (111619, 2745, 0.344037, 365)),
    "brp-rm+": (ReferenceBRP, ("rm+", "simultaneous"), (173094, 315137, 0.220874, 385)),
    "brp-linear": (ReferenceBRP, ("linear", "alternating"), (161050, 1801, 0.066512, 457)),
}


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_trajectories(name: str):
    """Nodes, overhead, exploitability and regret cells after 100 iterations stay what they are."""
    kind, parameters, expected = TRAJECTORIES[name]
    solver = kind(LEDUC, *parameters)
    solver.step(100)
    nodes, overhead, distance, regret_cells = expected
    assert (solver.nodes_touched, solver.overhead_nodes) == (nodes, overhead)
    assert exploited(solver) == pytest.approx(distance, abs=6e-7)
    assert solver.space().regret_cells == regret_cells
