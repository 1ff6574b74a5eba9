"""Strategies of a coarser game as strategies of a finer one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.errors import ParameterError
from secateur.games.rules import Game
from secateur.strategy import Strategy, checked_strategy

Float = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

_A_GAME = checks.instance_of(Game, "pass the rules of the game, such as secateur.load('leduc')")


def translate_strategy(strategy: Strategy, game: CompiledGame, rules: Game) -> Strategy:
    """Return what a strategy of a coarser game says in a finer one.

    At each information set it is what the strategy does where :meth:`Game.in_coarser` of the finer
    rules says. Actions that the coarser game does not have there are not played; if it has none of
    them, all are played alike.

    Parameters
    ----------
    strategy : Strategy
        Of the coarser game.
    game : CompiledGame
        The finer game.
    rules : Game
        Its rules.

    Raises
    ------
    ParameterError
        If the finer rules find an information set where the coarser game has none.
    """
    theirs = checked_strategy("translate_strategy", strategy).game
    game = checked_game("translate_strategy", game)
    asked = f"translate_strategy(strategy, game, {checks.shown(rules)})"
    found_at = _A_GAME(asked, rules).in_coarser(theirs.parameters)
    known = {key: place for place, key in enumerate(_keys(theirs))}
    there = np.empty(game.size.information_sets, np.int64)
    for place, (player, label) in enumerate(_keys(game)):
        found = known.get((player, found_at(label)))
        if found is None:
            raise _nowhere(player, label, found_at(label), game, theirs)
        there[place] = found
    played = _played(strategy, game, there)
    return Strategy.from_plan(game, played)


def _keys(game: CompiledGame) -> Iterator[tuple[int, str]]:
    """Go through players and labels of all information sets in their order."""
    label = game.labels.label
    for block, (player, lanes) in enumerate(
        zip(game.arrays.player.tolist(), game.arrays.lanes.tolist(), strict=True)
    ):
        for lane in range(lanes):
            yield player, label(block, lane)


def _played(strategy: Strategy, game: CompiledGame, there: Whole) -> Float:
    """Return how actions are played that a strategy has ``there``, by sequence."""
    theirs = strategy.game
    my_first, my_step = _cells(game)
    their_first, their_step = (each[there] for each in _cells(theirs))
    menus = np.column_stack(
        [
            game.labels.action_sets(game.arrays.lanes),
            theirs.labels.action_sets(theirs.arrays.lanes)[there],
        ],
    )
    played = np.zeros(game.cells)
    kinds, kind = np.unique(menus, axis=0, return_inverse=True)
    for number in range(len(kinds)):
        here = np.flatnonzero(kind.ravel() == number)
        their_actions = _actions(theirs, int(there[here[0]]))
        for a, action in enumerate(_actions(game, int(here[0]))):
            if action in their_actions:
                cells = their_first[here] + their_actions.index(action) * their_step[here]
                played[my_first[here] + a * my_step[here]] = strategy.own_probabilities[cells]
    return played


def _actions(game: CompiledGame, infoset: int) -> tuple[str, ...]:
    """Return the actions of an information set."""
    first = game.arrays.first_infoset
    block = int(np.searchsorted(first, infoset, side="right")) - 1
    return game.labels.actions(block, infoset - int(first[block]))


def _cells(game: CompiledGame) -> tuple[Whole, Whole]:
    """Return the first cell of each information set, and how far it is to the next."""
    arrays = game.arrays
    lanes = arrays.lanes.astype(np.int64)
    step = np.repeat(lanes, lanes)
    lane = np.arange(len(step)) - np.repeat(arrays.first_infoset.astype(np.int64), lanes)
    return np.repeat(arrays.first_cell.astype(np.int64), lanes) + lane, step


def _nowhere(
    player: int, label: str, found_at: str, game: CompiledGame, theirs: CompiledGame
) -> ParameterError:
    return ParameterError(
        f"the strategy is of {theirs}, which has no information set {found_at!r} of player "
        f"{player}, where {game} would look for {label!r}; give a strategy of the same game, or "
        "let in_coarser() of its rules say where to look."
    )
