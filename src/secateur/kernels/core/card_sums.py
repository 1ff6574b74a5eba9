"""A few numbers on the processor's own stack: sums per card, while ends are evaluated.

Kernels cannot allocate arrays, and every thread needs sums of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

from secateur.kernels.core.matrix_kinds import MOST_CARDS

_ROW = types.Array(types.float64, 1, "C")


def card_sums() -> npt.NDArray[np.float64]:
    """Return a sum for each card, all of them zero."""
    return np.zeros(MOST_CARDS)


@type_callable(card_sums)
def _type(_context: Any) -> Any:
    return lambda: _ROW


@lower_builtin(card_sums)
def _zeros(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
    size = context.get_abi_sizeof(ir.DoubleType())
    sums = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), MOST_CARDS))
    cgutils.memset(builder, sums, ir.Constant(ir.IntType(64), size * MOST_CARDS), 0)
    array = make_array(_ROW)(context, builder)
    populate_array(
        array,
        data=builder.bitcast(sums, ir.DoubleType().as_pointer()),
        shape=[context.get_constant(types.intp, MOST_CARDS)],
        strides=[context.get_constant(types.intp, size)],
        itemsize=context.get_constant(types.intp, size),
        meminfo=None,
    )
    return array._getvalue()
