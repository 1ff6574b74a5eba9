"""Rows, and what joins those of both players: leaves, tallies and branches."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.matrices import MatrixTable

Slots = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]


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

    cell: int
    lanes: int


ROOT_ROW = Row(number=0, block=0, slot=0, address=0, cell=-1, lanes=1)
"""The empty sequence of either player."""


class Joints:
    """Pairs of rows, one of each player, with a matrix between their lanes."""

    def __init__(self) -> None:
        self._owner = array("i")
        self._rows: tuple[array[int], array[int]] = (array("i"), array("i"))
        self._slots: tuple[array[int], array[int]] = (array("i"), array("i"))
        self._addresses: tuple[array[int], array[int]] = (array("i"), array("i"))
        self._matrix = array("i")
        self._factor = array("d")
        self._chance = array("d")

    def add(self, rows: tuple[Row, Row], matrix: int, factor: float, chance: float = 1.0) -> None:
        """Join two rows; the deeper of their blocks owns the pair."""
        self._owner.append(max(rows[0].block, rows[1].block))
        for player, row in enumerate(rows):
            self._rows[player].append(row.number)
            self._slots[player].append(row.slot)
            self._addresses[player].append(row.address)
        self._matrix.append(matrix)
        self._factor.append(factor)
        self._chance.append(chance)

    def add_many(
        self,
        owner: Long,
        rows: tuple[Long, Long],
        slots: tuple[Long, Long],
        addresses: tuple[Long, Long],
        matrix: Long,
        factor: Float,
        chance: Float,
    ) -> None:
        """Join many rows."""
        for numbers, found in (
            (self._owner, owner),
            *zip(self._rows, rows, strict=True),
            *zip(self._slots, slots, strict=True),
            *zip(self._addresses, addresses, strict=True),
            (self._matrix, matrix),
        ):
            numbers.frombytes(found.astype(np.int32).tobytes())
        self._factor.frombytes(factor.tobytes())
        self._chance.frombytes(chance.tobytes())

    def arrays(self, prefix: str, blocks: int, matrices: MatrixTable) -> dict[str, Any]:
        """Return arrays sorted by owner.

        Matrices between the same two rows are added up, if chance is the same.
        """
        rows = [np.asarray(part, np.int32) for part in self._rows]
        owner = np.asarray(self._owner, np.int32)
        chance = np.asarray(self._chance, np.float64)
        order = np.lexsort((chance, rows[1], rows[0], owner))
        matrix = np.asarray(self._matrix, np.int32)[order]
        factor = np.asarray(self._factor, np.float64)[order]
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = (np.diff(rows[0][order]) | np.diff(rows[1][order])) != 0
        fresh[1:] |= np.diff(chance[order]) != 0.0
        starts = np.flatnonzero(fresh)
        ends = np.append(starts[1:], len(order))
        for begin, end in zip(starts[ends - starts > 1], ends[ends - starts > 1], strict=True):
            matrix[begin], factor[begin] = matrices.add_up(matrix[begin:end], factor[begin:end])
        kept = starts[factor[starts] != 0.0]  # sums may cancel
        order = order[kept]
        return {
            f"first_{prefix}": np.searchsorted(owner[order], np.arange(blocks + 1)),
            f"{prefix}_slot": _paired(self._slots, order),
            f"{prefix}_row": _paired(self._addresses, order),
            f"{prefix}_matrix": matrix[kept],
            f"{prefix}_factor": factor[kept],
            f"{prefix}_chance": chance[order],
        }


def _paired(parts: tuple[array[int], array[int]], order: npt.NDArray[np.int64]) -> Slots:
    """Interleave the numbers of both players."""
    columns = [np.asarray(part, np.int32)[order] for part in parts]
    return np.column_stack(columns).ravel()
