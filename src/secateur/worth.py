"""What the actions of a strategy are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.core.action_values import counterfactual_values
from secateur.kernels.core.workspace import Workspace

Float = npt.NDArray[np.float64]


class ActionValues(NamedTuple):
    """What actions are worth, in arrays with one number per sequence of the compiled game.

    ``values.value[infoset.cells]`` are those of an information set, in the order of its actions.
    """

    value: Float
    """What the player who moves wins on average from here if it plays the action and follows the
    strategy afterwards, given that the information set is reached; NaN where chance and the
    opponent never come there."""

    loss: Float
    """How much less that is than the best action's: the regret of playing it. 0 for the best."""

    reach: Float
    """Probability that chance and the opponent play so that the information set is reached, if its
    player wants to get there; the same for all actions."""


def values_of(game: CompiledGame, plan: Float, probabilities: Float) -> ActionValues:
    """Return what every action is worth; see :func:`secateur.metrics.action_values`."""
    if game.pruning is None:
        raise ParameterError(
            f"action_values on {game}: it was compiled without the probabilities of chance; "
            "use compile(game, pruning=True)."
        )
    weighted, reach = np.zeros(game.cells), np.zeros(game.cells)
    lane_reach = np.zeros(game.stack.slots)
    for player in range(2):
        counterfactual_values(
            game.arrays,
            game.pruning,
            player,
            plan,
            probabilities,
            weighted,
            reach,
            lane_reach,
            Workspace.of(game),
        )
    value = np.full(game.cells, np.nan)
    np.divide(weighted, reach, out=value, where=reach > 0.0)
    return ActionValues(value, _best_of_each(game, value) - value, reach)


def _best_of_each(game: CompiledGame, numbers: Float) -> Float:
    """Return for each sequence the largest number at its information set."""
    best = np.empty_like(numbers)
    for cells in blocks_alike(game):
        best[cells] = numbers[cells].max(axis=1, keepdims=True)
    return best


def blocks_alike(game: CompiledGame) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the cells of blocks of one shape: by block, action and lane."""
    a = game.arrays
    shape = a.actions[1:].astype(np.int64) << 32 | a.lanes[1:]
    for each in np.unique(shape).tolist():
        actions, lanes = each >> 32, each & ((1 << 32) - 1)
        first = a.first_cell[1:][shape == each].astype(np.int64)
        cells = first[:, None] + np.arange(actions * lanes)
        yield cells.reshape(len(first), actions, lanes)
