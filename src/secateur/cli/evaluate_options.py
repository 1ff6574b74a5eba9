"""What can be typed behind ``secateur evaluate``."""

from __future__ import annotations

from typing import Any

from secateur.cli.command import Command
from secateur.cli.options import add_game, add_json, add_threads

EVALUATE_ABOUT = """\
Measure a strategy that 'secateur solve --out' has written, or a behavior
profile of Gambit; or two, also against each other."""

EVALUATE_EXAMPLES = """\
examples:
  secateur evaluate leduc leduc.json
  secateur evaluate leduc five.json --set ranks=5 --json
  secateur evaluate leduc mine.json theirs.json
  secateur evaluate game.efg profile.csv

what the numbers mean:
  best response   the most a player can win against the other's strategy
  NashConv        the sum of both best responses; 0 at an equilibrium
  exploitability  half of NashConv, in the unit of the payoffs
  value           what player 0 wins on average; player 1 loses as much

The file remembers game and parameters; GAME and --set must agree with it. A
profile of Gambit does not: it must have a probability for every action."""


def _add_options(parser: Any) -> None:
    add_game(parser)
    parser.add_argument(
        "file",
        metavar="STRATEGY_FILE",
        help="written by 'secateur solve --out', or a behavior profile of Gambit",
    )
    parser.add_argument(
        "opponent",
        metavar="OPPONENT_FILE",
        nargs="?",
        help="another strategy: what the first one wins against it in each seat",
    )
    add_threads(parser)
    add_json(parser)


EVALUATE = Command(
    "evaluate",
    "measure the strategy in a file",
    EVALUATE_ABOUT,
    EVALUATE_EXAMPLES,
    _add_options,
    "secateur.cli.evaluating:run",
)
