"""Draws a figure with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secateur.papers.curves import Curve
from secateur.papers.figure import Figure
from secateur.papers.panels import Panel
from secateur.papers.runs import Runs
from secateur.pictures import check_matplotlib, finish, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

__all__ = ["check_matplotlib", "draw", "save"]

_LINES = {"CFR": "-", "CFR with RM+": "--", "CFR+": ":", "DCFR": "--", "Hedge": "-.", "EGT": "--"}
_PANEL = (6.4, 3.8)


def draw(figure: Figure, runs: Runs, *, short: bool) -> Picture:
    """Return the picture: a column per game, with the panels of the figure."""
    from matplotlib.figure import Figure as Picture  # noqa: PLC0415

    rows, columns = len(figure.panels), len(figure.games)
    size = (_PANEL[0] * columns, _PANEL[1] * rows)
    picture = Picture(figsize=size, layout="constrained")
    shared = len({panel.across for panel in figure.panels}) == 1
    panels = picture.subplots(rows, columns, squeeze=False, sharex="col" if shared else False)
    picture.suptitle(f"{figure.title}{' (short run)' if short else ''}")
    for column, game in enumerate(figure.games):
        for axes, panel in zip(panels[:, column], figure.panels, strict=True):
            _draw(axes, panel, figure, runs, game)
            if not shared or panel is figure.panels[-1]:
                axes.set_xlabel(panel.across_label)
        panels[0][column].set_title(game, loc="left")
    panels[-1][0].legend(frameon=False, fontsize="x-small")
    return picture


def _draw(axes: Axes, panel: Panel, figure: Figure, runs: Runs, game: str) -> None:
    for curve, color in _colored(figure, game):
        across = [panel.across(now) for now in runs[curve]]
        up = [panel.up(now) for now in runs[curve]]
        line = _LINES[curve.method]
        axes.plot(across, up, line, color=color, linewidth=1.2, label=curve.name)
        if panel.unsteady:
            thin = [panel.unsteady(now) for now in runs[curve]]
            axes.plot(across, thin, color=color, linewidth=0.4, alpha=0.5)
    if panel.is_share:
        axes.set_ylim(0.0, 1.05)
    else:
        axes.set_yscale("log")
    axes.set_ylabel(panel.up_label)
    finish(axes)


def _colored(figure: Figure, game: str) -> list[tuple[Curve, str]]:
    """Return the curves on a game, with a color for each way to prune."""
    curves = [curve for curve in figure.curves if curve.game == game]
    ways = list(dict.fromkeys(curve.pruning for curve in curves))
    return [(curve, f"C{ways.index(curve.pruning)}") for curve in curves]
