"""Compiles any game from its histories."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from secateur.compiled.builder import Builder, Parents
from secateur.compiled.chances import by_chance
from secateur.compiled.game import CompiledGame
from secateur.compiled.histories import Histories, read_histories
from secateur.compiled.joints import ROOT_ROW, Row
from secateur.compiled.public_states import PublicState, find_public_states
from secateur.games.rules import Game

Int = npt.NDArray[np.int64]


def compile_histories(
    game: Game, *, pruning: bool = False, thresholds: bool = False
) -> CompiledGame:
    """Compile a game by enumerating its histories."""
    histories = read_histories(game)
    emitter = _Emitter(histories, pruning=pruning, thresholds=thresholds)
    emitter.emit_blocks()
    emitter.emit_leaves()
    emitter.describe_rows()
    if pruning:
        emitter.emit_links()
        emitter.emit_tallies()
    if thresholds:
        emitter.emit_ends()
        emitter.emit_branches()
    return emitter.builder.finish(game.name, game.parameters)


class _Emitter:
    """Turns histories into blocks and leaves; knows for each sequence its row and its lane."""

    def __init__(self, histories: Histories, *, pruning: bool, thresholds: bool) -> None:
        self.builder = Builder(pruning=pruning, thresholds=thresholds)
        self.infosets = histories.infosets
        self.histories = histories
        self.sequences = (
            np.asarray(histories.sequence_0, np.int64),
            np.asarray(histories.sequence_1, np.int64),
        )
        count = 1 + sum(map(len, self.infosets.actions))
        self.rows: list[Row] = [ROOT_ROW]
        self.blocks: list[tuple[int, int, list[int]]] = []
        self.row_of = np.zeros(count, np.int64)
        self.lane_of = np.zeros(count, np.int64)
        self.own_depth = self._own_depths()
        infoset = np.asarray(histories.infoset, np.int64)
        self.by_infoset = np.argsort(infoset, kind="stable")
        self.infoset_ends = np.searchsorted(
            infoset[self.by_infoset], np.arange(len(self.infosets.player) + 1)
        )
        self.chance = np.asarray(histories.chance)
        self.chances, self.kind = by_chance(self.chance)

    def _own_depths(self) -> list[int]:
        """Return how often the player has moved before each information set."""
        depth_after = [0] * len(self.row_of)
        depths = []
        for parent, first, actions in zip(
            self.infosets.parent, self.infosets.first_sequence, self.infosets.actions, strict=True
        ):
            depths.append(depth_after[parent])
            depth_after[first : first + len(actions)] = [depth_after[parent] + 1] * len(actions)
        return depths

    def emit_blocks(self) -> None:
        """Open and close blocks along the public tree."""
        todo: list[PublicState | int] = [
            find_public_states(
                np.asarray(self.histories.parent, np.int64),
                np.asarray(self.histories.depth, np.int64),
                np.asarray(self.histories.infoset, np.int64),
                np.asarray(self.histories.is_end, np.bool_),
            )
        ]
        while todo:
            item = todo.pop()
            if isinstance(item, int):
                for _ in range(item):
                    self.builder.close()
            else:
                todo.append(self._emit_state(item))
                todo += reversed(self._merged(item.children))

    def _emit_state(self, state: PublicState) -> int:
        """Open the blocks of a public state; return how many."""
        blocks: dict[tuple[int, int, int], list[int]] = {}
        for infoset in state.infosets:
            actions = len(self.infosets.actions[infoset])
            key = (self.own_depth[infoset], self.infosets.player[infoset], actions)
            blocks.setdefault(key, []).append(infoset)
        if blocks:
            gates = (self._gate(state, 0), self._gate(state, 1))
            for (_, player, _), infosets in sorted(blocks.items()):
                self._emit_block(player, infosets, gates)
        return len(blocks)

    def _merged(self, states: list[PublicState]) -> list[PublicState]:
        """Join sibling states that differ only in who holds what.

        Near the end of a game, only the player to move has information sets left, and each
        would be a public state of its own. States that follow the same rows belong together
        unless somebody got there with the same own moves and can tell them apart.
        """
        merged: list[PublicState] = []
        latest: dict[tuple[frozenset[int], ...], tuple[int, set[int]]] = {}
        todo = list(reversed(states))
        while todo:
            state = todo.pop()
            if not state.infosets:
                todo += reversed(state.children)
                continue
            rows = tuple(
                frozenset(self.row_of[sequence[state.members]].tolist())
                for sequence in self.sequences
            )
            parents = {self.infosets.parent[infoset] for infoset in state.infosets}
            place, taken = latest.get(rows, (-1, parents))
            if taken.isdisjoint(parents):
                merged[place] = merged[place].joined(state)
                taken |= parents
            else:
                latest[rows] = (len(merged), parents)
                merged.append(state)
        return merged

    def _gate(self, state: PublicState, player: int) -> Row | None:
        rows = self.row_of[self.sequences[player][state.members]]
        return self.rows[rows[0]] if (rows == rows[0]).all() else None

    def _emit_block(
        self, player: int, infosets: list[int], gates: tuple[Row | None, Row | None]
    ) -> None:
        parents = [self.infosets.parent[infoset] for infoset in infosets]
        slots = [self.rows[self.row_of[p]].slot + int(self.lane_of[p]) for p in parents]
        # in the order of their parents, so that they can be copied from row to row
        order = sorted(range(len(infosets)), key=slots.__getitem__)
        lanes = [infosets[k] for k in order]
        rows = self.builder.open(
            player,
            [self.infosets.actions[infoset] for infoset in lanes],
            Parents.of(0, [slots[k] for k in order]),
            gates,
            tuple(self.infosets.label[infoset] for infoset in lanes),
            "",
        )
        first = np.array([self.infosets.first_sequence[infoset] for infoset in lanes])
        self.blocks.append((rows[0].block, player, lanes))
        for a, row in enumerate(rows):
            self.row_of[first + a] = len(self.rows)
            self.lane_of[first + a] = np.arange(len(lanes))
            self.rows.append(row)

    def emit_links(self) -> None:
        """Join the lanes of each block with the rows by which the other player came."""
        for block, player, infosets in self.blocks:
            self._emit_links_of(block, player, infosets)

    def _emit_links_of(self, block: int, player: int, infosets: list[int]) -> None:
        parts = [
            self.by_infoset[self.infoset_ends[infoset] : self.infoset_ends[infoset + 1]]
            for infoset in infosets
        ]
        members = np.concatenate(parts)
        lane = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        theirs = self.sequences[1 - player][members]
        for number in np.unique(self.row_of[theirs]).tolist():
            row = self.rows[number]
            here = self.row_of[theirs] == number
            mine, other = (lane[here], len(parts)), (self.lane_of[theirs[here]], row.lanes)
            first, second = (mine, other) if player == 0 else (other, mine)
            matrix = self.builder.matrices.add_entries(
                (first[1], second[1]), first[0], second[0], self.chance[members[here]]
            )
            self.builder.link(block, row, *matrix)

    def emit_leaves(self) -> None:
        """Join the ends of the game by the rows of the players' last sequences."""
        ends = np.flatnonzero(self.histories.is_end)
        value = self.chance[ends] * np.asarray(self.histories.payoff)[ends]
        for rows, matrix, _ in self._joined(ends, value, np.zeros_like(self.kind)):
            self.builder.leaf(*rows, *matrix)

    def emit_ends(self) -> None:
        """Join them apart where chance brings them about with different probability."""
        ends = np.flatnonzero(self.histories.is_end)
        value = self.chance[ends] * np.asarray(self.histories.payoff)[ends]
        for rows, matrix, chance in self._joined(ends, value, self.kind):
            self.builder.end(*rows, *matrix, chance)

    def emit_tallies(self) -> None:
        """Count all histories by the rows of the players' last sequences."""
        everything = np.arange(len(self.histories.parent))
        ones, alike = np.ones(len(everything)), np.zeros_like(self.kind)
        for rows, matrix, _ in self._joined(everything, ones, alike):
            self.builder.tally(*rows, *matrix)

    def emit_branches(self) -> None:
        """Count them apart, too."""
        everything = np.arange(len(self.histories.parent))
        ones = np.ones(len(everything))
        for rows, matrix, chance in self._joined(everything, ones, self.kind):
            self.builder.branch(*rows, *matrix, chance)

    def _joined(
        self, histories: Int, value: npt.NDArray[np.float64], kind: Int
    ) -> Iterator[tuple[tuple[Row, Row], tuple[int, float], float]]:
        """Gather histories into matrices between the rows of the players' last sequences.

        Those of different ``kind`` stay apart.
        """
        rows = [self.row_of[sequence[histories]] for sequence in self.sequences]
        lanes = [self.lane_of[sequence[histories]] for sequence in self.sequences]
        kind = kind[histories]
        order = np.lexsort((kind, rows[1], rows[0]))
        changes = np.diff(rows[0][order]) | np.diff(rows[1][order]) | np.diff(kind[order])
        for part in np.split(order, np.flatnonzero(changes) + 1):
            row_0, row_1 = self.rows[rows[0][part[0]]], self.rows[rows[1][part[0]]]
            shape = (row_0.lanes, row_1.lanes)
            matrix = self.builder.matrices.add_entries(
                shape, lanes[0][part], lanes[1][part], value[part]
            )
            yield (row_0, row_1), matrix, float(self.chances[kind[part[0]]])

    def describe_rows(self) -> None:
        """Give each row the number of its histories and the best and worst payoffs right after."""
        numbers = np.argsort(self.row_of, kind="stable")
        starts = np.searchsorted(self.row_of[numbers], np.arange(len(self.rows) + 1))
        players = np.asarray(self.infosets.player, np.int64)
        first = np.asarray(self.infosets.first_sequence, np.int64)
        counts = [np.bincount(part, minlength=len(self.row_of)) for part in self.sequences]
        ends = np.flatnonzero(self.histories.is_end)
        payoff = np.asarray(self.histories.payoff)[ends]
        upper, lower = np.full(len(self.row_of), -np.inf), np.full(len(self.row_of), np.inf)
        for player in range(2):
            self.builder.count_histories(player, ROOT_ROW, counts[player][:1])
            win = payoff if player == 0 else -payoff
            np.maximum.at(upper, self.sequences[player][ends], win)
            np.minimum.at(lower, self.sequences[player][ends], win)
        for number, row in enumerate(self.rows[1:], start=1):
            members = numbers[starts[number] : starts[number + 1]]
            player = players[np.searchsorted(first, members[0], side="right") - 1]
            in_order = members[np.argsort(self.lane_of[members])]
            self.builder.count_histories(int(player), row, counts[player][in_order])
            if self.builder.pruning:
                self.builder.bound(row, upper[in_order], lower[in_order])
