"""Indices of arrays, which are cast to unsigned: Numba must otherwise provide for negative ones.

There are hundreds of them. What a cast of NumPy's means, Numba finds by trying one thing after the
other; of this one it is told, and compiles kernels somewhat faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import lower_builtin, type_callable


def unsigned(number: Any) -> np.uintp:
    """Return a number that is not negative, to be used as an index."""
    return np.uintp(number)


@type_callable(unsigned)
def _type(_context: Any) -> Any:
    def typer(number: Any) -> Any:
        return types.uintp if isinstance(number, types.Integer) else None

    return typer


@lower_builtin(unsigned, types.Integer)
def _cast(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)
