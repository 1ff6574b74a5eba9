"""Solvers as files tell them: each part by the name of its class and all of its fields.

Only classes of the package's tables can be named, and only their constructors are called, which
check every value; so a file can say nothing that nobody can write in Python, and it executes
nothing.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from secateur.algorithms import ALGORITHMS
from secateur.averaging import Averaging
from secateur.checks import shown
from secateur.errors import ParameterError
from secateur.pruning import POLICIES
from secateur.schema import MalformedError, check_plain
from secateur.solvers.cfr import CFR
from secateur.solvers.protocols import Solver
from secateur.storage import Storage
from secateur.thresholding import DynamicThresholding

_KIND = "kind"


def _classes() -> dict[str, type[Any]]:
    """Return the classes that files can name: all that the tables of the package lead to."""
    found: list[type[Any]] = [Averaging, Storage, DynamicThresholding, *POLICIES.values()]
    for solver in (each.solver() for each in ALGORITHMS.values() if each.iterates):
        found.append(type(solver))
        if isinstance(solver, CFR):
            found.append(type(solver.minimizer))
    return {each.__name__: each for each in found}


def described(part: Any) -> dict[str, Any]:
    """Return a solver, or a part of one, as a file tells it.

    Raises
    ------
    ParameterError
        If it has a part that somebody has written.
    """
    kind = type(part)
    if _classes().get(kind.__name__) is not kind:
        raise ParameterError(
            f"solve(solver={shown(part)}, run=...): a file cannot describe {kind.__name__}, which "
            "is not of secateur; use parts of secateur, or leave run out."
        )
    told: dict[str, Any] = {_KIND: kind.__name__}
    for field in fields(part):
        value = getattr(part, field.name)
        told[field.name] = described(value) if is_dataclass(value) else value
    try:
        check_plain(told)
    except MalformedError as error:
        raise ParameterError(
            f"solve(solver={shown(part)}, run=...): {error}; choose another."
        ) from error
    return told


def solver_from(told: Any) -> Solver:
    """Return the solver that a file tells.

    Raises
    ------
    MalformedError
        If it tells none.
    """
    found = _part(told)
    if not isinstance(found, Solver):
        raise MalformedError(f"{type(found).__name__} is no solver")
    return found


def _part(told: Any) -> Any:
    if not isinstance(told, dict) or not isinstance(told.get(_KIND), str):
        raise MalformedError("a part of the solver has no kind")
    name = told[_KIND]
    kind = _classes().get(name)
    if kind is None:
        raise MalformedError(f"the solver has a part {name}, which this program does not know")
    known = [field.name for field in fields(kind)]
    if told.keys() != {_KIND, *known}:
        raise MalformedError(f"{name} has other options than {', '.join(known) or 'none'}")
    values = {}
    for each in known:
        value = told[each]
        if isinstance(value, list):
            raise MalformedError(f"{each} of {name} is a list")
        values[each] = _part(value) if isinstance(value, dict) else value
    try:
        return kind(**values)
    except ParameterError as error:
        raise MalformedError(str(error)) from error
