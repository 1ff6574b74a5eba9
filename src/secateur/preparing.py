"""Makes the kernels ready before anything is timed.

Numba compiles a kernel when it is first called, which takes some seconds, and keeps the machine
code on disk. Doing that first, on a tiny game, keeps compilation out of the limits and rates of a
run. There are kernels for narrow and for wide games, and those of best-response pruning for ids of
several widths; the game tells which.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.compiled.packing import widened
from secateur.games.matrix import MatrixGame
from secateur.metrics import best_response_value, expected_value, nash_conv
from secateur.solvers.cfr import CFR
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.solvers.pruned import PrunedState
from secateur.solvers.pruned_start import pruning_pays
from secateur.solvers.rounds import RoundsState
from secateur.solvers.stores import widths
from secateur.strategy import Strategy

_ready: set[tuple[str, str]] = set()

_ACTIONS = (3, 1 << 5, 1 << 13)
"""Of tiny games whose ids take one, two and four bytes."""


def prepare_kernels(
    solver: Solver | Exact | None = None, game: CompiledGame | None = None, *, warm: bool = False
) -> None:
    """Compile or load the kernels that measure strategies, and those of a solver; once.

    Parameters
    ----------
    solver : Solver or Exact
        Its options decide which code is needed.
    game : CompiledGame
        What it will be used on; a small one if not given.
    warm : bool
        Whether it will begin with a strategy.
    """
    sizes = None if game is None else widths(game)
    hurried = None if solver is None or isinstance(solver, Exact) else _hurried(solver, game)
    key = repr(hurried), f"{sizes!r}, warm" if warm else repr(sizes)
    if key not in _ready:
        _call_kernels(hurried, sizes)
        if warm and isinstance(solver, CFR):
            tiny = tiny_game(sizes, pruning=True, thresholds=solver.needs_branches)
            solver.start(tiny, Strategy.uniform(tiny))
        _ready.add(key)


def _hurried(solver: Any, game: CompiledGame | None) -> Any:
    """Return the solver with a policy that soon does all that its own will do with a game."""
    game = tiny_game(pruning=solver.needs_bounds) if game is None else game
    return replace(solver, pruning=solver.pruning.at_once(solver, game))


def tiny_game(
    sizes: Any = None, *, pruning: bool = False, thresholds: bool = False
) -> CompiledGame:
    """Return a game of one decision for each player, with numbers of certain widths if given."""
    for actions in _ACTIONS:
        game = compile_game(MatrixGame(((0.0,),) * actions), pruning=pruning, thresholds=thresholds)
        for each in (game, _wide(game)):
            if sizes is None or widths(each) == sizes:
                return each
    raise AssertionError(f"no tiny game has the widths {sizes}")


def _wide(game: CompiledGame) -> CompiledGame:
    """Return the same game with numbers as wide as those of large ones."""
    return replace(
        game,
        arrays=widened(game.arrays),
        pruning=None if game.pruning is None else widened(game.pruning),
        branches=None if game.branches is None else widened(game.branches),
    )


def _call_kernels(solver: Solver | None, sizes: Any) -> None:
    game = tiny_game(
        sizes,
        pruning=solver is not None and solver.needs_bounds,
        thresholds=solver is not None and solver.needs_branches,
    )
    strategy = Strategy.uniform(game)
    nash_conv(game, strategy)
    expected_value(game, strategy)
    best_response_value(game, strategy, 0)
    if solver is not None:
        # a run looks much later whether pruning pays, and searches for what to prune: it would
        # compile then
        state = solver.start(game)
        state.step(2 + solver.pruning.first_look(solver, game))
        if isinstance(state, PrunedState):
            pruning_pays(game, np.zeros(game.cells, np.bool_))
        if isinstance(state, RoundsState):
            state.rehearse()
        state.nash_conv()
        state.average_strategy()
        _ = state.regret_entries_live, state.strategy_entries_live
