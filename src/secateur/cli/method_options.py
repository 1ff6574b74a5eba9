"""Options of 'secateur solve' that belong to some algorithms only."""

from __future__ import annotations

from typing import Any

from secateur.cli import values

OF_CFR = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "hedge")

ALGORITHMS_OF = {
    "threshold": (*OF_CFR, "egt"),
    "learning-rate": ("hedge",),
    "steps": ("egt", "omd"),
    "weights": ("egt", "omd"),
    "balanced": ("egt",),
    "smoothing": ("egt",),
    "updates": OF_CFR,
    "precision": OF_CFR,
}
"""Which algorithms take an option."""


def takers(option: str) -> str:
    """Return in words which algorithms take an option."""
    others = [name for name in ALGORITHMS_OF[option] if name not in OF_CFR]
    if ALGORITHMS_OF[option][: len(OF_CFR)] == OF_CFR:
        return ", ".join([*others, "cfr and its kin"])
    return " and ".join(others or ALGORITHMS_OF[option])


def add_method_options(parser: Any) -> None:
    """Add these options to the parser of 'secateur solve'."""
    parser.add_argument(
        "--threshold",
        type=values.not_negative,
        metavar="C",
        help="cfr and its kin: set small probabilities to zero, by a threshold that falls over "
        "time, so that bounds of regret grow by no more than the factor C, 1 or more; it lets "
        "hedge prune (not with brp). egt: leave out branches that chance and the opponent take "
        "with a probability below C/t in iteration t (the paper uses 0.001 to 0.05)",
    )
    parser.add_argument(
        "--learning-rate",
        choices=("variance", "theory"),
        metavar="RATE",
        help="hedge: by the variance of values so far (default), or that of theory, by the range "
        "of payoffs, which is much slower",
    )
    parser.add_argument(
        "--steps",
        choices=("fixed", "adaptive", "safe"),
        metavar="HOW",
        help="egt: adaptive steps are as long as the condition allows that guarantees the result "
        "(default without a threshold), fixed ones are 2/(t+2) (default with one). omd: adaptive "
        "(default) or safe, which theory allows and which are much shorter",
    )
    parser.add_argument(
        "--weights",
        choices=("2017", "2015"),
        metavar="YEAR",
        help="egt, omd: weights of the entropy by Kroer et al., 2017 (default) or 2015",
    )
    parser.add_argument(
        "--balanced",
        action="store_const",
        const=True,
        help="egt: shrink the larger smoothing of both players, not each in turn",
    )
    parser.add_argument(
        "--smoothing",
        choices=("search", "safe"),
        metavar="HOW",
        help="egt: begin with the smallest smoothing that fulfils the condition (search, default) "
        "or with the one that is proved to (safe), from which no practical run recovers",
    )
    parser.add_argument(
        "--updates",
        choices=("alternating", "simultaneous"),
        metavar="HOW",
        help="cfr and its kin: alternating (default) or simultaneous updates of the players",
    )
    parser.add_argument(
        "--precision",
        choices=("float64", "float32"),
        metavar="TYPE",
        help="cfr and its kin: float64 (default), or float32 for half the memory",
    )
