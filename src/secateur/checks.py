"""Checks of what people pass: once, where a public function or constructor gets it.

A *rule* takes what was asked, such as ``Averaging(power=-1)``, and the value; it returns the value
as a plain Python object or raises :class:`~secateur.errors.ParameterError`. Scalars of NumPy serve
as well as those of Python; truth values are no numbers.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping
from numbers import Real
from pathlib import Path
from typing import Any, NoReturn

from secateur.errors import ParameterError

Rule = Callable[[str, Any], Any]


def refuse(asked: str, remedy: str) -> NoReturn:
    """Raise the error that says what was asked and what to do instead."""
    raise ParameterError(f"{asked}: {remedy}.")


def check_fields(described: Any, **rules: Rule) -> None:
    """Apply rules to the fields of a new frozen dataclass."""
    name = type(described).__name__
    for field, rule in rules.items():
        value = getattr(described, field)
        object.__setattr__(described, field, rule(f"{name}({field}={shown(value)})", value))


def shown(value: Any) -> str:
    """Return a value as it may stand in a sentence: on one line, and not too long."""
    plain = value.item() if _is_numpy(value, "generic") else value
    return _short(" ".join(repr(plain).split()))


def settings(parameters: Mapping[str, Any]) -> str:
    """Return parameters as they stand in the title of a game: none of them too long."""
    return ", ".join(f"{name}={_short(str(value))}" for name, value in parameters.items())


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def number(
    remedy: str,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    finite: bool = True,
) -> Rule:
    """Return the rule of numbers that are above, at least and at most something, and finite."""

    def rule(asked: str, value: Any) -> float:
        found = _real(value)
        # written so that numbers which are none fail, too
        if not (found > above and least <= found <= most) or (finite and math.isinf(found)):
            refuse(asked, remedy)
        return found

    return rule


def whole(remedy: str, *, least: int, most: float = math.inf) -> Rule:
    """Return the rule of whole numbers from some least to some greatest one; ``1e6`` is one."""

    def rule(asked: str, value: Any) -> int:
        found = _real(value)
        if not found.is_integer() or not least <= found <= most:
            refuse(asked, remedy)
        return int(value)

    return rule


def _real(value: Any) -> float:
    """Return a number; what is none is NaN, which no rule accepts."""
    if isinstance(value, bool) or _is_numpy(value, "bool_") or not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_numpy(value: Any, kind: str) -> bool:
    """Return whether a value is of a class of NumPy, which need not be loaded to tell."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, getattr(numpy, kind))


def optional(rule: Rule) -> Rule:
    """Return a rule that lets None pass, too."""
    return lambda asked, value: None if value is None else rule(asked, value)


def flag(asked: str, value: Any) -> bool:
    """Accept True and False."""
    if not isinstance(value, bool) and not _is_numpy(value, "bool_"):
        refuse(asked, "use True or False")
    return bool(value)


def one_of(*known: Any) -> Rule:
    """Return the rule of some few words (or None)."""

    def rule(asked: str, value: Any) -> Any:
        if not (value is None or isinstance(value, str)) or value not in known:
            refuse(asked, f"use {' or '.join(map(repr, known))}")
        return value

    return rule


def instance_of(kind: Any, remedy: str) -> Rule:
    """Return the rule of objects of a class."""

    def rule(asked: str, value: Any) -> Any:
        if not isinstance(value, kind):
            refuse(asked, remedy)
        return value

    return rule


def player(asked: str, value: Any) -> int:
    """Accept the number of a player."""
    found: int = whole("players are 0 and 1", least=0)(asked, value)
    if found > 1:
        refuse(asked, "players are 0 and 1")
    return found


def path(asked: str, value: Any) -> Path:
    """Accept a path or a string that is one."""
    if not isinstance(value, str | os.PathLike) or not str(value):
        refuse(asked, "give the path of a file, a str or a Path")
    return Path(value)


ITERATIONS = whole(
    "run a whole number of iterations, at least one and at most 1e18", least=1, most=1e18
)
"""The rule of numbers of iterations; the command line has the same."""

THREADS = whole("use a whole number of threads, at least one and at most 1,024", least=1, most=1024)
"""The rule of numbers of threads; the command line has the same."""
