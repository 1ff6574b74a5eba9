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
from secateur.kernels.core.pieces import BOTH, Turn
from secateur.kernels.core.workspace import Workspace
from secateur.strategy import Strategy, checked_strategy
from secateur.sweeping import Sweeping, plain_sweeps
from secateur.worth import ActionValues, values_of

Float = npt.NDArray[np.float64]

_KEEP_NOTHING = np.zeros(0)
_FIRST = Turn(0, 1, 0, 1)


def nash_conv(game: CompiledGame, strategy: Strategy) -> float:
    """Return what both players together could gain by best responses; zero at an equilibrium."""
    _check("nash_conv", game, strategy)
    return _best_responses(game, strategy.own_probabilities, None)


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
    return value_of(game, behavior, plain_sweeps(game))


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


def value_of(game: CompiledGame, behavior: Float, sweeps: Sweeping[Workspace]) -> float:
    """Return what player 0 wins on average if both players follow these probabilities."""
    given = game.arrays, behavior, sweeps.pieces
    return float(
        sweeps.run(_FIRST, lambda turn, stacks: evaluate.expected_value(*given, turn, stacks))
    )


def best_response_value_of(
    game: CompiledGame, behavior: Float, player: int, sweeps: Sweeping[Workspace]
) -> float:
    """Return the most that a player can win against the other's probabilities."""
    turn = BOTH._replace(player=player, last_player=player + 1)
    return _best_responses(game, behavior, None, turn=turn, sweeps=sweeps)


def nash_conv_of_plan(
    game: CompiledGame,
    plan: npt.NDArray[Any],
    scale: float = 1.0,
    sweeps: Sweeping[Workspace] | None = None,
) -> float:
    """Return NashConv of ``scale`` times a realization plan (a sum of strategies, say)."""
    return _best_responses(game, plan, scale, sweeps=sweeps)


def nash_conv_of_sums(
    game: CompiledGame, sums: npt.NDArray[Any], sweeps: Sweeping[Workspace] | None = None
) -> float:
    """Return NashConv of the behavior of strategy sums, in which those of a block share a scale."""
    sweeps = sweeps or plain_sweeps(game)
    given = game.arrays, sums, _KEEP_NOTHING, sweeps.pieces
    return float(
        sweeps.run(BOTH, lambda turn, stacks: evaluate.nash_conv_of_sums(*given, turn, stacks))
    )


def _best_responses(
    game: CompiledGame,
    faced: npt.NDArray[Any],
    scale: float | None,
    kept: Float = _KEEP_NOTHING,
    turn: Turn = BOTH,
    sweeps: Sweeping[Workspace] | None = None,
) -> float:
    """Return the sum of what best responses of one player or both win; keep it by sequence."""
    sweeps = sweeps or plain_sweeps(game)
    given = game.arrays, faced, scale, kept, sweeps.pieces
    return float(
        sweeps.run(turn, lambda part, stacks: evaluate.best_response_values(*given, part, stacks))
    )


def _check(asked: str, game: object, strategy: object, player: object = 0) -> int:
    """Check what all functions here are given; return the player."""
    checked_strategy(asked, strategy, checked_game(asked, game))
    return checks.player(f"{asked}(game, strategy, {checks.shown(player)})", player)


def _best_response_value(game: CompiledGame, strategy: Strategy, player: int, kept: Float) -> float:
    turn = BOTH._replace(player=player, last_player=player + 1)
    return _best_responses(game, strategy.own_probabilities, None, kept, turn)
