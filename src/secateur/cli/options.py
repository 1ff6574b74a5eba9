"""What several commands have in common."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli import values


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
        help="a name from 'secateur games', or openspiel:GAME, such as openspiel:leduc_poker",
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


def add_json(parser: Any) -> None:
    """Let a command print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
