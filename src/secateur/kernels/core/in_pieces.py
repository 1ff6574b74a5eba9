"""A sweep in pieces, which several threads may take from one heap.

It goes

1. *down* the trunk, without changing anything, to where pieces begin, and keeps the stacks there;
2. over the *pieces*, in any order and each on stacks of its own, which begin with what was kept;
   what they are worth to the sequences above is kept, too;
3. *up*: over the trunk as if nothing were cut, but at a piece it adds what was kept.

The sums are the same in whatever order pieces are taken, and by whom. A game that is not cut is all
trunk.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.heap import note_done
from secateur.kernels.core.parts import U
from secateur.kernels.core.pieces import (
    DONE,
    DOWN,
    UP,
    WITHIN,
    begin_pieces,
    begin_trunk,
    first_kind,
    keep_up,
    next_kind,
    next_piece,
    take_down,
)
from secateur.kernels.core.walk import begin, walk_blocks


@part
def in_pieces(g, me, inner, glance, weight, pieces, turn, number, w):
    """Sweep over a game, or do the part whose turn it is; return the tally when it is up.

    ``glance`` is a visitor of the same class that puts on the stack of reach what ``inner`` will,
    and changes nothing that lasts. ``weight`` is that of the opponent's empty sequence. ``number``
    tells the sweep from others of the same call, and is higher than theirs that came before.
    """
    tally = inner.start(inner, me, w)
    kind = first_kind(turn, pieces)
    if kind == WITHIN:
        begin_pieces(turn, pieces, number)
    while kind != DONE:
        # there is one walk for all kinds, because what is copied here is compiled each time
        piece = next_piece(turn, pieces, number) if kind == WITHIN else -1
        if piece == len(pieces.first):
            kind = UP if turn.up else DONE
            continue
        visit = glance if kind == DOWN else inner
        first, end = 0, len(g.player)
        if kind == WITHIN:
            take_down(me, pieces, piece, w)
            tally = inner.take(inner, me, pieces, piece, w)
            first, end = pieces.first[U(piece)], pieces.end[U(piece)]
        else:
            begin(w, weight)
            begin_trunk(pieces, kind)
            tally = inner.start(inner, me, w)
        tally = walk_blocks(g, me, visit, tally, w, first, end, pieces, kind)
        if kind == WITHIN:
            inner.note(inner, tally, g, me, pieces, piece, w)
            keep_up(me, pieces, piece, w)
            note_done(pieces.heap)
        else:
            kind = next_kind(turn, pieces, kind)
            if kind == WITHIN:
                begin_pieces(turn, pieces, number)
    return tally
