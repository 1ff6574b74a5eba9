"""Compiles any game from its histories."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.blocks import lay_out, own_depths
from secateur.compiled.chances import by_chance
from secateur.compiled.counts import count_arrays
from secateur.compiled.game import CompiledGame, Stack
from secateur.compiled.histories import Histories
from secateur.compiled.joining import Joined, Joiner
from secateur.compiled.labels import labels_of_blocks
from secateur.compiled.layers import in_layers
from secateur.compiled.matrices import MatrixTable
from secateur.compiled.packing import packed, with_tables
from secateur.compiled.progress import Observer
from secateur.compiled.ranges import gathered
from secateur.compiled.reader import read_histories
from secateur.games.rules import Game

Int = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]


def compile_histories(
    game: Game,
    *,
    pruning: bool = False,
    thresholds: bool = False,
    observe: Observer | None = None,
    memory_limit: int | None = None,
) -> CompiledGame:
    """Compile a game by enumerating its histories."""
    histories = read_histories(game, observe, memory_limit)
    return _Assembly(histories).finished(game, pruning=pruning, thresholds=thresholds)


class _Assembly:
    """Turns histories into the arrays of a compiled game; the root's block is number 0."""

    def __init__(self, histories: Histories) -> None:
        self.histories = histories
        self.infosets = histories.infosets
        self.blocks = lay_out(histories)
        blocks = self.blocks
        self.lanes = np.append(0, blocks.lanes)
        self.actions = np.append(0, blocks.actions)
        self.first_cell = _before(self.actions * self.lanes)
        self.first_infoset = _before(self.lanes)
        self.matrices = MatrixTable()
        self.joiner = Joiner(blocks, self.matrices)
        # cells count from 1 here: 0 is the empty sequence
        row_place = _before(blocks.rows.lanes)
        self.place_of = row_place[blocks.row_of] + blocks.lane_of
        self.places = (
            self.place_of[histories.sequences[0]],
            self.place_of[histories.sequences[1]],
        )
        self.ends = np.flatnonzero(histories.is_end)

    def finished(self, game: Game, *, pruning: bool, thresholds: bool) -> CompiledGame:
        """Return the compiled game."""
        blocks, count = self.blocks, len(self.lanes)
        payoff = self.histories.payoff
        value = self.histories.chance[self.ends] * payoff
        places = (self.places[0][self.ends], self.places[1][self.ends])
        leaves = self._joints("leaf", self.joiner.join(places, value))
        cells = int((self.actions * self.lanes).sum())
        counts = [np.bincount(part, minlength=cells + 1) for part in self.places]
        more = {
            **(self._pruning_arrays() if pruning else {}),
            **(self._branch_arrays(places, value) if thresholds else {}),
        }
        plain = dict(
            player=np.append(2, blocks.player).astype(np.int8),
            actions=self.actions.astype(np.int32),
            lanes=self.lanes.astype(np.int32),
            subtree_end=np.append(count, blocks.end).astype(np.int32),
            first_cell=self.first_cell,
            first_infoset=self.first_infoset.astype(np.int32),
            first_slot=np.append(0, blocks.slot).astype(np.int32),
            first_row=np.append(0, blocks.address).astype(np.int32),
            **self._parent_slots(),
            gate=np.append([0, 0], blocks.rows.address[blocks.gate]).astype(np.int32),
            **count_arrays((counts[0] + counts[1])[1:], self.actions, self.lanes),
            **leaves,
            **self.matrices.arrays(),
            **more,
        )
        arrays, bounds, branches = packed(with_tables(plain), blocks.most_slots)
        return CompiledGame(
            name=game.name,
            parameters=game.parameters,
            arrays=arrays,
            pruning=bounds,
            branches=branches,
            labels=labels_of_blocks(self.infosets, blocks.infosets, self.lanes),
            root_histories=(int(counts[0][0]), int(counts[1][0])),
            stack=Stack(slots=blocks.most_slots, rows=blocks.most_rows, blocks=blocks.most_open),
            payoffs=(float(payoff.min(initial=np.inf)), float(payoff.max(initial=-np.inf))),
        )

    def _parent_slots(self) -> dict[str, Any]:
        """Tell where parents stand: by the first one if the others follow it, else one by one."""
        slots, lanes = self.blocks.parent_slot, self.lanes[1:]
        starts = self.first_infoset[1:]
        lane = np.arange(len(slots)) - np.repeat(starts, lanes)
        in_order = slots - lane == np.repeat(slots[starts], lanes)
        scattered = (
            ~np.logical_and.reduceat(in_order, starts) if len(starts) else np.zeros(0, np.bool_)
        )
        listed = np.where(scattered, lanes, 0)
        found = np.where(scattered, -1 - (np.cumsum(listed) - listed), slots[starts])
        return {
            "parent_slot": np.append(0, found).astype(np.int32),
            "lane_parent_slot": slots[np.repeat(scattered, lanes)].astype(np.int32),
        }

    def _joints(
        self, prefix: str, joined: Joined, chances: Float | None = None
    ) -> dict[str, npt.NDArray[Any]]:
        """Return what joins rows in the order of the deeper of their blocks, which own it."""
        rows = self.blocks.rows
        first, second = joined.rows
        owner = np.maximum(rows.block[first], rows.block[second])
        order = np.argsort(owner, kind="stable")
        found = {
            f"first_{prefix}": np.searchsorted(owner[order], np.arange(len(self.lanes) + 1)),
            f"{prefix}_slot": np.column_stack([rows.slot[first], rows.slot[second]])[order].ravel(),
            f"{prefix}_row": np.column_stack([rows.address[first], rows.address[second]])[
                order
            ].ravel(),
            f"{prefix}_matrix": joined.matrix[order],
            f"{prefix}_factor": joined.factor[order],
        }
        if chances is not None:
            found[f"{prefix}_chance"] = chances[joined.kind[order]]
        return found

    def _pruning_arrays(self) -> dict[str, Any]:
        blocks, rows, count = self.blocks, self.blocks.rows, len(self.lanes)
        links = self._links()
        own = np.where(links.kind == 0, links.rows[0], links.rows[1])
        other = np.where(links.kind == 0, links.rows[1], links.rows[0])
        ones = np.ones(len(self.histories.parent))
        upper, lower = self._bounds()
        return dict(
            first_row_number=np.append(0, 1 + _before(self.actions)[1:]).astype(np.int32),
            gate_number=np.append([0, 0], blocks.gate).astype(np.int32),
            first_link=np.searchsorted(rows.block[own], np.arange(count + 1)),
            upper=upper,
            lower=lower,
            link_slot=rows.slot[other].astype(np.int32),
            link_row=rows.address[other].astype(np.int32),
            link_matrix=links.matrix.astype(np.int32),
            link_factor=links.factor,
            **self._joints("tally", self.joiner.join(self.places, ones)),
        )

    def _links(self) -> Joined:
        """Join the lanes of each block with the rows by which the other player came."""
        decided = np.flatnonzero(self.histories.infoset >= 0)
        infoset = self.histories.infoset[decided]
        player = self.infosets.player[infoset]
        own = self.place_of[self.infosets.first_sequence[infoset]]
        places = (
            np.where(player == 0, own, self.places[0][decided]),
            np.where(player == 1, own, self.places[1][decided]),
        )
        return self.joiner.link(places, self.histories.chance[decided], player)

    def _bounds(self) -> tuple[Float, Float]:
        """Return the best payoff behind each cell, and the worst of each information set."""
        known = self.infosets
        count = len(self.place_of)
        upper, lower = np.full(count, -np.inf), np.full(count, np.inf)
        for player, win in enumerate((self.histories.payoff, -self.histories.payoff)):
            last = self.histories.sequences[player][self.ends]
            np.maximum.at(upper, last, win)
            np.minimum.at(lower, last, win)
        least = np.full(len(known.player), np.inf)
        depth = own_depths(known)
        by_depth = np.argsort(depth, kind="stable")
        ends = np.searchsorted(depth[by_depth], np.arange(int(depth.max(initial=-1)) + 2))
        for k in range(len(ends) - 2, -1, -1):
            here = by_depth[ends[k] : ends[k + 1]]
            first, size = known.first_sequence[here], known.actions[here]
            sequence, starts = gathered(first, first + size), np.cumsum(size) - size
            most = np.maximum.reduceat(upper[sequence], starts)
            least[here] = np.minimum.reduceat(lower[sequence], starts)
            np.maximum.at(upper, known.parent[here], most)
            np.minimum.at(lower, known.parent[here], least[here])
        by_cell = np.empty(count)
        by_cell[self.place_of] = upper
        return by_cell[1:], least[self.blocks.infosets]

    def _branch_arrays(self, end_places: tuple[Int, Int], value: Float) -> dict[str, Any]:
        count = len(self.lanes)
        chances, kind = by_chance(self.histories.chance)
        ends = self._joints("end", self.joiner.join(end_places, value, kind[self.ends]), chances)
        everything = self.joiner.join(self.places, np.ones(len(kind)), kind)
        block_chance = np.zeros(count)
        block_chance[0] = 1.0
        for rows in everything.rows:
            np.maximum.at(block_chance, self.blocks.rows.block[rows], chances[everything.kind])
        return dict(
            block_chance=block_chance,
            **in_layers(ends, self.matrices),
            **self._joints("branch", everything, chances),
        )


def _before(sizes: Int) -> Int:
    """Return the sum of the sizes before each one."""
    return np.cumsum(sizes) - sizes
