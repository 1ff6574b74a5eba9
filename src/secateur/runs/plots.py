"""Draws runs in one picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from secateur.conditions import Snapshot
from secateur.pictures import finish
from secateur.running import next_look

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture


class Axis(NamedTuple):
    """What an axis shows of a snapshot."""

    label: str
    value: Callable[[Snapshot], float | None]


X_AXES = {
    "iterations": Axis("iterations", lambda now: now.iteration),
    "nodes": Axis("nodes touched", lambda now: now.nodes_touched),
    "seconds": Axis("seconds", lambda now: now.seconds),
}
Y_AXES = {
    "exploitability": Axis("exploitability", lambda now: now.exploitability),
    "space": Axis("share of regrets and strategy sums in use", lambda now: now.space),
    "memory": Axis("memory of game and solver (MB)", lambda now: now.bytes_resident / 1e6),
}


def draw_runs(
    runs: Mapping[str, list[Snapshot]],
    x: str,
    y: str,
    title: str,
    marks: Mapping[str, float] | None = None,
) -> Picture:
    """Return a picture with a curve for each run, called as in the mapping.

    ``x`` and ``y`` are names of axes; ``marks`` are places on the horizontal one.
    """
    from matplotlib.figure import Figure as Picture  # noqa: PLC0415

    picture = Picture(figsize=(7.2, 4.4), layout="constrained")
    axes = picture.subplots()
    for name, history in runs.items():
        points = [(X_AXES[x].value(now), Y_AXES[y].value(now)) for now in evenly_spaced(history)]
        marker = "o" if len(points) == 1 else None  # a line of one point cannot be seen
        axes.plot(*zip(*points, strict=True), linewidth=1.2, marker=marker, label=name)
    for number, (name, place) in enumerate((marks or {}).items(), start=len(runs)):
        axes.axvline(place, linestyle=":", linewidth=1.2, color=f"C{number}", label=name)
    if y == "exploitability":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0.0)
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_xlabel(X_AXES[x].label)
    axes.set_ylabel(Y_AXES[y].label)
    finish(axes)
    axes.legend(frameon=False, fontsize="small")
    return picture


def evenly_spaced(history: list[Snapshot]) -> list[Snapshot]:
    """Return the snapshots to draw: not the last one if it is much closer than the others.

    Where a run is stopped it takes a snapshot that is not on its schedule. Curves go up and down
    between snapshots; over a step that is a small part of the others this is a vertical hook.
    """
    if len(history) < 3:
        return history
    before, last = history[-2].iteration, history[-1].iteration
    step = next_look(before) - before
    return history if 2 * (last - before) >= step else history[:-1]
