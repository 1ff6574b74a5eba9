"""How a kernel says what it will read soon, so that it need not wait for slow memory then."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable

_TO_READ, _TO_STAY, _DATA = 0, 3, 1
"""In the words of LLVM: not to be written, as near as it can be, and no instructions."""


def fetch(numbers: Any, place: int) -> None:
    """Begin to read a place of an array; without machine code nothing is done."""


@type_callable(fetch)
def _type_fetch(_context: Any) -> Any:
    def typer(numbers: Any, place: Any) -> Any:  # noqa: ARG001 - Numba reads these names
        return types.none if isinstance(numbers, types.Array) else None

    return typer


@lower_builtin(fetch, types.Array, types.Integer)
def _fetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    place = context.cast(builder, arguments[1], signature.args[1], types.int64)
    address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
    prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
    how = [ir.Constant(number, each) for each in (_TO_READ, _TO_STAY, _DATA)]
    builder.call(prefetch, [builder.bitcast(builder.gep(array.data, [place]), address), *how])
    return context.get_dummy_value()
