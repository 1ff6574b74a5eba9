"""Tables that go to the terminal and to a markdown file alike."""

from __future__ import annotations

from dataclasses import dataclass, field

import rich.table
from rich.console import Console

MISSING = "–"


@dataclass
class Table:
    """A title, the names of columns, and rows of text; the first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def for_terminal(self) -> rich.table.Table:
        """Return the table as rich prints it."""
        table = rich.table.Table(title=self.title, title_justify="left")
        for index, column in enumerate(self.columns):
            table.add_column(column, justify="right" if index else "left")
        for row in self.rows:
            table.add_row(*row)
        return table

    def as_markdown(self) -> str:
        """Return the table in markdown."""
        rule = [":--"] + ["--:"] * (len(self.columns) - 1)
        lines = ["| " + " | ".join(cells) + " |" for cells in (self.columns, rule, *self.rows)]
        return "\n".join([f"### {self.title}", "", *lines, ""])


def wide_console(least: int) -> Console:
    """Return a console on which wide tables fit, also if output goes to a file."""
    console = Console()
    console.width = max(console.width, least)
    return console


def seconds(value: float | None) -> str:
    """Return a time in the unit that suits it."""
    if value is None:
        return MISSING
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def megabytes(value: float | None) -> str:
    """Return a size in megabytes."""
    return MISSING if value is None else f"{value / 1e6:.1f} MB"


def ratio(value: float | None) -> str:
    """Return how many times as much."""
    return MISSING if value is None else f"{value:.3g}×"


def small(value: float | None) -> str:
    """Return a number that may be tiny."""
    return MISSING if value is None else f"{value:.3g}"
