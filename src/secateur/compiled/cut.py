"""Cuts the public tree of a large game into a trunk and pieces that can be swept side by side.

A *piece* is a run of subtrees that begin at neighbors: blocks with the same parent. It needs to
know only how the opponent comes there, and tells only what it is worth to the sequences above it.
What is in no piece is the *trunk*. The cut depends on the game alone, so that results do not depend
on who sweeps what.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays, PruningArrays

Int = npt.NDArray[np.int64]

LEAST_WORK = 600_000
"""Of a game that is cut at all: with less, threads wait for each other more than they save."""

MOST, LEAST_MOST = 1 / 96, 1 / 4096
"""Work of a piece that can be divided, at the most, as a share of that of the game: enough pieces
to keep many threads busy to the end, and few enough to cost nothing; more of large games, for many
machines."""

_LARGE_PIECE = 4_000_000
"""Work of a piece that is worth while on a machine of its own."""

_TOGETHER = 1 / 4
"""Of that, what neighbors are put together for."""


class Cut(NamedTuple):
    """The pieces of a game, in the order of their blocks."""

    first: Int
    """The block that a piece begins with."""

    end: Int
    """The block after its last."""

    slots: Int
    """[2 * piece + player]: how many slots of the stacks belong to the trunk there."""

    rows: Int
    """The same of rows."""

    order: Int
    """The pieces, those with the most work first."""


class Outline(NamedTuple):
    """What must be known of a game to cut it: some blocks in their order, those that matter.

    A block matters unless it is below another that is not divided; of others, only the work counts.
    """

    block: Int
    subtree_end: Int
    before: Int
    """The work of all blocks before this one."""

    player: npt.NDArray[Any]
    actions: npt.NDArray[Any]
    lanes: npt.NDArray[Any]
    first_slot: npt.NDArray[Any]
    first_row: npt.NDArray[Any]
    blocks: int
    whole: int
    """The work of the game."""

    @staticmethod
    def of(arrays: Arrays) -> Outline:
        """Return all blocks of a compiled game."""
        work = work_of(arrays.actions.astype(np.int64), arrays.lanes.astype(np.int64))
        end = np.cumsum(work)
        return Outline(
            block=np.arange(len(work)),
            subtree_end=arrays.subtree_end.astype(np.int64),
            before=end - work,
            player=arrays.player,
            actions=arrays.actions,
            lanes=arrays.lanes,
            first_slot=arrays.first_slot,
            first_row=arrays.first_row,
            blocks=len(work),
            whole=int(end[-1]),
        )

    def work(self, first: int, end: int) -> int:
        """Return about what a sweep over some blocks costs, which begin and end at known ones."""
        until = self.whole if end == self.blocks else int(self.before[self.place(end)])
        return until - int(self.before[self.place(first)])

    def place(self, block: int) -> int:
        """Return where a block stands."""
        return int(np.searchsorted(self.block, block))

    def end_of(self, block: int) -> int:
        """Return the block after all that is below a block."""
        return int(self.subtree_end[self.place(block)])


def work_of(actions: Int, lanes: Int) -> Int:
    """Return about what a sweep costs at blocks, in nanoseconds.

    It must be known before leaves are. Most blocks have about two, with matrices of as many lanes;
    large ones are sparse, or have a form that takes time in proportion to lanes.
    """
    found: Int = 10 + 3 * actions * lanes + np.minimum(lanes * lanes, 8 * lanes)
    return found


def most_work(whole: int) -> float:
    """Return the most work of a piece that can be divided; it grows with that of the game."""
    return max(min(whole * MOST, _LARGE_PIECE), whole * LEAST_MOST)


def is_never_divided(work: int, so_far: int) -> bool:
    """Return whether a subtree cannot be divided in a game of which so much is known."""
    return work <= most_work(so_far)


def find_cut(
    arrays: Arrays,
    least_work: int = LEAST_WORK,
    most: float | None = None,
    least: float | None = None,
) -> Cut:
    """Return the pieces of a game; none if it is small or cannot be divided.

    Parameters
    ----------
    arrays : Arrays
        Those of the game.
    least_work : int
        What a game must be worth to be cut.
    most, least : float
        The most work of a piece that can be divided, and the least for which neighbors are put
        together, as shares of that of the game; what suits its size if not given.
    """
    return cut_outline(Outline.of(arrays), least_work, most, least)


def cut_outline(
    outline: Outline,
    least_work: int = LEAST_WORK,
    most: float | None = None,
    least: float | None = None,
) -> Cut:
    """Return the pieces of a game of which an outline is known."""
    found = _Cutter(outline)
    whole = outline.whole
    if whole >= least_work:
        largest = most_work(whole) if most is None else most * whole
        found.divide(whole, largest, largest * _TOGETHER if least is None else least * whole)
    pieces = sorted(found.pieces)
    work = np.array([found.work(piece.first, piece.end) for piece in pieces])
    return Cut(
        first=np.array([piece.first for piece in pieces], np.int64),
        end=np.array([piece.end for piece in pieces], np.int64),
        slots=np.array([piece.slots for piece in pieces], np.int64).reshape(-1),
        rows=np.array([piece.rows for piece in pieces], np.int64).reshape(-1),
        order=np.argsort(-work, kind="stable"),
    )


def _end_of_slots(arrays: Arrays | Outline, block: int) -> int:
    """Return the slot after those of a block, whose rows have room for a multiple of four lanes."""
    stride = int(arrays.lanes[block]) + 3 & ~3
    return int(arrays.first_slot[block]) + int(arrays.actions[block]) * stride


class _Piece(NamedTuple):
    """Neighbors with all that is below them, and the slots and rows in use above, by player."""

    first: int
    end: int
    slots: tuple[int, int]
    rows: tuple[int, int]


class _Cutter:
    """Divides what takes the most work until all pieces are small."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.work = outline.work
        self.pieces: list[_Piece] = []

    def divide(self, whole: int, most: float, least: float) -> None:
        """Find the pieces of a game, whose work is known."""
        heap = [(-whole, _Piece(0, self.outline.blocks, (1, 1), (1, 1)))]
        while heap and -heap[0][0] > most:
            piece = heapq.heappop(heap)[1]
            for part in self._parts(piece, least):
                heapq.heappush(heap, (-self.work(part.first, part.end), part))
        # what has nothing below it is better left where it is
        self.pieces = [piece for _, piece in heap if piece.first + 1 < piece.end]

    def _parts(self, piece: _Piece, enough: float) -> list[_Piece]:
        """Divide a piece: into its subtrees, or one of them into what is below its first block."""
        block, end = piece.first, piece.end
        slots, rows = piece.slots, piece.rows
        if self.outline.end_of(block) == end:
            slots, rows = self._below(block, slots, rows)
            block += 1
        else:  # neighbors that were put together are now taken apart
            enough = 0.0
        parts: list[_Piece] = []
        first = block
        while block < end:
            after = self.outline.end_of(block)
            if self.work(block, after) >= enough and first < block:
                parts.append(_Piece(first, block, slots, rows))
                first = block
            block = after
            if block == end or self.work(first, block) >= enough:
                parts.append(_Piece(first, block, slots, rows))
                first = block
        return parts

    def _below(
        self, block: int, slots: tuple[int, int], rows: tuple[int, int]
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return how many slots and rows are in use below a block."""
        known, place = self.outline, self.outline.place(block)
        player, actions = int(known.player[place]), int(known.actions[place])
        if player > 1:
            return slots, rows
        used = _end_of_slots(known, place), int(known.first_row[place]) + actions
        return (
            (used[0], slots[1]) if player == 0 else (slots[0], used[0]),
            (used[1], rows[1]) if player == 0 else (rows[0], used[1]),
        )


NO_PIECES = Cut(*(np.zeros(0, np.int64) for _ in Cut._fields))


def cut_for_links(game_cut: Cut, arrays: Arrays, pruning: PruningArrays) -> Cut:
    """Return the cut of a game for those who ask at an own block how the other player came there.

    In unusual games the trunk would have to know how that one goes on in a piece; then there is no
    such cut.
    """
    used = [1, 1]
    above: list[tuple[int, int, int]] = []  # where subtrees end, players, and slots before them
    block, piece = 0, 0
    while block < len(arrays.player) and len(game_cut.first):
        while above and above[-1][0] <= block:
            _, player, before = above.pop()
            used[player] = before
        if piece < len(game_cut.first) and block == game_cut.first[piece]:
            block = int(game_cut.end[piece])
            piece += 1
            continue
        player = int(arrays.player[block])
        if player < 2:
            links = slice(int(pruning.first_link[block]), int(pruning.first_link[block + 1]))
            if pruning.link_slot[links].max(initial=0) >= used[1 - player]:
                return NO_PIECES
            above.append((int(arrays.subtree_end[block]), player, used[player]))
            used[player] = _end_of_slots(arrays, block)
        block += 1
    return game_cut
