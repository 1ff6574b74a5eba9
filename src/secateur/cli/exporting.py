"""``secateur export``: strategies in the formats of other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from secateur.cli.exits import OK
from secateur.cli.outfile import writable
from secateur.cli.progress import progress
from secateur.cli.report import console
from secateur.cli.strategy_files import strategy_in
from secateur.cli.values import by_name
from secateur.compiled.compile import compile as compile_game
from secateur.games.registry import load
from secateur.games.rules import Game
from secateur.interop.csv_table import export_csv
from secateur.interop.open_spiel import export_open_spiel
from secateur.strategy import Strategy

STRATEGIES: dict[str, Callable[[Strategy, Game, Path], None]] = {
    "csv": lambda strategy, _, path: export_csv(strategy, path),
    "openspiel": lambda strategy, _, path: export_open_spiel(strategy, path),
}
"""Formats of strategies, with what writes them."""


def run(arguments: argparse.Namespace) -> int:
    """Write a strategy."""
    rules = load(arguments.game, **by_name(arguments.settings))
    out = writable(arguments.file)
    with progress() as display:
        display.stage(f"compiling the game {rules.name}")
        game = compile_game(rules)
        display.stage(f"reading {arguments.strategy}")
        strategy = strategy_in(arguments.strategy, game, rules, arguments.game)
        display.stage(f"writing {arguments.file}")
        STRATEGIES[arguments.to](strategy, rules, out)
    console().print(f"{arguments.strategy} is now in {arguments.file}")
    return OK
