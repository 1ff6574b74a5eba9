"""What can be typed behind ``secateur compare``."""

from __future__ import annotations

from typing import Any

from secateur.cli import values
from secateur.cli.command import Command
from secateur.cli.options import add_curve, add_game, add_json, add_limits, add_threads
from secateur.cli.run_commands import X_AXES

COMPARE_ABOUT = """\
Run several algorithms on one game, one after the other, up to the same
target, time or number of iterations, and show the results side by side."""

COMPARE_EXAMPLES = """\
examples:
  secateur compare leduc --algorithms cfr+,dcfr,pcfr+ --target 1e-4
  secateur compare leduc --algorithms cfr "cfr --prune brp" --seconds 10
  secateur compare leduc --algorithms cfr+,dcfr,egt --seconds 5 --plot leduc.png
  secateur compare kuhn --algorithms cfr+,exact --json --curve

Each entry is the name of an algorithm and options of 'secateur solve' that
belong to it, such as "hedge --threshold 2 --prune rbp". Time is that of this
machine while it does nothing else; nodes are counted with --count-nodes."""


def _add_options(parser: Any) -> None:
    """Add what it takes."""
    add_game(parser)
    parser.add_argument(
        "--algorithms",
        nargs="+",
        required=True,
        metavar="ALGORITHM",
        help="names, with options in quotes; with commas or blanks between",
    )
    add_limits(parser)
    add_threads(parser)
    parser.add_argument(
        "--count-nodes", action="store_true", help="count the histories visited, which takes time"
    )
    parser.add_argument(
        "--plot",
        type=values.path,
        metavar="FILE",
        help="draw the curves: to FILE.png and FILE.svg, or to one of them if it is named so",
    )
    parser.add_argument(
        "--x",
        choices=X_AXES,
        metavar="WHAT",
        help="of the plot: seconds (default), iterations or nodes",
    )
    add_json(parser)
    add_curve(parser)


COMPARE = Command(
    "compare",
    "run several algorithms on one game",
    COMPARE_ABOUT,
    COMPARE_EXAMPLES,
    _add_options,
    "secateur.cli.comparing:run",
)
