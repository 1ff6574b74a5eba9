"""Finds out whether a run fits into memory before it starts."""

from __future__ import annotations

from secateur.cli.report import memory
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.memory import resident_memory, return_free_memory
from secateur.solvers.protocols import Solver

_STRATEGY = 3
"""Arrays of a number per sequence that it takes to form the average strategy and measure it."""


def check_memory(game: CompiledGame, solver: Solver, limit: int) -> None:
    """Raise ParameterError if a run would take more memory than the limit.

    Everything is there by now but the solver's arrays: the program, compiled kernels, the game.
    """
    return_free_memory()
    now = resident_memory() or game.nbytes
    arrays = solver.memory_estimate(game)
    strategy = _STRATEGY * 8 * game.cells
    needed = now + arrays + strategy
    if needed > limit:
        raise ParameterError(
            f"--memory-limit {memory(limit)}: the run would take up to {memory(needed)} "
            f"({memory(now)} for the program and the game, {memory(arrays)} for the solver's "
            f"arrays, {memory(strategy)} for the strategy at the end); allow more, or choose a "
            "smaller game"
        )
