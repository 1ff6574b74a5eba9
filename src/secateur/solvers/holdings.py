"""What is in memory, by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def arrays_in(name: str, holder: object) -> dict[str, Array]:
    """Return the arrays of a tuple, and of tuples in it, by names such as ``workspace.reach``.

    Without a name, names of its parts have nothing before them.
    """
    if isinstance(holder, np.ndarray):
        return {name: holder}
    found: dict[str, Array] = {}
    if isinstance(holder, tuple):
        places = getattr(holder, "_fields", range(len(holder)))
        for place, part in zip(places, holder, strict=True):
            found |= arrays_in(f"{name}.{place}" if name else f"{place}", part)
    return found


def each_once(arrays: dict[str, Array]) -> dict[str, Array]:
    """Return arrays without those that were there before, by another name."""
    first = {id(part): name for name, part in reversed(arrays.items())}
    return {name: part for name, part in arrays.items() if first[id(part)] == name}
