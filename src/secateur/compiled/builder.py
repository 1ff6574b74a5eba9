"""Assembles the arrays of a compiled game from blocks and leaves in preorder."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.joints import Joints, Row
from secateur.compiled.labels import LabelCollector
from secateur.compiled.layers import in_layers
from secateur.compiled.matrices import MatrixTable, padded
from secateur.compiled.packing import packed

Float = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


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
    """Collects blocks and leaves; blocks must be opened and closed like brackets.

    Parameters
    ----------
    pruning : bool
        Whether links, bounds and tallies will be given, which only pruning needs.
    thresholds : bool
        Whether ends and branches will be given, which only thresholds need.
    """

    def __init__(self, *, pruning: bool, thresholds: bool) -> None:
        self.pruning = pruning
        self.thresholds = thresholds
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
        self._gate_number = array("i", [0, 0])
        self._first_row_number = array("i", [0])
        self._rows = 1
        self._cells = 0
        self._infosets = 0
        self._lane_parent_slot = array("i")
        self._parent_cell = array("q")  # per information set
        self._cell_of_slot: tuple[list[int], list[int]] = ([-1], [-1])
        self._level = array("i", [0])  # per block: blocks of the same player around it
        self._free_slot = [padded(1), padded(1)]
        self._free_row = [1, 1]
        self._most_slots = [padded(1), padded(1)]
        self._most_rows = [1, 1]
        self._open: list[tuple[int, int, int, int]] = []
        self._most_open = 0
        self._histories = np.zeros(0, np.int64)
        self._upper = np.zeros(0)
        self._lower = np.zeros(0)
        self._root_histories = [0, 0]
        self._leaves = Joints()
        self._tallies = Joints()
        self._ends = Joints()
        self._branches = Joints()
        self._block_chance = array("d", [1.0])
        self._link_owner = array("i")
        self._link_slot = array("i")
        self._link_row = array("i")
        self._link_matrix = array("i")
        self._link_factor = array("d")
        self.matrices = MatrixTable()
        self._labels = LabelCollector()
        self._labels.add_block((), "", (), 0)
        self._payoffs = (np.inf, -np.inf)

    def paid(self, least: float, most: float) -> None:
        """Note what player 0 wins at some ends: from the least to the most."""
        self._payoffs = min(self._payoffs[0], float(least)), max(self._payoffs[1], float(most))

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
        self._block_chance.append(0.0)
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
        self._gate_number.extend(0 if gate is None else gate.number for gate in gates)
        self._first_row_number.append(self._rows)
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
        if self.pruning:
            cell_of_slot = self._cell_of_slot[player]
            self._parent_cell.extend(cell_of_slot[parents.slot + k] for k in parents.offsets)
            self._level.append(sum(opened[1] == player for opened in self._open))
            end = slot + count * padded(lanes)
            cell_of_slot.extend([-1] * (end - len(cell_of_slot)))
            for row in rows:
                cell_of_slot[row.slot : row.slot + lanes] = range(row.cell, row.cell + lanes)
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
            self._histories = _grown(self._histories, self._cells, 0)
            if self.pruning:
                self._upper = _grown(self._upper, self._cells, -np.inf)
                self._lower = _grown(self._lower, self._cells, np.inf)
        return rows

    def close(self) -> None:
        """End the block opened last: nothing more lies below it."""
        block, player, slot, address = self._open.pop()
        self._end[block] = len(self._player)
        self._free_slot[player] = slot
        self._free_row[player] = address

    def link(self, block: int, row: Row, matrix: int, factor: float) -> None:
        """Say how likely chance brings the lanes of a block together with those of ``row``.

        ``row`` is one of the other player's last rows before the block. Where chance's
        probabilities have vanished, there is nothing to say.
        """
        if factor == 0.0:
            return
        self._link_owner.append(block)
        self._link_slot.append(row.slot)
        self._link_row.append(row.address)
        self._link_matrix.append(matrix)
        self._link_factor.append(factor)

    def leaf(self, row_0: Row, row_1: Row, matrix: int, factor: float) -> None:
        """Add ends of the game at which the players' last rows were these."""
        if factor != 0.0:
            self._leaves.add((row_0, row_1), matrix, factor)

    def end(self, row_0: Row, row_1: Row, matrix: int, factor: float, chance: float) -> None:
        """Add ends like a leaf, all of which chance brings about with one probability."""
        if factor != 0.0:
            self._ends.add((row_0, row_1), matrix, factor, chance)

    def bound(self, row: Row, upper: Float, lower: Float) -> None:
        """Add ends of the game after a row: the most and the least that each lane may win.

        Numbers that are not finite stand for lanes without an end.
        """
        if row.number:
            cells = slice(row.cell, row.cell + row.lanes)
            np.fmax(self._upper[cells], upper, out=self._upper[cells])
            np.fmin(self._lower[cells], lower, out=self._lower[cells])

    def tally(self, row_0: Row, row_1: Row, matrix: int, factor: float) -> None:
        """Add histories at which the players' last rows were these, counted pair by pair."""
        self._tallies.add((row_0, row_1), matrix, factor)

    def branch(self, row_0: Row, row_1: Row, matrix: int, factor: float, chance: float) -> None:
        """Add histories like a tally, all of which chance brings about with one probability."""
        self._branches.add((row_0, row_1), matrix, factor, chance)
        for row in (row_0, row_1):
            self._block_chance[row.block] = max(self._block_chance[row.block], chance)

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
        leaves = self._leaves.arrays("leaf", blocks, self.matrices)
        del leaves["leaf_chance"]
        more = {
            **(self._pruning_arrays(blocks) if self.pruning else {}),
            **(self._branch_arrays(blocks) if self.thresholds else {}),
        }
        root_histories = self._root_histories
        slots = max(self._most_slots)
        plain = dict(
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
            lane_parent_slot=np.asarray(self._lane_parent_slot, np.int32),
            histories=self._histories[: self._cells].copy(),
            **leaves,
            **self.matrices.arrays(),
            **more,
        )
        arrays, pruning, branches = packed(plain, slots)
        return CompiledGame(
            name=name,
            parameters=parameters,
            arrays=arrays,
            pruning=pruning,
            branches=branches,
            labels=self._labels.arrays(),
            root_histories=(root_histories[0], root_histories[1]),
            stack=Stack(slots=slots, rows=max(self._most_rows), blocks=self._most_open),
            payoffs=self._payoffs,
        )

    def _pruning_arrays(self, blocks: int) -> dict[str, Any]:
        tallies = self._tallies.arrays("tally", blocks, self.matrices)
        del tallies["tally_chance"]
        link_owner = np.asarray(self._link_owner, np.int32)
        by_owner = np.argsort(link_owner, kind="stable")
        upper, lower = self._bounds()
        return dict(
            first_row_number=np.asarray(self._first_row_number, np.int32),
            gate_number=np.asarray(self._gate_number, np.int32),
            first_link=np.searchsorted(link_owner[by_owner], np.arange(blocks + 1)),
            upper=upper,
            lower=lower,
            link_slot=np.asarray(self._link_slot, np.int32)[by_owner],
            link_row=np.asarray(self._link_row, np.int32)[by_owner],
            link_matrix=np.asarray(self._link_matrix, np.int32)[by_owner],
            link_factor=np.asarray(self._link_factor, np.float64)[by_owner],
            **tallies,
        )

    def _branch_arrays(self, blocks: int) -> dict[str, Any]:
        return dict(
            block_chance=np.asarray(self._block_chance, np.float64),
            **in_layers(self._ends.arrays("end", blocks, self.matrices), self.matrices),
            **self._branches.arrays("branch", blocks, self.matrices),
        )

    def _bounds(self) -> tuple[Float, Float]:
        """Return the best payoff behind each cell, and the worst of each information set."""
        per_lane = np.asarray(self._lanes)
        actions, lanes, level, first_cell, first_infoset = (
            np.repeat(np.asarray(part), per_lane)
            for part in (
                self._actions,
                self._lanes,
                self._level,
                self._first_cell,
                self._first_infoset,
            )
        )
        first = first_cell + np.arange(self._infosets) - first_infoset
        parent = np.asarray(self._parent_cell, np.int64)
        upper, lower = self._upper[: self._cells].copy(), self._lower[: self._cells].copy()
        most, least = np.full(self._infosets, -np.inf), np.full(self._infosets, np.inf)
        for here in range(int(level.max(initial=0)), -1, -1):
            for a in range(int(actions[level == here].max(initial=0))):
                found = np.flatnonzero((level == here) & (actions > a))
                cells = first[found] + a * lanes[found]
                most[found] = np.maximum(most[found], upper[cells])
                least[found] = np.minimum(least[found], lower[cells])
            below = np.flatnonzero((level == here) & (parent >= 0))
            np.maximum.at(upper, parent[below], most[below])
            np.minimum.at(lower, parent[below], least[below])
        return upper, least


def _grown(numbers: npt.NDArray[Any], size: int, empty: float) -> npt.NDArray[Any]:
    """Return a longer copy, with room for what is still to come."""
    return np.concatenate([numbers, np.full(size, empty, numbers.dtype)])
