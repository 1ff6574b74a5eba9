"""What can be typed behind ``secateur games``."""

from __future__ import annotations

from typing import Any

from secateur.cli.command import Command
from secateur.cli.options import add_json

GAMES_ABOUT = """\
List the games that there are, or show one with the meaning of its parameters:
a built-in one, one of your own, or what a Gambit file holds."""

GAMES_EXAMPLES = """\
examples:
  secateur games
  secateur games leduc
  secateur games path/to/game.py:Coin
  secateur games path/to/game.efg
  secateur games --json | jq '.[].name'

Sizes are those with the default parameters. Set parameters with --set when
you solve: secateur solve leduc --set ranks=5"""


def _add_options(parser: Any) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="show this game only")
    add_json(parser)


GAMES = Command(
    "games",
    "list the built-in games",
    GAMES_ABOUT,
    GAMES_EXAMPLES,
    _add_options,
    "secateur.cli.games:run",
)
