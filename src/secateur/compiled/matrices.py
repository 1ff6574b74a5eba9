"""Payoff matrices, each stored once however many leaves use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import DENSE, SPARSE
from secateur.compiled.combinations import HandMatrix, arrays_of
from secateur.compiled.ranges import gathered

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]
Word = npt.NDArray[np.uint64]
Lanes = TypeVar("Lanes", int, Long)

_SPARSE_BELOW = 0.3
"""Share of nonzero entries under which a list of lanes costs less than multiplying zeros."""

_SHARED_DIGITS = 13
"""Matrices whose entries agree to this many digits after scaling are one: they come from the same
numbers by another order of multiplication."""


def padded(lanes: Lanes) -> Lanes:
    """Return the room that a row of lanes takes in slots and matrices: whole vectors."""
    return (lanes + 3) & ~3


class Entries(NamedTuple):
    """The nonzero entries of a matrix, row by row."""

    shape: tuple[int, int]
    row: Long
    column: Long
    value: Float


class ManyEntries(NamedTuple):
    """The entries of many matrices side by side, each row by row, no place twice."""

    rows: Long
    """Of each matrix."""

    columns: Long
    size: Long
    """How many entries each has."""

    row: Long
    column: Long
    value: Float

    def without_zeros(self) -> ManyEntries:
        """Leave out entries that have canceled."""
        some = self.value != 0
        if some.all():
            return self
        owner = np.repeat(np.arange(len(self.size)), self.size)[some]
        return self._replace(
            size=np.bincount(owner, minlength=len(self.size)),
            row=self.row[some],
            column=self.column[some],
            value=self.value[some],
        )


class MatrixTable:
    """Matrices up to a factor, with all of their entries in flat arrays at the end."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], int] = {}
        self._matrices: list[Entries] = []
        self._hands: dict[int, HandMatrix] = {}

    def add_entries(
        self, shape: tuple[int, int], row: Long, column: Long, value: Float
    ) -> tuple[int, float]:
        """Return number and factor of a matrix given by entries; those of one place add up."""
        place, inverse = np.unique(row * shape[1] + column, return_inverse=True)
        total = np.bincount(inverse, weights=value, minlength=len(place))
        some = total != 0
        row, column = np.divmod(place[some], shape[1])
        value = total[some]
        if len(value) == 0:
            return -1, 0.0
        factor = float(value[np.abs(value).argmax()])
        value = value / factor
        return self._number(Entries(shape, row, column, value), *_rounded(value)), factor

    def add_hands(self, matrix: HandMatrix) -> int:
        """Return the number of a matrix between hands."""
        number = self._known.setdefault(matrix.content(), len(self._matrices))
        if number == len(self._matrices):
            none = np.zeros(0, np.int64)
            self._matrices.append(Entries(matrix.shape, none, none, np.zeros(0)))
            self._hands[number] = matrix
        return number

    def is_of_hands(self, number: int) -> bool:
        """Tell whether a matrix is one between hands: such are never added up."""
        return number in self._hands

    def add_up(self, numbers: Sequence[int], factors: Sequence[float]) -> tuple[int, float]:
        """Return number and factor of a weighted sum of stored matrices."""
        parts = [self._matrices[number] for number in numbers]
        return self.add_entries(
            parts[0].shape,
            np.concatenate([part.row for part in parts]),
            np.concatenate([part.column for part in parts]),
            np.concatenate([f * part.value for f, part in zip(factors, parts, strict=True)]),
        )

    def add_many(self, entries: ManyEntries) -> tuple[Long, Float]:
        """Return numbers and factors of matrices; -1 and 0 for those without entries."""
        every = entries.without_zeros()
        number, factor = np.full(len(every.size), -1), np.zeros(len(every.size))
        some = np.flatnonzero(every.size)
        if len(some) == 0:
            return number, factor
        size = every.size[some]
        part = every._replace(rows=every.rows[some], columns=every.columns[some], size=size)
        starts = np.cumsum(size) - size
        factor[some] = _first_largest(part.value, starts, size)
        part = part._replace(value=part.value / np.repeat(factor[some], size))
        mantissa, exponent = _rounded(part.value)
        like = _alike(part, mantissa, exponent)
        fresh = np.flatnonzero(like == np.arange(len(like)))
        found = np.zeros(len(like), np.int64)
        found[fresh] = [
            self._number(
                Entries(shape, part.row[place], part.column[place], part.value[place]),
                mantissa[place],
                exponent[place],
            )
            for shape, place in zip(
                zip(part.rows[fresh].tolist(), part.columns[fresh].tolist(), strict=True),
                map(slice, starts[fresh].tolist(), (starts + size)[fresh].tolist()),
                strict=True,
            )
        ]
        number[some] = found[like]
        return number, factor

    def entries_of(self, number: int) -> Entries:
        """Return a stored matrix, to be multiplied by its factor."""
        return self._matrices[number]

    def _number(self, matrix: Entries, mantissa: Float, exponent: npt.NDArray[np.int32]) -> int:
        content = (matrix.row, matrix.column, mantissa, exponent)
        key = (matrix.shape, b"".join(part.tobytes() for part in content))
        number = self._known.setdefault(key, len(self._matrices))
        if number == len(self._matrices):
            self._matrices.append(matrix)
        return number

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of :class:`~secateur.compiled.arrays.Arrays` that describe matrices."""
        none = Entries((0, 0), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
        row, column, value = (
            np.concatenate([part[k] for part in (none, *self._matrices)]) for k in (1, 2, 3)
        )
        lanes = np.array([matrix.shape for matrix in self._matrices], np.int64).reshape(-1, 2)
        size = np.array([len(matrix.value) for matrix in self._matrices], np.int64)
        hands = [self._hands.get(number) for number in range(len(size))]
        kind = np.where(size >= _SPARSE_BELOW * lanes[:, 0] * lanes[:, 1], DENSE, SPARSE)
        kind[[*self._hands]] = [each.kind for each in self._hands.values()]
        dense, sparse = kind == DENSE, kind == SPARSE
        # [matrix, player whose values are computed]
        theirs = lanes[:, ::-1]
        room = np.where(dense[:, None], theirs * padded(lanes), size[:, None])
        pointers = np.where(sparse[:, None], theirs + 1, 0)
        first, sparse_first = (
            (np.cumsum(part) - part.ravel()).reshape(-1, 2) for part in (room, pointers)
        )
        entries = np.zeros(int(room.sum()))
        sparse_lane = np.zeros(len(entries), np.int32)
        sparse_pointer = np.zeros(int(pointers.sum()), np.int64)
        owner = np.repeat(np.arange(len(size)), size)
        is_dense = dense[owner]
        for player, (own, other) in enumerate(((row, column), (column, row))):
            stride = padded(lanes[owner, player])
            place = first[owner, player] + other * stride + own
            entries[place[is_dense]] = value[is_dense]
            part = np.flatnonzero(~is_dense)
            part = part[np.lexsort((own[part], other[part], owner[part]))]
            place = gathered(first[sparse, player], first[sparse, player] + size[sparse])
            entries[place], sparse_lane[place] = value[part], own[part]
            # counted one lane later, and then added up within each matrix
            ends = sparse_first[owner[part], player] + other[part] + 1
            counts = np.bincount(ends, minlength=len(sparse_pointer))
            mine = gathered(
                sparse_first[sparse, player],
                sparse_first[sparse, player] + theirs[sparse, player] + 1,
            )
            before = np.repeat(np.cumsum(size[sparse]) - size[sparse], theirs[sparse, player] + 1)
            sparse_pointer[mine] = np.cumsum(counts[mine]) - before
        return {
            "matrix_lanes": lanes.ravel().astype(np.int32),
            "matrix_kind": kind.astype(np.int8),
            "matrix_first": first.ravel(),
            "entries": entries,
            "sparse_first": sparse_first.ravel(),
            "sparse_pointer": sparse_pointer,
            "sparse_lane": sparse_lane,
            **arrays_of(hands),
        }


def _rounded(value: Float) -> tuple[Float, npt.NDArray[np.int32]]:
    """Return the digits by which matrices are told apart, as mantissa and exponent."""
    mantissa, exponent = np.frexp(value)
    return np.round(mantissa, _SHARED_DIGITS).astype(np.float64), np.asarray(exponent, np.int32)


def _first_largest(value: Float, starts: Long, size: Long) -> Float:
    """Return the first of the values of largest magnitude in each run."""
    magnitude = np.abs(value)
    largest = np.repeat(np.maximum.reduceat(magnitude, starts), size)
    place = np.where(magnitude == largest, np.arange(len(value)), len(value))
    return value[np.minimum.reduceat(place, starts)]


def _alike(part: ManyEntries, mantissa: Float, exponent: npt.NDArray[np.int32]) -> Long:
    """Return for each matrix the first one that is the same."""
    starts = np.cumsum(part.size) - part.size
    digits, powers = mantissa.view(np.int64), exponent.astype(np.int64)
    # a checksum finds candidates, which are then compared
    words = (part.row, part.column, digits, powers)
    checksum = np.add.reduceat(_mixed(*words), starts)
    checksum = _mixed(checksum.view(np.int64), part.rows, part.columns, part.size)
    _, first, inverse = np.unique(checksum, return_index=True, return_inverse=True)
    like: Long = first[inverse]
    same = (
        (part.rows[like] == part.rows)
        & (part.columns[like] == part.columns)
        & (part.size[like] == part.size)
    )
    if same.all():
        original = gathered(starts[like], starts[like] + part.size)
        if all((word[original] == word).all() for word in words):
            return like
    return _alike_one_by_one(part, starts, words)


def _alike_one_by_one(part: ManyEntries, starts: Long, words: tuple[Long, ...]) -> Long:
    """Do the same where two checksums are equal by chance."""
    known: dict[tuple[int, int, bytes], int] = {}
    like = np.zeros(len(starts), np.int64)
    for k, (begin, size) in enumerate(zip(starts.tolist(), part.size.tolist(), strict=True)):
        content = b"".join(word[begin : begin + size].tobytes() for word in words)
        key = (int(part.rows[k]), int(part.columns[k]), content)
        like[k] = known.setdefault(key, k)
    return like


_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)


def _mixed(*words: Long) -> Word:
    """Return a checksum of the words at each place."""
    found = np.zeros(len(words[0]), np.uint64)
    for word, factor in zip(words, _FACTORS, strict=True):
        found ^= word.view(np.uint64)
        found *= np.uint64(factor)
        found ^= found >> np.uint64(29)
    return found
