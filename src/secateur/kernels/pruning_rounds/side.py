"""One player's side of a game in sequence form, hand by hand.

Information sets of a player stand in an order in which those that follow each other through own
actions stand together, so that what lies behind one ends at a place that is known. Sequences are
numbered in this order; 0 is the empty one. Each sequence has a *row*: what its player earns with it
against each sequence of the other. Each information set has a row, too: with which probability of
chance each sequence of the other leads there. The game of a round has the same form; there,
information sets with one living action are *contracted*: the sequence before them takes over the
row of their only action.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.parts import U

Int = npt.NDArray[np.int32]
Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.int8]
Code = npt.NDArray[np.uint16]


@book
class Side(NamedTuple):
    """Information sets and sequences of a player."""

    first: Int  # per information set: its first sequence; one more than there are
    parent: Int  # the own sequence before it
    end: Int  # behind the last information set that follows it
    pointer: Int  # per sequence and, behind these, information set: where its row begins; one more
    other: Int  # per entry: a sequence of the other player
    code: Code  # which of these numbers it is
    worth: Float  # what can be earned, and probabilities of chance


@book
class Kept(NamedTuple):
    """What is kept of a player's run over the whole game."""

    alive: Flags  # per sequence: not cut, and behind nothing that is cut
    regret: Float
    claim: Float  # regrets with what is predicted; the same array if nothing is
    total: Float  # strategy sums when the round began
    grown: Float  # what they have grown by since
    value_sum: Float  # per information set: what it had earned when the round began
    earned: Float  # the same since, where there is something to choose
    seen: Int  # the iteration of the last update
    barred: Flags  # per sequence: not to be cut, after a round in which it should not have been


@book
class Before(NamedTuple):
    """What a player's run was like when the round began, before anything was decided for it."""

    alive: Flags
    regret: Float
    total: Float
    value_sum: Float


@book
class Links(NamedTuple):
    """Where sequences and information sets of a player are in the game of a round."""

    place: Int  # per sequence: that of the round whose row has its own; -1 if none has
    number: Int  # per information set; -1 if there is nothing to choose


@part
def against(side, row, plan):
    """Return what a row comes to while the other player plays a plan."""
    found = 0.0
    for e in range(int(side.pointer[U(row)]), int(side.pointer[U(row + 1)])):
        found += side.worth[U(side.code[U(e)])] * plan[U(side.other[U(e)])]
    return found


@kernel
def face(side, plan, value):
    """Write what each sequence earns against a plan, and how often information sets are reached."""
    for row in range(len(value)):
        value[U(row)] = against(side, row, plan)
