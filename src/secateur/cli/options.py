"""What several commands have in common.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from secateur.cli import values
from secateur.errors import ParameterError


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise what the command line prints as one line."""
        raise ParameterError(f"{message}; see '{self.prog} --help'")


def command_parser(make: Any, name: str, about: str, examples: str, **options: Any) -> Any:
    """Return a parser, made by ``make``, whose help ends with examples."""
    return make(
        name,
        description=about,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        **options,
    )


def add_game(parser: Any) -> None:
    """Let a command take a game and its parameters."""
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a name from 'secateur games', a Gambit .efg file, or openspiel:GAME, such as "
        "openspiel:leduc_poker",
    )
    parser.add_argument(
        "--set",
        dest="settings",
        type=values.setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the game; repeat for more",
    )


def add_limits(parser: Any) -> None:
    """Let a command be told when a run ends."""
    parser.add_argument(
        "--iterations", type=values.count, metavar="N", help="stop after N iterations"
    )
    parser.add_argument(
        "--target",
        type=values.target,
        metavar="EXPLOITABILITY",
        help="stop when exploitability (half of NashConv) is at most this",
    )
    parser.add_argument("--seconds", type=values.positive, metavar="S", help="stop after S seconds")


def add_json(parser: Any) -> None:
    """Let a command print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
