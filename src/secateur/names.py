"""Names that somebody has typed: which one was meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


def spelled(name: str) -> str:
    """Return a name without what people write in different ways: case, hyphens, blanks."""
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter == "+")


def closest(asked: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant, if there is one."""
    names = {spelled(name): name for name in known}
    wanted = spelled(asked)
    close = get_close_matches(wanted, names, n=1)
    if not close:  # kuhn_poker for kuhn, or iter for iterations
        longer = [name for name in names if len(name) > 2 and wanted.startswith(name)]
        shorter = [name for name in names if len(wanted) > 2 and name.startswith(wanted)]
        close = sorted(longer, key=len)[-1:] or shorter[:1]
    return names[close[0]] if close else None


def choices(asked: str, known: Iterable[str]) -> str:
    """Return the closest known name, if one is close, and all of them."""
    names = list(known)
    if not names:
        return "leave it out"
    close = closest(asked, names)
    hint = f"did you mean {close!r}? " if close is not None else ""
    return f"{hint}choose from {', '.join(names)}"


def written(value: Any) -> str:
    """Return a value of a parameter as it is typed: ``1,2`` or ``1,2/3,4`` for tuples."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (list, tuple)):
        rows = any(isinstance(each, (list, tuple)) for each in value)
        return ("/" if rows else ",").join(map(written, value))
    return str(value)
