"""Gathers histories into matrices between the rows of the players' last sequences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.blocks import Blocks
from secateur.compiled.matrices import ManyEntries, MatrixTable
from secateur.compiled.ranges import run_starts

Int = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]


class Joined(NamedTuple):
    """Matrices between two rows."""

    rows: tuple[Int, Int]
    kind: Int
    matrix: Int
    factor: Float


class Joiner:
    """Knows where sequences stand in rows.

    Sequences are called by their cells, counted from 1, and 0 for the empty one: in the order of
    rows and, within a row, of lanes.
    """

    def __init__(self, blocks: Blocks, matrices: MatrixTable) -> None:
        self.rows = blocks.rows
        self.matrices = matrices
        lanes = self.rows.lanes
        self.row = np.repeat(np.arange(len(lanes)), lanes)
        self.lane = np.arange(len(self.row)) - np.repeat(np.cumsum(lanes) - lanes, lanes)

    def join(self, places: tuple[Int, Int], value: Float, kind: Int | None = None) -> Joined:
        """Return the matrices of histories in the order of their rows; kinds stay apart."""
        first, second, of_kind, total = self._added_up(places, value, kind)
        key = self.row[first] * len(self.rows.lanes) + self.row[second]
        order = np.argsort(key, kind="stable") if kind is None else np.lexsort((of_kind, key))
        return self._matrices(first[order], second[order], of_kind[order], total[order])

    def link(self, places: tuple[Int, Int], chance: Float, player: Int) -> Joined:
        """Return the same in the order of the blocks whose player decides, and of the others' rows.

        The place of a player who decides is that of the first action; ``kind`` is the player.
        """
        first, second, of_player, total = self._added_up(places, chance, player)
        row_0, row_1 = self.row[first], self.row[second]
        own = np.where(of_player == 0, row_0, row_1)
        key = own * len(self.rows.lanes) + (row_0 + row_1 - own)
        order = np.argsort(key, kind="stable")
        return self._matrices(first[order], second[order], of_player[order], total[order])

    def _added_up(
        self, places: tuple[Int, Int], value: Float, kind: Int | None
    ) -> tuple[Int, Int, Int, Float]:
        """Add up what is in the same place."""
        count = len(self.row)
        place, inverse = np.unique(places[0] * count + places[1], return_inverse=True)
        of_kind = np.zeros(len(place), np.int64)
        if kind is not None:
            kinds = int(kind.max(initial=0)) + 1
            apart, inverse = np.unique(inverse * kinds + kind, return_inverse=True)
            numbers, of_kind = np.divmod(apart, kinds)
            place = place[numbers]
        total = np.bincount(inverse, weights=value, minlength=len(place)).astype(np.float64)
        return place // count, place % count, of_kind, total

    def _matrices(self, first: Int, second: Int, kind: Int, value: Float) -> Joined:
        rows = self.row[first], self.row[second]
        starts = np.flatnonzero(run_starts(*rows, kind))
        row_0, row_1 = rows[0][starts], rows[1][starts]
        matrix, factor = self.matrices.add_many(
            ManyEntries(
                rows=self.rows.lanes[row_0],
                columns=self.rows.lanes[row_1],
                size=np.diff(np.append(starts, len(value))),
                row=self.lane[first],
                column=self.lane[second],
                value=value,
            )
        )
        some = matrix >= 0
        rows = row_0[some], row_1[some]
        return Joined(rows, kind[starts][some], matrix[some], factor[some])
