"""From options to a solver and to limits."""

from __future__ import annotations

import argparse

from secateur import recipes
from secateur.algorithms import ALGORITHMS, option_names
from secateur.cli.values import OfPot
from secateur.conditions import Condition, Kind
from secateur.errors import ParameterError
from secateur.methods import ALONE, OptionsError, solver_of
from secateur.pruning import POLICIES
from secateur.runs.limits import condition_of
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver

REASONS = {
    Kind.EXPLOITABILITY: "target reached",
    Kind.ITERATIONS: "iterations done",
    Kind.SECONDS: "time is up",
    Kind.NODES_TOUCHED: "nodes touched",
    Kind.CONDITION: "condition met",
    Kind.EXACT: "solved exactly",
    Kind.INEXACT: "solved, but not exactly",
    Kind.INTERRUPTED: "interrupted",
    Kind.TERMINATED: "told to stop",
}
LIMITS = ("iterations", "target", "seconds")

_SETTINGS = {
    "thresholding=DynamicThresholding(2)": "--threshold 2",
    "leave thresholding out": "leave --threshold out",
    "steps='fixed'": "--steps fixed",
    "minimum_skip=": "--min-skip ",
}
"""How remedies that are settings of parts are written on the command line."""


def chosen_solver(arguments: argparse.Namespace, *, count_nodes: bool) -> Solver | Exact:
    """Return the solver that options describe; those that do not go together are refused."""
    given = vars(arguments)
    try:
        solver = solver_of({name: given[name] for name in option_names()}, count_nodes=count_nodes)
        for name in (*LIMITS, "memory_limit", "run", "count_nodes"):
            if isinstance(solver, Exact) and given[name] is not None:
                raise OptionsError(f"<{name}> does not go with {ALONE}; leave it out")
        return solver
    except OptionsError as error:
        raise ParameterError(error.spelled(_typed)) from None
    except ParameterError as error:
        raise ParameterError(in_options(str(error))) from None


def in_options(sentence: str) -> str:
    """Return a sentence about parts of solvers in which they are options."""
    typed = dict(_SETTINGS)
    typed |= {f"{policy.__name__}()": f"--prune {name}" for name, policy in POLICIES.items()}
    named = {name: algorithm.solver() for name, algorithm in ALGORITHMS.items()}
    for recipe in recipes.__all__:
        made = getattr(recipes, recipe)()
        name = next(name for name, solver in named.items() if solver == made)
        typed[f"recipes.{recipe}()"] = f"--algorithm {name}"
    for words, option in typed.items():
        sentence = sentence.replace(words, option)
    return sentence


def _typed(name: str, value: str | None) -> str:
    option = f"--{name.replace('_', '-')}"
    return f"'{option} {value}'" if value else option


def chosen_limits(arguments: argparse.Namespace) -> Condition | None:
    """Return the condition that ends a run: the first that is met of those given, if any."""
    if isinstance(arguments.target, OfPot):
        raise ParameterError(
            f"--target {arguments.target.text}: a run that goes on takes a number; give chips"
        )
    return condition_of(vars(arguments))
