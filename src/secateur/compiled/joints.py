"""Rows, and what joins those of both players: leaves, tallies, ends and branches."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.columns import Column, NumberTable, pieces, whole_numbers
from secateur.compiled.matrices import MatrixTable

Array = npt.NDArray[Any]
Long = npt.NDArray[np.int64]

_Place = tuple[int, int, float]
"""The rows of a pair, and how likely chance makes it."""


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
        self._columns = {name: Column() for name in ("slot", "row", "matrix", "factor")}
        if chances is not None:
            self._columns["chance"] = Column()
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
            alike: dict[tuple[_Place, int], list[_Joint]] = {}
            for each in joints:
                alike.setdefault((_place(each), self._apart(each)), []).append(each)
            joints = [self._joined(alike[key]) for key in sorted(alike, key=itemgetter(0))]
        columns = self._columns
        self._count.append(len(joints))
        columns["slot"].extend([row.slot for each in joints for row in each.rows])
        columns["row"].extend([row.address for each in joints for row in each.rows])
        columns["matrix"].extend([each.matrix for each in joints])
        columns["factor"].extend(self._factors.places([each.factor for each in joints]))
        if self._chances is not None:
            columns["chance"].extend(self._chances.places([each.chance for each in joints]))

    def _joined(self, alike: list[_Joint]) -> _Joint:
        """Return what joins two rows with one chance; matrices are added up when all are known."""
        if len(alike) == 1:
            return alike[0]
        if self._matrices.is_of_hands(alike[0].matrix):
            return alike[0]._replace(factor=sum(each.factor for each in alike))
        parts = tuple(each.matrix for each in alike), tuple(each.factor for each in alike)
        return alike[0]._replace(matrix=-1 - self._sums.setdefault(parts, len(self._sums)))

    def _apart(self, joint: _Joint) -> int:
        """Return what keeps pairs in one place apart: matrices between hands are not added up."""
        return joint.matrix if self._matrices.is_of_hands(joint.matrix) else -1

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
        first, begin = _in_order(self._count.array(), closed)
        found = {
            name: _moved(self._columns.pop(name).array(), first, begin) for name in [*self._columns]
        }
        if self._sums:
            first = self._add_up(found, first)
        return {f"first_{prefix}": first, **{f"{prefix}_{name}": found[name] for name in found}}

    def _add_up(self, found: dict[str, Array], first: Array) -> Array:
        """Put sums of matrices in their places, and leave out those that have canceled.

        Returns where what each block owns begins then.
        """
        places = np.flatnonzero(found["matrix"] < 0)
        sums, at, which = np.unique(
            -1 - found["matrix"][places], return_index=True, return_inverse=True
        )
        parts = [*self._sums]
        matrix, factor = np.zeros((2, len(sums)), np.int64)
        canceled = np.zeros(len(sums), np.bool_)
        for k in np.argsort(at).tolist():  # in the order in which they are found
            matrix[k], total = self._matrices.add_up(*parts[sums[k]])
            factor[k] = self._factors.place(total)
            canceled[k] = total == 0.0
        for name, part in (("matrix", matrix), ("factor", factor)):
            if part.max(initial=0) > np.iinfo(found[name].dtype).max:
                found[name] = found[name].astype(np.int64)
            found[name][places] = part[which]
        if not canceled.any():
            return first
        kept = np.ones(len(found["matrix"]), np.bool_)
        kept[places] = ~canceled[which]
        for name, part in found.items():
            found[name] = part.reshape(len(kept), -1)[kept].ravel()
        return np.append(0, np.cumsum(kept))[first]


def _place(joint: _Joint) -> _Place:
    """Return by what pairs of a block are sorted; else they stay in the order in which they come.

    Numbers of matrices depend on what else was compiled before.
    """
    row_0, row_1 = joint.rows
    return row_0.number, row_1.number, joint.chance


def _in_order(count: Array, closed: Array) -> tuple[Array, Array]:
    """Return where things of each block begin, block by block, and where they were before.

    They stood in the order in which blocks were ``closed``, ``count`` of each, the root's last.
    """
    kind = whole_numbers(int(count.sum(dtype=np.int64)))
    first, begin = np.zeros(len(count) + 1, kind), np.zeros(len(count), kind)
    before = np.cumsum(count, dtype=kind)
    before -= count
    first[1:][closed], begin[closed] = count[:-1], before[:-1]
    first[1], begin[0] = count[-1], before[-1]
    np.cumsum(first, out=first)
    return first, begin


def _moved(column: Array, first: Array, begin: Array) -> Array:
    """Return what stood from ``begin`` on, block by block; ``first`` is where it is to stand."""
    found = np.empty_like(column)
    width = len(column) // int(first[-1]) if first[-1] else 1
    old, new = column.reshape(-1, width), found.reshape(-1, width)
    for blocks in pieces(len(begin)):
        here = first[blocks.start : blocks.stop + 1]
        order = np.repeat(begin[blocks] - here[:-1], np.diff(here))
        order += np.arange(here[0], here[-1], dtype=order.dtype)
        new[here[0] : here[-1]] = old[order]
    return found
