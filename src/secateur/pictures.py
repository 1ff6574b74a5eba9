"""Pictures of matplotlib, which is an extra and loaded only when something is drawn."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, BinaryIO

from secateur.errors import SecateurError
from secateur.extras import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture


def check_matplotlib() -> None:
    """Raise SecateurError if nothing can be drawn."""
    if importlib.util.find_spec("matplotlib") is None:
        raise SecateurError(
            f"plots need matplotlib, which is not installed; run: {how_to_install('plot')}"
        )


def finish(axes: Axes) -> None:
    """Make the horizontal axis logarithmic, and draw a grid."""
    axes.set_xscale("log")
    axes.grid(visible=True, which="major", linewidth=0.4, alpha=0.5)


def save(picture: Picture, file: BinaryIO, kind: str) -> None:
    """Write a picture as ``png`` or ``svg``; the same picture gives the same bytes."""
    import matplotlib as mpl  # noqa: PLC0415

    metadata = {"Date": None} if kind == "svg" else None
    with mpl.rc_context({"svg.hashsalt": "secateur"}):
        picture.savefig(file, format=kind, dpi=110, metadata=metadata)
