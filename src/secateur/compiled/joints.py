"""Rows, and what joins those of both players: leaves, tallies, ends and branches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.columns import Column, NumberTable
from secateur.compiled.matrices import MatrixTable

Array = npt.NDArray[Any]
Long = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one action of a block: where a player's sequences end up side by side."""

    number: int
    """Rows count up over the whole game; row 0 is the empty sequence."""

    block: int
    slot: int
    """Slot of its first lane."""

    address: int
    """Its place on the stack of reached rows."""

    lanes: int


ROOT_ROW = Row(number=0, block=0, slot=0, address=0, lanes=1)
"""The empty sequence of either player."""


class _Joint(NamedTuple):
    """Two rows with a matrix between their lanes."""

    rows: tuple[Row, Row]
    matrix: int
    factor: float
    chance: float


class Joints:
    """Pairs of rows, one of each player; the deeper of their blocks owns a pair.

    Blocks are opened and closed like brackets, and pairs belong to the innermost one that is open:
    they are complete when it is closed. Chances are kept only if they have a table.
    """

    def __init__(
        self, matrices: MatrixTable, factors: NumberTable, chances: NumberTable | None = None
    ) -> None:
        self._matrices, self._factors, self._chances = matrices, factors, chances
        self._open: list[list[_Joint]] = [[]]  # that of the root is never closed
        self._count = Column()  # of each block that was closed
        self._slots, self._addresses = Column(), Column()
        self._matrix, self._factor, self._chance = Column(), Column(), Column()
        self._sums: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = {}

    def open(self) -> None:
        """Begin a block."""
        self._open.append([])

    def add(self, rows: tuple[Row, Row], matrix: int, factor: float, chance: float = 1.0) -> None:
        """Join two rows."""
        self._open[-1].append(_Joint(rows, matrix, factor, chance))

    def close(self) -> None:
        """End the block that was opened last."""
        joints = self._open.pop()
        if len(joints) > 1:
            place = self._places(joints)
            joints.sort(key=place)
            if len({*map(place, joints)}) < len(joints):
                joints = [self._joined(list(alike)) for _, alike in groupby(joints, place)]
        self._count.append(len(joints))
        self._slots.extend([row.slot for each in joints for row in each.rows])
        self._addresses.extend([row.address for each in joints for row in each.rows])
        self._matrix.extend([each.matrix for each in joints])
        self._factor.extend(self._factors.places([each.factor for each in joints]))
        if self._chances is not None:
            self._chance.extend(self._chances.places([each.chance for each in joints]))

    def _joined(self, alike: list[_Joint]) -> _Joint:
        """Return what joins two rows with one chance; matrices are added up when all are known."""
        if len(alike) == 1:
            return alike[0]
        if self._matrices.is_of_hands(alike[0].matrix):
            return alike[0]._replace(factor=sum(each.factor for each in alike))
        parts = tuple(each.matrix for each in alike), tuple(each.factor for each in alike)
        return alike[0]._replace(matrix=-1 - self._sums.setdefault(parts, len(self._sums)))

    def _places(self, joints: list[_Joint]) -> Callable[[_Joint], tuple[int, int, float, int]]:
        """Return by what pairs of a block are sorted: rows, chance, and matrices between hands.

        These are in the order in which the block has met them. Their numbers would not do: they
        depend on the rest of the game, and a part that is compiled by itself must be the same.
        """
        met: dict[int, int] = {}
        for each in joints:
            if self._matrices.is_of_hands(each.matrix):
                met.setdefault(each.matrix, len(met))

        def place(joint: _Joint) -> tuple[int, int, float, int]:
            row_0, row_1 = joint.rows
            return row_0.number, row_1.number, joint.chance, met.get(joint.matrix, -1)

        return place

    def arrays(self, prefix: str, closed: Array) -> dict[str, Array]:
        """Return arrays in the order of the owners; factors and chances are places in tables.

        Parameters
        ----------
        prefix : str
            What they are called.
        closed : array
            All blocks but the root, in the order in which they were closed.
        """
        self.close()
        order, first = _in_order(self._count.array(), np.append(closed, 0))
        matrix = self._matrix.array()[order]
        factor = self._factor.array()[order]
        if self._sums:
            # sums may need more bytes
            matrix, factor = matrix.astype(np.int64), factor.astype(np.int64)
            kept = self._add_up(matrix, factor)
            order, matrix, factor = order[kept], matrix[kept], factor[kept]
            first = np.append(0, np.cumsum(kept))[first]
        found = {
            f"first_{prefix}": first,
            f"{prefix}_slot": self._slots.array().reshape(-1, 2)[order].ravel(),
            f"{prefix}_row": self._addresses.array().reshape(-1, 2)[order].ravel(),
            f"{prefix}_matrix": matrix,
            f"{prefix}_factor": factor,
        }
        if self._chances is not None:
            found[f"{prefix}_chance"] = self._chance.array()[order]
        return found

    def _add_up(self, matrix: Long, factor: Long) -> npt.NDArray[np.bool_]:
        """Put sums of matrices in their places; return where they have not canceled."""
        parts = [*self._sums]
        known: dict[int, tuple[int, float]] = {}
        kept = np.ones(len(matrix), np.bool_)
        for place in np.flatnonzero(matrix < 0).tolist():
            number = -1 - int(matrix[place])
            if number not in known:
                known[number] = self._matrices.add_up(*parts[number])
            matrix[place], total = known[number]
            factor[place] = self._factors.place(total)
            kept[place] = total != 0.0
        return kept


def _in_order(count: Array, closed: Array) -> tuple[Array, Long]:
    """Return where things of each block stand, block by block, and where each block's begin.

    They stand in the order in which blocks were ``closed``, ``count`` of each.
    """
    end, size = np.zeros(len(closed), np.int64), np.zeros(len(closed), np.int64)
    end[closed] = np.cumsum(count, dtype=np.int64)
    size[closed] = count
    first = np.append(0, np.cumsum(size))
    kind = np.int32 if first[-1] < 1 << 31 else np.int64
    order = np.repeat((end - size - first[:-1]).astype(kind), size)
    order += np.arange(len(order), dtype=kind)
    return order, first
