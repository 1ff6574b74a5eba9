"""Finds the strategy that a run is to begin with, wherever it is and whatever game it is of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from secateur import checks
from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, ParameterError, SecateurError
from secateur.games.open_spiel import OpenSpielGame
from secateur.games.registry import load
from secateur.games.rules import Game
from secateur.interop.gambit_profile import is_gambit_profile, read_gambit_profile
from secateur.strategy import Strategy, load_strategy
from secateur.strategy_files.forms import form_of
from secateur.translation import translate_strategy


def warm_strategy(
    given: Strategy | str | Path,
    game: CompiledGame,
    rules: Game | CompiledGame | str,
    coarser: Game | str | None = None,
    asked_for: str | None = None,
) -> Strategy:
    """Return a strategy of a game to begin with.

    Parameters
    ----------
    given : Strategy, str or Path
        A strategy, or a file with one, readable, compact, or a behavior profile of Gambit. If it is
        of a coarser game, it is translated.
    game : CompiledGame
        The game.
    rules : Game, CompiledGame or str
        Its rules, or the name that they were loaded by.
    coarser : Game or str
        The game that the file is for, or its name, if that is another one and the file does not
        tell, or does so by a name that nobody knows.
    asked_for : str
        The name by which the rules were loaded.
    """
    if isinstance(rules, str):
        asked_for = rules
    if isinstance(given, Strategy):
        return _of_game(given, game, rules)
    path = checks.path(f"solve(warm_start={checks.shown(given)})", given)
    if is_gambit_profile(path):
        theirs = _known(rules, game) if coarser is None else _loaded(coarser, {})
        compiled = game if coarser is None else compile_game(theirs)
        return _of_game(read_gambit_profile(compiled, theirs, path), game, rules)
    head = form_of(path).read_head(path)
    if (head.game, _as_tuples(head.parameters)) == (game.name, _as_tuples(game.parameters)):
        found = load_strategy(game, path)
        # those that are mapped from a file are read only, and kernels would be compiled once more
        return Strategy.trusted(game, np.array(found.own_probabilities), found.remarks)
    if coarser is None:
        coarser = asked_for if asked_for and head.game == game.name else head.game
    compiled = compile_game(_loaded(coarser, head.parameters))
    return _of_game(load_strategy(compiled, path), game, rules)


def _of_game(strategy: Strategy, game: CompiledGame, rules: Game | CompiledGame | str) -> Strategy:
    """Return a strategy, translated if it is of another game."""
    theirs = strategy.game
    if theirs is game or theirs.strategy_fingerprint == game.strategy_fingerprint:
        return strategy
    if theirs.name != game.name:
        raise ParameterError(
            f"warm start: the strategy is of {theirs}, not of {game}; give one of the same game or "
            "of a coarser one with the same name."
        )
    return translate_strategy(strategy, game, _known(rules, game))


def _known(rules: Game | CompiledGame | str, game: CompiledGame) -> Game:
    """Return the rules of a game; one that is compiled may have a name that stands for them."""
    if isinstance(rules, Game):
        return rules
    return _loaded(game.name if isinstance(rules, CompiledGame) else rules, game.parameters)


def _loaded(game: Game | str, parameters: dict[str, Any]) -> Game:
    """Return the rules of a name with the parameters that a file tells."""
    if isinstance(game, Game):
        return game
    given = {name: _as_tuples(value) for name, value in parameters.items()}
    try:
        if game == OpenSpielGame.name:
            return load(f"{game}:{given.pop('game')}", **given)
        return load(game, **given)
    except SecateurError as error:
        raise FileError(
            f"warm start: the game of the strategy is not known ({error}); say which it is, with "
            "warm_game or --warm-game."
        ) from error


def _as_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _as_tuples(each) for name, each in value.items()}
    return tuple(map(_as_tuples, value)) if isinstance(value, list | tuple) else value
