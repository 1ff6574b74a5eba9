"""What fictitious play keeps, and the room that its sweeps need."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays, empty
from secateur.compiled.game import CompiledGame
from secateur.kernels.compilation.book import book
from secateur.kernels.core.workspace import Workspace

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Blocks = npt.NDArray[np.int32]

OPEN, PRUNED, EXPIRED = 0, 1, 2
"""Sequences are open, or pruned while their bounds hold; an expired bound is soon evaluated."""


@book
class FictitiousBooks(NamedTuple):
    """Numbers per cell."""

    worth: Float
    """The value of a best response after a sequence to all that was faced; a bound on it while the
    sequence is pruned. Behind pruned sequences it means nothing."""

    behavior: Float
    counts: Float
    """How often each sequence was played after the first iteration, whose strategy is uniform.
    Behind what the opponent has pruned they lag: see :func:`~.parts.settle`."""

    pruned: npt.NDArray[np.int8]


@book
class FictitiousRoom(NamedTuple):
    """A workspace, what pruning needs on the way, and lists of blocks."""

    reach: Float
    reached: Flags
    value: Float
    stack: Blocks
    up: Float
    lane_reach: Float
    played: Float  # per slot: counts of the opponent's sequences
    played_here: Float  # the same of own sequences
    uniform: Float  # per slot: what the first iteration adds to them
    alive: Flags  # per slot: own sequences behind which nothing is pruned
    alive_row: Flags
    mark: Flags  # per slot: own sequences that are evaluated
    marked: Flags  # the same per row
    touched: Blocks  # blocks in which actions are to be chosen again
    expired: Blocks  # blocks with bounds that no longer hold

    @staticmethod
    def of(game: CompiledGame) -> FictitiousRoom:
        """Allocate what a game needs."""
        slots, rows, blocks = game.stack.slots, game.stack.rows, len(game.arrays.player)
        return FictitiousRoom(
            *Workspace.of(game),
            up=np.zeros(slots),
            lane_reach=np.zeros(slots),
            played=np.zeros(slots),
            played_here=np.zeros(slots),
            uniform=np.zeros(slots),
            alive=np.ones(slots, np.bool_),
            alive_row=np.ones(rows, np.bool_),
            mark=np.zeros(slots, np.bool_),
            marked=np.zeros(rows, np.bool_),
            touched=np.zeros(blocks, np.int32),
            expired=np.zeros(blocks, np.int32),
        )


def bounds_of(game: CompiledGame) -> PruningArrays:
    """Return what pruning needs; empty arrays if the game was not compiled for it."""
    return empty(PruningArrays, narrow=game.narrow) if game.pruning is None else game.pruning
