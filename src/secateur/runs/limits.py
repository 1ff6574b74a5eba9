"""When a run ends, as files and options tell it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

from secateur.checks import shown
from secateur.conditions import (
    Both,
    Condition,
    Either,
    Exploitability,
    Iterations,
    NodesTouched,
    Seconds,
)
from secateur.errors import ParameterError
from secateur.schema import MalformedError, check_plain
from secateur.until import exploitability, iterations, nodes_touched, seconds

LIMITS: dict[str, Callable[[Any], Condition]] = {
    "target": exploitability,
    "iterations": iterations,
    "seconds": seconds,
}
"""The limits that have options, in the order in which they are asked."""

_SIMPLE: dict[str, tuple[Callable[[Any], Condition], type[Any], str]] = {
    "exploitability": (exploitability, Exploitability, "target"),
    "iterations": (iterations, Iterations, "limit"),
    "seconds": (seconds, Seconds, "limit"),
    "nodes_touched": (nodes_touched, NodesTouched, "limit"),
}
_COMBINED: dict[str, tuple[Callable[[Condition, Condition], Condition], type[Either | Both]]] = {
    "any": (operator.or_, Either),
    "all": (operator.and_, Both),
}


def condition_of(limits: Mapping[str, Any]) -> Condition | None:
    """Return the condition that ends a run: the first that is met of those given, if any."""
    given = [make(limits[name]) for name, make in LIMITS.items() if limits.get(name) is not None]
    return functools.reduce(operator.or_, given) if given else None


def limits_of(until: Condition | None) -> dict[str, int | float | None]:
    """Return the limits that have options, as far as a condition consists of them."""
    found: dict[str, int | float | None] = dict.fromkeys(("iterations", "target", "seconds"))
    for part in [] if until is None else _parts(until, Either):
        if isinstance(part, Exploitability):
            found["target"] = part.target
        elif isinstance(part, Iterations):
            found["iterations"] = part.limit
        elif isinstance(part, Seconds):
            found["seconds"] = part.limit
    return found


def told(until: Condition) -> dict[str, Any]:
    """Return a condition as a file tells it.

    Raises
    ------
    ParameterError
        If it is one that somebody has written, or too many in one another.
    """
    description = _told(until)
    try:
        check_plain(description)
    except MalformedError as error:
        raise ParameterError(
            f"solve(until={shown(until)}, run=...): {error}; use a simpler condition."
        ) from error
    return description


def _told(until: Condition) -> dict[str, Any]:
    for name, (_, kind, field) in _SIMPLE.items():
        if type(until) is kind:
            return {name: getattr(until, field)}
    for name, (_, kind) in _COMBINED.items():
        if type(until) is kind:
            return {name: [_told(part) for part in _parts(until, kind)]}
    raise ParameterError(
        f"solve(until={shown(until)}, run=...): a file cannot describe {type(until).__name__}; "
        "use conditions of secateur.until, or leave run out."
    )


def _parts(until: Condition, kind: type[Either | Both]) -> list[Condition]:
    """Return what a condition consists of, however it was put together."""
    found: list[Condition] = []
    todo = [until]
    while todo:
        part = todo.pop()
        if isinstance(part, kind):
            todo += [part.second, part.first]
        else:
            found.append(part)
    return found


def condition_from(description: Any) -> Condition:
    """Return the condition that a file tells.

    Raises
    ------
    MalformedError
        If it tells none.
    """
    if not isinstance(description, dict) or len(description) != 1:
        raise MalformedError("a limit has not one name")
    ((name, value),) = description.items()
    if name in _COMBINED:
        if not isinstance(value, list) or not value:
            raise MalformedError(f"the limit {name!r} has no parts")
        return functools.reduce(_COMBINED[name][0], map(condition_from, value))
    if name not in _SIMPLE:
        raise MalformedError(f"there is no limit {name!r}")
    try:
        return _SIMPLE[name][0](value)
    except ParameterError as error:
        raise MalformedError(str(error)) from error
