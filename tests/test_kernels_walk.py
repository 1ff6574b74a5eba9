"""The walk that dense kernels share: where it comes, in which order, and what it leaves out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import secateur
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.walk import (
    ENDS,
    EVERYTHING,
    FACED,
    NOTHING,
    OWN,
    SKIP,
    begin,
    visitor,
    walk,
)
from secateur.kernels.core.workspace import Workspace

OPENED, FACING, ENDED, LEFT = range(4)


@part
def _note(visit, count, block, what):
    visit.blocks[count] = block
    visit.events[count] = what
    return count + 1


@part
def _choose(visit, count, _g, _me, block, _depth, _w):
    return visit.wanted[block], count


@part
def _open(visit, count, _g, _me, block, _w):
    return _note(visit, count, block, OPENED)


@part
def _face(visit, count, _g, _me, block, _w):
    return _note(visit, count, block, FACING)


@part
def _ends(visit, count, _g, _me, block, _w):
    return _note(visit, count, block, ENDED)


@part
def _leave(visit, count, _g, _me, block, _w):
    return _note(visit, count, block, LEFT)


@visitor(choose=_choose, open=_open, face=_face, ends=_ends, leave=_leave)
class Diary(NamedTuple):
    """Writes down where the walk comes."""

    wanted: np.ndarray  # per block, what to do with it
    blocks: np.ndarray
    events: np.ndarray


@kernel
def keep_diary(g, me, wanted, blocks, events, w):
    """Walk; return how much was written."""
    begin(w, 1.0)
    return walk(g, me, Diary(wanted, blocks, events), 0, w)


def diary(game, me, wanted):
    """Return what was written, as pairs of a block and an event."""
    room = 4 * len(game.arrays.player)
    blocks, events = np.zeros(room, np.int64), np.zeros(room, np.int64)
    count = keep_diary(game.arrays, me, wanted, blocks, events, Workspace.of(game))
    return list(zip(blocks[:count].tolist(), events[:count].tolist(), strict=True))


def expected(game, me, wanted):
    """Return the same, from a recursion over the tree."""
    g = game.arrays
    found = []

    def visit(begin, end):
        block = begin
        while block < end:
            after = int(g.subtree_end[block])
            what = wanted[block]
            if what != SKIP:
                own = g.player[block] == me and what & OWN
                if own:
                    found.append((block, OPENED))
                elif g.player[block] == 1 - me and what & FACED:
                    found.append((block, FACING))
                if what & ENDS:
                    found.append((block, ENDED))
                visit(block + 1, after)
                if own:
                    found.append((block, LEFT))
            block = after

    visit(0, len(g.player))
    return found


@pytest.fixture(scope="module", params=["kuhn", "leduc", "goofspiel"])
def game(request):
    return secateur.compile(secateur.load(request.param))


@pytest.mark.parametrize("me", [0, 1])
def test_everything_is_visited_once_and_left_when_all_behind_it_is_done(game, me):
    everything = np.full(len(game.arrays.player), EVERYTHING)
    found = diary(game, me, everything)
    assert found == expected(game, me, everything)
    owners = game.arrays.player
    assert sum(event == LEFT for _, event in found) == (owners == me).sum()
    assert sum(event == FACING for _, event in found) == (owners == 1 - me).sum()


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("seed", range(5))
def test_blocks_and_subtrees_are_left_out_as_the_visitor_says(game, me, seed):
    chance = np.random.default_rng(seed)
    choices = [SKIP, NOTHING, OWN, FACED, ENDS, OWN + FACED, *[EVERYTHING] * 6]
    wanted = chance.choice(choices, len(game.arrays.player))
    wanted[0] = EVERYTHING
    wanted[-1] = SKIP
    found = diary(game, me, wanted)
    assert found == expected(game, me, wanted)
    assert found


class Journey(NamedTuple):
    """No visitor, though its fields are called like parts."""

    open: np.ndarray
    ends: float


@kernel
def read_journey(numbers, end):
    """Return something of both fields."""
    journey = Journey(numbers, end)
    return journey.open[1] + journey.ends


def test_fields_of_other_tuples_may_be_called_like_parts():
    assert read_journey(np.arange(3.0), 0.5) == 1.5


def test_visitors_without_a_part_are_refused_when_they_are_made():
    with pytest.raises(AssertionError, match="are not all parts of a visitor"):
        visitor(choose=_choose)
    with pytest.raises(AssertionError, match="are not all parts of a visitor"):
        visitor(leave=_leave, enter=_open)
