"""How the options of :mod:`secateur.algorithms` are typed."""

from __future__ import annotations

from typing import Any

from secateur.algorithms import ALGORITHMS
from secateur.cli import values


def add_algorithm_options(parser: Any) -> None:
    """Add all options that choose an algorithm."""
    parser.add_argument(
        "--algorithm",
        type=values.algorithm,
        default="cfr+",
        metavar="NAME",
        help=f"one of {', '.join(ALGORITHMS)}; default cfr+. fp is fictitious play, egt the "
        "excessive gap technique, omd optimistic mirror descent, exact a linear program, for small "
        "games; all others are members of the CFR family",
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
        help="egt: begin with the smallest smoothing that fulfills the condition (search, default) "
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
        help="cfr and its kin: float64 (default), or float32 for two thirds of the memory",
    )
