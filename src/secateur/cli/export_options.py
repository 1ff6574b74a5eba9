"""What can be typed behind ``secateur export``."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli.options import add_game, command_parser

EXPORTS = {
    "csv": "a strategy, one line for each action of each information set",
    "gambit": "the rules as a Gambit extensive-form file (.efg)",
    "gambit-profile": "a strategy as a Gambit behavior profile",
    "openspiel": "a strategy of a game of OpenSpiel as a policy (JSON)",
}

EXPORT_ABOUT = """\
Write a game or a strategy for other programs."""

EXPORT_EXAMPLES = """\
examples:
  secateur export leduc --to gambit leduc.efg
  secateur export leduc --to gambit-profile profile.csv --strategy leduc.json
  secateur export leduc --to csv leduc.csv --strategy leduc.json
  secateur export openspiel:kuhn_poker --to openspiel policy.json
      --strategy kuhn.bin

formats:
"""


def add_export(commands: Any) -> None:
    """Add the command."""
    formats = "\n".join(f"  {name:<16}{about}" for name, about in EXPORTS.items())
    parser = command_parser(
        commands.add_parser,
        "export",
        EXPORT_ABOUT,
        EXPORT_EXAMPLES + formats,
        help="write a game or a strategy for other programs",
    )
    add_game(parser)
    parser.add_argument(
        "--to", choices=tuple(EXPORTS), required=True, metavar="FORMAT", help="see below"
    )
    parser.add_argument("file", metavar="FILE", help="write this file")
    parser.add_argument(
        "--strategy",
        metavar="STRATEGY_FILE",
        help="the strategy to write; a file that 'secateur evaluate' can read",
    )
    parser.add_argument(
        "--values",
        action="store_true",
        help="--to csv: also what each action is worth, what it loses against the best one, and "
        "how likely chance and the opponent let the player come there",
    )
    parser.set_defaults(do=_run_export)


def _run_export(arguments: argparse.Namespace) -> int:
    from secateur.cli.exporting import run  # noqa: PLC0415

    return run(arguments)
