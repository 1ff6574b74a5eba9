"""Makes the kernels ready before anything is timed.

Numba compiles a kernel when it is first called, which takes some seconds, and keeps the machine
code on disk. Doing that first, on a tiny game, keeps compilation out of the limits and rates of a
run, and lets Ctrl-C end it at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numba.core import event

from secateur.cli.background import in_background
from secateur.compiled.compile import compile as compile_game
from secateur.games.matrix import MatrixGame
from secateur.metrics import expected_value, nash_conv
from secateur.pruning import BestResponsePruning
from secateur.solvers.iterative import Iterative
from secateur.strategy import Strategy

NOTICE = "compiling kernels, the first run takes some seconds"


class _Announcer(event.Listener):
    """Calls back when the first kernel must be compiled; kernels read from disk do not count."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self.announce = announce
        self.announced = False

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - numba calls it so
        if not self.announced:
            self.announced = True
            self.announce(NOTICE)

    def on_end(self, event: Any) -> None:
        """Do nothing; the next stage of the command announces itself."""


def prepare_kernels(announce: Callable[[str], None], solver: Iterative | None = None) -> None:
    """Compile or load the kernels that measure strategies, and those of a solver.

    Parameters
    ----------
    announce : callable
        Gets a text to show if something must be compiled.
    solver : CFR, EGT, FictitiousPlay or OptimisticMirrorDescent
        Its options decide which code is needed.
    """
    with event.install_listener("numba:compile", _Announcer(announce)):
        # Interrupted by Ctrl-C, Numba's compiler may say so in many lines; so let it be.
        in_background(lambda: _call_kernels(solver))


def _call_kernels(solver: Iterative | None) -> None:
    game = compile_game(
        MatrixGame(),
        pruning=solver is not None and solver.needs_bounds,
        thresholds=solver is not None and solver.needs_branches,
    )
    strategy = Strategy.uniform(game)
    nash_conv(game, strategy)
    expected_value(game, strategy)
    if solver is not None:
        if isinstance(solver.pruning, BestResponsePruning):
            # a run searches for actions to prune much later, and would compile then
            solver = replace(solver, pruning=replace(solver.pruning, check_every=1))
        state = solver.start(game)
        state.step(2)
        state.nash_conv()
        state.average_strategy()
        _ = state.regret_entries_live, state.strategy_entries_live
