"""``secateur play``: plays by the rules, with moves drawn from strategies."""

from __future__ import annotations

import argparse
import statistics

from rich.table import Table

from secateur.cli.exits import OK
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.progress import progress
from secateur.cli.report import console, number, print_json
from secateur.cli.strategy_files import strategy_in
from secateur.games.own import errors_in_words
from secateur.playing import Play, sample_play


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each play."""
    rules = load_rules(arguments)
    with progress() as display:
        game = compile_game(rules, display, cache=arguments.cache)
        display.stage(f"reading {arguments.file}")
        strategy = strategy_in(arguments.file, game, rules, arguments.game)
        opponent = strategy
        if arguments.opponent is not None:
            display.stage(f"reading {arguments.opponent}")
            opponent = strategy_in(arguments.opponent, game, rules, arguments.game)
        display.stage("playing")
        with errors_in_words(rules.name, type(rules)):
            plays = sample_play(rules, strategy, arguments.count, arguments.seed, opponent)
    if arguments.json:
        print_json([_as_json(play) for play in plays])
    else:
        _show(plays, rules.players[0])
    return OK


def _as_json(play: Play) -> dict[str, object]:
    return {
        "history": play.history,
        "payoffs": play.payoffs,
        "moves": [move._asdict() for move in play.moves],
    }


def _show(plays: list[Play], winner: str) -> None:
    table = Table()
    table.add_column("play", style="bold", overflow="fold")
    table.add_column(f"{winner} wins", justify="right")
    for play in plays:
        table.add_row(play.history, number(play.payoffs[0]))
    out = console()
    out.print(table)
    if len(plays) > 1:
        wins = [play.payoffs[0] for play in plays]
        error = statistics.stdev(wins) / len(wins) ** 0.5
        out.print(
            f"On average {winner} wins {number(statistics.fmean(wins))}, give or take "
            f"{number(error)} (one standard error)."
        )
