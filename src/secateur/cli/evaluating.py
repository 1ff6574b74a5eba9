"""``secateur evaluate``: how good a strategy in a file is."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.progress import progress
from secateur.cli.report import console, facts_table, number, print_json, size_in_words
from secateur.cli.strategy_files import strategy_in
from secateur.cli.values import as_list, by_name
from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.games.registry import find, load
from secateur.metrics import best_response_value, expected_value


def run(arguments: argparse.Namespace) -> int:
    """Measure a strategy and report."""
    rules = load(arguments.game, **by_name(arguments.settings))
    with progress() as display:
        display.stage(f"compiling the game {rules.name}")
        game = compile_game(rules)
        display.stage(f"reading {arguments.file}")
        strategy = strategy_in(arguments.file, game, rules, arguments.game)
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
