"""Lets Numba's type inference remember what it has found out about operators.

For every ``a + b`` and every ``x[i]``, Numba tries some dozens of implementations until one takes
the types at hand, and does so again when it has come to the code. The answer depends on the types
alone. Without this, half of the time that kernels take to be compiled is spent on such questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.types.functions import BaseFunction

_PLAIN = (types.Number, types.Boolean, types.Array, types.Literal, types.NoneType)
"""Types whose values are numbers, or arrays of them: no functions, whose code might change."""

_functions: Any = BaseFunction
_resolve = _functions.get_call_type

_known: dict[tuple[Any, ...], tuple[Any, Any]] = {}
"""Signatures by function, typing context and arguments; with the function, so that it stays."""


@contextmanager
def remembered_signatures() -> Iterator[None]:
    """Remember signatures while this is open, under the lock of Numba's compiler."""
    before = _functions.get_call_type
    _functions.get_call_type = _remember
    try:
        yield
    finally:
        _functions.get_call_type = before


def _remember(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return the signature of a call, as the method does that this stands in for."""
    if kws or not all(isinstance(kind, _PLAIN) for kind in args):
        return _resolve(function, context, args, kws)
    key = id(function), id(context), args
    if key not in _known:
        _known[key] = function, _resolve(function, context, args, kws)
    return _known[key][1]
