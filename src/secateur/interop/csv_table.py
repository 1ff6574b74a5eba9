"""Strategies as comma-separated values: one line for each action of each information set."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from secateur.atomic import new_file
from secateur.strategy import Strategy

COLUMNS = ("player", "information_set", "action", "probability", "own_reach")


def export_csv(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy as a table for spreadsheets and data frames.

    ``own_reach`` is the probability that the player does all that leads to the action, and then
    the action: where it is 0 the player never gets there.
    """
    plan = strategy.plan
    with new_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text)
        table.writerow(COLUMNS)
        for infoset in strategy.game.information_sets():
            table.writerows(
                (infoset.player, infoset.label, action, probability, reach)
                for action, probability, reach in zip(
                    infoset.actions,
                    strategy.probabilities[infoset.cells].tolist(),
                    plan[infoset.cells].tolist(),
                    strict=True,
                )
            )
        text.detach()
