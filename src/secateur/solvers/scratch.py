"""Room for what pruning kernels compute on the way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.best_response_pruning.loose import Loose
from secateur.solvers.stores import most_slots

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Int = npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Its content means nothing between calls; pairs are for both players."""

    flows: tuple[Float, Float]
    alive: tuple[Flags, Flags]
    lane_reach: Float
    mark: tuple[Flags, Flags]
    marked: Flags
    stack: Int
    expired: Int
    back: Int
    loose: Loose

    @staticmethod
    def of(game: CompiledGame) -> Scratch:
        """Allocate the room that a game needs."""
        slots, rows, depth = game.stack
        blocks = len(game.arrays.player)
        return Scratch(
            flows=(np.zeros(slots), np.zeros(slots)),
            alive=(np.zeros(rows, np.bool_), np.zeros(rows, np.bool_)),
            lane_reach=np.zeros(slots),
            mark=(np.zeros(slots, np.bool_), np.zeros(slots, np.bool_)),
            marked=np.zeros(rows, np.bool_),
            stack=np.zeros(depth + 1, np.int32),
            expired=np.zeros(blocks, np.int32),
            back=np.zeros(blocks, np.int32),
            loose=Loose.of(
                int(game.arrays.lanes.max(initial=0)),
                most_slots(game),
            ),
        )
