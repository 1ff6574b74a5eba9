"""Which of many numbers differ, by name: names are put together only of those that do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def apart(
    what: str,
    names: Sequence[Any],
    ours: Numbers,
    theirs: Numbers,
    allowed: float | Numbers,
    where: bool | Flags = True,
) -> list[str]:
    """Return what is further apart than allowed; a number that is none is far from all."""
    far = ~(np.abs(ours - theirs) <= allowed) & where
    return [f"{what} of {names[k]}: {ours[k]} and {theirs[k]}" for k in np.flatnonzero(far)]


def unlike(what: str, names: Sequence[Any], ours: Flags, theirs: Flags) -> list[str]:
    """Return where one says yes and the other no."""
    return [f"{what} of {names[k]}" for k in np.flatnonzero(ours != theirs)]
