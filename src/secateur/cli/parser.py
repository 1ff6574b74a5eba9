"""What can be typed: commands, options, and the help that teaches them.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from secateur import __version__
from secateur.cli import values
from secateur.cli.method_options import OF_CFR, add_method_options
from secateur.errors import ParameterError

ALGORITHMS = (*OF_CFR, "egt", "omd", "fp", "exact")

FIGURES = (
    *("brp-fig1", "brp-fig2", "brp-fig3", "brp-fig4", "total-rbp-fig1", "total-rbp-fig2"),
    *("thresholding-fig1", "thresholding-fig2"),
)

ABOUT = """\
Solve two-player zero-sum games with hidden information, such as poker: find
a strategy for both players that no opponent can beat by much."""

EXAMPLES = """\
examples:
  secateur games                          what games there are
  secateur games leduc                    one game and its parameters
  secateur solve kuhn                     solve a game, see the strategy
  secateur solve leduc --target 1e-5 --out leduc.json
  secateur evaluate leduc leduc.json      measure the strategy in a file
  secateur reproduce brp-fig1 --quick --out figures

'secateur COMMAND --help' says more about a command."""

GAMES_ABOUT = """\
List the built-in games, or show one with the meaning of its parameters."""

GAMES_EXAMPLES = """\
examples:
  secateur games
  secateur games leduc
  secateur games --json | jq '.[].name'

Sizes are those with the default parameters. Set parameters with --set when
you solve: secateur solve leduc --set ranks=5"""

SOLVE_ABOUT = """\
Solve a game. Without a limit, stop at exploitability 0.001; with several
limits, stop at the first that is met. Ctrl-C ends with the result so far."""

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

what the numbers mean:
  NashConv        what both players together could gain if each switched to a
                  best response to the other; 0 at an equilibrium
  exploitability  half of NashConv, in the unit of the payoffs
  value           what player 0 wins on average; player 1 loses as much
  nodes touched   histories that the iterations have visited, summed over
                  iterations and players; pruning visits fewer
  memory          of the compiled game and of the solver's arrays

Exit codes: 0 solved, 2 wrong input, 130 interrupted (the result so far is
still printed and written)."""

EVALUATE_ABOUT = """\
Measure a strategy that 'secateur solve --out' has written."""

EVALUATE_EXAMPLES = """\
examples:
  secateur evaluate leduc leduc.json
  secateur evaluate leduc five.json --set ranks=5 --json

what the numbers mean:
  best response   the most a player can win against the other's strategy
  NashConv        the sum of both best responses; 0 at an equilibrium
  exploitability  half of NashConv, in the unit of the payoffs
  value           what player 0 wins on average; player 1 loses as much

The file remembers game and parameters; GAME and --set must agree with it."""


REPRODUCE_ABOUT = """\
Run what a figure of a paper shows again, and judge the paper's claims about
it. Writes measurements (CSV), a plot (PNG and SVG) and the claims with their
verdicts (markdown). Ctrl-C ends without writing anything."""

REPRODUCE_EXAMPLES = """\
examples:
  secateur reproduce brp-fig1 --quick --out figures
  secateur reproduce brp-fig4 --out figures
  secateur reproduce total-rbp-fig2 --quick --out figures --json

figures (Brown and Sandholm: Reduced Space and Faster Convergence in
Imperfect-Information Games via Pruning, 2017; total-rbp: its earlier version,
via Regret-Based Pruning; thresholding: Brown, Kroer and Sandholm: Dynamic
Thresholding and Pruning for Regret Minimization, 2017):
  brp-fig1           space and convergence of best-response pruning on Leduc
  brp-fig2           the same on Leduc-5
  brp-fig3           no, partial, regret-based, best-response pruning on Leduc
  brp-fig4           the same on Leduc-5
  total-rbp-fig1     space and convergence on both games
  total-rbp-fig2     ways of pruning on both games
  thresholding-fig1  the excessive gap technique and Hedge with thresholds, CFR
                     and CFR+, on both
  thresholding-fig2  both with lower and higher thresholds, on both

On Leduc the whole takes a minute or two, on Leduc-5 about half an hour."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise what the command line prints as one line."""
        raise ParameterError(f"{message}; see '{self.prog} --help'")


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser: Parser = _parser(Parser, "secateur", ABOUT, EXAMPLES)
    parser.add_argument("--version", action="version", version=f"secateur {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    _add_games(commands)
    _add_solve(commands)
    _add_evaluate(commands)
    _add_reproduce(commands)
    return parser


def parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments; those that nobody knows are an error with a hint."""
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        command = f"secateur {arguments.command}" if arguments.command else "secateur"
        hint = f"see '{command} --help'"
        if all("=" in each and not each.startswith("-") for each in unknown):
            hint = "write --set before each name=value"
        raise ParameterError(f"unrecognized arguments: {' '.join(unknown)}; {hint}")
    return arguments


def _parser(make: Any, name: str, about: str, examples: str, **options: Any) -> Any:
    return make(
        name,
        description=about,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        **options,
    )


def _add_games(commands: Any) -> None:
    parser = _parser(
        commands.add_parser, "games", GAMES_ABOUT, GAMES_EXAMPLES, help="list the built-in games"
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="show this game only")
    _add_json(parser)
    parser.set_defaults(run=_run_games)


def _add_solve(commands: Any) -> None:
    parser = _parser(commands.add_parser, "solve", SOLVE_ABOUT, SOLVE_EXAMPLES, help="solve a game")
    _add_game(parser)
    parser.add_argument(
        "--algorithm",
        choices=ALGORITHMS,
        default="cfr+",
        metavar="NAME",
        help=f"{', '.join(ALGORITHMS[:-1])} (iterative; default cfr+; egt is the excessive gap "
        "technique, omd optimistic mirror descent, fp fictitious play), or exact (linear program, "
        "for small games)",
    )
    parser.add_argument(
        "--prune",
        choices=("none", "partial", "rbp", "brp"),
        metavar="HOW",
        help="partial skips what the opponent does not reach, with the same result (default); "
        "rbp, regret-based pruning, also skips own actions while they are surely not played (with "
        "algorithm cfr, cfr+, or hedge with --threshold); brp, best-response pruning, those that "
        "cannot catch up (with algorithm cfr, lcfr or fp); none visits everything",
    )
    parser.add_argument(
        "--min-skip",
        type=values.positive,
        metavar="N",
        help="rbp, brp: prune an action only if it can be skipped for N iterations (default: rbp "
        "5, brp 5 to any, by the time that evaluations of branches take, with fp 400)",
    )
    parser.add_argument(
        "--check-every",
        type=values.count,
        metavar="N",
        help="rbp, brp: look for actions to prune every N iterations (default: rbp 1; brp at "
        "growing intervals, and first after 2,000: before, it takes longer than it saves)",
    )
    parser.add_argument(
        "--discard",
        type=values.not_negative,
        metavar="C",
        help="brp: also forget the average strategy of a pruned action once it is played with "
        "probability C/t or less after t iterations (default 0.03; 0: never)",
    )
    parser.add_argument(
        "--discard-rule",
        choices=("linear", "sqrt"),
        metavar="RULE",
        help="brp: linear discards at C/t (default), sqrt at C/sqrt(t), which costs convergence",
    )
    add_method_options(parser)
    parser.add_argument(
        "--iterations", type=values.count, metavar="N", help="stop after N iterations"
    )
    parser.add_argument(
        "--target",
        type=values.target,
        metavar="EXPLOITABILITY",
        help="stop when exploitability (half of NashConv) is at most this; default 0.001 if no "
        "limit is given",
    )
    parser.add_argument("--seconds", type=values.positive, metavar="S", help="stop after S seconds")
    parser.add_argument("--out", metavar="FILE", help="write the whole strategy to a JSON file")
    _add_json(parser)
    parser.set_defaults(run=_run_solve)


def _add_evaluate(commands: Any) -> None:
    parser = _parser(
        commands.add_parser,
        "evaluate",
        EVALUATE_ABOUT,
        EVALUATE_EXAMPLES,
        help="measure the strategy in a file",
    )
    _add_game(parser)
    parser.add_argument("file", metavar="STRATEGY_FILE", help="written by 'secateur solve --out'")
    _add_json(parser)
    parser.set_defaults(run=_run_evaluate)


def _add_reproduce(commands: Any) -> None:
    parser = _parser(
        commands.add_parser,
        "reproduce",
        REPRODUCE_ABOUT,
        REPRODUCE_EXAMPLES,
        help="run a figure of a paper again",
    )
    parser.add_argument("figure", metavar="FIGURE", choices=FIGURES, help="see below")
    parser.add_argument(
        "--quick", action="store_true", help="a short run: seconds, verdicts to match"
    )
    parser.add_argument(
        "--out", metavar="DIR", required=True, help="write files here; made if it is not there"
    )
    _add_json(parser)
    parser.set_defaults(run=_run_reproduce)


def _add_game(parser: Any) -> None:
    parser.add_argument("game", metavar="GAME", help="a name from 'secateur games'")
    parser.add_argument(
        "--set",
        dest="settings",
        type=values.setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the game; repeat for more",
    )


def _add_json(parser: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


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


def _run_reproduce(arguments: argparse.Namespace) -> int:
    from secateur.cli.reproducing import run  # noqa: PLC0415

    return run(arguments)
