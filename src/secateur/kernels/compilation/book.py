"""How kernels are given named tuples of arrays: by the address of a table of what is in them.

Numba passes a tuple item by item, and an array as seven numbers: a game, a store and a workspace
are some hundred arguments, which the compiler carries through every call and every access. Of a
*book* only an address is passed. Its table holds, for each array, where its items are and how many
there are. It is written before a kernel begins and never changes while it runs; the compiler is
told so, and keeps what it needs of it in registers.
"""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import groupby
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)

from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays

_WORD = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


class Book(types.Type):
    """The type of a named tuple of arrays of one dimension, numbers and None."""

    def __init__(self, origin: type, kinds: tuple[Any, ...]) -> None:
        self.origin = origin
        self.kinds = kinds
        self.places = {name: place for place, name in enumerate(origin._fields)}  # type: ignore[attr-defined]
        # names of machine code hold names of types: short ones save time
        digest = hashlib.sha256(", ".join(map(str, kinds)).encode()).hexdigest()
        super().__init__(name=f"{origin.__name__}.{digest[:10]}")

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from other types."""
        return self.origin, tuple(self.places), self.kinds

    def table(self, context: Any) -> ir.LiteralStructType:
        """Return the layout of the table."""
        return ir.LiteralStructType([_layout(context, kind) for kind in self.kinds])


register_model(Book)(models.OpaqueModel)

_book = cache(Book)


def book(origin: Any) -> Any:
    """Make a class of named tuples one whose tuples are passed by address."""

    @typeof_impl.register(origin)
    def _(value: Any, context: Any) -> Book:
        kinds = tuple(typeof_impl(item, context) for item in value)
        for name, kind in zip(origin._fields, kinds, strict=True):
            is_row = isinstance(kind, types.Array) and kind.ndim == 1 and kind.layout == "C"
            assert is_row or isinstance(kind, types.Number | types.Boolean | types.NoneType), (
                f"{origin.__name__}.{name} is {kind}: neither a row nor a number nor None"
            )
        return _book(origin, kinds)

    return origin


def _layout(context: Any, kind: Any) -> ir.Type:
    """Return how an item is kept in a table."""
    if isinstance(kind, types.Array):
        return ir.LiteralStructType([_BYTES, _WORD])
    return context.get_data_type(kind)


@infer_getattr
class _BookAttributes(AttributeTemplate):
    """Tells the types of attributes."""

    key = Book

    def generic_resolve(self, book: Book, name: str) -> Any:  # type: ignore[override]
        """Return the type of an attribute; None if there is none."""
        place = book.places.get(name)
        return None if place is None else book.kinds[place]


@lower_getattr_generic(Book)
def _read(context: Any, builder: Any, book: Book, address: Any, name: str) -> Any:
    """Read an attribute from the table."""
    place = book.places[name]
    kind = book.kinds[place]
    table = builder.bitcast(address, book.table(context).as_pointer())
    model = context.data_model_manager[kind]
    if not isinstance(kind, types.Array):
        return model.from_data(builder, _load(builder, table, 0, place))
    items = _load(builder, table, 0, place, 0)
    length = _load(builder, table, 0, place, 1)
    data = builder.bitcast(items, context.get_data_type(kind.dtype).as_pointer())
    size = ir.Constant(_WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    array = ir.Constant(model.get_value_type(), ir.Undefined)
    for part, value in {
        "meminfo": cgutils.get_null_value(_BYTES),
        "parent": cgutils.get_null_value(_BYTES),
        "nitems": length,
        "itemsize": size,
        "data": data,
        "shape": cgutils.pack_array(builder, [length]),
        "strides": cgutils.pack_array(builder, [size]),
    }.items():
        array = model.set(builder, array, value, part)
    return array


def _load(builder: Any, table: Any, *places: int) -> Any:
    """Load an item of a table, of which nothing changes."""
    loaded = builder.load(cgutils.gep_inbounds(builder, table, *places))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


@unbox(Book)
def _write(book: Book, value: Any, c: Any) -> Any:
    """Write the table of a named tuple."""
    builder = c.builder
    table = cgutils.alloca_once(builder, book.table(c.context))
    failed = cgutils.alloca_once_value(builder, cgutils.false_bit)
    for is_row, group in groupby(
        enumerate(book.kinds), lambda item: isinstance(item[1], types.Array)
    ):
        run = list(group)
        if is_row:
            _write_rows(value, c, table, run[0][0], len(run), failed)
            continue
        for place, kind in run:
            native = c.unbox(kind, c.pyapi.tuple_getitem(value, place))
            number = c.context.data_model_manager[kind].as_data(builder, native.value)
            builder.store(number, cgutils.gep_inbounds(builder, table, 0, place))
            builder.store(builder.or_(builder.load(failed), native.is_error), failed)
    # Hides where the address comes from: what reads the table cannot be moved before this.
    hidden = builder.asm(
        ir.FunctionType(_BYTES, [_BYTES]),
        "",
        "=r,0,~{memory}",
        [builder.bitcast(table, _BYTES)],
        side_effect=True,
    )
    return NativeValue(hidden, is_error=builder.load(failed))


def _write_rows(value: Any, c: Any, table: Any, first: int, count: int, failed: Any) -> None:
    """Write the entries of arrays that follow each other, in a loop: that compiles faster."""
    builder = c.builder
    any_row = types.Array(types.byte, 1, "C")  # where what stands does not depend on the type
    model = c.context.data_model_manager[any_row]
    row = cgutils.alloca_once(builder, model.get_value_type())
    entry = ir.LiteralStructType([_BYTES, _WORD])
    entries = cgutils.gep_inbounds(builder, table, 0, first)
    entries = builder.bitcast(entries, entry.as_pointer())
    get_item = c.pyapi._get_function(
        ir.FunctionType(c.pyapi.pyobj, [c.pyapi.pyobj, c.pyapi.py_ssize_t]), "PyTuple_GetItem"
    )
    with cgutils.for_range(builder, ir.Constant(_WORD, count)) as loop:
        place = builder.add(loop.index, ir.Constant(_WORD, first))
        item = builder.call(get_item, [value, place])
        code = c.pyapi.numba_array_adaptor(item, builder.bitcast(row, c.pyapi.voidptr))
        error = builder.icmp_signed("!=", code, ir.Constant(code.type, 0))
        builder.store(builder.or_(builder.load(failed), error), failed)
        found = builder.load(row)
        target = builder.gep(entries, [loop.index], inbounds=True)
        items = builder.bitcast(model.get(builder, found, "data"), _BYTES)
        builder.store(items, cgutils.gep_inbounds(builder, target, 0, 0))
        builder.store(
            model.get(builder, found, "nitems"), cgutils.gep_inbounds(builder, target, 0, 1)
        )


for _origin in (Arrays, PruningArrays, BranchArrays):
    book(_origin)
