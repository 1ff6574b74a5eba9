"""``secateur games``: what can be solved."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from rich.table import Table

from secateur.cli.exits import OK
from secateur.cli.report import console, facts_table, print_json
from secateur.cli.values import as_options
from secateur.errors import ParameterError
from secateur.games.gambit.game import GambitGame, read_efg
from secateur.games.gambit.labels import tidy
from secateur.games.parameters import Parameter
from secateur.games.registry import Entry, available, find, is_file
from secateur.games.rules import CHANCE
from secateur.names import written


def run(arguments: argparse.Namespace) -> int:
    """List the games, or show one, or the memory that it takes."""
    if arguments.memory:
        from secateur.cli.ledger import show_memory  # noqa: PLC0415 - compilers take long to load

        show_memory(arguments)
        return OK
    for option, given in (("--set", arguments.settings), ("--iterations", arguments.iterations)):
        if given:
            raise ParameterError(f"{option} goes with --memory only; add it, or leave {option} out")
    if arguments.name is None:
        if arguments.json:
            print_json([described(entry) for entry in available()])
        else:
            _show_all()
    elif is_file(arguments.name):
        facts = _described_file(read_efg(arguments.name))
        if arguments.json:
            print_json(facts)
        else:
            console().print(facts_table({name: str(fact) for name, fact in facts.items()}))
    else:
        entry = find(arguments.name)
        if arguments.json:
            print_json(described(entry))
        else:
            _show_one(entry)
    return OK


def described(entry: Entry) -> dict[str, Any]:
    """Return all that is known about a game, for JSON."""
    return {
        "name": entry.name,
        "description": entry.description,
        "size": entry.size,
        "parameters": [
            {
                "name": each.name,
                "type": each.type,
                "default": None if each.required else each.default,
                "required": each.required,
                "description": each.description,
            }
            for each in entry.parameters
        ],
    }


def _described_file(game: GambitGame) -> dict[str, Any]:
    tree = game.tree
    decided = sum(1 for each in tree.information_sets if each.player != CHANCE)
    return {
        "name": game.name,
        "file": tree.source,
        "players": ", ".join(map(tidy, tree.players)),
        "comment": "\n".join(map(tidy, tree.comment.strip().splitlines())),
        "size": f"{len(tree.turn):,} histories, {decided:,} information sets",
        **game.parameters,
    }


def _show_all() -> None:
    table = Table(show_lines=True)
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("description")
    table.add_column("parameters and defaults", overflow="fold")
    for entry in available():
        settings = [f"{each.name}={_default(each)}" for each in entry.parameters]
        table.add_row(entry.name, f"{entry.description}\n{entry.size}", ", ".join(settings))
    out = console()
    out.print(table)
    out.print("'secateur games NAME' says what the parameters of a game mean.")


def _show_one(entry: Entry) -> None:
    out = console()
    facts = {"game": entry.name, "description": entry.description, "size": entry.size}
    out.print(facts_table(facts))
    table = Table(show_lines=True)
    table.add_column("parameter", style="bold", no_wrap=True)
    table.add_column("default", overflow="fold")
    table.add_column("meaning")
    for each in entry.parameters:
        table.add_row(each.name, _default(each), f"{each.description}\nGive {each.type}.")
    if entry.parameters:
        out.print(table)
    settings = {
        each.name: "VALUE" if each.required else each.default
        for each in entry.parameters
        if each.name not in entry.presets
    }
    needed = {each.name for each in entry.parameters if each.required} or set(list(settings)[:1])
    chosen = {name: value for name, value in settings.items() if name in needed}
    words = ["secateur solve", shlex.quote(entry.name), as_options(chosen)]
    out.print(f"Example: {' '.join(filter(None, words))}")


def _default(parameter: Parameter) -> str:
    return "(required)" if parameter.required else written(parameter.default)
