"""Exponentials of many numbers at once: simple enough for the compiler to use vectors."""

from __future__ import annotations

import numpy as np

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.parts import U

_PER_LOG_2 = 1.4426950408889634
LOG_2 = (6.93147180369123816490e-01, 1.90821492927058770002e-10)
"""In two parts: multiples of the first are exact."""

_ROUNDING = 6755399441055744.0
"""1.5 * 2**52: added to a number, it leaves the nearest integer in the last bits."""

_LOWEST = -708.0
"""Whose exponential is the smallest normal number or so."""


@part
def exponentiate(numbers, first, end):
    """Replace numbers, none of them above zero, by their exponentials; 0 below -708."""
    for index in range(first, end):
        x = max(numbers[U(index)], _LOWEST)
        # exp(x) = 2**k exp(rest) with |rest| <= log(2) / 2, where Taylor's series is short
        shifted = x * _PER_LOG_2 + _ROUNDING
        k = shifted - _ROUNDING
        rest = (x - k * LOG_2[0]) - k * LOG_2[1]
        series = 1.0 / 479001600.0
        series = series * rest + 1.0 / 39916800.0
        series = series * rest + 1.0 / 3628800.0
        series = series * rest + 1.0 / 362880.0
        series = series * rest + 1.0 / 40320.0
        series = series * rest + 1.0 / 5040.0
        series = series * rest + 1.0 / 720.0
        series = series * rest + 1.0 / 120.0
        series = series * rest + 1.0 / 24.0
        series = series * rest + 1.0 / 6.0
        series = series * rest + 0.5
        series = series * rest + 1.0
        series = series * rest + 1.0
        # the bits of 2**k: its exponent, and zeros behind it
        bits = (np.float64(shifted).view(np.int64) + 1023) << 52
        power = np.int64(bits).view(np.float64)
        numbers[U(index)] = series * power if numbers[U(index)] >= _LOWEST else 0.0
