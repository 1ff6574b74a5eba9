"""Arguments that several commands have."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli import values


def command_parser(make: Any, name: str, about: str, examples: str, **options: Any) -> Any:
    """Return a parser whose help is printed as it is written."""
    return make(
        name,
        description=about,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        **options,
    )


def add_game(parser: Any) -> None:
    """Add GAME and --set."""
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a name from 'secateur games', or openspiel:GAME, such as 'openspiel:leduc_poker'",
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


def add_strategy_file(parser: Any) -> None:
    """Add STRATEGY_FILE."""
    parser.add_argument("file", metavar="STRATEGY_FILE", help="written by 'secateur solve --out'")


def add_json(parser: Any) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
