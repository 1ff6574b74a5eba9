"""Reads the game and the strategy file that a command is given."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any, NamedTuple

from secateur.cli.progress import Progress
from secateur.cli.values import as_list, as_options, by_name
from secateur.compiled.compile import compile as compile_game
from secateur.errors import FileError, SecateurError
from secateur.games.registry import load
from secateur.games.rules import Game
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


class Given(NamedTuple):
    """What the arguments name."""

    rules: Game
    strategy: Strategy


def read_strategy(arguments: argparse.Namespace, display: Progress, options: str = "") -> Given:
    """Return the game of GAME and --set, and the strategy of STRATEGY_FILE.

    ``options`` are those that the command needs besides, for an error that says what to type.
    """
    rules = load(arguments.game, **by_name(arguments.settings))
    display.stage(f"compiling the game {rules.name}")
    game = compile_game(rules)
    display.stage(f"reading {arguments.file}")
    try:
        return Given(rules, load_strategy(game, arguments.file))
    except FileError as error:
        raise _with_remedy(error, arguments, rules, options) from error


def _with_remedy(
    error: FileError, arguments: argparse.Namespace, rules: Game, options: str
) -> FileError:
    """Return a better error if the file is sound but belongs to another game or parameters."""
    try:
        content = form_of(arguments.file).read_head(Path(arguments.file))
        name, parameters = content["game"], content["parameters"]
        # Names such as leduc5 are presets of a game that files know by its own name.
        asked = arguments.game if name == rules.name else name
        given = {key: _as_tuples(value) for key, value in parameters.items()}
        theirs = load(asked, **given)
        standard = load(asked).parameters
    except _UNREADABLE:
        return error
    if (theirs.name, theirs.parameters) == (rules.name, rules.parameters):
        return error
    needed = {key: value for key, value in theirs.parameters.items() if value != standard.get(key)}
    words = [shlex.quote(asked), shlex.quote(arguments.file), as_options(needed), options]
    return FileError(
        f"{arguments.file} holds a strategy for {theirs.name} with {as_list(theirs.parameters)}; "
        f"use: secateur {arguments.command} {' '.join(filter(None, words))}"
    )


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
