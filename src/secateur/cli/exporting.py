"""``secateur export``: games and strategies in the formats of other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.outfile import writable
from secateur.cli.progress import progress
from secateur.cli.report import console
from secateur.cli.strategy_files import strategy_in
from secateur.errors import ParameterError
from secateur.games.gambit.writer import write_efg
from secateur.games.own import errors_in_words
from secateur.games.rules import Game
from secateur.interop.csv_table import export_csv
from secateur.interop.gambit_profile import write_gambit_profile
from secateur.interop.open_spiel import export_open_spiel
from secateur.metrics import action_values
from secateur.strategy import Strategy

GAMES: dict[str, Callable[[Game, Path], None]] = {
    "gambit": write_efg,
}
"""Formats of games, with what writes them."""

STRATEGIES: dict[str, Callable[[Strategy, Game, Path], None]] = {
    "csv": lambda strategy, _, path: export_csv(strategy, path),
    "gambit-profile": write_gambit_profile,
    "openspiel": lambda strategy, _, path: export_open_spiel(strategy, path),
}
"""Formats of strategies, with what writes them."""


def run(arguments: argparse.Namespace) -> int:
    """Write a game or a strategy."""
    wanted = arguments.to in STRATEGIES
    if wanted and arguments.strategy is None:
        raise ParameterError(f"--to {arguments.to} writes a strategy; name one with --strategy")
    if not wanted and arguments.strategy is not None:
        raise ParameterError(
            f"--to {arguments.to} writes the rules of a game; leave --strategy out, or choose "
            f"--to {' or '.join(STRATEGIES)}"
        )
    if arguments.values and arguments.to != "csv":
        raise ParameterError("--values goes with '--to csv' only; leave it out")
    rules = load_rules(arguments)
    out = writable(arguments.file)
    with progress() as display:
        if wanted:
            game = compile_game(rules, display, values=arguments.values, cache=arguments.cache)
            display.stage(f"reading {arguments.strategy}")
            strategy = strategy_in(arguments.strategy, game, rules, arguments.game)
            if arguments.values:
                prepare_kernels(display.note, show=display.stage, values=True)
                columns = action_values(game, strategy)._asdict()
                display.stage(f"writing {arguments.file}")
                export_csv(strategy, out, columns)
            else:
                display.stage(f"writing {arguments.file}")
                STRATEGIES[arguments.to](strategy, rules, out)
        else:
            display.stage(f"writing {arguments.file}")
            with errors_in_words(rules.name, type(rules)):
                GAMES[arguments.to](rules, out)
    what = arguments.strategy if wanted else str(rules)
    console().print(f"{what} is now in {arguments.file}")
    return OK
