"""What can be typed about runs that are kept in directories.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

from typing import Any

from secateur.cli import values
from secateur.cli.command import Command
from secateur.cli.options import (
    add_cache,
    add_cluster,
    add_curve,
    add_json,
    add_limits,
    add_threads,
)
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
  checkpoint   the iteration that the run can go on from

Runs on a cluster have a line per shard: the memory of its process, how long
it has swept its pieces, and how long it has waited for others and for letters,
up to the last checkpoint."""

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


def _add_resume_options(parser: Any) -> None:
    parser.add_argument("directory", metavar="DIR", help="as given to 'secateur solve --run'")
    add_limits(parser)
    add_threads(parser)
    add_cluster(parser)
    _add_resources(parser)
    add_cache(parser)
    add_json(parser)
    add_curve(parser)


def _add_status_options(parser: Any) -> None:
    _add_directories(parser)
    add_json(parser)


def _add_plot_options(parser: Any) -> None:
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
        help="what the run may take, such as 500M or 1.5G: if need be the game is moved to a file "
        "and numbers are kept in fewer bits (but not with --precision); what does not fit even so "
        "is not started",
    )


RESUME = Command(
    "resume",
    "go on with a run in a directory",
    RESUME_ABOUT,
    RESUME_EXAMPLES,
    _add_resume_options,
    "secateur.cli.resuming:run",
)
STATUS = Command(
    "status",
    "show how far runs in directories are",
    STATUS_ABOUT,
    STATUS_EXAMPLES,
    _add_status_options,
    "secateur.cli.status:run",
)
PLOT = Command(
    "plot",
    "draw runs in directories",
    PLOT_ABOUT,
    PLOT_EXAMPLES,
    _add_plot_options,
    "secateur.cli.plotting:run",
)
