"""Assembles the arrays of a compiled game from blocks and leaves in preorder."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.columns import Column, NumberTable, whole_numbers
from secateur.compiled.counts import CountCollector
from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.joints import Joints, Row
from secateur.compiled.labels import LabelCollector
from secateur.compiled.layers import in_layers
from secateur.compiled.matrices import MatrixTable, padded
from secateur.compiled.packing import TABLES, packed, slots_are_small

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

    def slots(self) -> list[int]:
        """Return them one by one."""
        return [self.slot + offset for offset in self.offsets]


class _Blocks:
    """Columns of what is told of each block, called as in the compiled game."""

    def __init__(self) -> None:
        self.player = Column()
        self.actions = Column()
        self.lanes = Column()
        self.subtree_end = Column()
        self.first_slot = Column()
        self.first_row = Column()
        self.parent_slot = Column()
        self.gate = Column()
        self.lane_parent_slot = Column()
        self.block_counts = Column()


class _Pruning:
    """Columns that only pruning needs."""

    def __init__(self) -> None:
        self.gate_number = Column()
        self.first_link = Column()
        self.upper = Column()
        self.lower = Column()
        self.link_slot = Column()
        self.link_row = Column()
        self.link_matrix = Column()
        self.link_factor = Column()


class _Open(NamedTuple):
    """A block that is open."""

    block: int
    player: int
    slot: int
    address: int
    cell: int
    infoset: int
    actions: int
    parents: Parents


class _Behind:
    """What is known so far of what lies behind a player's sequences, by slot."""

    def __init__(self) -> None:
        self.histories = np.zeros(0, np.int64)
        self.upper = np.zeros(0)
        self.lower = np.zeros(0)
        self.begin(0, padded(1))

    def begin(self, first: int, end: int) -> None:
        """Know nothing yet of some slots."""
        if end > len(self.histories):
            for name, part in vars(self).items():
                setattr(self, name, np.append(part, np.zeros(end, part.dtype)))
        self.histories[first:end] = 0
        self.upper[first:end] = -np.inf
        self.lower[first:end] = np.inf

    def until(self, end: int) -> Behind:
        """Return what is known of slots before one."""
        return Behind(*(part[:end].copy() for part in vars(self).values()))

    def join(self, other: Behind) -> None:
        """Add what somebody else knows of the first slots."""
        end = len(other.histories)
        self.histories[:end] += other.histories
        np.fmax(self.upper[:end], other.upper, out=self.upper[:end])
        np.fmin(self.lower[:end], other.lower, out=self.lower[:end])


class Behind(NamedTuple):
    """What lies behind some sequences of a player, by slot."""

    histories: Counts
    upper: Float
    lower: Float


class Contribution(NamedTuple):
    """What a piece of a game adds to what lies behind the sequences above it."""

    slots: tuple[Behind, ...]
    """Of each player."""

    root_histories: tuple[int, ...]
    payoffs: tuple[float, float]


class Builder:
    """Collects blocks and leaves; blocks must be opened and closed like brackets.

    What is told of a block is complete when it is closed, and takes hardly more bytes from then on
    than in the compiled game. So compiling needs little more memory than what comes of it.

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
        self.matrices = MatrixTable()
        self._blocks = _Blocks()
        self._listed: dict[tuple[int, tuple[int, ...]], int] = {}
        self._more = _Pruning()
        self._counts = CountCollector()
        self._closed = Column()
        self._rows = 1
        self._cells = 0
        self._infosets = 0
        self._behind = (_Behind(), _Behind())
        self._free_slot = [padded(1), padded(1)]
        self._free_row = [1, 1]
        self._most_slots = [padded(1), padded(1)]
        self._most_rows = [1, 1]
        self._open: list[_Open] = []
        self._most_open = 0
        self._root_histories = [0, 0]
        self._tables = {name: NumberTable() for name in TABLES}
        factors, chances = self._tables["factors"], self._tables["chances"]
        self._joints = {"leaf": Joints(self.matrices, factors)}
        if pruning:
            self._joints["tally"] = Joints(self.matrices, factors)
        if thresholds:
            self._joints |= {
                name: Joints(self.matrices, factors, chances) for name in ("end", "branch")
            }
        self._block_chance = array("d")
        self._labels = LabelCollector()
        self._payoffs = (np.inf, -np.inf)
        self._add_block(2, 0, 0, 0, 0, 0, (None, None))
        self._labels.add_block(2, (), "", (), 0)

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
        block = len(self._blocks.player)
        lanes = len(parents.offsets)
        count = len(actions[0])
        slot, address = self._free_slot[player], self._free_row[player]
        parent_slot = parents.slot + parents.offsets[0]
        if not parents.consecutive:
            parent_slot = -1 - self._listed_at(parents)
        self._add_block(player, count, lanes, slot, address, parent_slot, gates)
        self._labels.add_block(player, prefixes, suffix, actions, lanes)
        rows = [
            Row(
                number=self._rows + a,
                block=block,
                slot=slot + a * padded(lanes),
                address=address + a,
                lanes=lanes,
            )
            for a in range(count)
        ]
        for joints in self._joints.values():
            joints.open()
        self._open.append(
            _Open(block, player, slot, address, self._cells, self._infosets, count, parents)
        )
        self._most_open = max(self._most_open, len(self._open))
        self._free_slot[player] += count * padded(lanes)
        self._free_row[player] += count
        self._behind[player].begin(slot, self._free_slot[player])
        self._most_slots[player] = max(self._most_slots[player], self._free_slot[player])
        self._most_rows[player] = max(self._most_rows[player], self._free_row[player])
        self._rows += count
        self._cells += count * lanes
        self._infosets += lanes
        if self.pruning:
            self._more.upper.extend([0] * (count * lanes))
            self._more.lower.extend([0] * lanes)
        return rows

    def _listed_at(self, parents: Parents) -> int:
        """Return where slots of parents are listed, which blocks of other branches may share."""
        listed = self._blocks.lane_parent_slot
        place = self._listed.setdefault((parents.slot, parents.offsets), len(listed))
        if place == len(listed):
            listed.extend(parents.slots())
        return place

    def _add_block(
        self,
        player: int,
        actions: int,
        lanes: int,
        slot: int,
        address: int,
        parent_slot: int,
        gates: tuple[Row | None, Row | None],
    ) -> None:
        blocks, more = self._blocks, self._more
        blocks.player.append(player)
        blocks.actions.append(actions)
        blocks.lanes.append(lanes)
        blocks.subtree_end.append(0)
        blocks.first_slot.append(slot)
        blocks.first_row.append(address)
        blocks.parent_slot.append(parent_slot)
        blocks.block_counts.append(0)
        blocks.gate.extend([0 if gate is None else gate.address for gate in gates])
        if self.pruning:
            more.gate_number.extend([0 if gate is None else gate.number for gate in gates])
            more.first_link.append(len(more.link_slot))
        if self.thresholds:
            self._block_chance.append(0.0 if actions else 1.0)

    def repeated_suffix(self, *, finished: bool = False) -> tuple[int, str] | None:
        """Return a player two of whose blocks have the same suffix, and that, if it is known yet.

        When all have been ``finished``, it is.
        """
        return self._labels.repeated(finished=finished)

    def close(self) -> None:
        """End the block opened last: nothing more lies below it."""
        closed = self._open.pop()
        self._closed.append(closed.block)
        self._blocks.subtree_end.put(closed.block, [len(self._blocks.player)])
        self._free_slot[closed.player] = closed.slot
        self._free_row[closed.player] = closed.address
        for joints in self._joints.values():
            joints.close()
        lanes = len(closed.parents.offsets)
        behind = self._behind[closed.player]

        def by_cell(part: npt.NDArray[Any]) -> npt.NDArray[Any]:
            end = closed.slot + closed.actions * padded(lanes)
            return part[closed.slot : end].reshape(closed.actions, -1)[:, :lanes]

        counts = self._counts.add(by_cell(behind.histories))
        self._blocks.block_counts.put(closed.block, [counts])
        if self.pruning:
            # there is no negative zero in a table
            upper, least = by_cell(behind.upper) + 0.0, by_cell(behind.lower).min(axis=0) + 0.0
            above = closed.parents.slots()
            np.maximum.at(behind.upper, above, upper.max(axis=0))
            np.minimum.at(behind.lower, above, least)
            payoffs = self._tables["payoffs"]
            self._more.upper.put(closed.cell, payoffs.places(upper.ravel().tolist()))
            self._more.lower.put(closed.infoset, payoffs.places(least.tolist()))

    def stub(self, behind: Contribution) -> None:
        """Add an empty block for a piece that somebody else compiles, and what it contributes."""
        block = len(self._blocks.player)
        self._add_block(2, 0, 0, 0, 0, 0, (None, None))
        self._labels.add_block(2 + block, (), "", (), 0)
        for joints in self._joints.values():
            joints.open()
            joints.close()
        self._closed.append(block)
        self._blocks.subtree_end.put(block, [block + 1])
        for player, found in enumerate(behind.slots):
            self._behind[player].join(found)
            self._root_histories[player] += behind.root_histories[player]
        self.paid(*behind.payoffs)

    def forget_behind(self, slots: Sequence[int]) -> None:
        """Begin to note what lies behind sequences anew, for each player those before a slot."""
        for player, end in enumerate(slots):
            self._behind[player].begin(0, end)
        self._root_histories = [0, 0]
        self._payoffs = (np.inf, -np.inf)

    def contribution(self, slots: Sequence[int]) -> Contribution:
        """Return what was noted since."""
        return Contribution(
            tuple(self._behind[player].until(end) for player, end in enumerate(slots)),
            tuple(self._root_histories),
            self._payoffs,
        )

    @property
    def blocks(self) -> int:
        """How many blocks there are so far."""
        return len(self._blocks.player)

    @property
    def wide(self) -> bool:
        """Whether there are so many slots already that the game will be wide."""
        return not slots_are_small(max(self._most_slots))

    def link(self, row: Row, matrix: int, factor: float) -> None:
        """Say how likely chance brings the lanes of the last block together with those of ``row``.

        ``row`` is one of the other player's last rows before the block. Where chance's
        probabilities have vanished, there is nothing to say.
        """
        if factor == 0.0:
            return
        self._more.link_slot.append(row.slot)
        self._more.link_row.append(row.address)
        self._more.link_matrix.append(matrix)
        self._more.link_factor.append(self._tables["factors"].place(factor))

    def leaf(self, row_0: Row, row_1: Row, matrix: int, factor: float) -> None:
        """Add ends of the game at which the players' last rows were these."""
        if factor != 0.0:
            self._joints["leaf"].add((row_0, row_1), matrix, factor)

    def end(self, row_0: Row, row_1: Row, matrix: int, factor: float, chance: float) -> None:
        """Add ends like a leaf, all of which chance brings about with one probability."""
        if factor != 0.0:
            self._joints["end"].add((row_0, row_1), matrix, factor, chance)

    def bound(self, player: int, row: Row, upper: Float, lower: Float) -> None:
        """Add ends of the game after a row: the most and the least that each lane may win.

        Numbers that are not finite stand for lanes without an end.
        """
        behind, slots = self._behind[player], slice(row.slot, row.slot + row.lanes)
        np.fmax(behind.upper[slots], upper, out=behind.upper[slots])
        np.fmin(behind.lower[slots], lower, out=behind.lower[slots])

    def tally(self, row_0: Row, row_1: Row, matrix: int, factor: float) -> None:
        """Add histories at which the players' last rows were these, counted pair by pair."""
        self._joints["tally"].add((row_0, row_1), matrix, factor)

    def branch(self, row_0: Row, row_1: Row, matrix: int, factor: float, chance: float) -> None:
        """Add histories like a tally, all of which chance brings about with one probability."""
        self._joints["branch"].add((row_0, row_1), matrix, factor, chance)
        for row in (row_0, row_1):
            self._block_chance[row.block] = max(self._block_chance[row.block], chance)

    def count_histories(self, player: int, row: Row, counts: Counts) -> None:
        """Add histories whose last sequence of ``player`` is in ``row``; one count per lane."""
        if row.number == 0:
            self._root_histories[player] += int(counts.sum())
        else:
            self._behind[player].histories[row.slot : row.slot + row.lanes] += counts

    def finish(self, name: str, parameters: dict[str, object]) -> CompiledGame:
        """Return the compiled game; nothing is left of what was collected."""
        assert not self._open, "every block must be closed"
        self._blocks.subtree_end.put(0, [len(self._blocks.player)])
        closed = self._closed.array()
        self._closed = Column()
        found = self._joints.pop("leaf").arrays("leaf", closed)
        if self.pruning:
            self._more.first_link.append(len(self._more.link_slot))
            found |= self._joints.pop("tally").arrays("tally", closed)
            found |= _taken_from(self._more)
        if self.thresholds:
            found |= self._branch_arrays(closed)
        del closed
        found |= self.matrices.arrays()
        found |= self._counts.arrays() | _taken_from(self._blocks)
        self._counts = CountCollector()
        for table, names in TABLES.items():
            columns = {each: found[each] for each in names if each in found}
            if columns:
                found[table], places = self._tables[table].in_order(columns)
                found |= places
        found |= self._first_numbers(found["actions"], found["lanes"])
        slots = max(self._most_slots)
        arrays, pruning, branches = packed(found, slots)
        root_histories = self._root_histories
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

    def _first_numbers(
        self, actions: npt.NDArray[Any], lanes: npt.NDArray[Any]
    ) -> dict[str, npt.NDArray[Any]]:
        """Return the first cell and information set of each block, and row; row 0 is the root's."""
        kind = whole_numbers(self._cells)
        found = {
            "first_cell": _sums_before(np.multiply(actions, lanes, dtype=kind)),
            "first_infoset": _sums_before(lanes.astype(kind)),
        }
        if self.pruning:
            found["first_row_number"] = _sums_before(actions.astype(kind))
            found["first_row_number"][1:] += 1
        return found

    def _branch_arrays(self, closed: npt.NDArray[Any]) -> dict[str, Any]:
        ends = self._joints.pop("end").arrays("end", closed)
        kinds = {"end_factor": "factors", "end_chance": "chances"}
        for name, table in kinds.items():
            ends[name] = self._tables[table].numbers()[ends[name]]
        ends = in_layers(ends, self.matrices)
        for name, table in kinds.items():
            ends[name] = np.array(self._tables[table].places(ends[name].tolist()))
        return {
            "block_chance": np.array(self._tables["chances"].places(self._block_chance)),
            **ends,
            **self._joints.pop("branch").arrays("branch", closed),
        }


def _taken_from(columns: object) -> dict[str, npt.NDArray[Any]]:
    """Return all columns that an object has, as arrays; it has none any more."""
    found = {name: column.array() for name, column in vars(columns).items()}
    vars(columns).clear()
    return found


def _sums_before(sizes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the sum of the sizes before each one."""
    found = np.cumsum(sizes, dtype=sizes.dtype)
    found -= sizes
    return found
