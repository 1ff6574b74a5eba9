"""``secateur show``: how a strategy plays after a history, and what its actions are worth."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rich.table import Table

from secateur.cli.exits import OK
from secateur.cli.hand_grid import grids
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.progress import progress
from secateur.cli.report import console, one_line, print_json
from secateur.cli.strategy_files import strategy_in
from secateur.compiled.game import CompiledGame, InformationSet
from secateur.games.following import Place, information_sets_after
from secateur.games.holdem.game import Holdem
from secateur.games.own import errors_in_words
from secateur.metrics import action_values
from secateur.strategy import Strategy
from secateur.worth import ActionValues


class _Row(NamedTuple):
    """One information set: numbers by action."""

    place: Place
    played: dict[str, float]
    value: dict[str, float]
    loss: dict[str, float]
    reach: float


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each player who may move."""
    history = " ".join(arguments.at.split())
    rules = load_rules(arguments)
    with errors_in_words(rules.name, type(rules)):
        places = information_sets_after(rules, history)
    values = None
    with progress() as display:
        game = compile_game(rules, display, values=arguments.values, cache=arguments.cache)
        display.stage(f"reading {arguments.file}")
        strategy = strategy_in(arguments.file, game, rules, arguments.game)
        if arguments.values:
            prepare_kernels(display.note, game=game, show=display.stage, values=True)
            values = action_values(game, strategy)
    rows = [_row(place, strategy, values) for place in places]
    if arguments.json:
        print_json(_as_json(strategy, history, rows, values is not None))
    else:
        tables = _tables(game.players, history, rows, values is not None)
        if isinstance(rules, Holdem) and not (arguments.hands or arguments.values):
            tables = grids(rules, strategy, places, history)
        for table in tables:
            console().print(table)
    return OK


def _row(place: Place, strategy: Strategy, values: ActionValues | None) -> _Row:
    played = strategy.at(place.player, place.label)
    if values is None:
        return _Row(place, played, {}, {}, math.nan)
    infoset = _infoset(strategy.game, place)
    value, loss, reach = (array[infoset.cells].tolist() for array in values)
    return _Row(
        place,
        played,
        dict(zip(infoset.actions, value, strict=True)),
        dict(zip(infoset.actions, loss, strict=True)),
        reach[0],
    )


def _infoset(game: CompiledGame, place: Place) -> InformationSet:
    return next(each for each in game.by_label[place.label] if each.player == place.player)


def _as_json(
    strategy: Strategy, history: str, rows: list[_Row], with_values: bool
) -> dict[str, object]:
    return {
        "game": strategy.game.name,
        "parameters": strategy.game.parameters,
        "history": history,
        "information_sets": [
            {
                "player": row.place.player,
                "information_set": row.place.label,
                "actions": row.played,
                **(_values_as_json(row) if with_values else {}),
            }
            for row in rows
        ],
    }


def _values_as_json(row: _Row) -> dict[str, Any]:
    return {"values": row.value, "losses": row.loss, "reach": row.reach}


def _tables(
    players: tuple[str, str], history: str, rows: list[_Row], with_values: bool
) -> Iterator[Table]:
    where = f"after {history}" if history else "at the start"
    for player in sorted({row.place.player for row in rows}):
        mine = [row for row in rows if row.place.player == player]
        title = f"{players[player]} {where}"
        yield _table(title, mine, _probability)
        if with_values:
            yield _table(f"{title}: value of each action (and what it loses)", mine, _worth)


def _table(title: str, rows: list[_Row], cell: Callable[[_Row, str], str]) -> Table:
    actions = list(dict.fromkeys(action for row in rows for action in row.played))
    table = Table(title=title, title_justify="left")
    table.add_column("information set", style="bold", overflow="fold")
    for action in actions:
        table.add_column(action, justify="right")
    for row in rows:
        shown = [cell(row, action) if action in row.played else "" for action in actions]
        table.add_row(one_line(row.place.label), *shown)
    return table


def _probability(row: _Row, action: str) -> str:
    return f"{row.played[action]:.4f}"


def _worth(row: _Row, action: str) -> str:
    """Return value and loss; nobody knows them where the opponent never lets the player come."""
    if math.isnan(row.value[action]):
        return "never"
    return f"{row.value[action]:.4f} ({row.loss[action]:.4f})"
