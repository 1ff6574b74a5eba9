"""What a run found, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from secateur.compiled.game import CompiledGame
from secateur.conditions import Kind, Snapshot
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.strategy import Strategy


@dataclass(frozen=True)
class Ending:
    """Why a run ended."""

    kind: Kind
    """What sort of thing ended it; compare with ``Kind.SECONDS`` or just ``"seconds"``."""

    condition: str
    """A sentence such as "exploitability at most 0.001 was reached"."""

    def __str__(self) -> str:
        return self.condition


@dataclass(frozen=True)
class Result:
    """What a run found, and how."""

    game: CompiledGame = field(repr=False)
    """What was solved."""

    solver: Solver | Exact
    """The algorithm."""

    strategy: Strategy = field(repr=False)
    """What both players do; the average of the iterations, if the algorithm averages."""

    value: float
    """What player 0 wins on average under the strategy."""

    best_response_values: tuple[float, float]
    """The most that player 0, and player 1, can win against the other's strategy."""

    nash_conv: float
    """What both players together could gain by best responses."""

    iterations: int
    """How many were done, those of earlier parts of a recorded run included."""

    seconds: float
    """What the run took, measuring exploitability included."""

    nodes_touched: int | None
    """Histories visited, if they were counted."""

    nodes_touched_overhead: int | None
    """Those visited to evaluate pruned branches."""

    regret_entries_live: int | None
    """Sequences whose regret is in use."""

    strategy_entries_live: int
    """Sequences that the average strategy plays."""

    bytes_resident: int
    """Of the solver's arrays and the compiled game."""

    ending: Ending
    """Why the run ended."""

    history: list[Snapshot] = field(repr=False)
    """How it went, from the first snapshot to the last."""

    compile_seconds: float = 0.0
    """Spent before the clock began, on compiling the game, if it was not, and the kernels."""

    fitted: str | None = None
    """What was chosen so that the run keeps to its memory limit, if anything."""

    warm_weight: int | None = None
    """The iterations that the strategy stood for which the run began with; None without one."""

    @property
    def exploitability(self) -> float:
        """Half of NashConv."""
        return 0.5 * self.nash_conv

    @property
    def entries_live(self) -> int | None:
        """Regrets and sums of strategies in use, together."""
        if self.regret_entries_live is None:
            return None
        return self.regret_entries_live + self.strategy_entries_live

    def explore(self, *others: Any, browser: bool | None = None) -> Any:
        """Show the result on a local page, beside others if there are any.

        In a notebook the page shows itself below the cell; elsewhere the browser opens. It needs
        the extra ``explore``; see :func:`secateur.open_explorer`.
        """
        show = resolve_name("secateur.explore.notebook:open_explorer")  # it stands above results
        return show(self, *others, browser=browser)

    def save(self, path: str | Path, *, precision: str = "float64") -> None:
        """Write the strategy, and how good it is, to a file: see :meth:`Strategy.save`."""
        self.strategy.save(
            path,
            precision=precision,
            exploitability=self.exploitability,
            nash_conv=self.nash_conv,
            value=self.value,
            iterations=self.iterations,
        )
