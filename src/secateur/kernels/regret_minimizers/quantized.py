"""Numbers in 16 bits: of a block, whole numbers times a power of two that all of them share.

What is between two whole numbers is rounded up or down by turns, so that in the long run nothing is
lost: a number with a fraction of 0.3 is rounded up in three of ten iterations. Were it rounded to the
nearest, sums would stop growing when what is added to them has become small. The turns of a cell
are a Weyl sequence, multiples of the golden ratio: errors of many iterations cancel each other
better than with random numbers, and there is nothing to be kept.

A number that is whole already is never changed, whatever its turn; so a block in which nothing has
happened stays what it is, visited or not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part

MOST_REGRET = 32767.0
MOST_SUM = 65535.0
"""The largest whole numbers of regrets, which may be negative, and of sums and strategies."""

REGRET_BITS, SUM_BITS = 15, 16

LEAST_EXPONENT, MOST_EXPONENT = -1000, 1000
BROKEN = 1024
"""The exponent of a block with a number that is none, or infinite: it never gets another."""

_LARGEST = 2.0**1000

_BY_CELL, _BY_ITERATION = 0xC13FA9A9, 0x9E3779B9
"""Of 2^32, the shares of the plastic number's inverse and of the golden ratio's."""

_WRAP = (1 << 32) - 1
_ITERATIONS = (1 << 31) - 1


@book
class QuantizedNumbers(NamedTuple):
    """What regret minimizers keep: numbers per cell, exponents per block."""

    regret: npt.NDArray[np.int16]
    regret_exponent: npt.NDArray[np.int16]
    strategy: npt.NDArray[np.uint16] | None
    """What probabilities are in proportion to; where all are zero, all actions are alike. None if
    that is positive regrets: then it is not stored."""

    chosen: npt.NDArray[np.uint16] | None
    """Receives the next strategies: the strategy itself, or, for simultaneous updates, a second
    array, until both players are done."""

    total: npt.NDArray[np.uint16]
    """Strategy sums."""

    total_exponent: npt.NDArray[np.int16]
    seen: npt.NDArray[np.uint16]
    """Of each block, the rows of the schedule that its numbers know of; empty if what nobody sees
    does not change."""


@part
def power_of_two(exponent):
    """Return 2 to the power of a whole number; infinity for a broken block."""
    return np.int64((np.int64(exponent) + 1023) << 52).view(np.float64)


@part
def exponent_for(largest, bits):
    """Return the exponent with which numbers up to the largest fit into so many bits."""
    if not largest < _LARGEST:
        return BROKEN
    # what stands in the number itself: it is less than 2 to this power
    power = (np.float64(largest).view(np.int64) >> 52) - 1022
    return max(LEAST_EXPONENT, power - bits)


@part
def turn_of(iteration):
    """Return what all cells share of their turns in an iteration."""
    return (iteration & _ITERATIONS) * _BY_ITERATION & _WRAP


@part
def turn_up(cell, turn):
    """Return what is added to a number before its fraction is left out: 0 or more, less than 1."""
    return (cell * _BY_CELL + turn & _WRAP) * 2.0**-32


@part
def whole_regret(number, cell, turn):
    """Return the whole number to be kept of a regret that was divided by its power of two."""
    raised = number + turn_up(cell, turn) + (MOST_REGRET + 1.0)  # what is not negative is cut off
    return int(min(2.0 * MOST_REGRET + 1.0, max(1.0, raised))) - (int(MOST_REGRET) + 1)


@part
def whole_sum(number, cell, turn):
    """Return the whole number to be kept of a sum that was divided by its power of two."""
    return int(min(MOST_SUM, number + turn_up(cell, turn)))
