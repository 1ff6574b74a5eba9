"""Pieces of a large game, and what trunk and pieces tell each other.

Large games are cut into a trunk and pieces (:mod:`secateur.compiled.cut`), which are swept one
after the other, or by several threads (:mod:`secateur.kernels.core.in_pieces`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.cut import Cut
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.heap import await_done, await_heap, new_heap, note_done, open_heap, take
from secateur.kernels.core.parts import U

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Long = npt.NDArray[np.int64]


@book
class Pieces(NamedTuple):
    """Where a game is cut, and what trunk and pieces tell each other."""

    first: Long
    end: Long
    slots: Long  # [2 * piece + player]: of the trunk, where a piece begins
    rows: Long
    order: Long
    slots_kept: int  # from one piece's numbers to the next one's
    rows_kept: int
    reach: Float  # of the opponent, at the trunk's slots
    reached: Flags
    value: Float  # of the player, at the trunk's slots
    visited: Flags  # of each piece, whether anybody comes there
    tally: Float
    heap: Long  # of what threads take: pieces, or blocks that can be seen to one by one

    @staticmethod
    def of(cut: Cut) -> Pieces:
        """Return the pieces of a game, and room."""
        count = len(cut.first)
        slots, rows = int(cut.slots.max(initial=0)), int(cut.rows.max(initial=0))
        return Pieces(
            *cut[:4],
            order=cut.order,
            slots_kept=slots,
            rows_kept=rows,
            reach=np.zeros(count * slots),
            reached=np.zeros(count * rows, np.bool_),
            value=np.zeros(count * slots),
            visited=np.zeros(count, np.bool_),
            tally=np.zeros(count),
            heap=new_heap(),
        )


class Turn(NamedTuple):
    """What a kernel is asked to do of some iterations."""

    row: int
    last_row: int  # the one after the last
    player: int = 0
    last_player: int = 2
    down: bool = True
    pieces: bool = True
    up: bool = True
    settle: bool = False
    """Whether blocks make up at last for what they have missed."""

    helps: bool = False
    """Whether it only takes part in what another thread opens."""

    def for_helpers(self) -> Turn:
        """Return what helpers are asked to do meanwhile."""
        return self._replace(down=False, up=False, helps=True)


BOTH = Turn(0, 1)
"""One sweep for each player."""

DOWN, WITHIN, UP, DONE = range(4)
"""What is walked over: the trunk before its pieces, a piece, the trunk after them, or nothing."""

AT_ONCE = 1 << 12
"""Blocks that a thread takes where each can be seen to by itself."""


@part
def number_of(row, player):
    """Return the number of a sweep, by which threads tell it from others; it grows."""
    return 2 * row + player + 1


@stage
def begin_blocks(g, turn, pieces):
    """Begin to share out blocks after the last row; return how many shares there are."""
    number = number_of(turn.last_row, 0)
    if turn.helps:
        await_heap(pieces.heap, number)
    else:
        open_heap(pieces.heap, number)
    return (len(g.player) + AT_ONCE - 1) // AT_ONCE


@stage
def next_blocks(turn, pieces, shares):
    """Return the first of some blocks that nobody has taken yet, or -1."""
    share = take(pieces.heap, number_of(turn.last_row, 0), shares)
    return AT_ONCE * share if share < shares else -1


@stage
def end_blocks(turn, pieces, shares):
    """Wait until all blocks have been seen to."""
    if not turn.helps:
        await_done(pieces.heap, shares)


@part
def first_kind(turn, pieces):
    """Return what is walked over first."""
    if turn.down and len(pieces.first) > 0:
        return DOWN
    return next_kind(turn, pieces, DOWN)


@part
def next_kind(turn, pieces, kind):
    """Return what is walked over after a walk over the trunk."""
    if kind == UP:
        return DONE
    if turn.pieces and len(pieces.first) > 0:
        return WITHIN
    return UP if turn.up else DONE


@stage
def begin_pieces(turn, pieces, number):
    """Open the pieces of a sweep, or wait until they are."""
    if turn.helps:
        await_heap(pieces.heap, number)
    else:
        open_heap(pieces.heap, number)


@stage
def next_piece(turn, pieces, number):
    """Take a piece that somebody comes to; return how many there are if none is left.

    Who has opened them waits until all are done then.
    """
    count = len(pieces.first)
    while True:
        place = take(pieces.heap, number, count)
        if place == count:
            break
        piece = pieces.order[U(place)]
        if pieces.visited[U(piece)]:
            return piece
        note_done(pieces.heap)
    if not turn.helps:
        await_done(pieces.heap, count)
    return count


@stage
def begin_trunk(pieces, kind):
    """Begin a walk over the trunk, down or up."""
    if kind == DOWN:
        for piece in range(len(pieces.first)):
            pieces.visited[U(piece)] = False


@part
def piece_at(pieces, piece, block):
    """Return the piece that a block is in, or the next, from another piece on."""
    while piece < len(pieces.first) and pieces.end[U(piece)] <= block:
        piece += 1
    return piece


@part
def next_stop(pieces, piece, end):
    """Return the block where a piece begins; the ``end`` if it is none."""
    return pieces.first[U(piece)] if piece < len(pieces.first) else end


@part
def is_in(pieces, piece, block):
    """Return whether a block is in a piece."""
    return piece < len(pieces.first) and pieces.first[U(piece)] <= block


@stage
def keep_slots(kept, pieces, piece, player, stack):
    """Keep what stands at a player's slots above a piece."""
    first = piece * pieces.slots_kept
    for slot in range(pieces.slots[U(2 * piece + player)]):
        kept[U(first + slot)] = stack[U(slot)]


@stage
def take_slots(kept, pieces, piece, player, stack):
    """Take back what was kept of a player's slots."""
    first = piece * pieces.slots_kept
    for slot in range(pieces.slots[U(2 * piece + player)]):
        stack[U(slot)] = kept[U(first + slot)]


@stage
def keep_rows(kept, pieces, piece, player, stack):
    """Keep what stands at a player's rows above a piece."""
    first = piece * pieces.rows_kept
    for row in range(pieces.rows[U(2 * piece + player)]):
        kept[U(first + row)] = stack[U(row)]


@stage
def take_rows(kept, pieces, piece, player, stack):
    """Take back what was kept of a player's rows."""
    first = piece * pieces.rows_kept
    for row in range(pieces.rows[U(2 * piece + player)]):
        stack[U(row)] = kept[U(first + row)]


@part
def keep_down(me, pieces, piece, w):
    """Keep the opponent's reach where a piece begins, which somebody comes to."""
    pieces.visited[U(piece)] = True
    keep_slots(pieces.reach, pieces, piece, 1 - me, w.reach)
    keep_rows(pieces.reached, pieces, piece, 1 - me, w.reached)


@part
def take_down(me, pieces, piece, w):
    """Begin a piece with the reach that was kept, and with values of zero."""
    take_slots(pieces.reach, pieces, piece, 1 - me, w.reach)
    take_rows(pieces.reached, pieces, piece, 1 - me, w.reached)
    for slot in range(pieces.slots[U(2 * piece + me)]):
        w.value[U(slot)] = 0.0


@part
def keep_up(me, pieces, piece, w):
    """Keep what a piece is worth to the sequences above it."""
    keep_slots(pieces.value, pieces, piece, me, w.value)


@stage
def take_up(me, pieces, piece, w):
    """Add what a piece is worth to the sequences above it; return its tally."""
    if not pieces.visited[U(piece)]:
        return 0.0
    first = piece * pieces.slots_kept
    for slot in range(pieces.slots[U(2 * piece + me)]):
        w.value[U(slot)] += pieces.value[U(first + slot)]
    return pieces.tally[U(piece)]
