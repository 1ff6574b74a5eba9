"""How the options of :mod:`secateur.algorithms` and :mod:`secateur.pruning` are typed."""

from __future__ import annotations

from typing import Any

from secateur.algorithms import ALGORITHMS, DEFAULT, algorithm_options, pruning_options
from secateur.cli import values
from secateur.options import Option
from secateur.pruning import POLICIES

_TYPES = {
    "count": values.count,
    "positive": values.positive,
    "not_negative": values.not_negative,
    "number": values.finite,
}
"""What numbers are read by; what is typed for other kinds stays as it is."""


def add_algorithm_options(parser: Any) -> None:
    """Add all options that choose an algorithm."""
    parser.add_argument(
        "--algorithm",
        type=values.algorithm,
        default=DEFAULT,
        metavar="NAME",
        help=f"one of {', '.join(ALGORITHMS)}; default {DEFAULT}. {_others()}; all others are "
        "members of the CFR family",
    )
    parser.add_argument(
        "--prune",
        choices=tuple(POLICIES),
        metavar="HOW",
        help="; ".join(policy.about for policy in POLICIES.values()),
    )
    for name, options in (pruning_options() | algorithm_options()).items():
        _add(parser, name, options)


def _others() -> str:
    """Return what the algorithms are that are not of the CFR family."""
    others = (each for each in ALGORITHMS.values() if not each.is_cfr)
    return ", ".join(f"{each.name}: {each.title}" for each in others)


def _add(parser: Any, name: str, options: list[Option]) -> None:
    """Add an option; what it means to several algorithms is told by each."""
    first = options[0]
    typed = f"--{name.replace('_', '-')}"
    told = ". ".join(option.help for option in options)
    if first.kind == "flag":
        parser.add_argument(typed, action="store_const", const=True, help=told)
        return
    words = tuple(dict.fromkeys(word for option in options for word in option.words))
    parser.add_argument(
        typed,
        type=_TYPES.get(first.kind),
        choices=words or None,
        metavar=first.metavar,
        help=told,
    )
