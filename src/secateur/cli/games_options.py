"""What can be typed behind ``secateur games``."""

from __future__ import annotations

from typing import Any

from secateur.cli import values
from secateur.cli.command import Command
from secateur.cli.options import add_json, add_settings

LEDGER_ITERATIONS = 300
"""Of the runs whose memory is shown, if nobody says how many."""

GAMES_ABOUT = """\
List the games that there are, or show one with the meaning of its parameters:
a built-in one, one of your own, or what a Gambit file holds. With --memory,
compile it, run it, and show the bytes of every array."""

GAMES_EXAMPLES = """\
examples:
  secateur games
  secateur games leduc
  secateur games path/to/game.py:Coin
  secateur games path/to/game.efg
  secateur games --json | jq '.[].name'
  secateur games leduc --memory --set ranks=5

Sizes are those with the default parameters. Set parameters with --set when
you solve: secateur solve leduc --set ranks=5

--memory lists the arrays of the compiled game, what pruning needs in addition,
and what two runs of the default algorithm hold after some iterations: without
--prune, and with '--prune brp --check-every 100'. A last table has what the
process takes before and after: all of it, and without pages of mapped files,
such as libraries, which the system can take back and read again."""


def _add_options(parser: Any) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="show this game only")
    parser.add_argument(
        "--memory",
        action="store_true",
        help="show the bytes of every array of the compiled game and of two runs",
    )
    add_settings(parser)
    parser.add_argument(
        "--iterations",
        type=values.count,
        metavar="N",
        help=f"with --memory: of each run (default: {LEDGER_ITERATIONS})",
    )
    add_json(parser)


GAMES = Command(
    "games",
    "list the built-in games",
    GAMES_ABOUT,
    GAMES_EXAMPLES,
    _add_options,
    "secateur.cli.games:run",
)
