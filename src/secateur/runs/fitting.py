"""Finds out whether a run fits into memory before it starts."""

from __future__ import annotations

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.memory import in_units, resident_memory, return_free_memory
from secateur.preparing import prepare_kernels
from secateur.solvers.protocols import Solver

_STRATEGY = 3
"""Arrays of a number per sequence that it takes to form the average strategy and measure it."""


def check_memory(game: CompiledGame, solver: Solver, limit: int) -> None:
    """Raise ParameterError if a run would take more memory than the limit.

    Everything is there by now but the solver's arrays: the program, the game, and kernels.
    """
    prepare_kernels(solver, game)
    return_free_memory()
    now = resident_memory() or game.nbytes
    arrays = solver.memory_estimate(game)
    strategy = _STRATEGY * 8 * game.cells
    needed = now + arrays + strategy
    if needed > limit:
        raise ParameterError(
            f"memory_limit of {in_units(limit)}: the run would take up to {in_units(needed)} "
            f"({in_units(now)} for the program and the game, {in_units(arrays)} for the solver's "
            f"arrays, {in_units(strategy)} for the strategy at the end); allow more, or choose a "
            "smaller game."
        )
