"""What may stand in a file: JSON is turned into declared types here, and nowhere else.

A checksum tells that nothing was changed by accident. It does not tell who wrote the file; so every
number, name and list from a file has a type and a range before anybody uses it. Numbers are always
finite.
"""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
from msgspec import Meta

LARGEST_COUNT = 2**53
"""Up to here floats tell whole numbers apart."""

Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
Bytes = Annotated[int, Meta(ge=0, le=2**62)]
Checksum = Annotated[int, Meta(ge=0, lt=2**32)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Duration = Annotated[float, Meta(ge=0.0, le=1e12)]
Name = Annotated[str, Meta(min_length=1, max_length=256)]
Scalar = bool | int | float | str | None

_DEEPEST = 16
_LARGEST_INTEGER = 2**63
_LONGEST_REASON = 200

T = TypeVar("T")


class MalformedError(ValueError):
    """Text from a file is not what was declared; says where, briefly."""


def decoded(text: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Return what JSON tells, if it is of a type that msgspec knows.

    Raises
    ------
    MalformedError
        If it is not.
    """
    try:
        try:
            return msgspec.json.decode(text, type=kind)
        except msgspec.ValidationError:
            raise
        except (msgspec.DecodeError, UnicodeDecodeError):
            # A file name that is not UTF-8 is written with half a surrogate pair, which only the
            # standard library reads.
            found = json.loads(bytes(text), parse_constant=_refuse, parse_float=_finite)
            return conformed(found, kind)
    except RecursionError as error:
        raise MalformedError("it is nested too deeply") from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise MalformedError(shortened(error)) from error


def conformed(value: Any, kind: type[T]) -> T:
    """Return what was decoded as something more general, if it is of a type.

    Raises
    ------
    MalformedError
        If it is not.
    """
    try:
        return msgspec.convert(value, kind)
    except (msgspec.MsgspecError, ValueError) as error:  # ValueError: half a surrogate pair
        raise MalformedError(shortened(error)) from error


def plain(text: bytes | msgspec.Raw) -> Any:
    """Return what JSON tells, whatever it is, but neither deep nor with endless numbers."""
    found = decoded(text, Any)
    check_plain(found)
    return found


def check_plain(value: Any) -> None:
    """Raise MalformedError unless everybody can copy, show and write a value."""
    todo = [(value, 0)]
    while todo:
        part, depth = todo.pop()
        if depth > _DEEPEST:
            raise MalformedError("it is nested too deeply")
        if isinstance(part, dict):
            todo += ((each, depth + 1) for each in part.values())
        elif isinstance(part, list | tuple):
            todo += ((each, depth + 1) for each in part)
        elif isinstance(part, int) and abs(part) > _LARGEST_INTEGER:
            raise MalformedError("it has an integer of more than 64 bits")
        elif isinstance(part, float) and not math.isfinite(part):
            raise MalformedError(f"it has a number that is {part}")


def written(facts: Any) -> str:
    """Return what JSON can tell of facts that :func:`decoded` accepts; others are a ValueError."""
    return json.dumps(facts, allow_nan=False)


def shortened(reason: object, longest: int = _LONGEST_REASON) -> str:
    """Return a reason that fits a line, for it may quote a file."""
    text = str(reason)
    return text if len(text) <= longest else f"{text[:longest]}..."


def _refuse(constant: str) -> NoReturn:
    raise MalformedError(f"it has a number that is {constant}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _refuse(shortened(text))
    return number
