"""Strategies from files: those that secateur writes, and behavior profiles of Gambit."""

from __future__ import annotations

import shlex
from typing import Any

from secateur.cli.values import as_list, as_options
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, SecateurError
from secateur.games.open_spiel import OpenSpielGame
from secateur.games.registry import is_file, load
from secateur.games.rules import Game
from secateur.interop.gambit_profile import is_gambit_profile, read_gambit_profile
from secateur.strategy import Strategy, load_strategy
from secateur.strategy_files.forms import form_of

_UNREADABLE = (
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    SecateurError,
    TypeError,
    ValueError,
)
"""What a file that is anything but a strategy can raise on the way."""


def strategy_in(file: str, game: CompiledGame, rules: Game, asked_for: str) -> Strategy:
    """Return the strategy in a file; ``asked_for`` is the game as it was named."""
    if is_gambit_profile(file):
        return read_gambit_profile(game, rules, file)
    try:
        return load_strategy(game, file)
    except FileError as error:
        raise _with_remedy(error, file, rules, asked_for) from error


def _with_remedy(error: FileError, file: str, rules: Game, asked_for: str) -> FileError:
    """Return a better error if the file is sound but belongs to another game or parameters."""
    try:
        name, parameters, _ = form_of(file).read_head(file)
        # Names such as leduc5 are presets of a game that files know by its own name.
        asked = asked_for if name == rules.name != OpenSpielGame.name else name
        if is_file(asked):  # a file that names a file need not be believed
            return error
        asked, given = _as_loaded(asked, parameters)
        theirs = load(asked, **given)
        standard = load(asked).parameters
    except _UNREADABLE:
        return error
    if (theirs.name, theirs.parameters) == (rules.name, rules.parameters):
        return error
    needed = {key: value for key, value in theirs.parameters.items() if value != standard.get(key)}
    options = f" {as_options(needed)}" if needed else ""
    return FileError(
        f"{file} holds a strategy for {theirs.name} with {as_list(theirs.parameters)}; "
        f"name that game: {shlex.quote(asked)}{options}"
    )


def rules_in(file: str) -> Game:
    """Return the rules of the game that a strategy file names.

    Raises
    ------
    FileError
        If it names none, or none that stands for rules by itself.
    """
    remedy = "name it: --game GAME"
    if is_gambit_profile(file):
        raise FileError(f"{file} does not say which game it is for; {remedy}")
    head = form_of(file).read_head(file)
    asked, given = _as_loaded(head.game, head.parameters)
    if is_file(asked):  # a file that names a file need not be believed
        raise FileError(f"{file} is for a game in a file, {asked!r}; {remedy}")
    try:
        return load(asked, **given)
    except (SecateurError, TypeError, ValueError) as error:
        raise FileError(f"{file} is for {asked!r}, which no name stands for; {remedy}") from error


def _as_loaded(name: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what loads a game that a file tells by its own name and parameters."""
    given = {key: _as_tuples(value) for key, value in parameters.items()}
    if name == OpenSpielGame.name and "game" in given:
        name = f"{name}:{given.pop('game')}"
    return name, given


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
