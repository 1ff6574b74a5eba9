"""The exponential function of numbers up to zero, inline.

As in all such functions, x = (k / 16) ln 2 + r with a whole k and a small r, for which a polynomial
is exact to the last bits; powers of two come from tables.
"""

from __future__ import annotations

import numpy as np

from secateur.kernels.decorator import part
from secateur.kernels.parts import U

_LEAST = -700.0
"""Exponentials of less are taken for zero."""

_LOWEST = 1022
_POWERS = np.ldexp(1.0, np.arange(-_LOWEST, 1))
_FRACTIONS = 2.0 ** (np.arange(16) / 16.0)
_PER_LN2 = 16.0 * 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01 / 16.0  # so few digits that its multiples are exact
_LN2_LOW = 1.90821492927058770002e-10 / 16.0


@part
def exponential(x):
    """Return exp(x) for x <= 0."""
    counts = x > _LEAST  # false, too, where x is no number
    y = x if counts else _LEAST
    k = np.int32(y * _PER_LN2 - 0.5)
    r = (y - k * _LN2_HIGH) - k * _LN2_LOW
    s = r * r
    low = (1.0 + r) + s * (1.0 / 2.0 + r * (1.0 / 6.0))
    high = (1.0 / 24.0 + r * (1.0 / 120.0)) + s * (1.0 / 720.0 + r * (1.0 / 5040.0))
    power = _POWERS[U((k >> 4) + _LOWEST)] * _FRACTIONS[U(k & 15)]
    return (low + (s * s) * high) * power if counts else 0.0
