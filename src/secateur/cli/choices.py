"""From options to a solver and to limits."""

from __future__ import annotations

import argparse

from secateur.algorithms import option_names
from secateur.cli.wording import options_as_typed
from secateur.conditions import Condition, Kind
from secateur.errors import ParameterError
from secateur.methods import ALONE, OptionsError, solver_of
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
        raise ParameterError(options_as_typed(str(error))) from None


def _typed(name: str, value: str | None) -> str:
    option = f"--{name.replace('_', '-')}"
    return f"'{option} {value}'" if value else option


def chosen_limits(arguments: argparse.Namespace) -> Condition | None:
    """Return the condition that ends a run: the first that is met of those given, if any."""
    return condition_of(vars(arguments))
