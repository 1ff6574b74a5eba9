"""Makes the kernels ready before anything is timed.

Numba compiles a kernel when it is first called, which takes some seconds, and keeps the machine
code on disk. Doing that first, on a tiny game, keeps compilation out of the limits and rates of a
run.
"""

from __future__ import annotations

from dataclasses import replace

from secateur.compiled.compile import compile as compile_game
from secateur.games.matrix import MatrixGame
from secateur.metrics import best_response_value, expected_value, nash_conv
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.strategy import Strategy

_ready: set[str] = set()


def prepare_kernels(solver: Solver | Exact | None = None) -> None:
    """Compile or load the kernels that measure strategies, and those of a solver; once.

    Parameters
    ----------
    solver : Solver or Exact
        Its options decide which code is needed.
    """
    if repr(solver) not in _ready:
        _call_kernels(None if isinstance(solver, Exact) else solver)
        _ready.add(repr(solver))


def _call_kernels(solver: Solver | None) -> None:
    game = compile_game(
        MatrixGame(),
        pruning=solver is not None and solver.needs_bounds,
        thresholds=solver is not None and solver.needs_branches,
    )
    strategy = Strategy.uniform(game)
    nash_conv(game, strategy)
    expected_value(game, strategy)
    best_response_value(game, strategy, 0)
    if solver is not None:
        # a run searches for actions to prune much later, and would compile then
        state = replace(solver, pruning=solver.pruning.at_once()).start(game)
        state.step(2)
        state.nash_conv()
        state.average_strategy()
        _ = state.regret_entries_live, state.strategy_entries_live
