"""Lays out blocks along the tree of public states, all those of one depth at once.

Public states that are joined are a *place*. Places, blocks and rows get numbers in the order in
which they are found, depth by depth; at the end, blocks and rows are put into preorder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from secateur.compiled.histories import Histories, Infosets
from secateur.compiled.matrices import padded
from secateur.compiled.merging import begins_place, sets_of_rows
from secateur.compiled.preorder import preorder
from secateur.compiled.public_states import PublicStates, find_public_states
from secateur.compiled.ranges import before_in_run, gathered, run_starts

Int = npt.NDArray[np.int64]

_SLOTS_OF_START = 4
_ROWS_OF_START = 1


@dataclass(frozen=True)
class Rows:
    """All rows in preorder of their blocks; the first one is the empty sequence."""

    block: Int
    slot: Int
    address: Int
    lanes: Int


@dataclass(frozen=True)
class Blocks:
    """All blocks in preorder but the root's, and where sequences stand in them."""

    player: Int
    actions: Int
    lanes: Int
    end: Int
    """The first block that is not below."""

    slot: Int
    address: Int
    gate: Int
    """[block, player]: the only row by which the player can come, or 0."""

    infosets: Int
    """Those of each block side by side, lane by lane."""

    parent_slot: Int
    """Of each of these."""

    rows: Rows
    row_of: Int
    """Of each sequence."""

    lane_of: Int
    most_slots: int
    most_rows: int
    most_open: int


def lay_out(histories: Histories) -> Blocks:
    """Return the blocks of a game."""
    states = find_public_states(
        histories.parent, histories.depth, histories.infoset, len(histories.infosets.player)
    )
    layout = _Layout(histories, states)
    layout.run()
    return layout.finished()


def own_depths(infosets: Infosets) -> Int:
    """Return how often the player has moved before each information set."""
    above = np.where(
        infosets.parent > 0,
        np.searchsorted(infosets.first_sequence, infosets.parent, side="right") - 1,
        -1,
    )
    depth = (above >= 0).astype(np.int64)
    while True:
        below = np.flatnonzero(above >= 0)
        if len(below) == 0:
            break
        # what the set above has counted already is skipped from now on
        depth[below] += depth[above[below]]
        above[below] = above[above[below]]
    return depth


class _Layout:
    """What is known of places, blocks and rows so far."""

    def __init__(self, histories: Histories, states: PublicStates) -> None:
        self.sequences = histories.sequences
        self.infosets = histories.infosets
        self.states = states
        self.own_depth = own_depths(self.infosets)
        count = 1 + int(self.infosets.actions.sum())
        self.row_of, self.lane_of, self.slot_of = (np.zeros(count, np.int64) for _ in range(3))
        self.row_count = 1
        self.place_parent = np.full(0, -1)
        self.place_gate = np.zeros((0, 2), np.int64)
        # room that is taken at each place, for either player
        self.place_slots = np.zeros((0, 2), np.int64)
        self.place_rows = np.zeros((0, 2), np.int64)
        self.place_open = np.zeros(0, np.int64)
        self.place_blocks = np.zeros(0, np.int64)
        self.depth_ends: list[int] = []
        self.blocks: list[Int] = []
        """Columns: place, rank in it, player, actions, lanes, slot, address."""

        self.lanes: list[Int] = []
        """Columns: information set, slot of the parent."""

    def run(self) -> None:
        """Go down the tree of public states."""
        states = self.states
        place_of = np.zeros(len(states.parent), np.int64)
        by_depth = np.argsort(states.depth, kind="stable")
        infoset_depth = states.depth[states.infoset_state]
        infosets_by_depth = np.argsort(infoset_depth, kind="stable")
        depths = np.arange(int(states.depth.max()) + 2)
        ends = np.searchsorted(states.depth[by_depth], depths)
        infoset_ends = np.searchsorted(infoset_depth[infosets_by_depth], depths)
        local = np.zeros(len(states.parent), np.int64)
        for d in range(len(depths) - 1):
            here = by_depth[ends[d] : ends[d + 1]]
            infosets = infosets_by_depth[infoset_ends[d] : infoset_ends[d + 1]]
            local[here] = np.arange(len(here))
            above = place_of[states.parent[here]] if d else np.full(1, -1)
            place_of[here] = self._add_places(
                here, above, local[states.infoset_state[infosets]], infosets
            )
            places = place_of[states.infoset_state[infosets]]
            if states.ordered:
                self._add_blocks(infosets, places)
            else:
                own = self.own_depth[infosets]
                for depth in np.unique(own):
                    self._add_blocks(infosets[own == depth], places[own == depth])
            self.depth_ends.append(len(self.place_parent))

    def _add_places(self, states: Int, above: Int, state_of: Int, infosets: Int) -> Int:
        """Join states that follow the same places; return the place of each."""
        first, last = self.states.first_member[states], self.states.first_member[states + 1]
        members = self.states.members[gathered(first, last)]
        starts = np.append(0, np.cumsum(last - first))
        rows = [sets_of_rows(self.row_of[mine[members]], starts) for mine in self.sequences]
        keys = (rows[1].number, rows[0].number, above)
        order = np.lexsort(keys)
        group = np.zeros(len(states), np.int64)
        group[order] = np.cumsum(run_starts(*(key[order] for key in keys))) - 1
        fresh = begins_place(group, state_of, self.infosets.parent[infosets])
        # the latest state of the group that begins a place
        by_group = np.argsort(group, kind="stable")
        beginning = np.where(fresh[by_group], np.arange(len(states)), 0)
        leader = np.zeros(len(states), np.int64)
        leader[by_group] = by_group[np.maximum.accumulate(beginning)]
        number = len(self.place_parent) + np.cumsum(fresh) - 1
        self._open_places(above[fresh], np.column_stack([part.only[fresh] for part in rows]))
        return number[leader]

    def _open_places(self, above: Int, gate: Int) -> None:
        begin = above[0] < 0
        slots = np.full((1, 2), _SLOTS_OF_START) if begin else self.place_slots[above]
        rows = np.full((1, 2), _ROWS_OF_START) if begin else self.place_rows[above]
        opened = np.zeros(1, np.int64) if begin else self.place_open[above]
        self.place_parent = np.concatenate([self.place_parent, above])
        self.place_gate = np.concatenate([self.place_gate, np.maximum(gate, 0)])
        self.place_slots = np.concatenate([self.place_slots, slots])
        self.place_rows = np.concatenate([self.place_rows, rows])
        self.place_open = np.concatenate([self.place_open, opened])
        self.place_blocks = np.concatenate([self.place_blocks, np.zeros_like(opened)])

    def _add_blocks(self, infosets: Int, places: Int) -> None:
        """Put information sets of one player with as many actions side by side.

        They stand in the order of their parents, so that they can be copied from row to row.
        """
        if len(infosets) == 0:
            return
        known = self.infosets
        parent_slot = self.slot_of[known.parent[infosets]]
        keys = (
            known.actions[infosets],
            known.player[infosets],
            self.own_depth[infosets],
            places,
        )
        order = np.lexsort((infosets, parent_slot, *keys))
        infosets, places = infosets[order], places[order]
        starts = np.flatnonzero(run_starts(*(key[order] for key in keys)))
        lanes = np.diff(np.append(starts, len(infosets)))
        place, actions = places[starts], known.actions[infosets[starts]]
        player = known.player[infosets[starts]]
        room = actions * padded(lanes)
        slot, address = np.zeros(len(starts), np.int64), np.zeros(len(starts), np.int64)
        for p in range(2):
            mine = player == p
            for taken, found, amount in (
                (self.place_slots, slot, np.where(mine, room, 0)),
                (self.place_rows, address, np.where(mine, actions, 0)),
            ):
                start = taken[place, p] + before_in_run(place, amount)
                found[mine] = start[mine]
                np.add.at(taken[:, p], place, amount)
        rank = self.place_blocks[place] + before_in_run(place, np.ones_like(place))
        np.add.at(self.place_blocks, place, 1)
        np.add.at(self.place_open, place, 1)
        row = self.row_count + np.cumsum(actions) - actions
        self.row_count += int(actions.sum())
        self.blocks.append(np.stack([place, rank, player, actions, lanes, slot, address]))
        self.lanes.append(np.stack([infosets, parent_slot[order]]))
        # where the sequences of every lane stand
        block = np.repeat(np.arange(len(starts)), lanes)
        lane = np.arange(len(infosets)) - starts[block]
        each = actions[block]
        first = known.first_sequence[infosets]
        sequence = gathered(first, first + each)
        action = sequence - np.repeat(first, each)
        block, lane = np.repeat(block, each), np.repeat(lane, each)
        self.row_of[sequence] = row[block] + action
        self.lane_of[sequence] = lane
        self.slot_of[sequence] = slot[block] + action * padded(lanes)[block] + lane

    def finished(self) -> Blocks:
        """Put everything into preorder."""
        first_block, end_block = preorder(self.place_parent, self.place_blocks, self.depth_ends)
        empty = np.zeros((7, 0), np.int64)
        place, rank, player, actions, lanes, slot, address = np.concatenate(
            [empty, *self.blocks], axis=1
        )
        infosets, parent_slot = np.concatenate([empty[:2], *self.lanes], axis=1)
        number = first_block[place] + rank  # from 1 on
        order = np.argsort(number)
        row_first = np.cumsum(actions) - actions + 1
        row_block = np.append(0, np.repeat(number, actions))
        row_order = np.argsort(row_block, kind="stable")
        row_number = np.zeros(self.row_count, np.int64)
        row_number[row_order] = np.arange(self.row_count)
        action = np.arange(1, self.row_count) - np.repeat(row_first, actions)
        row_slot = np.repeat(slot, actions) + action * np.repeat(padded(lanes), actions)
        row_address = np.repeat(address, actions) + action
        lane_order = np.argsort(np.repeat(number, lanes), kind="stable")
        return Blocks(
            player=player[order],
            actions=actions[order],
            lanes=lanes[order],
            end=end_block[place[order]],
            slot=slot[order],
            address=address[order],
            gate=row_number[self.place_gate[place[order]]],
            infosets=infosets[lane_order],
            parent_slot=parent_slot[lane_order],
            rows=Rows(
                block=row_block[row_order],
                slot=np.append(0, row_slot)[row_order],
                address=np.append(0, row_address)[row_order],
                lanes=np.append(1, np.repeat(lanes, actions))[row_order],
            ),
            row_of=row_number[self.row_of],
            lane_of=self.lane_of,
            most_slots=int(self.place_slots.max()),
            most_rows=int(self.place_rows.max()),
            most_open=int(self.place_open.max()),
        )
