"""What can be typed behind ``secateur export``."""

from __future__ import annotations

from typing import Any

from secateur.cli.command import Command
from secateur.cli.options import add_game
from secateur.interop.formats import FORMATS

EXPORT_ABOUT = """\
Write a game or a strategy for other programs."""

EXPORT_EXAMPLES = """\
examples:
  secateur export leduc --to gambit leduc.efg
  secateur export leduc --to gambit-profile profile.csv --strategy leduc.json
  secateur export leduc --to csv leduc.csv --strategy leduc.json
  secateur export openspiel:kuhn_poker --to openspiel policy.json
      --strategy kuhn.bin"""


def with_columns() -> list[str]:
    """Return the formats that take further numbers."""
    return [each.name for each in FORMATS.values() if each.takes_columns]


def _add_options(parser: Any) -> None:
    """Add what it takes."""
    add_game(parser)
    parser.add_argument(
        "--to",
        choices=tuple(FORMATS),
        required=True,
        metavar="FORMAT",
        help="; ".join(f"{each.name}: {each.about}" for each in FORMATS.values()),
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
        help=f"--to {' or '.join(with_columns())}: also what each action is worth, what it loses "
        "against the best one, and how likely chance and the opponent let the player come there",
    )


EXPORT = Command(
    "export",
    "write a game or a strategy for other programs",
    EXPORT_ABOUT,
    EXPORT_EXAMPLES,
    _add_options,
    "secateur.cli.exporting:run",
)
