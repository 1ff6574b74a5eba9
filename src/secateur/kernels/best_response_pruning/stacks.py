"""What walks of best-response pruning compute on the way, and what they keep where pieces begin."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.compilation.book import book
from secateur.kernels.core.pieces import Pieces

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]


@book
class LiveStacks(NamedTuple):
    """A workspace with more stacks; what is in them means nothing between walks."""

    reach: Float
    reached: Flags
    value: Float
    stack: Int
    ends: Int  # of subtrees of open blocks, in the list of what is alive
    lane_reach: Float
    flow: Float  # strategy sums of the opponent
    mark: Flags  # own slots that are alive
    alive: Flags  # own rows in which something is

    @staticmethod
    def of(game: CompiledGame) -> LiveStacks:
        """Allocate what a game needs."""
        slots, rows, depth = game.stack
        return LiveStacks(
            reach=np.zeros(slots),
            reached=np.zeros(rows, np.bool_),
            value=np.zeros(slots),
            stack=np.zeros(depth, np.int32),
            ends=np.zeros(depth, np.int32),
            lane_reach=np.zeros(slots),
            flow=np.zeros(slots),
            mark=np.zeros(slots, np.bool_),
            alive=np.zeros(rows, np.bool_),
        )


@book
class LivePieces(NamedTuple):
    """Of each piece of a game, what is kept where it begins, and what a sweep tells of it."""

    first: Long  # a place in the list of what is alive
    end: Long
    expirations: Long
    updates: Long
    nodes: Float
    flow: Float
    mark: Flags
    alive: Flags

    @staticmethod
    def of(pieces: Pieces) -> LivePieces:
        """Allocate what some pieces need."""
        count = len(pieces.first)
        return LivePieces(
            first=np.zeros(count, np.int64),
            end=np.zeros(count, np.int64),
            expirations=np.zeros(count, np.int64),
            updates=np.zeros(count, np.int64),
            nodes=np.zeros(count),
            flow=np.zeros(count * pieces.slots_kept),
            mark=np.zeros(count * pieces.slots_kept, np.bool_),
            alive=np.zeros(count * pieces.rows_kept, np.bool_),
        )
