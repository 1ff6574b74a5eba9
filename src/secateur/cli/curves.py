"""Shows how the curves of a figure are going, on standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from secateur.cli.report import duration, number
from secateur.papers.budgets import Budgets
from secateur.papers.curves import Curve
from secateur.papers.runs import Measurement


class CurveProgress:
    """A bar for the curve that runs; where there is no terminal, a line for each that is done."""

    def __init__(self, curves: Sequence[Curve], budgets: Budgets) -> None:
        self._curves = list(curves)
        self._budgets = budgets
        self._screen = Console(stderr=True, markup=False, highlight=False, emoji=False)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._screen,
            transient=True,
            disable=not self._screen.is_terminal,
        )
        self._running: Curve | None = None
        self._task = self._bar.add_task("", visible=False)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._bar.stop()

    def note(self, text: str) -> None:
        """Say what a reader of a log should know, too."""
        self._screen.print(f"secateur: {text}", soft_wrap=True)

    def observe(self, curve: Curve, now: Measurement) -> None:
        """Take a new measurement of a curve."""
        number_of_curve = self._curves.index(curve) + 1
        label = f"curve {number_of_curve} of {len(self._curves)}: {curve}"
        limit = self._budgets[curve.game].nodes
        if curve != self._running:
            self._running = curve
            self._bar.reset(self._task, total=limit, description=label, visible=True)
        self._bar.update(self._task, completed=now.nodes_touched)
        if now.nodes_touched >= limit and not self._screen.is_terminal:
            self.note(
                f"{label}: exploitability {number(now.exploitability)} after "
                f"{now.nodes_touched:,} nodes, {duration(now.seconds)}"
            )
