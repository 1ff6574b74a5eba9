"""Numbers that several threads read and write, and how a thread waits for one to change.

All are whole numbers of 64 bits in arrays. What one thread has written before it changes such a
number, another can read after it has seen the change.
"""

from __future__ import annotations

import platform
import sys
import time
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable

_NUMBER = ir.IntType(64)
_ORDER = "seq_cst"


def load_number(numbers: Any, place: int) -> int:
    """Return what stands at a place."""
    return int(numbers[place])


def store_number(numbers: Any, place: int, new: int) -> None:
    """Write a number to a place."""
    numbers[place] = new


def add_number(numbers: Any, place: int, more: int) -> int:
    """Add to what stands at a place; return what stood there before."""
    numbers[place] += more
    return int(numbers[place]) - more


def swap_number(numbers: Any, place: int, old: int, new: int) -> bool:
    """Write a number to a place if another still stands there; return whether it did."""
    if numbers[place] != old:
        return False
    numbers[place] = new
    return True


def give_way(times: int) -> None:
    """Wait a moment, awake at first; asleep if this thread has waited many ``times``."""
    if times >= _AWAKE:
        time.sleep(_NAP * 1e-6)


_AWAKE = 1 << 10
_YIELDING = 1 << 11
_NAP = 50
"""Turns in which a waiting thread pauses, and until which it lets others go first; then it sleeps
so many microseconds at a time."""


def _are_numbers(numbers: Any) -> bool:
    return isinstance(numbers, types.Array) and numbers.dtype == types.int64


@type_callable(load_number)
def _type_load(_context: Any) -> Any:
    def typer(numbers: Any, place: Any) -> Any:  # noqa: ARG001 - Numba reads these names
        return types.int64 if _are_numbers(numbers) else None

    return typer


@type_callable(store_number)
def _type_store(_context: Any) -> Any:
    def typer(numbers: Any, place: Any, new: Any) -> Any:  # noqa: ARG001
        return types.none if _are_numbers(numbers) else None

    return typer


@type_callable(add_number)
def _type_add(_context: Any) -> Any:
    def typer(numbers: Any, place: Any, more: Any) -> Any:  # noqa: ARG001
        return types.int64 if _are_numbers(numbers) else None

    return typer


@type_callable(swap_number)
def _type_swap(_context: Any) -> Any:
    def typer(numbers: Any, place: Any, old: Any, new: Any) -> Any:  # noqa: ARG001
        return types.boolean if _are_numbers(numbers) else None

    return typer


@type_callable(give_way)
def _type_give_way(_context: Any) -> Any:
    return lambda times: types.none if isinstance(times, types.Integer) else None


def _operands(context: Any, builder: Any, signature: Any, arguments: Any) -> list[Any]:
    """Return the address of a number, and the other arguments."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    place, *rest = (
        context.cast(builder, value, kind, types.int64)
        for value, kind in zip(arguments[1:], signature.args[1:], strict=True)
    )
    return [builder.gep(array.data, [place]), *rest]


@lower_builtin(load_number, types.Array, types.Integer)
def _load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    (address,) = _operands(context, builder, signature, arguments)
    return builder.load_atomic(address, _ORDER, 8)


@lower_builtin(store_number, types.Array, types.Integer, types.Integer)
def _store(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, new = _operands(context, builder, signature, arguments)
    builder.store_atomic(new, address, _ORDER, 8)
    return context.get_dummy_value()


@lower_builtin(add_number, types.Array, types.Integer, types.Integer)
def _add(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, more = _operands(context, builder, signature, arguments)
    return builder.atomic_rmw("add", address, more, _ORDER)


@lower_builtin(swap_number, types.Array, types.Integer, types.Integer, types.Integer)
def _swap(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, old, new = _operands(context, builder, signature, arguments)
    return builder.extract_value(builder.cmpxchg(address, old, new, _ORDER, _ORDER), 1)


@lower_builtin(give_way, types.Integer)
def _give_way(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    times = context.cast(builder, arguments[0], signature.args[0], types.int64)
    is_awake = builder.icmp_signed("<", times, ir.Constant(_NUMBER, _AWAKE))
    with builder.if_else(is_awake) as (awake, tired):
        with awake:
            if platform.machine() in ("x86_64", "AMD64"):
                kind = ir.FunctionType(ir.VoidType(), [])
                name = "llvm.x86.sse2.pause"
                builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        with tired:
            _let_others(builder, times)
    return context.get_dummy_value()


def _let_others(builder: Any, times: Any) -> None:
    """Let other threads go first, or sleep; where the system has other words for it, stay awake."""
    if sys.platform == "win32":
        return
    number = ir.IntType(32)
    is_yielding = builder.icmp_signed("<", times, ir.Constant(_NUMBER, _YIELDING))
    with builder.if_else(is_yielding) as (yielding, sleeping):
        with yielding:
            kind = ir.FunctionType(number, [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        with sleeping:
            kind = ir.FunctionType(number, [number])
            sleep = cgutils.get_or_insert_function(builder.module, kind, "usleep")
            builder.call(sleep, [ir.Constant(number, _NAP)])
