"""Numbers that are collected while a game is compiled, in as few bytes as they need.

At the end of compiling, steps over them go piece by piece, so that no copy of all is made.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_WIDER = {"h": "i", "i": "q"}
"""Types of whole numbers, of two bytes, of four and of eight."""

_PIECE = 1 << 14
"""Numbers in a piece."""


def pieces(length: int) -> Iterator[slice]:
    """Go through so many numbers, some at a time."""
    for begin in range(0, length, _PIECE):
        yield slice(begin, min(begin + _PIECE, length))


def whole_numbers(largest: int) -> type[np.signedinteger[Any]]:
    """Return the type of four bytes if it holds the largest number, else that of eight."""
    return np.int32 if largest < 1 << 31 else np.int64


class Column:
    """Whole numbers in a row, which take two bytes each until one of them needs more."""

    def __init__(self) -> None:
        self._numbers: array[int] = array("h")

    def __len__(self) -> int:
        return len(self._numbers)

    def append(self, number: int) -> None:
        """Add a number."""
        try:
            self._numbers.append(number)
        except OverflowError:
            self._widen()
            self.append(number)

    def extend(self, numbers: Sequence[int]) -> None:
        """Add some numbers."""
        before = len(self._numbers)
        try:
            self._numbers.extend(numbers)
        except OverflowError:
            del self._numbers[before:]
            self._widen()
            self.extend(numbers)

    def put(self, first: int, numbers: Sequence[int]) -> None:
        """Replace the numbers from ``first`` on."""
        try:
            found = array(self._numbers.typecode, numbers)
        except OverflowError:
            self._widen()
            self.put(first, numbers)
        else:
            self._numbers[first : first + len(found)] = found

    def array(self) -> Array:
        """Return the numbers; none can be added any more."""
        return np.frombuffer(self._numbers, self._numbers.typecode)

    def _widen(self) -> None:
        self._numbers = array(_WIDER[self._numbers.typecode], self._numbers)


class NumberTable:
    """Numbers that repeat: each has a place, in the order in which they are found."""

    def __init__(self) -> None:
        self._places: dict[float, int] = {}

    def place(self, number: float) -> int:
        """Return the place of a number."""
        return self._places.setdefault(number, len(self._places))

    def places(self, numbers: Sequence[float]) -> list[int]:
        """Return the places of some numbers."""
        known = self._places
        return [known[each] if each in known else self.place(each) for each in numbers]

    def numbers(self) -> Array:
        """Return all numbers."""
        return np.array([*self._places])

    def in_order(self, columns: Mapping[str, Array]) -> tuple[Array, dict[str, Array]]:
        """Return the numbers whose places some columns hold, in order, and their places there.

        New places are written over old ones where they need as many bytes.
        """
        used = np.zeros(len(self._places), np.bool_)
        for column in columns.values():
            for piece in pieces(len(column)):
                used[column[piece]] = True
        numbers = self.numbers()
        found = np.flatnonzero(used)
        found = found[np.argsort(numbers[found])]
        rank = np.zeros(len(used), np.int16 if len(found) <= 1 << 15 else np.int32)
        rank[found] = np.arange(len(found))
        return numbers[found], {name: _looked_up(rank, each) for name, each in columns.items()}


def _looked_up(table: Array, places: Array) -> Array:
    """Return what stands in some places of a table; replaces them if it can."""
    found = places if places.dtype == table.dtype else np.empty(len(places), table.dtype)
    for piece in pieces(len(places)):
        found[piece] = table[places[piece]]
    return found
