"""Room for what a sweep computes on the way; its content means nothing between sweeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.compilation.book import book

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@book
class Workspace(NamedTuple):
    """One stack for what flows down, one for what flows up, and the open blocks."""

    reach: Float
    reached: Flags
    value: Float
    stack: npt.NDArray[np.int32]

    @staticmethod
    def of(game: CompiledGame) -> Workspace:
        """Allocate the workspace of a game."""
        return Workspace(
            reach=np.zeros(game.stack.slots),
            reached=np.zeros(game.stack.rows, np.bool_),
            value=np.zeros(game.stack.slots),
            stack=np.zeros(game.stack.blocks, np.int32),
        )
