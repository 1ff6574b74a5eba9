"""Strategies as comma-separated values: one line for each action of each information set."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.atomic import new_file
from secateur.strategy import Strategy, checked_strategy

COLUMNS = ("player", "information_set", "action", "probability", "own_reach")


def export_csv(
    strategy: Strategy,
    path: str | Path,
    columns: Mapping[str, npt.NDArray[np.float64]] | None = None,
) -> None:
    """Write a strategy as a table for spreadsheets and data frames.

    ``own_reach`` is the probability that the player does all that leads to the action, and then
    the action: where it is 0 the player never gets there.

    Parameters
    ----------
    strategy : Strategy
        What is written.
    path : str or Path
        The file; it appears whole or not at all.
    columns : mapping
        Further columns: names, and arrays with a number for each sequence, such as
        ``action_values(game, strategy)._asdict()``. NaN leaves the place empty.
    """
    checked_strategy("export_csv", strategy)
    path = checks.path(f"export_csv(strategy, {checks.shown(path)})", path)
    plan = strategy.plan
    further = dict(columns or {})
    with new_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text)
        table.writerow([*COLUMNS, *further])
        for infoset in strategy.game.information_sets():
            table.writerows(
                (infoset.player, infoset.label, *cells)
                for cells in zip(
                    infoset.actions,
                    strategy.probabilities[infoset.cells].tolist(),
                    plan[infoset.cells].tolist(),
                    *(_numbers(column[infoset.cells]) for column in further.values()),
                    strict=True,
                )
            )
        text.detach()


def _numbers(column: npt.NDArray[np.float64]) -> list[float | str]:
    return ["" if number != number else number for number in column.tolist()]  # noqa: PLR0124 - NaN
