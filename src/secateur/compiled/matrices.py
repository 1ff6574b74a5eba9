"""Payoff matrices, each stored once however many leaves use it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]

_SPARSE_BELOW = 0.3
"""Share of nonzero entries under which a list of lanes costs less than multiplying zeros."""

_SHARED_DIGITS = 13
"""Matrices whose entries agree to this many digits after scaling are one: they come from the same
numbers by another order of multiplication."""


def padded(lanes: int) -> int:
    """Return the room that a row of lanes takes in slots and matrices: whole vectors."""
    return (lanes + 3) & ~3


class Entries(NamedTuple):
    """The nonzero entries of a matrix, row by row."""

    shape: tuple[int, int]
    row: Long
    column: Long
    value: Float


class MatrixTable:
    """Matrices up to a factor, with all of their entries in flat arrays at the end."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, int], bytes], int] = {}
        self._matrices: list[Entries] = []

    def add_entries(
        self, shape: tuple[int, int], row: Long, column: Long, value: Float
    ) -> tuple[int, float]:
        """Return number and factor of a matrix given by entries; those of one place add up."""
        place, inverse = np.unique(row * shape[1] + column, return_inverse=True)
        total = np.bincount(inverse, weights=value, minlength=len(place))
        some = total != 0
        row, column = np.divmod(place[some], shape[1])
        return self._add(Entries(shape, row, column, total[some]))

    def add_up(self, numbers: npt.NDArray[np.int32], factors: Float) -> tuple[int, float]:
        """Return number and factor of a weighted sum of stored matrices."""
        parts = [self._matrices[int(number)] for number in numbers]
        return self.add_entries(
            parts[0].shape,
            np.concatenate([part.row for part in parts]),
            np.concatenate([part.column for part in parts]),
            np.concatenate([f * part.value for f, part in zip(factors, parts, strict=True)]),
        )

    def entries_of(self, number: int) -> Entries:
        """Return a stored matrix, to be multiplied by its factor."""
        return self._matrices[number]

    def _add(self, matrix: Entries) -> tuple[int, float]:
        if len(matrix.value) == 0:
            return -1, 0.0
        factor = float(matrix.value[np.abs(matrix.value).argmax()])
        scaled = matrix._replace(value=matrix.value / factor)
        mantissa, exponent = np.frexp(scaled.value)
        content = (scaled.row, scaled.column, np.round(mantissa, _SHARED_DIGITS), exponent)
        key = (scaled.shape, b"".join(part.tobytes() for part in content))
        number = self._known.setdefault(key, len(self._matrices))
        if number == len(self._matrices):
            self._matrices.append(scaled)
        return number, factor

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of :class:`~secateur.compiled.arrays.Arrays` that describe matrices."""
        lanes, dense, first, sparse_first = [], [], [], []
        entries: list[Float] = [np.zeros(0)]
        pointers: list[Long] = [np.zeros(0, np.int64)]
        sparse_lanes: list[Long] = [np.zeros(0, np.int64)]
        entry_count = pointer_count = 0
        for (rows, columns), row, column, value in self._matrices:
            is_dense = len(value) >= _SPARSE_BELOW * rows * columns
            lanes += [rows, columns]
            dense.append(is_dense)
            for own, own_lanes, theirs, their_lanes in (
                (row, rows, column, columns),
                (column, columns, row, rows),
            ):
                first.append(entry_count)
                sparse_first.append(pointer_count)
                if is_dense:
                    square = np.zeros((their_lanes, padded(own_lanes)))
                    square[theirs, own] = value
                    part, part_lanes = square.ravel(), np.zeros(square.size, np.int64)
                else:
                    order = np.lexsort((own, theirs))
                    part, part_lanes = value[order], own[order]
                    ends = np.searchsorted(theirs[order], np.arange(their_lanes + 1))
                    pointers.append(ends)
                    pointer_count += len(ends)
                entries.append(part)
                sparse_lanes.append(part_lanes)
                entry_count += len(part)
        return {
            "matrix_lanes": np.asarray(lanes, np.int32),
            "matrix_dense": np.asarray(dense, np.int8),
            "matrix_first": np.asarray(first, np.int64),
            "entries": np.concatenate(entries),
            "sparse_first": np.asarray(sparse_first, np.int64),
            "sparse_pointer": np.concatenate(pointers).astype(np.int64),
            "sparse_lane": np.concatenate(sparse_lanes).astype(np.int32),
        }
