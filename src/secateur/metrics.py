r"""How good a strategy is: functions of a game and a strategy, apart from any solver.

Exploitability is half of NashConv, the sum of what both players could gain by a best response:

.. math:: \text{NashConv}(\sigma) = \max_{\sigma_0'} u_0(\sigma_0', \sigma_1)
    + \max_{\sigma_1'} u_1(\sigma_0, \sigma_1')
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels import evaluate
from secateur.kernels.workspace import Workspace
from secateur.strategy import Strategy

Float = npt.NDArray[np.float64]

_KEEP_NOTHING = np.zeros(0)


def nash_conv(game: CompiledGame, strategy: Strategy) -> float:
    """Return what both players together could gain by best responses; zero at an equilibrium."""
    return nash_conv_of_plan(game, strategy.plan)


def exploitability(game: CompiledGame, strategy: Strategy) -> float:
    """Return half of :func:`nash_conv`: what a player loses on average to a best response."""
    return 0.5 * nash_conv(game, strategy)


def expected_value(game: CompiledGame, strategy: Strategy) -> float:
    """Return what player 0 wins on average when both follow the strategy."""
    here, there = Workspace.of(game), Workspace.of(game)
    return float(evaluate.expected_value(game.arrays, strategy.plan, here, there))


def best_response_value(game: CompiledGame, strategy: Strategy, player: int) -> float:
    """Return the most that ``player`` can win against the other's strategy."""
    return _best_response_value(game, strategy, player, _KEEP_NOTHING)


def best_response(game: CompiledGame, strategy: Strategy, player: int) -> Strategy:
    """Return the strategy with ``player``'s part replaced by a (counterfactual) best response.

    It plays a best action at every information set, also at those that it does not reach itself;
    among equals the first.
    """
    values = counterfactual_best_response_values(game, strategy, player)
    probabilities = strategy.probabilities.copy()
    for infoset in game.information_sets():
        if infoset.player == player:
            best = np.argmax(values[infoset.cells])
            probabilities[infoset.cells] = np.arange(len(infoset.actions)) == best
    return Strategy(game, probabilities)


def counterfactual_best_response_values(
    game: CompiledGame, strategy: Strategy, player: int
) -> Float:
    """Return for each sequence of ``player`` the counterfactual value of a best response after it.

    Values are weighted by the probability that chance and the opponent reach the information set,
    and zero at the opponent's sequences.
    """
    values = np.zeros(game.cells)
    _best_response_value(game, strategy, player, values)
    return values


def nash_conv_of_plan(
    game: CompiledGame,
    plan: npt.NDArray[Any],
    scale: float = 1.0,
    workspace: Workspace | None = None,
) -> float:
    """Return NashConv of ``scale`` times a realization plan (a sum of strategies, say)."""
    workspace = workspace or Workspace.of(game)
    return float(evaluate.nash_conv(game.arrays, plan, scale, _KEEP_NOTHING, workspace))


def _best_response_value(game: CompiledGame, strategy: Strategy, player: int, kept: Float) -> float:
    workspace = Workspace.of(game)
    return float(
        evaluate.best_response_value(game.arrays, player, strategy.plan, 1.0, kept, workspace)
    )
