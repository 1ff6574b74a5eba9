"""The oracle on Leduc poker: sizes, convergence and cost that were measured independently."""

from __future__ import annotations

import pytest

from reference import ReferenceCFR, Tree, lp
from reference.metrics import nash_conv
from secateur.games.leduc import Leduc

LARGE_BETS = Leduc(bet_sizes=((2.0,), (4.0,)))
SMALL_BETS = Leduc(bet_sizes=((1.0,), (2.0,)))


def nash_conv_after(solver: ReferenceCFR, iterations: list[int]) -> list[float]:
    """Run a solver and return NashConv of its average after so many iterations."""
    measured = []
    for t in iterations:
        solver.step(t - solver.iteration)
        measured.append(nash_conv(solver.tree, solver.average_strategy()))
    return measured


def test_counts():
    tree = Tree(LARGE_BETS)
    assert tree.size == 1936
    assert len(tree.infosets) == 288
    for player in (0, 1):
        assert sum(len(infoset.actions) for infoset in tree.of_player(player)) == 336


@pytest.mark.parametrize(("game", "expected"), [(LARGE_BETS, 4.747222), (SMALL_BETS, 2.898611)])
def test_uniform_strategy(game: Leduc, expected: float):
    tree = Tree(game)
    assert nash_conv(tree, tree.uniform_strategy()) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("game", "expected"), [(LARGE_BETS, -0.0856064241), (SMALL_BETS, -0.0524557485)]
)
def test_value(game: Leduc, expected: float):
    tree = Tree(game)
    value, equilibrium = lp.solve(tree)
    assert value == pytest.approx(expected, abs=1e-10)
    assert nash_conv(tree, equilibrium) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("rule", "averaging", "updates", "expected"),
    [
        ("rm", "uniform", "simultaneous", [4.747222, 1.854037, 0.346069, 0.079627]),
        ("rm+", "uniform", "simultaneous", [4.747222, 1.919233, 0.240247]),
        ("rm", "uniform", "alternating", [4.389722, 1.623416, 0.180003]),
        ("rm+", "linear", "alternating", [4.389722, 1.040488, 0.026781]),
        ("linear", "linear", "alternating", [4.389722, 1.221538, 0.066512]),
    ],
)
def test_convergence(rule: str, averaging: str, updates: str, expected: list[float]):
    """NashConv of the average after 1, 10, 100 iterations, and once after 1000."""
    solver = ReferenceCFR(LARGE_BETS, rule, averaging, updates, partial_pruning=True)
    iterations = [1, 10, 100, 1000][: len(expected)]
    assert nash_conv_after(solver, iterations) == pytest.approx(expected, abs=6e-7)
    if iterations[-1] == 1000:
        assert solver.nodes_touched == pytest.approx(1.222e6, abs=500)  # without pruning 3.872e6


def test_convergence_with_small_bets():
    solver = ReferenceCFR(SMALL_BETS, "rm", "uniform", "simultaneous", partial_pruning=True)
    assert nash_conv_after(solver, [1, 10, 100]) == pytest.approx(
        [2.898611, 1.085238, 0.206768], abs=6e-7
    )


@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
@pytest.mark.parametrize("rule", ["rm", "rm+", "linear", "dcfr", "pcfr+"])
def test_partial_pruning_changes_only_the_cost(rule: str, updates: str):
    full = ReferenceCFR(LARGE_BETS, rule, "linear", updates)
    pruned = ReferenceCFR(LARGE_BETS, rule, "linear", updates, partial_pruning=True)
    for t in range(1, 26):
        full.step()
        pruned.step()
        assert full.nodes_touched == 3872 * t
        assert pruned.regret == full.regret
        assert pruned.current_strategy() == full.current_strategy()
    assert pruned.strategy_sum == full.strategy_sum
    assert pruned.nodes_touched < full.nodes_touched
