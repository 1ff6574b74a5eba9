"""What can be typed behind ``secateur explore``."""

from __future__ import annotations

from typing import Any

from secateur.cli import values
from secateur.cli.command import Command
from secateur.cli.options import add_cache, add_settings

EXPLORE_ABOUT = """\
Look at runs and strategies in the browser: curves that grow while a run goes
on, the strategy node by node, what was pruned and why, and two of them side
by side. The page is served to this machine alone, until Ctrl-C."""

EXPLORE_EXAMPLES = """\
examples:
  secateur explore five                          a run, also while it goes on
  secateur explore runs/* leduc.json             several, and a strategy file
  secateur explore coin.json --game path/to/game.py:Coin
  secateur explore five --port 8000 --no-browser
  secateur explore kuhn.json --save kuhn.html    a page that can be mailed

It needs the extra 'explore'. Rules of games are loaded, as 'secateur resume'
does it. The address holds a secret: keep it to yourself."""


def _add_options(parser: Any) -> None:
    """Add what it takes."""
    parser.add_argument(
        "shown",
        metavar="RUN_OR_STRATEGY",
        nargs="+",
        help="a directory that was given to 'secateur solve --run', or a strategy file",
    )
    parser.add_argument(
        "--port",
        type=values.port,
        default=0,
        metavar="N",
        help="serve on port N (default: a free one)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, and open nothing"
    )
    parser.add_argument(
        "--save",
        type=values.path,
        metavar="FILE.html",
        help="write one page that needs no server, of small games, and end",
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="the game of strategy files, if they are for one of your own; see 'secateur solve'",
    )
    add_settings(parser)
    add_cache(parser)


EXPLORE = Command(
    "explore",
    "look at runs and strategies in the browser",
    EXPLORE_ABOUT,
    EXPLORE_EXAMPLES,
    _add_options,
    "secateur.cli.exploring:run",
)
