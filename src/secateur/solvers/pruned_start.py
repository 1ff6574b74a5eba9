"""When a dense run begins to prune, and what it knows then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from secateur.kernels.best_response_pruning.foresight import blocks_alive, foresee
from secateur.kernels.best_response_pruning.value_sums import (
    recover_value_sums,
    values_of_averages,
)
from secateur.kernels.core.workspace import Workspace
from secateur.solvers.bounds import payoff_range

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFRState

Float = npt.NDArray[np.float64]

_MOST_ALIVE = 0.75
"""Pruning pays if at most that share of the blocks is left to visit."""


def value_sums(dense: CFRState, *, summed: bool) -> tuple[Float, int]:
    """Return what information sets have earned so far, and how many histories were touched.

    Regrets that are sums tell. Else it is what average strategies earn against each other.
    """
    game, total, weight = dense.game, dense.strategy_sum, dense.weight
    sums, workspace = np.zeros(game.size.information_sets), Workspace.of(game)
    if summed:
        for player in range(2):
            recover_value_sums(game.arrays, player, dense.regret, total, weight, sums, workspace)
        return sums, 0
    touched = sum(game.root_histories)
    for player in range(2):
        touched += values_of_averages(game.arrays, player, total, weight, sums, workspace)
    return sums, touched


def pruning_pays(dense: CFRState, minimum_skip: float, *, summed: bool) -> tuple[bool, int]:
    """Return whether pruning would save time now, and how many histories were touched.

    Sweeps visit a block as long as both players may come there, whatever their information: only
    where one of them cannot, time is saved.
    """
    game = dense.game
    assert game.pruning is not None
    slots, rows, _ = game.stack
    sums, touched = value_sums(dense, summed=summed)
    now = np.array([dense.earlier + dense.iteration], np.float64)
    last = float(dense.solver.averaging.weights(now)[0])
    loses = np.zeros(game.cells, np.bool_)
    workspace, room = Workspace.of(game), np.zeros(slots)
    for player in range(2):
        touched += foresee(
            game.arrays,
            game.pruning,
            player,
            dense.regret,
            dense.strategy_sum,
            sums,
            last,
            dense.weight,
            payoff_range(game.pruning),
            minimum_skip,
            loses,
            workspace,
            room,
        )
    marks, alive = (tuple(np.zeros(size, np.bool_) for _ in range(2)) for size in (slots, rows))
    left = blocks_alive(game.arrays, loses, marks, alive)
    most = _MOST_ALIVE * len(game.arrays.player)
    return bool(left <= most), touched + sum(game.root_histories)
