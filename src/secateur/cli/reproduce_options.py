"""What can be typed behind ``secateur reproduce``."""

from __future__ import annotations

from typing import Any

from secateur.cli.command import Command
from secateur.cli.options import add_json

FIGURES = (
    *("brp-fig1", "brp-fig2", "brp-fig3", "brp-fig4", "total-rbp-fig1", "total-rbp-fig2"),
    *("thresholding-fig1", "thresholding-fig2", "beyond", "beyond-large"),
)

REPRODUCE_ABOUT = """\
Run what a figure of a paper, or of our own, shows again, and judge what is
claimed about it. Writes measurements (CSV), a plot (PNG and SVG) and the
claims with their verdicts (markdown). Curves that several figures share are
run once. Ctrl-C ends without the figure that is running."""

REPRODUCE_EXAMPLES = """\
examples:
  secateur reproduce brp-fig1 --quick --out figures
  secateur reproduce brp-fig2 brp-fig4 total-rbp-fig1 --out figures
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
our own:
  beyond             CFR, CFR+ and DCFR with pruning of three kinds on Leduc-5
  beyond-large       the same with twelve bet sizes

On Leduc the whole takes a minute or two, on Leduc-5 about half an hour. The
game of beyond-large alone takes a minute to compile, also with --quick."""


def _add_options(parser: Any) -> None:
    """Add what it takes."""
    parser.add_argument(
        "figures", metavar="FIGURE", nargs="+", choices=FIGURES, help="one or more, see below"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a short run: seconds, verdicts to match"
    )
    parser.add_argument(
        "--out", metavar="DIR", required=True, help="write files here; made if it is not there"
    )
    add_json(parser)


REPRODUCE = Command(
    "reproduce",
    "run a figure of a paper again",
    REPRODUCE_ABOUT,
    REPRODUCE_EXAMPLES,
    _add_options,
    "secateur.cli.reproducing:run",
)
