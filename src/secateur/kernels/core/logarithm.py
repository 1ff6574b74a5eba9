"""Logarithms of many numbers at once: simple enough for the compiler to use vectors."""

from __future__ import annotations

import numpy as np

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.exponential import LOG_2
from secateur.kernels.core.parts import U

_ONE = 0x3FF0000000000000
_ROOT = 0x3FE6A09E667F3BCD
"""The bits of 1 and of the square root of a half."""

_FRACTION = 0x000FFFFFFFFFFFFF
_EXPONENT = 0x7FF
_INTEGER = 0x4330000000000000
"""The bits of 2**52: a small integer in the last of them is added to it."""

_BIAS = 4503599627370496.0 + 1023.0


@part
def take_logarithms(numbers, first, end):
    """Replace numbers, all of them positive, finite and normal, by their logarithms."""
    for index in range(first, end):
        # x = 2**k m with m between the roots of a half and of two
        bits = np.float64(numbers[U(index)]).view(np.int64) + (_ONE - _ROOT)
        k = np.int64(((bits >> 52) & _EXPONENT) | _INTEGER).view(np.float64) - _BIAS
        m = np.int64((bits & _FRACTION) + _ROOT).view(np.float64)
        # log(m) = 2 artanh((m - 1) / (m + 1)), whose series is short
        ratio = (m - 1.0) / (m + 1.0)
        square = ratio * ratio
        series = 2.0 / 19.0
        series = series * square + 2.0 / 17.0
        series = series * square + 2.0 / 15.0
        series = series * square + 2.0 / 13.0
        series = series * square + 2.0 / 11.0
        series = series * square + 2.0 / 9.0
        series = series * square + 2.0 / 7.0
        series = series * square + 2.0 / 5.0
        series = series * square + 2.0 / 3.0
        rest = series * square * ratio + k * LOG_2[1]
        numbers[U(index)] = k * LOG_2[0] + (2.0 * ratio + rest)
