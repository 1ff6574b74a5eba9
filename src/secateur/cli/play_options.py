"""What can be typed behind ``secateur play``."""

from __future__ import annotations

from typing import Any

from secateur.cli import values
from secateur.cli.command import Command
from secateur.cli.options import add_game, add_json

PLAY_ABOUT = """\
Play a game some times, with moves drawn from a strategy file, or from one for
each player."""

PLAY_EXAMPLES = """\
examples:
  secateur play leduc leduc.json
  secateur play leduc mine.json theirs.json --count 10 --seed 1
  secateur play leduc leduc.json --count 1000 --json

Each line is one play: what happened, chance included, and what player 0 wins.
The same seed gives the same plays."""


def _add_options(parser: Any) -> None:
    """Add what it takes."""
    add_game(parser)
    parser.add_argument(
        "file", metavar="STRATEGY_FILE", help="what player 0 follows, and player 1 if it is alone"
    )
    parser.add_argument(
        "opponent", metavar="OPPONENT_FILE", nargs="?", help="what player 1 follows"
    )
    parser.add_argument(
        "--count", type=values.count, default=5, metavar="N", help="play N times (default 5)"
    )
    parser.add_argument(
        "--seed", type=values.seed, metavar="N", help="of the random numbers, 0 or more"
    )
    add_json(parser)


PLAY = Command(
    "play",
    "play a game with the strategies in files",
    PLAY_ABOUT,
    PLAY_EXAMPLES,
    _add_options,
    "secateur.cli.playing:run",
)
