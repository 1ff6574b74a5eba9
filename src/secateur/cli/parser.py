"""What can be typed: commands, options, and the help that teaches them.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from secateur import __version__
from secateur.cli.compare_options import add_compare
from secateur.cli.export_options import add_export
from secateur.cli.method_options import add_algorithm_options
from secateur.cli.options import Parser, add_curve, add_game, add_json, add_limits, command_parser
from secateur.cli.play_options import add_play
from secateur.cli.reproduce_options import add_reproduce
from secateur.cli.run_commands import add_plot, add_resume, add_run_options, add_status
from secateur.cli.show_options import add_show
from secateur.errors import ParameterError
from secateur.names import closest

ABOUT = """\
Solve two-player zero-sum games with hidden information, such as poker: find
a strategy for both players that no opponent can beat by much."""

EXAMPLES = """\
examples:
  secateur games                          what games there are
  secateur games leduc                    one game and its parameters
  secateur solve kuhn                     solve a game, see the strategy
  secateur solve leduc --target 1e-5 --out leduc.json
  secateur compare leduc --algorithms cfr+,dcfr --target 1e-4
  secateur solve leduc5 --run five        keep a long run in a directory
  secateur resume five                    go on with it; or --target 1e-5
  secateur status five                    how far it is
  secateur solve path/to/game.py:Coin     a game of your own
  secateur solve path/to/game.efg         a game in a Gambit file
  secateur evaluate leduc leduc.json      measure the strategy in a file
  secateur show leduc leduc.json --at "check bet2"
  secateur export leduc --to gambit leduc.efg
  secateur reproduce brp-fig1 --quick --out figures

'secateur COMMAND --help' says more about a command."""

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


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser: Parser = command_parser(Parser, "secateur", ABOUT, EXAMPLES)
    parser.add_argument("--version", action="version", version=f"secateur {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    _add_games(commands)
    _add_solve(commands)
    add_compare(commands)
    add_resume(commands)
    add_status(commands)
    add_plot(commands)
    _add_evaluate(commands)
    add_show(commands)
    add_play(commands)
    add_export(commands)
    add_reproduce(commands)
    return parser


def parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments; those that nobody knows are an error with a hint."""
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        command = f"secateur {arguments.command}" if arguments.command else "secateur"
        hint = f"see '{command} --help'"
        close = (
            closest(unknown[0], arguments.parser.option_names) if unknown[0][:1] == "-" else None
        )
        if close is not None:
            hint = f"did you mean {close}? {hint}"
        if all("=" in each and not each.startswith("-") for each in unknown):
            hint = "write --set before each name=value"
        raise ParameterError(f"unrecognized arguments: {' '.join(unknown)}; {hint}")
    return arguments


def _add_games(commands: Any) -> None:
    parser = command_parser(
        commands.add_parser, "games", GAMES_ABOUT, GAMES_EXAMPLES, help="list the built-in games"
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="show this game only")
    add_json(parser)
    parser.set_defaults(do=_run_games)


def _add_solve(commands: Any) -> None:
    parser = command_parser(
        commands.add_parser, "solve", SOLVE_ABOUT, SOLVE_EXAMPLES, help="solve a game"
    )
    add_game(parser)
    add_algorithm_options(parser)
    add_limits(parser)
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
    add_run_options(parser)
    add_json(parser)
    add_curve(parser)
    parser.set_defaults(do=_run_solve)


def _add_evaluate(commands: Any) -> None:
    parser = command_parser(
        commands.add_parser,
        "evaluate",
        EVALUATE_ABOUT,
        EVALUATE_EXAMPLES,
        help="measure the strategy in a file",
    )
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
    add_json(parser)
    parser.set_defaults(do=_run_evaluate)


# The commands are imported when they run: numerical libraries take most of a second to load.


def _run_games(arguments: argparse.Namespace) -> int:
    from secateur.cli.games import run  # noqa: PLC0415

    return run(arguments)


def _run_solve(arguments: argparse.Namespace) -> int:
    from secateur.cli.solving import run  # noqa: PLC0415

    return run(arguments)


def _run_evaluate(arguments: argparse.Namespace) -> int:
    from secateur.cli.evaluating import run  # noqa: PLC0415

    return run(arguments)
