"""Algorithms by name, and their options: one table for Python and the command line.

:mod:`secateur.methods` makes solvers of options, and tells the options of solvers. Nothing heavy is
imported before a solver is made.
"""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from secateur.errors import ParameterError

if TYPE_CHECKING:
    from secateur.solvers.exact import Exact
    from secateur.solvers.iterative import Iterative

_RECIPES = "secateur.recipes"


class Algorithm(NamedTuple):
    """One algorithm that can be asked for by name."""

    name: str
    title: str
    module: str
    maker: str
    """What makes the solver, in that module."""

    also: tuple[str, ...] = ()
    """Other names that people use, in small letters and without spaces."""

    @property
    def is_cfr(self) -> bool:
        """Whether it is a member of the CFR family, which takes the options of CFR."""
        return self.module == _RECIPES

    def solver(self, **options: Any) -> Iterative | Exact:
        """Return a solver with these options."""
        made: Iterative | Exact = getattr(importlib.import_module(self.module), self.maker)(
            **options
        )
        return made


_ALGORITHMS = (
    Algorithm("cfr", "CFR", _RECIPES, "cfr", ("vanillacfr",)),
    Algorithm("cfr+", "CFR+", _RECIPES, "cfr_plus"),
    Algorithm("lcfr", "linear CFR", _RECIPES, "linear_cfr", ("linearcfr",)),
    Algorithm("dcfr", "discounted CFR", _RECIPES, "dcfr", ("discountedcfr",)),
    Algorithm("pcfr+", "predictive CFR+", _RECIPES, "pcfr_plus", ("predictivecfr+",)),
    Algorithm("hedge", "CFR with Hedge", _RECIPES, "hedge", ("cfrhedge", "hedgecfr")),
    Algorithm(
        "fp",
        "fictitious play",
        "secateur.solvers.fictitious_play",
        "FictitiousPlay",
        ("fictitiousplay", "xfp"),
    ),
    Algorithm(
        "egt", "excessive gap technique", "secateur.solvers.egt", "EGT", ("excessivegaptechnique",)
    ),
    Algorithm(
        "omd",
        "optimistic mirror descent",
        "secateur.solvers.mirror_descent",
        "OptimisticMirrorDescent",
        ("optimisticmirrordescent",),
    ),
    Algorithm(
        "exact", "a linear program", "secateur.solvers.exact", "Exact", ("lp", "linearprogram")
    ),
)
ALGORITHMS = {each.name: each for each in _ALGORITHMS}
OF_CFR = tuple(each.name for each in _ALGORITHMS if each.is_cfr)

ALGORITHMS_OF = {
    "threshold": (*OF_CFR, "egt"),
    "learning_rate": ("hedge",),
    "steps": ("egt", "omd"),
    "weights": ("egt", "omd"),
    "balanced": ("egt",),
    "smoothing": ("egt",),
    "updates": OF_CFR,
    "precision": OF_CFR,
}
"""Which algorithms take an option."""

PRUNING_OPTIONS = ("prune", "min_skip", "check_every", "discard", "discard_rule")
OPTIONS = ("algorithm", *PRUNING_OPTIONS, *ALGORITHMS_OF)
"""All options that choose a solver; one that is None is left at its default."""

_SPELLINGS = {spelling: each for each in _ALGORITHMS for spelling in (each.name, *each.also)}


def find_algorithm(name: str) -> Algorithm:
    """Return the algorithm of that name, however it is spelled: ``CFR+``, ``cfr_plus``...

    Raises
    ------
    ParameterError
        If there is none; it proposes the nearest and lists them all.
    """
    spelled = "".join(letter for letter in name.lower() if letter.isalnum() or letter == "+")
    spelled = spelled.replace("plus", "+")
    found = _SPELLINGS.get(spelled)
    if found is None:
        close = get_close_matches(spelled, _SPELLINGS, n=1)
        hint = f"did you mean {_SPELLINGS[close[0]].name!r}? " if close else ""
        raise ParameterError(
            f"unknown algorithm {name!r}; {hint}choose from {', '.join(ALGORITHMS)}"
        )
    return found


def takers(option: str) -> str:
    """Return in words which algorithms take an option."""
    others = [name for name in ALGORITHMS_OF[option] if name not in OF_CFR]
    if ALGORITHMS_OF[option][: len(OF_CFR)] == OF_CFR:
        return ", ".join([*others, "cfr and its kin"])
    return " and ".join(others or ALGORITHMS_OF[option])
