"""What methods that follow gradients keep, and the room that their sweeps need."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import BranchArrays, empty
from secateur.compiled.game import CompiledGame
from secateur.kernels.compilation.book import book
from secateur.kernels.core.pieces import Pieces
from secateur.kernels.core.workspace import Workspace

Float = npt.NDArray[np.float64]


SPARE = 3
"""Numbers at the ends of books that kernels read, because they take four at a time."""

_ROW = 512
"""Numbers whose exponentials are taken together, unless a block has more."""


@book
class GradientBooks(NamedTuple):
    """Numbers per information set, per cell (twice), with a few to spare, and per player."""

    dilation: Float
    """Weights of the entropy of information sets."""

    gradient: Float
    """What each sequence earns against the opponent's plan."""

    behavior: Float
    """Probabilities of the response to it."""

    unmoved: Float
    """What each player earns against the opponent's plan where it does not get to move."""


class Mixture(NamedTuple):
    """A plan mixed with that of a behavior: what is faced, and where another such mixture goes."""

    behavior: Float
    keep: float
    share: float
    """How much of the plan, and of the behavior, is faced."""

    target: Float
    """May be the plan itself."""

    target_keep: float
    target_share: float


class Visits(NamedTuple):
    """What sweeps visit, and whether that is counted."""

    skip: bool
    """Whether to leave out what the opponent does not reach."""

    counted: bool
    roots: tuple[int, int]
    """Histories that are visited in any case, while player 0, player 1 does not move."""


@book
class GradientRoom(NamedTuple):
    """A workspace with stacks of what else flows up and down, and a row where blocks wait."""

    reach: Float
    reached: npt.NDArray[np.bool_]
    value: Float
    stack: npt.NDArray[np.int32]
    up: Float
    """What own information sets are worth to the sequences before them."""

    flow: Float
    """Reach of a behavior that is mixed with a plan."""

    row: Float
    """Scores of the actions of blocks that wait."""

    bests: Float
    """What the best actions of their information sets are worth."""

    means: Float
    """The mean scores of these, and then the logarithms of them."""

    waiting: npt.NDArray[np.int32]

    @staticmethod
    def of(game: CompiledGame) -> GradientRoom:
        """Allocate what a game needs."""
        slots = game.stack.slots
        row = max(slots, _ROW) + SPARE
        return GradientRoom(
            *Workspace.of(game),
            up=np.zeros(slots),
            flow=np.zeros(slots),
            row=np.zeros(row),
            bests=np.zeros(row),
            means=np.zeros(row),
            waiting=np.zeros(row, np.int32),
        )


@book
class GradientPieces(NamedTuple):
    """What sweeps over trunk and pieces tell each other, and what all threads are asked to do."""

    up: Float
    """What own information sets of a piece are worth to the sequences above it."""

    flow: Float
    unreached: npt.NDArray[np.int64]
    """Of each piece, where the subtree ends that nobody reaches and that it is in."""

    order: Float
    """An :class:`~secateur.kernels.gradients.orders.Order`, as numbers."""

    @staticmethod
    def of(pieces: Pieces) -> GradientPieces:
        """Allocate what some pieces need."""
        count = len(pieces.first)
        return GradientPieces(
            up=np.zeros(count * pieces.slots_kept),
            flow=np.zeros(count * pieces.slots_kept),
            unreached=np.zeros(count, np.int64),
            order=np.zeros(ORDER),
        )


ORDER = 15
"""Numbers of an order."""


class Desk(NamedTuple):
    """What threads share that work on the same sweeps; orders name plans and books by place."""

    plans: tuple[Float, Float]
    books: tuple[GradientBooks, GradientBooks]
    how: Visits
    pieces: Pieces
    there: GradientPieces


def branches_of(game: CompiledGame) -> BranchArrays:
    """Return what thresholds need; empty arrays if the game was not compiled for them."""
    return empty(BranchArrays, narrow=game.narrow) if game.branches is None else game.branches
