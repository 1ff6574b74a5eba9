"""A counter that several threads take numbers from, each number once."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import lower_builtin, type_callable


def next_number(counter: Any) -> int:
    """Return what stands in an array of one whole number of 64 bits, and add one to it."""
    counter[0] += 1
    return int(counter[0]) - 1


@type_callable(next_number)
def _type(_context: Any) -> Any:
    def typer(counter: Any) -> Any:
        is_counter = isinstance(counter, types.Array) and counter.dtype == types.int64
        return types.int64 if is_counter else None

    return typer


@lower_builtin(next_number, types.Array)
def _add(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.atomic_rmw("add", array.data, ir.Constant(ir.IntType(64), 1), "seq_cst")
