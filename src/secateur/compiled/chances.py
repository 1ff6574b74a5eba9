"""Tells apart histories that chance brings about with different probabilities."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Float = npt.NDArray[np.float64]
Int = npt.NDArray[np.int64]

_DIGITS = 13
"""Probabilities that agree to so many digits are one: another order of the same factors."""


def by_chance(probabilities: Float) -> tuple[Float, Int]:
    """Return the different probabilities, and which of them each one is."""
    mantissa, exponent = np.frexp(probabilities)
    rounded = np.ldexp(np.round(mantissa, _DIGITS), exponent)
    _, first, kind = np.unique(rounded, return_index=True, return_inverse=True)
    return probabilities[first], kind.astype(np.int64)
