"""Algorithms by name, and their options: one table for Python, the command line and files.

:mod:`secateur.methods` makes solvers of options, and tells the options of solvers. Nothing heavy is
imported before a solver is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from secateur.errors import ParameterError
from secateur.options import Option, as_they_are, by_name
from secateur.pruning import POLICIES

if TYPE_CHECKING:
    from secateur.solvers.exact import Exact
    from secateur.solvers.protocols import Solver

_WEIGHTS = Option(
    "weights",
    "weights",
    "egt, omd: weights of the entropy by Kroer et al., 2017 (default) or 2015",
    metavar="YEAR",
    words={"2017": "kroer17", "2015": "kroer15"},
)
_ALPHA = Option(
    "alpha",
    "minimizer.alpha",
    "dcfr, dcfr+, pdcfr+: exponent of the discounts of regrets, with dcfr of positive ones "
    "(default 1.5, pdcfr+ 2.3)",
    kind="not_negative",
    metavar="A",
)
_OF_CFR = (
    Option(
        "averaging",
        "averaging.power",
        "cfr and its kin: iteration t counts in the average strategy by this power of t, 0 to 16 "
        "(default 0 for cfr and hedge; 1 for cfr+ and lcfr; 2 for dcfr, pcfr+ and sapcfr+; 4 for "
        "dcfr+; 5 for pdcfr+)",
        kind="not_negative",
        metavar="POWER",
    ),
    Option(
        "averaging_delay",
        "averaging.delay",
        "cfr and its kin: the first N iterations do not count in the average strategy, and t is "
        "counted from there (default 0)",
        kind="count",
        metavar="N",
    ),
    Option(
        "threshold",
        "thresholding.factor",
        "cfr and its kin: set small probabilities to zero, by a threshold that falls over time, so "
        "that bounds of regret grow by no more than the factor C, 1 or more; it lets hedge prune "
        "(not with brp)",
        kind="not_negative",
        metavar="C",
    ),
    Option(
        "updates",
        "updates",
        "cfr and its kin: alternating (default) or simultaneous updates of the players",
        metavar="HOW",
        words=as_they_are("alternating", "simultaneous"),
    ),
    Option(
        "precision",
        "storage.precision",
        "cfr and its kin: float64 (default); float32, which takes 4 bytes per sequence less; or "
        "int16, which takes a quarter of the memory and levels off at some 1e-4 of the payoffs "
        "(not with hedge or thresholds)",
        metavar="TYPE",
        words=as_they_are("float64", "float32", "int16"),
    ),
)


@dataclass(frozen=True)
class Algorithm:
    """One algorithm that can be asked for by name."""

    name: str
    title: str
    made_by: str | Callable[..., Any]
    """The class of the solver, or of a minimizer for CFR; ``module:Class`` is loaded only then."""

    also: tuple[str, ...] = ()
    """Other names that people use, in small letters and without spaces."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the class is made with."""

    own_options: tuple[Option, ...] = ()
    """What it takes besides pruning and, if it is one of them, what the CFR family takes."""

    is_cfr: bool = False
    """Whether it is a member of the CFR family, which takes the options of CFR."""

    iterates: bool = True
    """Whether it goes step by step, and so can be pruned, limited and kept."""

    @property
    def options(self) -> tuple[Option, ...]:
        """All that it takes, besides pruning."""
        return (*self.own_options, *(_OF_CFR if self.is_cfr else ()))

    def solver(self, **options: Any) -> Solver | Exact:
        """Return a solver with these options."""
        make = resolve_name(self.made_by) if isinstance(self.made_by, str) else self.made_by
        parts = dict(self.settings)
        if self.is_cfr:
            minimizer = make(**self.settings)
            parts = {"minimizer": minimizer, "averaging": minimizer.usual_averaging}
            make = resolve_name("secateur.solvers.cfr:CFR")
        made: Solver | Exact = make(**{**parts, **options})
        return made


_ALGORITHMS = (
    Algorithm("cfr", "CFR", "secateur.minimizers:RegretMatching", ("vanillacfr",), is_cfr=True),
    Algorithm("cfr+", "CFR+", "secateur.minimizers:RegretMatchingPlus", is_cfr=True),
    Algorithm(
        "lcfr",
        "linear CFR",
        "secateur.minimizers:RegretMatching",
        ("linearcfr",),
        settings={"linear": True},
        is_cfr=True,
    ),
    Algorithm(
        "dcfr",
        "discounted CFR",
        "secateur.minimizers:DiscountedRegretMatching",
        ("discountedcfr",),
        is_cfr=True,
        own_options=(
            _ALPHA,
            Option(
                "beta",
                "minimizer.beta",
                "dcfr: exponent of the discounts of negative regrets (default 0)",
                kind="number",
                metavar="B",
            ),
        ),
    ),
    Algorithm(
        "dcfr+",
        "discounted CFR+",
        "secateur.plus_minimizers:DiscountedRegretMatchingPlus",
        ("discountedcfr+",),
        is_cfr=True,
        own_options=(_ALPHA,),
    ),
    Algorithm(
        "pcfr+",
        "predictive CFR+",
        "secateur.minimizers:PredictiveRegretMatchingPlus",
        ("predictivecfr+",),
        is_cfr=True,
    ),
    Algorithm(
        "pdcfr+",
        "predictive discounted CFR+",
        "secateur.plus_minimizers:PredictiveDiscountedRegretMatchingPlus",
        ("predictivediscountedcfr+",),
        is_cfr=True,
        own_options=(_ALPHA,),
    ),
    Algorithm(
        "sapcfr+",
        "simple asymmetric predictive CFR+",
        "secateur.plus_minimizers:AsymmetricPredictiveRegretMatchingPlus",
        ("simpleapcfr+", "asymmetricpredictivecfr+"),
        is_cfr=True,
    ),
    Algorithm(
        "hedge",
        "CFR with Hedge",
        "secateur.minimizers:Hedge",
        ("cfrhedge", "hedgecfr"),
        is_cfr=True,
        own_options=(
            Option(
                "learning_rate",
                "minimizer.learning_rate",
                "hedge: by the variance of values so far (default), or that of theory, by the "
                "range of payoffs, which is much slower",
                metavar="RATE",
                words=as_they_are("variance", "theory"),
            ),
        ),
    ),
    Algorithm(
        "fp",
        "fictitious play",
        "secateur.solvers.fictitious_play:FictitiousPlay",
        ("fictitiousplay", "xfp"),
    ),
    Algorithm(
        "egt",
        "excessive gap technique",
        "secateur.solvers.egt:EGT",
        ("excessivegaptechnique",),
        own_options=(
            Option(
                "threshold",
                "threshold",
                "egt: leave out branches that chance and the opponent take with a probability "
                "below C/t in iteration t (the paper uses 0.001 to 0.05)",
                kind="not_negative",
                metavar="C",
            ),
            Option(
                "steps",
                "steps",
                "egt: adaptive steps are as long as the condition allows that guarantees the "
                "result (default without a threshold), fixed ones are 2/(t+2) (default with one)",
                metavar="HOW",
                words=as_they_are("fixed", "adaptive"),
            ),
            _WEIGHTS,
            Option(
                "balanced",
                "balanced",
                "egt: shrink the larger smoothing of both players, not each in turn",
                kind="flag",
            ),
            Option(
                "smoothing",
                "smoothing",
                "egt: begin with the smallest smoothing that fulfills the condition (search, "
                "default) or with the one that is proved to (safe), from which no practical run "
                "recovers",
                metavar="HOW",
                words=as_they_are("search", "safe"),
            ),
        ),
    ),
    Algorithm(
        "omd",
        "optimistic mirror descent",
        "secateur.solvers.mirror_descent:OptimisticMirrorDescent",
        ("optimisticmirrordescent",),
        own_options=(
            Option(
                "steps",
                "steps",
                "omd: adaptive (default) or safe, which theory allows and which are much shorter",
                metavar="HOW",
                words=as_they_are("adaptive", "safe"),
            ),
            _WEIGHTS,
        ),
    ),
    Algorithm(
        "exact",
        "a linear program",
        "secateur.solvers.exact:Exact",
        ("lp", "linearprogram"),
        iterates=False,
    ),
)
DEFAULT = "sapcfr+"
"""What runs if nobody names an algorithm: never far from the best of a game, where others are far
behind on some (docs/measurements/family.md)."""

ALGORITHMS = {each.name: each for each in _ALGORITHMS}
"""By the names that are typed: the one table in which an algorithm, or a minimizer, is named."""


def pruning_options() -> dict[str, list[Option]]:
    """Return the options of pruning policies, by name."""
    return by_name(option for policy in POLICIES.values() for option in policy.options)


def algorithm_options() -> dict[str, list[Option]]:
    """Return the options of algorithms, by name: those of few before those of a family."""
    own = [option for each in ALGORITHMS.values() for option in each.own_options]
    return by_name([*own, *_OF_CFR])


def option_names() -> tuple[str, ...]:
    """Return all options that choose a solver; one that is None is left at its default."""
    return ("algorithm", "prune", *pruning_options(), *algorithm_options())


def algorithms_with(option: str) -> list[str]:
    """Return the names of the algorithms that take an option."""
    return [
        name
        for name, each in ALGORITHMS.items()
        if option in {known.name for known in each.options}
    ]


def takers(option: str) -> str:
    """Return in words which algorithms take an option."""
    names = algorithms_with(option)
    family = [name for name, each in ALGORITHMS.items() if each.is_cfr]
    if set(family) <= set(names):
        return ", ".join([*(name for name in names if name not in family), "cfr and its kin"])
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def find_algorithm(name: str) -> Algorithm:
    """Return the algorithm of that name, however it is spelled: ``CFR+``, ``cfr_plus``...

    Raises
    ------
    ParameterError
        If there is none; it proposes the nearest and lists them all.
    """
    spelled = "".join(letter for letter in name.lower() if letter.isalnum() or letter == "+")
    spelled = spelled.replace("plus", "+")
    spellings = {word: each for each in ALGORITHMS.values() for word in (each.name, *each.also)}
    found = spellings.get(spelled)
    if found is None:
        close = get_close_matches(spelled, spellings, n=1)
        hint = f"did you mean {spellings[close[0]].name!r}? " if close else ""
        raise ParameterError(
            f"unknown algorithm {name!r}; {hint}choose from {', '.join(ALGORITHMS)}"
        )
    return found
