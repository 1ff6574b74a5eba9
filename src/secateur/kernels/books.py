"""The books of a run that prunes: what is kept per cell, information set, row and block."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Float = npt.NDArray[np.float64]
Flag = npt.NDArray[np.uint8]
Int = npt.NDArray[np.int32]


class Books(NamedTuple):
    """Arrays that pruning kernels read and write."""

    # per cell
    regret: Float  # of a pruned action: the bound on its best-response value minus value_sum
    plain: Float  # regret that was never floored; the same array as regret for regret matching
    strategy: Float
    chosen: Float  # the next strategy; the same array as strategy for alternating updates
    total: Float  # weighted sum of realization plans
    pruned: Flag  # ALIVE, PRUNED, or UNDER_REVIEW while its branch is evaluated
    upper: Float  # the most that can be won after the action

    # per information set
    value_sum: Float  # weighted sum of counterfactual values
    active: Flag  # not below a pruned action
    lower: Float  # the least that can be won

    # per row of the whole game: lanes that are active and not pruned
    alive: Int
    # per block: pruned actions of active lanes
    pruned_count: Int
