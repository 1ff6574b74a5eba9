"""What can be typed behind ``secateur show``."""

from __future__ import annotations

from typing import Any

from secateur.cli.command import Command
from secateur.cli.options import add_game, add_json

SHOW_ABOUT = """\
Show how a strategy file plays after a history: one row for each information
set of the player to move (each hand), one column for each action."""

SHOW_EXAMPLES = """\
examples:
  secateur show leduc leduc.json                     the first decision
  secateur show leduc leduc.json --at "check bet2"
  secateur show leduc leduc.json --at "check check | K bet4"
  secateur show leduc leduc.json --at "bet2" --values
  secateur show leduc leduc.json --at "check check"  for all cards that may come
  secateur show spot.toml spot.json --at "check"     hold'em: a grid of 13 by 13
  secateur show spot.toml spot.json --hands          and hand by hand

A history is written in the words of the game's actions, as they stand in
readable strategy files. What chance does may be named (| K) or left out."""


def _add_options(parser: Any) -> None:
    """Add what it takes."""
    add_game(parser)
    parser.add_argument(
        "file", metavar="STRATEGY_FILE", help="a file that 'secateur evaluate' can read"
    )
    parser.add_argument(
        "--at",
        metavar="HISTORY",
        default="",
        help="what has happened before, as words in quotes (default: nothing, the start)",
    )
    parser.add_argument(
        "--values",
        action="store_true",
        help="also what each action is worth to the player who moves, if both follow the strategy "
        "afterwards, and how much less that is than the best action",
    )
    parser.add_argument(
        "--hands",
        action="store_true",
        help="hold'em: hand by hand, instead of a grid of 13 by 13 for each action",
    )
    add_json(parser)


SHOW = Command(
    "show",
    "show how a strategy file plays after a history",
    SHOW_ABOUT,
    SHOW_EXAMPLES,
    _add_options,
    "secateur.cli.showing:run",
)
