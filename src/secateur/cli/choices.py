"""From options to a solver and to limits."""

from __future__ import annotations

import argparse
from typing import Any

from secateur import recipes
from secateur.cli.method_options import ALGORITHMS_OF, takers
from secateur.errors import ParameterError
from secateur.minimizers import Hedge
from secateur.pruning import (
    BestResponsePruning,
    NoPruning,
    PartialPruning,
    Pruning,
    RegretBasedPruning,
)
from secateur.solvers.egt import EGT
from secateur.solvers.exact import Exact
from secateur.solvers.fictitious_play import FictitiousPlay
from secateur.solvers.iterative import Iterative
from secateur.solvers.mirror_descent import OptimisticMirrorDescent
from secateur.stopping import DEFAULT_LIMIT, Condition, exploitability, iterations, seconds
from secateur.storage import Storage
from secateur.thresholding import DynamicThresholding

RECIPES = {
    "cfr": recipes.cfr,
    "cfr+": recipes.cfr_plus,
    "lcfr": recipes.linear_cfr,
    "dcfr": recipes.dcfr,
    "pcfr+": recipes.pcfr_plus,
    "hedge": recipes.hedge,
}
WEIGHTS_OF = {"2017": "kroer17", "2015": "kroer15"}
LIMITS = ("iterations", "target", "seconds")


def chosen_solver(arguments: argparse.Namespace, *, count_nodes: bool) -> Iterative | Exact:
    """Return the solver that options describe; those that do not go together are refused."""
    if arguments.algorithm == "exact":
        chosen = ("prune", "min-skip", "check-every", "discard", "discard-rule", *ALGORITHMS_OF)
        _refuse(
            arguments,
            (*chosen, *LIMITS, "memory-limit", "run", "count-nodes"),
            "'--algorithm exact', which solves a linear program to the end",
        )
        return Exact()
    for option, algorithms in ALGORITHMS_OF.items():
        if arguments.algorithm not in algorithms:
            words = f"'--algorithm {arguments.algorithm}', but with {takers(option)}"
            _refuse(arguments, (option,), words)
    common: dict[str, Any] = {"pruning": _pruning(arguments), "count_nodes": count_nodes}
    if arguments.algorithm in RECIPES:
        rate = arguments.learning_rate
        return RECIPES[arguments.algorithm](
            thresholding=_thresholding(arguments),
            updates=arguments.updates or "alternating",
            storage=Storage(arguments.precision or "float64"),
            **_given(minimizer=Hedge(rate) if rate else None),
            **common,
        )
    if arguments.algorithm == "fp":
        return FictitiousPlay(**common)
    common |= _given(steps=arguments.steps, weights=WEIGHTS_OF.get(arguments.weights))
    if arguments.algorithm == "omd":
        return OptimisticMirrorDescent(**common)
    options = _given(
        threshold=arguments.threshold,
        balanced=arguments.balanced,
        smoothing=arguments.smoothing,
    )
    return EGT(**common, **options)


def _refuse(arguments: argparse.Namespace, options: tuple[str, ...], what: str) -> None:
    for option in options:
        if getattr(arguments, option.replace("-", "_")) is not None:
            raise ParameterError(f"--{option} does not go with {what}; leave it out")


def _pruning(arguments: argparse.Namespace) -> Pruning:
    when = _given(minimum_skip=arguments.min_skip, check_every=arguments.check_every)
    discards = _given(discard=arguments.discard, discard_rule=arguments.discard_rule)
    if arguments.prune == "brp":
        return BestResponsePruning(**when, **discards)
    if discards:
        raise ParameterError(
            "--discard and --discard-rule go with '--prune brp' only: nothing else forgets"
        )
    if arguments.prune == "rbp":
        return RegretBasedPruning(**when)
    if when:
        raise ParameterError("--min-skip and --check-every go with '--prune rbp' or 'brp' only")
    return NoPruning() if arguments.prune == "none" else PartialPruning()


def _thresholding(arguments: argparse.Namespace) -> DynamicThresholding | None:
    return None if arguments.threshold is None else DynamicThresholding(arguments.threshold)


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def chosen_limits(arguments: argparse.Namespace) -> dict[str, Condition]:
    """Return the conditions that end a run, by the words that tell which one did."""
    limits: dict[str, Condition] = {}
    if arguments.target is not None:
        limits["target reached"] = exploitability(arguments.target)
    if arguments.iterations is not None:
        limits["iterations done"] = iterations(arguments.iterations)
    if arguments.seconds is not None:
        limits["time is up"] = seconds(arguments.seconds)
    return limits or {"target reached": DEFAULT_LIMIT}
