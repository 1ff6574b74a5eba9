"""``secateur show``: how a strategy plays after a history."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from rich.table import Table

from secateur.cli.exits import OK
from secateur.cli.progress import progress
from secateur.cli.report import console, one_line, print_json
from secateur.cli.strategy_files import strategy_in
from secateur.cli.values import by_name
from secateur.compiled.compile import compile as compile_game
from secateur.games.following import Place, information_sets_after
from secateur.games.registry import load
from secateur.strategy import Strategy

Row = tuple[Place, dict[str, float]]


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each player who may move."""
    history = " ".join(arguments.at.split())
    rules = load(arguments.game, **by_name(arguments.settings))
    places = information_sets_after(rules, history)
    with progress() as display:
        display.stage(f"compiling the game {rules.name}")
        game = compile_game(rules)
        display.stage(f"reading {arguments.file}")
        strategy = strategy_in(arguments.file, game, rules, arguments.game)
    rows = [(place, strategy.at(place.player, place.label)) for place in places]
    if arguments.json:
        print_json(_as_json(strategy, history, rows))
    else:
        for table in _tables(history, rows):
            console().print(table)
    return OK


def _as_json(strategy: Strategy, history: str, rows: list[Row]) -> dict[str, object]:
    return {
        "game": strategy.game.name,
        "parameters": strategy.game.parameters,
        "history": history,
        "information_sets": [
            {"player": place.player, "information_set": place.label, "actions": played}
            for place, played in rows
        ],
    }


def _tables(history: str, rows: list[Row]) -> Iterator[Table]:
    where = f"after {history}" if history else "at the start"
    for player in sorted({place.player for place, _ in rows}):
        mine = [row for row in rows if row[0].player == player]
        actions = list(dict.fromkeys(action for _, played in mine for action in played))
        table = Table(title=f"player {player} {where}", title_justify="left")
        table.add_column("information set", style="bold", overflow="fold")
        for action in actions:
            table.add_column(action, justify="right")
        for place, played in mine:
            shown = [f"{played[action]:.4f}" if action in played else "" for action in actions]
            table.add_row(one_line(place.label), *shown)
        yield table
