"""The walk over the public tree that all dense sweeps are made of.

It serves one player, ``me``, and takes the blocks in preorder. What flows down, the opponent's
reach, and what flows up, values, live on two small stacks (see :mod:`secateur.compiled.arrays`). At
an own block values begin at zero; at the opponent's the reach is multiplied through its strategy;
at ends reach becomes values. When the walk leaves an own block, everything behind it has been seen:
its values are complete, and are folded into those of its parents.

What is done at each of these places is told by a :func:`visitor`. A *tally*, a number or a tuple of
some, goes from part to part, and is what the walk returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from secateur.kernels.compilation.decorator import part
from secateur.kernels.compilation.visitor import PARTS
from secateur.kernels.core.parts import U, add_leaves, clear_values, load_reach
from secateur.kernels.core.pieces import (
    DOWN,
    WITHIN,
    is_in,
    keep_down,
    next_stop,
    piece_at,
    take_up,
)

SKIP, NOTHING, OWN, FACED, ENDS = -1, 0, 1, 2, 4
"""What to do with a block: leave out all of its subtree, or nothing, or a sum of these: open it if
it is own, face it if it is the opponent's, and add its ends."""

EVERYTHING = OWN + FACED + ENDS


@part
def walk(g, me, visit, tally, w):
    """Walk over the tree of a game; return the tally.

    ``w`` is a workspace (:mod:`secateur.kernels.core.workspace`), or has the same arrays and more.
    """
    return walk_blocks(g, me, visit, tally, w, 0, len(g.player), None, WITHIN)


@part
def walk_blocks(g, me, visit, tally, w, first, end, pieces, kind):
    """Walk over some subtrees that begin at neighbors, all that is from a block on to another.

    Or over the trunk, which leaves pieces out: on the way down it keeps the stacks where they
    begin, and leaves no block; on the way up it adds what they are worth. ``pieces`` may be None.
    """
    stack = w.stack
    depth = 0
    block = first
    opened = 0 if kind == DOWN else 1
    piece, stop = 0, end
    if pieces is not None and kind != WITHIN:
        stop = next_stop(pieces, piece, end)
    while True:
        while True:
            while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
                depth -= 1
                tally = visit.leave(visit, tally, g, me, stack[U(depth)], w)
            if block >= stop:
                break
            what, tally = visit.choose(visit, tally, g, me, block, depth, w)
            if what == SKIP:
                block = g.subtree_end[U(block)]
                continue
            owner = g.player[U(block)]
            if owner == me and what & OWN:
                tally = visit.open(visit, tally, g, me, block, w)
                stack[U(depth)] = block
                depth += opened
            elif owner == 1 - me and what & FACED:
                tally = visit.face(visit, tally, g, me, block, w)
            if what & ENDS and kind != DOWN:
                tally = visit.ends(visit, tally, g, me, block, w)
            block += 1
        if block == end:
            return tally
        if pieces is not None:
            piece = piece_at(pieces, piece, block)
            if is_in(pieces, piece, block):
                if kind == DOWN:
                    keep_down(me, pieces, piece, w)
                    visit.keep(visit, tally, me, pieces, piece, w)
                else:
                    tally = visit.join(visit, tally, me, pieces, piece, w)
                block = pieces.end[U(piece)]
                piece += 1
            stop = next_stop(pieces, piece, end)


@part
def begin(w, weight):
    """Put the empty sequences on the stacks: the opponent's has a ``weight``."""
    w.reach[U(0)] = weight
    w.reached[U(0)] = True
    w.value[U(0)] = 0.0


@part
def choose_everything(_visit, tally, _g, _me, _block, _depth, _w):
    """Leave nothing out."""
    return EVERYTHING, tally


@part
def choose_reached(_visit, tally, g, me, block, _depth, w):
    """Leave out what the opponent does not reach."""
    return EVERYTHING if w.reached[U(g.gate[U(2 * block + 1 - me)])] else SKIP, tally


@part
def open_values(_visit, tally, g, _me, block, w):
    """Let values of an own block begin at zero."""
    clear_values(g, block, w.value)
    return tally


@part
def face_plan(visit, tally, g, _me, block, w):
    """Put ``scale`` times the opponent's ``plan`` on the stack of reach."""
    load_reach(g, block, visit.plan, visit.scale, w.reach, w.reached)
    return tally


@part
def add_ends(_visit, tally, g, me, block, w):
    """Add the values of ends that the opponent reaches."""
    add_leaves(g, me, block, w.reach, w.reached, None, w.value)
    return tally


@part
def nothing_at(_visit, tally, _g, _me, _block, _w):
    """Do nothing."""
    return tally


@part
def start_at_zero(_visit, _me, _w):
    """Begin the tally of the trunk at zero."""
    return 0.0


@part
def keep_nothing(_visit, _tally, _me, _pieces, _piece, _w):
    """Keep nothing for a piece."""


@part
def take_nothing(_visit, _me, _pieces, _piece, _w):
    """Begin the tally of a piece at zero."""
    return 0.0


@part
def note_tally(_visit, tally, _g, _me, pieces, piece, _w):
    """Note the tally of a piece."""
    pieces.tally[U(piece)] = tally


@part
def join_tally(_visit, tally, me, pieces, piece, w):
    """Add what a piece is worth, and its tally."""
    return tally + take_up(me, pieces, piece, w)


def visitor(**parts: Callable[..., Any]) -> Callable[[Any], Any]:
    """Make a class of named tuples one of visitors.

    All of the first parts are given the visitor, the tally, the game, the player, a block and a
    workspace, and return the tally as it is then:

    ``choose(visit, tally, g, me, block, depth, w)``
        When the walk comes to a block, with ``depth`` own ones open. Also returns, first, what to
        do with it. By default what the opponent does not reach is left out.
    ``open(visit, tally, g, me, block, w)``
        At an own block. By default its values become zero.
    ``face(visit, tally, g, me, block, w)``
        At a block of the opponent. By default ``scale`` times its ``plan`` goes to the stack.
    ``ends(visit, tally, g, me, block, w)``
        For the ends of the game at a block. By default their values are added.
    ``leave(visit, tally, g, me, block, w)``
        When all behind an own block is done.

    The others are for walks in pieces (:mod:`secateur.kernels.core.in_pieces`):

    ``start(visit, me, w)``
        Where the trunk begins: returns the first tally, by default zero.
    ``keep(visit, tally, me, pieces, piece, w)``, ``take(visit, me, pieces, piece, w)``
        Where a piece begins: keeps what flows down besides reach, and takes it from there, perhaps
        in another thread; that returns the first tally of the piece. By default nothing flows, and
        it is zero.
    ``note(visit, tally, g, me, pieces, piece, w)``, ``join(visit, tally, me, pieces, piece, w)``
        Where a piece ends: notes what it has come to, by default its tally; and adds that, with
        what the piece is worth (``take_up``), where the walk over the trunk comes to it again.
    """
    chosen = {
        "choose": choose_reached,
        "open": open_values,
        "face": face_plan,
        "ends": add_ends,
        "start": start_at_zero,
        "keep": keep_nothing,
        "take": take_nothing,
        "note": note_tally,
        "join": join_tally,
    } | parts
    assert sorted(chosen) == sorted(PARTS), f"{sorted(chosen)} are not all parts of a visitor"

    def dress(origin: Any) -> Any:
        for name, each in chosen.items():
            setattr(origin, name, staticmethod(each))
        return origin

    return dress
