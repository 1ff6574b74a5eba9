"""What can be typed behind ``secateur solve``."""

from __future__ import annotations

from typing import Any

from secateur.cli import values
from secateur.cli.command import Command
from secateur.cli.method_options import add_algorithm_options
from secateur.cli.options import (
    add_cluster,
    add_curve,
    add_game,
    add_json,
    add_limits,
    add_threads,
)
from secateur.cli.run_commands import add_run_options

SOLVE_ABOUT = """\
Solve a game. Without a limit, stop at an exploitability of a ten-thousandth of
half the range of payoffs (0.0013 for leduc, where 13 can be won or lost); with
several limits, stop at the first that is met. Ctrl-C ends with the result so
far."""

SOLVE_EXAMPLES = """\
examples:
  secateur solve kuhn
  secateur solve leduc --target 1e-5 --seconds 60 --out leduc.json
  secateur solve leduc --set ranks=5 --set bet_sizes=1,2/2,4
  secateur solve liars_dice --algorithm pcfr+ --iterations 1000 --json
  secateur solve leduc --algorithm hedge --threshold 2 --prune rbp
  secateur solve leduc --algorithm egt --threshold 0.01 --target 1e-2
  secateur solve leduc --algorithm fp --prune brp --iterations 10000
  secateur solve kuhn --algorithm exact
  secateur solve leduc5 --prune brp --algorithm cfr --run five --target 1e-4
  secateur solve leduc5 --warm-start leduc5.json --target 1e-4
  secateur solve leduc5 --cluster auto --shards 4 --run five
  secateur solve path/to/game.py:Coin --set bet=3
  secateur solve package.module:Coin
  secateur solve path/to/game.efg
  secateur solve "openspiel:liars_dice(numdice=1,dice_sides=4)" --out dice.bin

what the numbers mean:
  NashConv        what both players together could gain if each switched to a
                  best response to the other; 0 at an equilibrium
  exploitability  half of NashConv, in the unit of the payoffs
  value           what player 0 wins on average; player 1 loses as much
  nodes touched   histories that the iterations have visited, summed over
                  iterations and players; pruning visits fewer
  memory          of the compiled game and of the solver's arrays

Exit codes: 0 solved, 1 the run could not be recorded (full disk), 2 wrong
input, 130 interrupted by Ctrl-C (the result so far is still printed and
written), 143 the same by SIGTERM, which only a recorded run takes care of."""


def _add_options(parser: Any) -> None:
    add_game(parser)
    add_algorithm_options(parser)
    add_limits(parser)
    add_threads(parser)
    add_cluster(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write the whole strategy: to a compact file if its name ends in .bin, else to a "
        "readable one (JSON)",
    )
    parser.add_argument(
        "--out-precision",
        choices=("float64", "float32"),
        metavar="TYPE",
        help="of numbers in a compact file: float64 (default), or float32 for half the size",
    )
    _add_warm_start(parser)
    add_run_options(parser)
    add_json(parser)
    add_curve(parser)


def _add_warm_start(parser: Any) -> None:
    parser.add_argument(
        "--warm-start",
        type=values.path,
        metavar="STRATEGY",
        help="cfr and its kin: begin with the strategy in this file, of the same game or, if the "
        "rules can translate it, of a coarser one, such as leduc with fewer bet sizes",
    )
    parser.add_argument(
        "--warm-weight",
        type=values.count,
        metavar="T",
        help="the iterations that this strategy stands for, no more than a run needs to come as "
        "close to an equilibrium (default: an estimate)",
    )
    parser.add_argument(
        "--warm-game",
        metavar="GAME",
        help="the game that this strategy is for, if its file does not tell",
    )


SOLVE = Command(
    "solve",
    "solve a game",
    SOLVE_ABOUT,
    SOLVE_EXAMPLES,
    _add_options,
    "secateur.cli.solving:run",
)
