"""Values as they are written on a command line."""

from __future__ import annotations

import math
import shlex
from argparse import ArgumentTypeError
from collections.abc import Iterable
from typing import Any

from secateur.algorithms import find_algorithm
from secateur.checks import THREADS
from secateur.errors import ParameterError
from secateur.names import written

_LARGEST = 10**18


def count(text: str) -> int:
    """Return a whole number of at least 1; ``1e6`` and ``1_000_000`` are fine."""
    try:
        number = int(text)
    except ValueError:
        found = _number(text)
        number = int(found) if found.is_integer() else 0
    if not 1 <= number <= _LARGEST:
        raise ArgumentTypeError(f"{text}: give a whole number, 1 or more, up to 1e18")
    return number


def threads(text: str) -> int:
    """Return a number of threads."""
    try:
        found: int = THREADS("--threads", int(text))
    except (ValueError, ParameterError):
        raise ArgumentTypeError(f"{text}: give a whole number from 1 to 1,024") from None
    return found


def algorithm(text: str) -> str:
    """Return the name of an algorithm as it is listed, however it is spelled."""
    try:
        return find_algorithm(text).name
    except ParameterError as error:
        raise ArgumentTypeError(str(error)) from None


def seed(text: str) -> int:
    """Return a whole number of at least 0."""
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise ArgumentTypeError(f"{text}: give a whole number, 0 or more")
    return int(text)


def path(text: str) -> str:
    """Return a path, which must not be empty."""
    if not text.strip():
        raise ArgumentTypeError("an empty path; give a name")
    return text


def _number(text: str) -> float:
    """Return a number; what is none is NaN, which nobody accepts."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def positive(text: str) -> float:
    """Return a finite number above 0."""
    number = _number(text)
    if not 0.0 < number < math.inf:
        raise ArgumentTypeError(f"{text}: give a number above 0")
    return number


def not_negative(text: str) -> float:
    """Return a finite number of at least 0."""
    number = _number(text)
    if not 0.0 <= number < math.inf:
        raise ArgumentTypeError(f"{text}: give a number, 0 or more")
    return number


def finite(text: str) -> float:
    """Return a finite number."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentTypeError(f"{text}: give a number")
    return number


def size(text: str) -> int:
    """Return an amount of memory in bytes; units are powers of 1000, such as 500M or 1.5GB."""
    amount = text.strip().upper().removesuffix("B")
    factor = 1
    for power, unit in enumerate("KMGT", start=1):
        if amount.endswith(unit):
            amount, factor = amount.removesuffix(unit), 1000**power
            break
    number = _number(amount) * factor
    if not 1.0 <= number < math.inf:
        raise ArgumentTypeError(f"{text}: give an amount of memory, such as 500M or 1.5G")
    return int(number)


def target(text: str) -> float:
    """Return a finite number above 0, or say what to do about 0."""
    try:
        return positive(text)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(
            f"{error}; iterations only approach an equilibrium, '--algorithm exact' finds one"
        ) from None


def setting(text: str) -> tuple[str, str]:
    """Return the two sides of ``name=value``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ArgumentTypeError(f"{text!r} is not of the form name=value, such as cards=4")
    return name.strip(), value.strip()


def by_name(settings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return settings as a dictionary; the same name twice is an error."""
    found: dict[str, str] = {}
    for name, value in settings:
        if name in found:
            raise ParameterError(f"--set {name} is given twice; keep one")
        found[name] = value
    return found


def as_options(parameters: dict[str, Any]) -> str:
    """Return parameters as ``--set`` options that a shell understands."""
    return " ".join(
        f"--set {shlex.quote(f'{name}={written(value)}')}" for name, value in parameters.items()
    )


def as_list(parameters: dict[str, Any]) -> str:
    """Return parameters as text to read."""
    return ", ".join(f"{name}={written(value)}" for name, value in parameters.items())
