"""Draws a figure with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secateur.papers.curves import Curve
from secateur.papers.figure import Figure
from secateur.papers.runs import Runs
from secateur.pictures import check_matplotlib, finish, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

__all__ = ["check_matplotlib", "draw", "save"]

_LINES = {"CFR": "-", "CFR with RM+": "--", "CFR+": ":", "Hedge": "-.", "EGT": "--"}
_PANEL = (6.4, 3.8)


def draw(figure: Figure, runs: Runs, *, short: bool) -> Picture:
    """Return the picture: a column per game, convergence, and space above it if it is shown."""
    from matplotlib.figure import Figure as Picture  # noqa: PLC0415

    rows = 2 if figure.has_space else 1
    columns = len(figure.games)
    size = (_PANEL[0] * columns, _PANEL[1] * rows)
    picture = Picture(figsize=size, layout="constrained")
    panels = picture.subplots(rows, columns, squeeze=False, sharex="col")
    picture.suptitle(f"{figure.title}{' (short run)' if short else ''}")
    for column, game in enumerate(figure.games):
        if figure.has_space:
            _draw_space(panels[0][column], figure, runs, game)
        _draw_convergence(panels[-1][column], figure, runs, game)
        panels[0][column].set_title(game, loc="left")
        panels[-1][column].set_xlabel("nodes touched")
    panels[-1][0].legend(frameon=False, fontsize="x-small")
    return picture


def _draw_space(axes: Axes, figure: Figure, runs: Runs, game: str) -> None:
    for curve, color in _colored(figure, game):
        run = runs[curve]
        axes.plot(
            [now.nodes_touched for now in run],
            [now.entries_live / now.entries_total for now in run],
            _LINES[curve.method],
            color=color,
            linewidth=1.2,
        )
    axes.set_ylim(0.0, 1.05)
    axes.set_ylabel("share of entries live")
    finish(axes)


def _draw_convergence(axes: Axes, figure: Figure, runs: Runs, game: str) -> None:
    for curve, color in _colored(figure, game):
        run = runs[curve]
        nodes = [now.nodes_touched for now in run]
        line = _LINES[curve.method]
        lowest = [now.lowest_exploitability for now in run]
        axes.plot(nodes, lowest, line, color=color, linewidth=1.2, label=curve.name)
        # what the lowest so far hides: how much a curve goes up and down
        axes.plot(nodes, [now.exploitability for now in run], color=color, linewidth=0.4, alpha=0.5)
    axes.set_yscale("log")
    axes.set_ylabel("exploitability")
    finish(axes)


def _colored(figure: Figure, game: str) -> list[tuple[Curve, str]]:
    """Return the curves on a game, with a color for each way to prune."""
    curves = [curve for curve in figure.curves if curve.game == game]
    ways = list(dict.fromkeys(curve.pruning for curve in curves))
    return [(curve, f"C{ways.index(curve.pruning)}") for curve in curves]
