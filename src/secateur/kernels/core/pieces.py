"""A walk in pieces, which several threads may take from one heap.

Large games are cut into a trunk and pieces (:mod:`secateur.compiled.cut`). A sweep then goes

1. *down* the trunk, without changing anything, to where pieces begin, and keeps the stacks there;
2. over the *pieces*, in any order and each on stacks of its own, which begin with what was kept;
   what they are worth to the sequences above is kept, too;
3. *up*: over the trunk as if nothing were cut, but at a piece it adds what was kept.

The sums are the same in whatever order pieces are taken, and by whom. The walk over the trunk and
that over a piece are the same machine code; a game that is not cut is all trunk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.cut import Cut
from secateur.kernels.compilation.atomic import next_number
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.parts import U
from secateur.kernels.core.walk import SKIP, begin, nothing_at, visitor, walk_blocks

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
    taken: Long  # one number: of pieces
    passed: Long  # one number: of pieces that the walk over the trunk has come to

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
            taken=np.zeros(1, np.int64),
            passed=np.zeros(1, np.int64),
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


BOTH = Turn(0, 1)
"""One sweep for each player."""

AT_ONCE = 1 << 12
"""Blocks that a thread takes where each can be seen to by itself."""


@part
def next_blocks(pieces):
    """Return the first of some blocks that nobody has taken yet."""
    return AT_ONCE * next_number(pieces.taken)


@part
def in_pieces(g, me, inner, glance, weight, pieces, turn, w):
    """Sweep over a game, or do the part whose turn it is; return the tally when it is up.

    ``glance`` is a visitor that puts on the stack of reach what ``inner`` will, and changes nothing
    that lasts. ``weight`` is that of the opponent's empty sequence.
    """
    if turn.down and len(pieces.first) > 0:
        _go_down(g, me, glance, weight, pieces, w)
    if turn.pieces:
        place = next_number(pieces.taken)
        while place < len(pieces.first):
            piece = pieces.order[U(place)]
            if pieces.visited[U(piece)]:
                take_down(me, pieces, piece, w)
                inner.take(inner, me, pieces, piece, w)
                first, end = pieces.first[U(piece)], pieces.end[U(piece)]
                pieces.tally[U(piece)] = _walk(g, me, inner, pieces, first, end, False, w)
                keep_up(me, pieces, piece, w)
            place = next_number(pieces.taken)
    if not turn.up:
        return 0.0
    begin(w, weight)
    pieces.passed[0] = 0
    pieces.taken[0] = 0  # for what comes next
    return _walk(g, me, inner, pieces, 0, len(g.player), True, w)


@stage
def _walk(g, me, inner, pieces, first, end, trunk, w):
    """Walk over a piece, or over the trunk."""
    return walk_blocks(g, me, _Joining(inner, pieces, trunk), 0.0, w, first, end)


@part
def _go_down(g, me, glance, weight, pieces, w):
    """Walk to where pieces begin and keep the stack of reach there."""
    begin(w, weight)
    for piece in range(len(pieces.first)):
        pieces.visited[U(piece)] = False
    pieces.taken[0] = 0
    pieces.passed[0] = 0
    walk_blocks(g, me, _Descending(glance, pieces), 0.0, w, 0, len(g.player))


@part
def piece_at(pieces, block):
    """Return the piece that a block is in, or the next; they are asked for in order."""
    piece = pieces.passed[0]
    while piece < len(pieces.first) and pieces.end[U(piece)] <= block:
        piece += 1
    pieces.passed[0] = piece
    return piece


@part
def is_in(pieces, piece, block):
    """Return whether a block is in a piece."""
    return piece < len(pieces.first) and pieces.first[U(piece)] <= block


@part
def _choose_down(visit, tally, g, me, block, depth, w):
    """Leave pieces out, but keep the stacks where they begin."""
    pieces = visit.pieces
    piece = piece_at(pieces, block)
    if is_in(pieces, piece, block):
        if pieces.first[U(piece)] == block:
            keep_down(me, pieces, piece, w)
            visit.inner.keep(visit.inner, me, pieces, piece, w)
        return SKIP, tally
    return visit.inner.choose(visit.inner, tally, g, me, block, depth, w)


@part
def _choose_up(visit, tally, g, me, block, depth, w):
    """On the way over the trunk leave pieces out, but add what they are worth."""
    pieces = visit.pieces
    if visit.trunk:
        piece = piece_at(pieces, block)
        if is_in(pieces, piece, block):
            if pieces.first[U(piece)] == block:
                tally += take_up(me, pieces, piece, w)
            return SKIP, tally
    return visit.inner.choose(visit.inner, tally, g, me, block, depth, w)


@part
def _open(visit, tally, g, me, block, w):
    """Do what is done in one piece."""
    return visit.inner.open(visit.inner, tally, g, me, block, w)


@part
def _face(visit, tally, g, me, block, w):
    """Do what is done in one piece."""
    return visit.inner.face(visit.inner, tally, g, me, block, w)


@part
def _ends(visit, tally, g, me, block, w):
    """Do what is done in one piece."""
    return visit.inner.ends(visit.inner, tally, g, me, block, w)


@part
def _leave(visit, tally, g, me, block, w):
    """Do what is done in one piece."""
    return visit.inner.leave(visit.inner, tally, g, me, block, w)


@visitor(choose=_choose_up, open=_open, face=_face, ends=_ends, leave=_leave)
class _Joining(NamedTuple):
    """A walk over a piece, or over the trunk that joins them."""

    inner: Any
    pieces: Pieces
    trunk: bool


@visitor(choose=_choose_down, open=_open, face=_face, ends=nothing_at, leave=nothing_at)
class _Descending(NamedTuple):
    """A walk to where pieces begin."""

    inner: Any
    pieces: Pieces


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
