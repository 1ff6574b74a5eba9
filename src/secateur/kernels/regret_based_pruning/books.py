"""The books of a run with interval pruning: what is kept per cell, information set and row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Small
from secateur.kernels.compilation.book import book

Float = npt.NDArray[np.float64]
Flag = npt.NDArray[np.uint8]
Int = npt.NDArray[np.int32]


@book
class IntervalBooks(NamedTuple):
    """Arrays that the kernels of interval pruning read and write.

    Behind a pruned action nothing changes until it returns.
    """

    # per cell
    regret: Float  # of a pruned action: when it was pruned
    plain: Float  # sum of action values minus value_sum; for regret matching, the regret itself
    bound: Float  # of a pruned action: the most that its regret can be by now
    strategy: Float
    chosen: Float  # the next strategy; the same array as strategy for alternating updates
    total: Float  # weighted sum of realization plans
    faced: Float  # plain sum of them; the same array as total if iterations weigh alike
    pruned: Flag  # OPEN, PRUNED, or RETURNING while its branch is brought up to date
    upper: Small  # which payoff is the most that can be won after the action

    # per information set
    value_sum: Float  # sum of counterfactual values
    reach_sum: Float  # sum of the opponent's and chance's reach
    active: Flag  # not behind a pruned action
    lower: Small  # which payoff is the least that can be won
    square_sum: Float  # Hedge only: sum of squares of counterfactual values
    frozen_at: Int  # Hedge only: the iteration after which it was taken out of play

    payoffs: Float  # the game's table

    # per row of the whole game: lanes that are active and not pruned
    alive: Int


@book
class IntervalScratch(NamedTuple):
    """Room for what these kernels compute on the way."""

    lane_reach: Float  # per slot: reach of a block's lanes, at its first slots
    mark: npt.NDArray[np.bool_]  # per slot
    marked: npt.NDArray[np.bool_]  # per row of the stack
    returning: Int  # cells whose branches are to be brought up to date
    returning_block: Int  # the blocks of these cells
