r"""How good a strategy is: functions of a game and a strategy, apart from any solver.

Exploitability is half of NashConv, the sum of what both players could gain by a best response:

.. math:: \text{NashConv}(\sigma) = \max_{\sigma_0'} u_0(\sigma_0', \sigma_1)
    + \max_{\sigma_1'} u_1(\sigma_0, \sigma_1')
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.kernels.core import evaluate
from secateur.kernels.core.workspace import Workspace
from secateur.strategy import Strategy, checked_strategy
from secateur.worth import ActionValues, values_of

Float = npt.NDArray[np.float64]

_KEEP_NOTHING = np.zeros(0)


def nash_conv(game: CompiledGame, strategy: Strategy) -> float:
    """Return what both players together could gain by best responses; zero at an equilibrium."""
    _check("nash_conv", game, strategy)
    return _nash_conv(game, strategy.own_probabilities, None, Workspace.of(game))


def exploitability(game: CompiledGame, strategy: Strategy) -> float:
    """Return half of :func:`nash_conv`: what a player loses on average to a best response."""
    return 0.5 * nash_conv(game, strategy)


def expected_value(
    game: CompiledGame, strategy: Strategy, opponent: Strategy | None = None
) -> float:
    """Return what player 0 wins on average.

    Parameters
    ----------
    game : CompiledGame
        The game.
    strategy : Strategy
        What player 0 follows.
    opponent : Strategy
        What player 1 follows; the same strategy if not given.
    """
    _check("expected_value", game, strategy)
    behavior = strategy.own_probabilities
    if opponent is not None:
        checked_strategy("expected_value", opponent, game)
        behavior = np.where(game.cell_player == 0, behavior, opponent.own_probabilities)
    here, there = Workspace.of(game), Workspace.of(game)
    return float(evaluate.expected_value(game.arrays, behavior, here, there))


def best_response_value(game: CompiledGame, strategy: Strategy, player: int) -> float:
    """Return the most that ``player`` can win against the other's strategy."""
    player = _check("best_response_value", game, strategy, player)
    return _best_response_value(game, strategy, player, _KEEP_NOTHING)


def best_response(game: CompiledGame, strategy: Strategy, player: int) -> Strategy:
    """Return the strategy with ``player``'s part replaced by a (counterfactual) best response.

    It plays a best action at every information set, also at those that it does not reach itself;
    among equals the first.
    """
    player = _check("best_response", game, strategy, player)
    values = np.zeros(game.cells)
    _best_response_value(game, strategy, player, values)
    probabilities = strategy.own_probabilities.copy()
    for infoset in game.information_sets():
        if infoset.player == player:
            best = np.argmax(values[infoset.cells])
            probabilities[infoset.cells] = np.arange(len(infoset.actions)) == best
    return Strategy.trusted(game, probabilities)


def counterfactual_best_response_values(
    game: CompiledGame, strategy: Strategy, player: int
) -> Float:
    """Return for each sequence of ``player`` the counterfactual value of a best response after it.

    Values are weighted by the probability that chance and the opponent reach the information set,
    and zero at the opponent's sequences.
    """
    player = _check("counterfactual_best_response_values", game, strategy, player)
    values = np.zeros(game.cells)
    _best_response_value(game, strategy, player, values)
    return values


def action_values(game: CompiledGame, strategy: Strategy) -> ActionValues:
    """Return what every action of both players is worth, and what is lost by playing it.

    The game must be compiled with ``pruning=True``, because only then it knows how likely chance
    makes each information set.

    Raises
    ------
    ParameterError
        If the game was compiled without, or the strategy is of another game.
    """
    _check("action_values", game, strategy)
    return values_of(game, strategy.own_plan, strategy.own_probabilities)


def nash_conv_of_plan(
    game: CompiledGame,
    plan: npt.NDArray[Any],
    scale: float = 1.0,
    workspace: Workspace | None = None,
) -> float:
    """Return NashConv of ``scale`` times a realization plan (a sum of strategies, say)."""
    return _nash_conv(game, plan, scale, workspace or Workspace.of(game))


def nash_conv_of_sums(
    game: CompiledGame, sums: npt.NDArray[Any], workspace: Workspace | None = None
) -> float:
    """Return NashConv of the behavior of strategy sums, in which those of a block share a scale."""
    workspace = workspace or Workspace.of(game)
    return float(evaluate.nash_conv_of_sums(game.arrays, sums, _KEEP_NOTHING, workspace))


def _nash_conv(
    game: CompiledGame, faced: npt.NDArray[Any], scale: float | None, workspace: Workspace
) -> float:
    return float(evaluate.nash_conv(game.arrays, faced, scale, _KEEP_NOTHING, workspace))


def _check(asked: str, game: object, strategy: object, player: object = 0) -> int:
    """Check what all functions here are given; return the player."""
    checked_strategy(asked, strategy, checked_game(asked, game))
    return checks.player(f"{asked}(game, strategy, {checks.shown(player)})", player)


def _best_response_value(game: CompiledGame, strategy: Strategy, player: int, kept: Float) -> float:
    faced, workspace = strategy.own_probabilities, Workspace.of(game)
    return float(evaluate.best_response_value(game.arrays, player, faced, None, kept, workspace))
