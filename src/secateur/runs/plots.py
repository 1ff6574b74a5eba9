"""Draws runs in one picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from secateur.pictures import finish
from secateur.stopping import Snapshot

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


def draw_runs(runs: Mapping[str, list[Snapshot]], x: str, y: str) -> Picture:
    """Return a picture with a curve for each run; the names are those of the axes."""
    from matplotlib.figure import Figure as Picture  # noqa: PLC0415

    picture = Picture(figsize=(7.2, 4.4), layout="constrained")
    axes = picture.subplots()
    for name, history in runs.items():
        points = [(X_AXES[x].value(now), Y_AXES[y].value(now)) for now in history]
        axes.plot(*zip(*points, strict=True), linewidth=1.2, label=name)
    if y == "exploitability":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0.0)
    axes.set_xlabel(X_AXES[x].label)
    axes.set_ylabel(Y_AXES[y].label)
    finish(axes)
    axes.legend(frameon=False, fontsize="small")
    return picture
