"""From options to a solver, and back: the vocabulary of :mod:`secateur.algorithms` at work."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from typing import Any

from secateur.algorithms import ALGORITHMS, ALGORITHMS_OF, OPTIONS, PRUNING_OPTIONS, takers
from secateur.errors import ParameterError
from secateur.minimizers import Hedge
from secateur.pruning import (
    BestResponsePruning,
    NoPruning,
    PartialPruning,
    Pruning,
    RegretBasedPruning,
)
from secateur.solvers.cfr import CFR
from secateur.solvers.exact import Exact
from secateur.solvers.iterative import Iterative
from secateur.storage import Storage
from secateur.thresholding import DynamicThresholding

PRUNING: dict[str, type[Pruning]] = {
    "none": NoPruning,
    "partial": PartialPruning,
    "rbp": RegretBasedPruning,
    "brp": BestResponsePruning,
}
_WEIGHTS = {"2017": "kroer17", "2015": "kroer15"}
_YEARS = {weights: year for year, weights in _WEIGHTS.items()}
_FIELDS = {"min_skip": "minimum_skip"}
"""Options that are called otherwise in solvers."""

ALONE = "<algorithm exact>, which solves a linear program to the end"
"""What does not go with the exact solver ends so."""

_MARKED = re.compile(r"<(\w+)(?: ([^>]+))?>")


class OptionsError(ParameterError):
    """Options that do not go together.

    Parameters
    ----------
    sentence : str
        Says so; ``<prune brp>`` is the option ``prune`` with that value.
    """

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence
        super().__init__(self.spelled(lambda name, value: f"{name}={value!r}" if value else name))

    def spelled(self, option: Callable[[str, str | None], str]) -> str:
        """Return the sentence with options written as somebody types them."""
        return _MARKED.sub(lambda found: option(found[1], found[2]), self._sentence)


def solver_of(options: Mapping[str, Any], *, count_nodes: bool = False) -> Iterative | Exact:
    """Return the solver that options describe; those that do not go together are refused."""
    given = {name: options[name] for name in OPTIONS if options.get(name) is not None}
    name = given.pop("algorithm", "cfr+")
    if name not in ALGORITHMS:
        raise OptionsError(f"<algorithm {name}>: choose from {', '.join(ALGORITHMS)}")
    algorithm = ALGORITHMS[name]
    if name == "exact":
        _refuse(given, (*PRUNING_OPTIONS, *ALGORITHMS_OF), ALONE)
        return algorithm.solver()
    for option, algorithms in ALGORITHMS_OF.items():
        if name not in algorithms:
            _refuse(given, (option,), f"<algorithm {name}>, but with {takers(option)}")
    common: dict[str, Any] = {"pruning": _pruning(given), "count_nodes": count_nodes}
    own: dict[str, Any] = {option: given[option] for option in given if option in ALGORITHMS_OF}
    if "weights" in own:
        own["weights"] = _WEIGHTS.get(own["weights"], own["weights"])
    if algorithm.is_cfr:
        if "threshold" in own:
            own["thresholding"] = DynamicThresholding(own.pop("threshold"))
        if "learning_rate" in own:
            own["minimizer"] = Hedge(own.pop("learning_rate"))
        if "precision" in own:
            own["storage"] = Storage(own.pop("precision"))
    return algorithm.solver(**common, **own)


def _refuse(given: Mapping[str, Any], options: tuple[str, ...], what: str) -> None:
    for option in options:
        if option in given:
            raise OptionsError(f"<{option}> does not go with {what}; leave it out")


def _pruning(given: Mapping[str, Any]) -> Pruning:
    prune = given.get("prune", "partial")
    if prune not in PRUNING:
        raise OptionsError(f"<prune {prune}>: choose from {', '.join(PRUNING)}")
    when = {_FIELDS.get(name, name): given[name] for name in PRUNING_OPTIONS[1:3] if name in given}
    discards = {name: given[name] for name in PRUNING_OPTIONS[3:] if name in given}
    if discards and prune != "brp":
        raise OptionsError(
            "<discard> and <discard_rule> go with <prune brp> only: nothing else forgets"
        )
    if when and prune not in ("rbp", "brp"):
        raise OptionsError("<min_skip> and <check_every> go with <prune rbp> or 'brp' only")
    return PRUNING[prune](**when, **discards)


def options_of(solver: Iterative | Exact) -> dict[str, Any] | None:
    """Return the options that describe a solver, all that differ from the default.

    None if no options do: there are more ways to put solvers together.
    """
    counts = isinstance(solver, Exact) or solver.count_nodes
    for name in ALGORITHMS:
        guess = {"algorithm": name, **_differences(solver, name)}
        with suppress(ParameterError, TypeError):
            if solver_of(guess, count_nodes=counts) == solver:
                return {option: guess.get(option) for option in OPTIONS}
    return None


def pruning_name(solver: Iterative | Exact) -> str | None:
    """Return how a solver prunes."""
    if isinstance(solver, Exact):
        return None
    kind = type(solver.pruning)
    return next((name for name, known in PRUNING.items() if known is kind), kind.__name__)


def method_in_parts(solver: Iterative | Exact) -> str:
    """Return a solver in words, with all parts that differ from those of its class."""
    usual = type(solver)()
    parts = [
        f"{each.name} {getattr(solver, each.name)}"
        for each in fields(solver)
        if getattr(solver, each.name) != getattr(usual, each.name) and each.name != "count_nodes"
    ]
    return ", ".join([type(solver).__name__, *parts])


def _differences(solver: Iterative | Exact, algorithm: str) -> dict[str, Any]:
    """Return the options that a solver would have if it were of an algorithm."""
    if isinstance(solver, Exact):
        return {}
    found: dict[str, Any] = {}
    if type(solver.pruning) is not PartialPruning:
        found["prune"] = pruning_name(solver)
    usual: Any = type(solver.pruning)()
    for option in PRUNING_OPTIONS[1:]:
        field = _FIELDS.get(option, option)
        if getattr(solver.pruning, field, None) != getattr(usual, field, None):
            found[option] = getattr(solver.pruning, field)
    if isinstance(solver, CFR):
        if solver.thresholding is not None:
            found["threshold"] = solver.thresholding.factor
        if isinstance(solver.minimizer, Hedge) and solver.minimizer != Hedge():
            found["learning_rate"] = solver.minimizer.learning_rate
        if solver.storage != Storage():
            found["precision"] = solver.storage.precision
    usual = type(solver)()
    for option, takers_of in ALGORITHMS_OF.items():
        mine: Any = getattr(solver, option, None)
        default = getattr(usual, option, None)
        if algorithm in takers_of and option not in found and mine != default:
            found[option] = _YEARS.get(mine, mine)
    return found
