"""Numbers in 16 bits: of a block, whole numbers times a power of two that all of them share.

What is between two whole numbers is rounded up or down by turns, so that in the long run nothing
is lost: a number with a fraction of 0.3 is rounded up in three of ten iterations. Were it rounded
to the nearest, sums would stop growing when what is added to them has become small. The turns of a
cell are a Weyl sequence, multiples of the golden ratio: errors of many iterations cancel each other
better than with random numbers, and there is nothing to be kept.

A number that is whole already is never changed, whatever its turn; so a block in which nothing has
happened stays what it is, visited or not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.parts import U

MOST_REGRET = 32767.0
MOST_SUM = 65535.0
"""The largest whole numbers of regrets, which may be negative, and of sums and strategies."""

REGRET_BITS, SUM_BITS = 15, 16

LEAST_EXPONENT, MOST_EXPONENT = -400, 400
BROKEN = 1024
"""The exponent of a block with a number that is none, or too large: it never gets another."""

_LARGEST = 2.0**900

_BY_CELL, _BY_ITERATION = 0xC13FA9A9, 0x9E3779B9
"""Of 2^32, the shares of the plastic number's inverse and of the golden ratio's."""

_RAISED = 65536.0
"""More than the size of any whole number: with it, none is negative."""

_WRAP = (1 << 32) - 1
_FIRST_TURNS = 63
"""A block begins with one of the first turns, by its first cell."""

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


@book
class Draft(NamedTuple):
    """Room for the numbers of one block before they are rounded, and for how they will be."""

    fresh: npt.NDArray[np.float64]
    turns: npt.NDArray[np.float64]
    """Of an iteration: where a block begins with them depends on its first cell."""

    @staticmethod
    def of(game: CompiledGame) -> Draft:
        """Return room for any block of a game."""
        most = int((game.arrays.actions.astype(np.int64) * game.arrays.lanes).max())
        return Draft(np.zeros(most), np.zeros(most + _FIRST_TURNS))


@part
def power_of_two(exponent):
    """Return 2 to the power of a whole number; infinity for a broken block."""
    return np.int64((np.int64(exponent) + 1023) << 52).view(np.float64)


@part
def exponent_for(largest, before, most, bits):
    """Return the exponent with which the largest number is no more than ``most``, of some bits.

    ``largest`` was divided by the power of two before.
    """
    if not largest < _LARGEST:
        return BROKEN
    # what stands in the number itself: it is less than 2 to this power
    power = (np.float64(largest).view(np.int64) >> 52) - 1022
    exponent = max(LEAST_EXPONENT, before + power - bits)
    if largest > most * power_of_two(exponent - before):
        exponent += 1
    return exponent if exponent <= MOST_EXPONENT else BROKEN


@part
def turn_of(place, iteration):
    """Return what is added to a number before its fraction is left out.

    That is less than 1, and something that will be taken back: it keeps sums from being negative.
    """
    shared = (iteration & _ITERATIONS) * _BY_ITERATION & _WRAP
    return (place * _BY_CELL + shared & _WRAP) * 2.0**-32 + _RAISED


@part
def take_turns(turns, iteration):
    """Write the turns of an iteration."""
    for place in range(len(turns)):
        turns[U(place)] = turn_of(place, iteration)


@part
def first_turn(at):
    """Return the turn that a block begins with."""
    return at.cell & _FIRST_TURNS


@part
def whole(number, turn, inverse):
    """Return the whole number that is kept of a number."""
    return np.int32(number * inverse + turn) - np.int32(_RAISED)
