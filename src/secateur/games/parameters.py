"""Parameters of games: which there are, and their values from Python or a command line."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from secateur.checks import shown

REQUIRED = inspect.Parameter.empty
"""The default of a parameter that has none."""

_SEQUENCES = (tuple, list, set, frozenset)
_SIMPLE = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game."""

    name: str
    type: str
    default: Any
    description: str

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is REQUIRED


def parameters_of(make: Callable[..., Any]) -> dict[str, Parameter]:
    """Return what a class or a function takes, described by its docstring."""
    kinds = parameter_types(make)
    defaults = {name: each.default for name, each in _signature(make).items()}
    descriptions = _descriptions(make)
    return {
        name: Parameter(name, type_name(kind), defaults[name], descriptions.get(name, ""))
        for name, kind in kinds.items()
    }


def parameter_types(make: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of what a class or a function takes; Any where nothing tells."""
    hints: dict[str, Any] = {}
    for place in (make, getattr(make, "__init__", None)):
        with suppress(NameError, TypeError, AttributeError):  # hints may name what is not there
            hints |= get_type_hints(place)
    kinds = {}
    for name, each in _signature(make).items():
        known = type(each.default) if type(each.default) in _SIMPLE else Any
        kinds[name] = hints.get(name, known)
    return kinds


def takes_any(make: Callable[..., Any]) -> bool:
    """Tell whether a class or a function takes parameters of any name."""
    return any(
        each.kind is each.VAR_KEYWORD for each in inspect.signature(make).parameters.values()
    )


def _signature(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = inspect.signature(make).parameters
    return {name: each for name, each in found.items() if each.kind in named}


def convert(value: Any, kind: Any) -> Any:
    """Return a value, which may be a string from a command line, as the annotated type.

    Tuples are written ``1,2``, and tuples of tuples ``1,2/3,4``. A ValueError says what to give.
    """
    if kind is Any:
        return _read(value)
    origin = get_origin(kind) or kind
    if origin is Literal:
        return _one_of(value, get_args(kind))
    if origin in (Union, types.UnionType):
        return _first_that_fits(value, kind)
    if origin in _SEQUENCES:
        return _sequence(value, kind, origin)
    if kind is bool:
        words = {"true": True, "false": False}
        if str(value).lower() in words:
            return words[str(value).lower()]
    elif not isinstance(value, bool):
        # int(2.5) is 2: accept only what stays the same.
        with suppress(TypeError, ValueError, ArithmeticError):
            if isinstance(value, str) or kind(value) == value:
                return kind(value)
    raise ValueError(f"give {type_name(kind)}")


def _read(value: Any) -> Any:
    """Return a string as what it looks like in Python."""
    if isinstance(value, str):
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            return ast.literal_eval(value)
    return value


def _one_of(value: Any, choices: tuple[Any, ...]) -> Any:
    for choice in choices:
        if value == choice or value == str(choice):
            return choice
    raise ValueError(f"choose {' or '.join(map(str, choices))}")


def _first_that_fits(value: Any, kind: Any) -> Any:
    remedy = f"give {type_name(kind)}"
    for each in get_args(kind):
        if each is type(None):
            if value is None or str(value).lower() == "none":
                return None
            continue
        try:
            return convert(value, each)
        except ValueError as error:
            listed = isinstance(value, Iterable) and not isinstance(value, str)
            if listed and (get_origin(each) or each) in _SEQUENCES:
                remedy = str(error)  # which says where in the list
    raise ValueError(remedy)


def _sequence(value: Any, kind: Any, origin: type) -> Any:
    parts = get_args(kind) or (Any, ...)
    if isinstance(value, str):
        rows = (get_origin(parts[0]) or parts[0]) in _SEQUENCES
        value = value.split("/" if rows else ",") if value else []
    if not isinstance(value, Iterable):
        raise ValueError(f"give {type_name(kind)}")
    given = list(value)
    fixed = origin is tuple and Ellipsis not in parts
    if fixed and len(given) != len(parts):
        raise ValueError(f"give {len(parts)} values, with commas between")
    kinds = parts if fixed else parts[:1] * len(given)
    return origin(_converted(place, given[place], each) for place, each in enumerate(kinds))


def _converted(place: int, value: Any, kind: Any) -> Any:
    """Return a value of a sequence as the annotated type, or say where it stands."""
    try:
        return convert(value, kind)
    except ValueError as error:
        raise ValueError(f"number [{place}] is {shown(value)}: {error}") from None


def type_name(kind: Any) -> str:
    """Return a type in words, with the way to write it on a command line."""
    origin = get_origin(kind) or kind
    if origin is Literal:
        return " or ".join(map(str, get_args(kind)))
    if origin in (Union, types.UnionType):
        return " or ".join(
            "none" if each is type(None) else type_name(each) for each in get_args(kind)
        )
    if origin in _SEQUENCES:
        inner = (get_args(kind) or (Any,))[0]
        if (get_origin(inner) or inner) in _SEQUENCES:
            return "rows of numbers such as 1,2/3,4"
        return "words such as a,b" if inner is str else "numbers such as 1,2"
    if kind is Any:
        return "a value as Python writes it"
    return _SIMPLE.get(kind, f"what {getattr(kind, '__name__', kind)} takes")


def _descriptions(make: Any) -> dict[str, str]:
    """Read the descriptions from the Parameters section of a docstring in numpy's convention."""
    section = (inspect.getdoc(make) or "").partition("Parameters\n----------\n")[2]
    found = re.findall(r"^(\w+) : .*\n((?:    .*(?:\n|$))+)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}
