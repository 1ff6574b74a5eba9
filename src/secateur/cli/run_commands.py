"""What can be typed about runs that are kept in directories.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli import values
from secateur.cli.options import add_cache, add_curve, add_json, add_limits, command_parser
from secateur.runs import EVERY

X_AXES = ("iterations", "nodes", "seconds")
Y_AXES = ("exploitability", "space", "memory")

RESUME_ABOUT = """\
Go on with a run that 'secateur solve --run' has begun, from its last
checkpoint, to the same bits as if it had never stopped. Limits count from
the beginning of the run; without any, those that it was given last hold."""

RESUME_EXAMPLES = """\
examples:
  secateur resume five
  secateur resume five --iterations 100000
  secateur resume five --target 1e-5 --seconds 86400 --json

A checkpoint that is damaged or belongs to another run is set aside, and the
one before is used. Exit codes are those of 'secateur solve'."""

STATUS_ABOUT = """\
Show how far runs are that 'secateur solve --run' has begun, also while they
are going on."""

STATUS_EXAMPLES = """\
examples:
  secateur status five
  secateur status runs/* --json

what the columns mean:
  state        running, done (a limit has ended the run), or stopped: then
               'secateur resume' goes on from the checkpoint
  alive        share of the regrets that are in use; less than all only with
               best-response pruning
  memory       of the compiled game and of the solver's arrays
  checkpoint   the iteration that the run can go on from"""

PLOT_ABOUT = """\
Draw runs that 'secateur solve --run' has begun in one picture, as PNG and as
SVG."""

PLOT_EXAMPLES = """\
examples:
  secateur plot five
  secateur plot runs/* --x seconds --y exploitability
  secateur plot partial brp --x seconds --y memory --out memory

what can be drawn:
  iterations, seconds   from the beginning of the run
  nodes                 histories that the iterations have visited, of runs
                        that were begun with --count-nodes
  exploitability        half of NashConv
  space                 share of the regrets and strategy sums in use
  memory                of the compiled game and of the solver's arrays"""


def add_run_options(parser: Any) -> None:
    """Add what ``solve`` can be told about keeping a run."""
    parser.add_argument(
        "--run",
        type=values.path,
        metavar="DIR",
        help="keep the run in a new directory: configuration, metrics, checkpoints and the "
        "strategy; 'secateur resume DIR' goes on",
    )
    parser.add_argument(
        "--count-nodes",
        action="store_const",
        const=True,
        help="count the histories visited, which takes a sixth more time with partial pruning and "
        "half with brp (always done with --json, unless there is a --run)",
    )
    _add_resources(parser)


def add_resume(commands: Any) -> None:
    """Add the command that goes on with a run."""
    parser = command_parser(
        commands.add_parser,
        "resume",
        RESUME_ABOUT,
        RESUME_EXAMPLES,
        help="go on with a run in a directory",
    )
    parser.add_argument("directory", metavar="DIR", help="as given to 'secateur solve --run'")
    add_limits(parser)
    _add_resources(parser)
    add_cache(parser)
    add_json(parser)
    add_curve(parser)
    parser.set_defaults(do=_run_resume)


def add_status(commands: Any) -> None:
    """Add the command that lists runs."""
    parser = command_parser(
        commands.add_parser,
        "status",
        STATUS_ABOUT,
        STATUS_EXAMPLES,
        help="show how far runs in directories are",
    )
    _add_directories(parser)
    add_json(parser)
    parser.set_defaults(do=_run_status)


def add_plot(commands: Any) -> None:
    """Add the command that draws runs."""
    parser = command_parser(
        commands.add_parser,
        "plot",
        PLOT_ABOUT,
        PLOT_EXAMPLES,
        help="draw runs in directories",
    )
    _add_directories(parser)
    parser.add_argument(
        "--x",
        choices=X_AXES,
        default="iterations",
        metavar="WHAT",
        help="iterations (default), nodes or seconds",
    )
    parser.add_argument(
        "--y",
        choices=Y_AXES,
        default="exploitability",
        metavar="WHAT",
        help="exploitability (default), space or memory",
    )
    parser.add_argument(
        "--out",
        type=values.path,
        metavar="NAME",
        help="write NAME.png and NAME.svg (default: such as exploitability-by-iterations)",
    )
    parser.set_defaults(do=_run_plot)


def _add_directories(parser: Any) -> None:
    parser.add_argument(
        "directories", metavar="DIR", nargs="+", help="as given to 'secateur solve --run'"
    )


def _add_resources(parser: Any) -> None:
    parser.add_argument(
        "--checkpoint-every",
        type=values.positive,
        metavar="S",
        help=f"seconds between two checkpoints (default {EVERY:g}); more if writing them would "
        "take over a fiftieth of the time",
    )
    parser.add_argument(
        "--memory-limit",
        type=values.size,
        metavar="BYTES",
        help="do not start a run that would take more memory, such as 500M or 1.5G",
    )


# The commands are imported when they run: numerical libraries take most of a second to load.


def _run_resume(arguments: argparse.Namespace) -> int:
    from secateur.cli.resuming import run  # noqa: PLC0415

    return run(arguments)


def _run_status(arguments: argparse.Namespace) -> int:
    from secateur.cli.status import run  # noqa: PLC0415

    return run(arguments)


def _run_plot(arguments: argparse.Namespace) -> int:
    from secateur.cli.plotting import run  # noqa: PLC0415

    return run(arguments)
