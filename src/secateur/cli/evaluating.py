"""``secateur evaluate``: how good strategies in files are, alone and against each other."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.progress import progress
from secateur.cli.report import (
    console,
    exploitability_in_words,
    facts_table,
    number,
    print_json,
    size_in_words,
)
from secateur.cli.strategy_files import strategy_in
from secateur.cli.values import as_list
from secateur.compiled.game import CompiledGame
from secateur.games.registry import full_name
from secateur.metrics import best_response_value, expected_value
from secateur.strategy import Strategy


def run(arguments: argparse.Namespace) -> int:
    """Measure a strategy, or two that play against each other, and report."""
    rules = load_rules(arguments)
    files = [arguments.file, *([arguments.opponent] if arguments.opponent is not None else [])]
    with progress() as display:
        game = compile_game(rules, display, cache=arguments.cache)
        strategies = []
        for file in files:
            display.stage(f"reading {file}")
            strategies.append(strategy_in(file, game, rules, arguments.game))
        prepare_kernels(display.note, game=game, show=display.stage)
        measured = [_measured(game, *each) for each in zip(files, strategies, strict=True)]
        match = _match(game, *strategies) if len(strategies) == 2 else None
    size = game.size
    facts = {
        "game": full_name(arguments.game),
        "parameters": game.parameters,
        "histories": size.histories,
        "information_sets": size.information_sets,
        "sequences": size.sequences,
        "pot": game.pot,
        **measured[0],
        **({} if match is None else {"opponent": measured[1], "match": match}),
    }
    if arguments.json:
        print_json(facts)
    else:
        _show(facts, game)
    return OK


def _measured(game: CompiledGame, file: str, strategy: Strategy) -> dict[str, Any]:
    responses = [best_response_value(game, strategy, player) for player in range(2)]
    return {
        "file": file,
        "nash_conv": sum(responses),
        "exploitability": 0.5 * sum(responses),
        "value": expected_value(game, strategy),
        "best_response_values": responses,
    }


def _match(game: CompiledGame, mine: Strategy, theirs: Strategy) -> dict[str, float]:
    """Return what the first strategy wins in each seat against the second."""
    first = expected_value(game, mine, theirs)
    second = -expected_value(game, theirs, mine)
    return {"as_player_0": first, "as_player_1": second, "average": 0.5 * (first + second)}


def _show(facts: dict[str, Any], game: CompiledGame) -> None:
    size = game.size
    shown = {"game": facts["game"]}
    if game.parameters:
        shown["parameters"] = as_list(game.parameters)
    shown["size"] = size_in_words(size.histories, size.information_sets, size.sequences)
    out = console()
    out.print(facts_table(shown))
    for each in (facts, facts.get("opponent")):
        if each is not None:
            out.print(facts_table(_measures(each, game)))
    match = facts.get("match")
    if match is not None:
        against = f"{facts['file']} against {facts['opponent']['file']}"
        out.print(
            facts_table(
                {
                    "match": against,
                    f"as {game.players[0]}": f"wins {number(match['as_player_0'])}",
                    f"as {game.players[1]}": f"wins {number(match['as_player_1'])}",
                    "on average": f"wins {number(match['average'])}, if seats are drawn by lot",
                }
            )
        )


def _measures(facts: dict[str, Any], game: CompiledGame) -> dict[str, str]:
    players = game.players
    shown = {
        "strategy": facts["file"],
        "NashConv": number(facts["nash_conv"]),
        "exploitability": exploitability_in_words(facts["exploitability"], game.pot),
        "value": f"{number(facts['value'])} for {players[0]}",
    }
    for player, response in enumerate(facts["best_response_values"]):
        shown[f"best response {player}"] = (
            f"{number(response)} for {players[player]} against {players[1 - player]}'s strategy"
        )
    return shown
