"""Assembles the arrays of a compiled game from blocks and leaves in preorder."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays
from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.labels import LabelCollector
from secateur.compiled.matrices import MatrixTable, padded

Slots = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]


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


@dataclass(frozen=True, slots=True)
class Parents:
    """The slots of the parent sequences of a block's lanes: ``slot + offset`` each."""

    slot: int
    offsets: tuple[int, ...]
    consecutive: bool

    @staticmethod
    def of(slot: int, offsets: Sequence[int]) -> Parents:
        """Describe parents, and whether they stand side by side in order."""
        first = offsets[0]
        consecutive = all(offset == first + k for k, offset in enumerate(offsets))
        return Parents(slot, tuple(offsets), consecutive)


class Builder:
    """Collects blocks and leaves; blocks must be opened and closed like brackets."""

    def __init__(self) -> None:
        self._player = array("b", [2])
        self._actions = array("i", [0])
        self._lanes = array("i", [0])
        self._end = array("i", [0])
        self._first_cell = array("q", [0])
        self._first_infoset = array("i", [0])
        self._first_slot = array("i", [0])
        self._first_row = array("i", [0])
        self._parent_slot = array("i", [0])
        self._gate = array("i", [0, 0])
        self._rows = 1
        self._cells = 0
        self._infosets = 0
        self._lane_parent_slot = array("i")
        self._free_slot = [padded(1), padded(1)]
        self._free_row = [1, 1]
        self._most_slots = [padded(1), padded(1)]
        self._most_rows = [1, 1]
        self._open: list[tuple[int, int, int, int]] = []
        self._most_open = 0
        self._histories = np.zeros(1024, np.int64)
        self._root_histories = [0, 0]
        self._leaf_owner = array("i")
        self._leaf_rows: tuple[array[int], array[int]] = (array("i"), array("i"))
        self._leaf_slot = array("i")
        self._leaf_row = array("i")
        self._leaf_matrix = array("i")
        self._leaf_factor = array("d")
        self.matrices = MatrixTable()
        self._labels = LabelCollector()
        self._labels.add_block((), "", (), 0)

    def open(
        self,
        player: int,
        actions: Sequence[tuple[str, ...]],
        parents: Parents,
        gates: tuple[Row | None, Row | None],
        prefixes: tuple[str, ...],
        suffix: str,
    ) -> list[Row]:
        """Begin a block below those that are open; return the rows of its actions.

        ``actions`` holds the labels of every lane's actions (or of all lanes at once);
        ``gates`` for each player the only row by which the public state can be reached, or None
        if there are several.
        """
        block = len(self._player)
        lanes = len(parents.offsets)
        count = len(actions[0])
        slot, address = self._free_slot[player], self._free_row[player]
        self._player.append(player)
        self._actions.append(count)
        self._lanes.append(lanes)
        self._end.append(0)
        self._first_cell.append(self._cells)
        self._first_infoset.append(self._infosets)
        self._first_slot.append(slot)
        self._first_row.append(address)
        if parents.consecutive:
            self._parent_slot.append(parents.slot + parents.offsets[0])
        else:
            self._parent_slot.append(-1 - len(self._lane_parent_slot))
            self._lane_parent_slot.extend(parents.slot + offset for offset in parents.offsets)
        self._gate.extend(0 if gate is None else gate.address for gate in gates)
        self._labels.add_block(prefixes, suffix, actions, lanes)
        rows = [
            Row(
                number=self._rows + a,
                block=block,
                slot=slot + a * padded(lanes),
                address=address + a,
                cell=self._cells + a * lanes,
                lanes=lanes,
            )
            for a in range(count)
        ]
        self._open.append((block, player, slot, address))
        self._most_open = max(self._most_open, len(self._open))
        self._free_slot[player] += count * padded(lanes)
        self._free_row[player] += count
        self._most_slots[player] = max(self._most_slots[player], self._free_slot[player])
        self._most_rows[player] = max(self._most_rows[player], self._free_row[player])
        self._rows += count
        self._cells += count * lanes
        self._infosets += lanes
        if self._cells > len(self._histories):
            self._histories = np.concatenate([self._histories, np.zeros(self._cells, np.int64)])
        return rows

    def close(self) -> None:
        """End the block opened last: nothing more lies below it."""
        block, player, slot, address = self._open.pop()
        self._end[block] = len(self._player)
        self._free_slot[player] = slot
        self._free_row[player] = address

    def leaf(self, row_0: Row, row_1: Row, matrix: int, factor: float) -> None:
        """Add an end of the game at which the players' last rows were these."""
        if factor == 0.0:
            return
        self._leaf_owner.append(max(row_0.block, row_1.block))
        self._leaf_rows[0].append(row_0.number)
        self._leaf_rows[1].append(row_1.number)
        self._leaf_slot.extend((row_0.slot, row_1.slot))
        self._leaf_row.extend((row_0.address, row_1.address))
        self._leaf_matrix.append(matrix)
        self._leaf_factor.append(factor)

    def count_histories(self, player: int, row: Row, counts: Counts) -> None:
        """Add histories whose last sequence of ``player`` is in ``row``; one count per lane."""
        if row.number == 0:
            self._root_histories[player] += int(counts.sum())
        else:
            self._histories[row.cell : row.cell + row.lanes] += counts

    def finish(self, name: str, parameters: dict[str, object]) -> CompiledGame:
        """Return the compiled game."""
        assert not self._open, "every block must be closed"
        blocks = len(self._player)
        self._end[0] = blocks
        owner, slot, row, matrix, factor = self._merged_leaves()
        root_histories = self._root_histories
        arrays = Arrays(
            player=np.asarray(self._player, np.int8),
            actions=np.asarray(self._actions, np.int32),
            lanes=np.asarray(self._lanes, np.int32),
            subtree_end=np.asarray(self._end, np.int32),
            first_cell=np.asarray(self._first_cell, np.int64),
            first_infoset=np.asarray(self._first_infoset, np.int32),
            first_slot=np.asarray(self._first_slot, np.int32),
            first_row=np.asarray(self._first_row, np.int32),
            parent_slot=np.asarray(self._parent_slot, np.int32),
            gate=np.asarray(self._gate, np.int32),
            first_leaf=np.searchsorted(owner, np.arange(blocks + 1)).astype(np.int64),
            lane_parent_slot=np.asarray(self._lane_parent_slot, np.int32),
            histories=self._histories[: self._cells].copy(),
            leaf_slot=slot.ravel(),
            leaf_row=row.ravel(),
            leaf_matrix=matrix,
            leaf_factor=factor,
            **self.matrices.arrays(),
        )
        return CompiledGame(
            name=name,
            parameters=parameters,
            arrays=arrays,
            labels=self._labels.arrays(),
            root_histories=(root_histories[0], root_histories[1]),
            stack=Stack(
                slots=max(self._most_slots), rows=max(self._most_rows), blocks=self._most_open
            ),
        )

    def _merged_leaves(
        self,
    ) -> tuple[npt.NDArray[np.int32], Slots, Slots, npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """Sort leaves by owner; add up those that join the same two rows."""
        rows = np.stack([np.asarray(part, np.int32) for part in self._leaf_rows])
        owner = np.asarray(self._leaf_owner, np.int32)
        slot = np.asarray(self._leaf_slot, np.int32).reshape(-1, 2)
        row = np.asarray(self._leaf_row, np.int32).reshape(-1, 2)
        matrix = np.asarray(self._leaf_matrix, np.int32)
        factor = np.asarray(self._leaf_factor, np.float64)
        order = np.lexsort((rows[1], rows[0], owner))
        rows = rows[:, order]
        same = (rows[:, 1:] == rows[:, :-1]).all(axis=0)
        matrix, factor = matrix[order], factor[order]
        if same.any():
            starts = np.flatnonzero(np.concatenate([[True], ~same]))
            ends = np.append(starts[1:], len(order))
            for begin, end in zip(starts, ends, strict=True):
                if end - begin > 1:
                    matrix[begin], factor[begin] = self.matrices.add_up(
                        matrix[begin:end], factor[begin:end]
                    )
            kept = starts[factor[starts] != 0.0]  # sums may cancel
            order, matrix, factor = order[kept], matrix[kept], factor[kept]
        return owner[order], slot[order], row[order], matrix, factor
