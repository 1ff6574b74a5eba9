"""Tells people why a first run begins late: its kernels are being compiled.

Numba compiles a kernel when it is first called, and keeps the machine code on disk. They are made
ready apart from the rest, so that Ctrl-C ends it at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import event

from secateur import preparing
from secateur.cli.background import in_background
from secateur.compiled.game import CompiledGame
from secateur.metrics import action_values
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.solvers.stores import widths
from secateur.strategy import Strategy

_SECONDS = 4
"""About how long kernels that measure strategies take to compile; those of a solver, it tells."""


class _Announcer(event.Listener):
    """Tells of kernels that must be compiled; those read from disk do not count.

    ``announce`` gets one text when the first one is, ``show`` another for each.
    """

    def __init__(
        self, solver: Solver | None, announce: Callable[[str], None], show: Callable[[str], None]
    ) -> None:
        self._task = f"compiling kernels for {_title(solver)}"
        self._about = f"about {_SECONDS if solver is None else solver.kernel_seconds} s, this once"
        self._announce = announce
        self._show = show
        self._kernels = 0
        self._open = 0  # kernels and pieces of them under way

    def on_start(self, event: Any) -> None:
        """Take note of a kernel, or of a piece that a kernel needs."""
        if self._open == 0:
            self._kernels += 1
            if self._kernels == 1:
                self._announce(f"{self._task}: {self._about}")
            name = event.data["dispatcher"].__name__.replace("_", " ").strip()
            self._show(f"{self._task}: kernel {self._kernels} ({name}), {self._about}")
        self._open += 1

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - numba calls it so
        """Go back to what needed it."""
        self._open -= 1


def _title(solver: Solver | None) -> str:
    """Return what kernels are for."""
    if solver is None:
        return "evaluations"
    own_kernels = solver.pruning.needs_bounds
    return type(solver).__name__ + (f" with {solver.pruning.title}" if own_kernels else "")


def prepare_kernels(
    announce: Callable[[str], None],
    solver: Solver | Exact | None = None,
    game: CompiledGame | None = None,
    *,
    show: Callable[[str], None] = lambda _: None,
    values: bool = False,
    warm: bool = False,
) -> None:
    """Make kernels ready; see :func:`secateur.preparing.prepare_kernels`.

    ``announce`` gets one text, for which algorithm and for how long, if anything must be compiled;
    ``show`` gets one for each kernel that is, with its number and name. With ``values``, those are
    made ready, too, that tell what actions are worth; with ``warm``, those by which a run begins
    with a strategy.
    """
    iterative = None if isinstance(solver, Exact) else solver
    with event.install_listener("numba:compile", _Announcer(iterative, announce, show)):
        # Interrupted by Ctrl-C, Numba's compiler may say so in many lines; so let it be.
        in_background(lambda: preparing.prepare_kernels(solver, game, warm=warm))
        if values:
            in_background(lambda: _value_some_actions(game))


def _value_some_actions(game: CompiledGame | None) -> None:
    tiny = preparing.tiny_game(None if game is None else widths(game), pruning=True)
    action_values(tiny, Strategy.uniform(tiny))
