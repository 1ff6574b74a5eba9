"""What can be typed to look at a strategy file, or to hand it to other programs."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli.arguments import add_game, add_json, add_strategy_file, command_parser

FORMATS = ("csv", "openspiel")

SHOW_ABOUT = """\
Show how a strategy file plays after a history: one row for each information
set of the player to move (each hand), one column for each action."""

SHOW_EXAMPLES = """\
examples:
  secateur show leduc leduc.json                     the first decision
  secateur show leduc leduc.json --at "check bet2"
  secateur show leduc leduc.json --at "check check | K bet4"
  secateur show leduc leduc.json --at "check check"  for all cards that may come

A history is written in the words of the game's actions, as they stand in
readable strategy files. What chance does may be named (| K) or left out."""

EXPORT_ABOUT = """\
Write a strategy file in the form of another program."""

EXPORT_EXAMPLES = """\
examples:
  secateur export leduc leduc.json --to csv --out leduc.csv
  secateur export openspiel:kuhn_poker kuhn.bin --to openspiel --out policy.json

formats:
  csv         one line for each action of each information set
  openspiel   a policy as JSON, for games that came from OpenSpiel; in Python,
              secateur.to_open_spiel_policy(FILE) makes a policy of it"""


def add_show(commands: Any) -> None:
    """Add the command that shows a part of a strategy."""
    parser = command_parser(
        commands.add_parser,
        "show",
        SHOW_ABOUT,
        SHOW_EXAMPLES,
        help="show how a strategy file plays after a history",
    )
    add_game(parser)
    add_strategy_file(parser)
    parser.add_argument(
        "--at",
        metavar="HISTORY",
        default="",
        help="what has happened before, as words in quotes (default: nothing, the start)",
    )
    add_json(parser)
    parser.set_defaults(run=_run_show)


def add_export(commands: Any) -> None:
    """Add the command that writes other forms of a strategy."""
    parser = command_parser(
        commands.add_parser,
        "export",
        EXPORT_ABOUT,
        EXPORT_EXAMPLES,
        help="write a strategy file in the form of another program",
    )
    add_game(parser)
    add_strategy_file(parser)
    parser.add_argument(
        "--to", required=True, choices=FORMATS, metavar="FORMAT", help=", ".join(FORMATS)
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="write this file")
    parser.set_defaults(run=_run_export)


# The commands are imported when they run: numerical libraries take most of a second to load.


def _run_show(arguments: argparse.Namespace) -> int:
    from secateur.cli.showing import run  # noqa: PLC0415

    return run(arguments)


def _run_export(arguments: argparse.Namespace) -> int:
    from secateur.cli.exporting import run  # noqa: PLC0415

    return run(arguments)
