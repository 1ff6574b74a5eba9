"""From options to a solver, and back: the vocabulary of :mod:`secateur.algorithms` at work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from secateur.algorithms import (
    ALGORITHMS,
    DEFAULT,
    Algorithm,
    algorithm_options,
    algorithms_with,
    option_names,
    pruning_options,
    takers,
)
from secateur.errors import ParameterError
from secateur.options import Option
from secateur.pruning import POLICIES, PartialPruning, Pruning
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.thresholding import DynamicThresholding

_ABSENT = {"thresholding": DynamicThresholding()}
"""Parts that a solver may be without, as they are before an option sets something in them."""

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


def solver_of(options: Mapping[str, Any], *, count_nodes: bool = False) -> Solver | Exact:
    """Return the solver that options describe; those that do not go together are refused."""
    given = {name: options[name] for name in option_names() if options.get(name) is not None}
    name = given.pop("algorithm", DEFAULT)
    if name not in ALGORITHMS:
        raise OptionsError(f"<algorithm {name}>: choose from {', '.join(ALGORITHMS)}")
    algorithm = ALGORITHMS[name]
    if not algorithm.iterates:
        _refuse(given, option_names(), ALONE)
        return algorithm.solver()
    for option in algorithm_options():
        if name not in algorithms_with(option):
            _refuse(given, (option,), f"<algorithm {name}>, but with {takers(option)}")
    return algorithm.solver(
        pruning=_pruning(given), count_nodes=count_nodes, **_fields(algorithm, given)
    )


def _refuse(given: Mapping[str, Any], options: Iterable[str], what: str) -> None:
    for option in options:
        if option in given:
            raise OptionsError(f"<{option}> does not go with {what}; leave it out")


def _pruning(given: Mapping[str, Any]) -> Pruning:
    prune = given.get("prune", PartialPruning.name)
    if prune not in POLICIES:
        raise OptionsError(f"<prune {prune}>: choose from {', '.join(POLICIES)}")
    policy = POLICIES[prune]
    mine = {option.name: option for option in policy.options}
    for name in pruning_options():
        if name in given and name not in mine:
            first, *others = (each.name for each in POLICIES.values() if _takes(each, name))
            known = " or ".join([f"<prune {first}>", *map(repr, others)])
            raise OptionsError(f"<{name}> goes with {known} only; leave it out")
    return policy(
        **{
            _field(option): option.value(given[name])
            for name, option in mine.items()
            if name in given
        }
    )


def _takes(policy: type[Pruning], name: str) -> bool:
    return any(option.name == name for option in policy.options)


def _field(option: Option) -> str:
    return option.sets.rpartition(".")[2]


def _fields(algorithm: Algorithm, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a solver that options set, with all else as the algorithm has it."""
    usual = algorithm.solver()
    fields: dict[str, Any] = {}
    for option in algorithm.options:
        if option.name in given:
            value = option.value(given[option.name])
            part, dot, field = option.sets.rpartition(".")
            if dot:
                before: Any = fields.get(part) or getattr(usual, part) or _ABSENT[part]
                fields[part] = replace(before, **{field: value})
            else:
                fields[field] = value
    return fields


def options_of(solver: Solver | Exact) -> dict[str, Any] | None:
    """Return the options that describe a solver, all that differ from the default.

    None if no options do: there are more ways to put solvers together.
    """
    counts = isinstance(solver, Exact) or solver.count_nodes
    if not isinstance(solver, Exact) and type(solver.pruning) not in POLICIES.values():
        return None
    for name, algorithm in ALGORITHMS.items():
        guess = {"algorithm": name, **_differences(solver, algorithm)}
        with suppress(ParameterError, TypeError):
            if solver_of(guess, count_nodes=counts) == solver:
                return {option: guess.get(option) for option in option_names()}
    return None


def pruning_name(solver: Solver | Exact) -> str | None:
    """Return how a solver prunes."""
    if isinstance(solver, Exact):
        return None
    kind = type(solver.pruning)
    return next((name for name, known in POLICIES.items() if known is kind), kind.__name__)


def method_in_parts(solver: Solver | Exact) -> str:
    """Return a solver in words, with all parts that differ from those of its class."""
    usual = type(solver)()
    parts = [
        f"{each.name} {getattr(solver, each.name)}"
        for each in fields(solver)
        if getattr(solver, each.name) != getattr(usual, each.name) and each.name != "count_nodes"
    ]
    return ", ".join([type(solver).__name__, *parts])


def _differences(solver: Solver | Exact, algorithm: Algorithm) -> dict[str, Any]:
    """Return the options that a solver would have if it were of an algorithm."""
    if isinstance(solver, Exact):
        return {}
    found: dict[str, Any] = {}
    if type(solver.pruning) is not PartialPruning:
        found["prune"] = pruning_name(solver)
    policy = type(solver.pruning)()
    for option in solver.pruning.options:
        mine = getattr(solver.pruning, _field(option))
        if mine != getattr(policy, _field(option)):
            found[option.name] = option.given(mine)
    usual = algorithm.solver()
    for option in algorithm.options:
        mine = _at(solver, option.sets)
        if mine is not None and mine != _at(usual, option.sets):
            found[option.name] = option.given(mine)
    return found


def _at(solver: object, path: str) -> Any:
    """Return what stands at a path of fields; None if the solver has no such part."""
    return reduce(lambda part, name: getattr(part, name, None), path.split("."), solver)
