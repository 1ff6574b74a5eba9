"""Small steps that loops over ranges become when they run over arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Int = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]


def gathered(first: Int, end: Int) -> Int:
    """Return all numbers from each first to before each end, one range after the other."""
    size = end - first
    found: Int = np.arange(int(size.sum())) + np.repeat(first - np.cumsum(size) + size, size)
    return found


def run_starts(*keys: npt.NDArray[Any]) -> Bool:
    """Return where a run of equal keys begins."""
    starts = np.zeros(len(keys[0]), np.bool_)
    starts[:1] = True
    for key in keys:
        starts[1:] |= key[1:] != key[:-1]
    return starts


def before_in_run(key: Int, amount: Int) -> Int:
    """Return the sum of the amounts before each one in its run of equal keys."""
    before = np.cumsum(amount) - amount
    starts = run_starts(key)
    found: Int = before - before[starts][np.cumsum(starts) - 1]
    return found
