"""``secateur evaluate``: how good a strategy in a file is."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path
from typing import Any

from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.progress import progress
from secateur.cli.report import console, facts_table, number, print_json, size_in_words
from secateur.cli.values import as_list, as_options, by_name
from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, SecateurError
from secateur.games.registry import find, load
from secateur.games.rules import Game
from secateur.metrics import best_response_value, expected_value
from secateur.strategy import load_strategy

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


def run(arguments: argparse.Namespace) -> int:
    """Measure a strategy and report."""
    rules = load(arguments.game, **by_name(arguments.settings))
    with progress() as display:
        display.stage(f"compiling the game {rules.name}")
        game = compile_game(rules)
        display.stage(f"reading {arguments.file}")
        try:
            strategy = load_strategy(game, arguments.file)
        except FileError as error:
            raise _with_remedy(error, arguments, rules) from error
        prepare_kernels(display.note)
        responses = [best_response_value(game, strategy, player) for player in range(2)]
        value = expected_value(game, strategy)
    facts = {
        "game": find(arguments.game).name,
        "parameters": game.parameters,
        "file": arguments.file,
        "nash_conv": sum(responses),
        "exploitability": 0.5 * sum(responses),
        "value": value,
        "best_response_values": responses,
        "histories": game.size.histories,
        "information_sets": game.size.information_sets,
        "sequences": game.size.sequences,
    }
    if arguments.json:
        print_json(facts)
    else:
        _show(facts, game)
    return OK


def _show(facts: dict[str, Any], game: CompiledGame) -> None:
    size = game.size
    shown = {"game": facts["game"]}
    if game.parameters:
        shown["parameters"] = as_list(game.parameters)
    shown["size"] = size_in_words(size.histories, size.information_sets, size.sequences)
    shown["strategy"] = facts["file"]
    shown["NashConv"] = number(facts["nash_conv"])
    shown["exploitability"] = f"{number(facts['exploitability'])} (half of NashConv)"
    shown["value"] = f"{number(facts['value'])} for player 0"
    for player, response in enumerate(facts["best_response_values"]):
        shown[f"best response {player}"] = (
            f"{number(response)} for player {player} against player {1 - player}'s strategy"
        )
    console().print(facts_table(shown))


def _with_remedy(error: FileError, arguments: argparse.Namespace, rules: Game) -> FileError:
    """Return a better error if the file is sound but belongs to another game or parameters."""
    try:
        content = json.loads(Path(arguments.file).read_text(encoding="utf-8"))
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
    options = f" {as_options(needed)}" if needed else ""
    return FileError(
        f"{arguments.file} holds a strategy for {theirs.name} with {as_list(theirs.parameters)}; "
        f"use: secateur evaluate {asked} {shlex.quote(arguments.file)}{options}"
    )


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
