"""What type inference remembers of operators is what Numba itself says of them."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba.core.types.functions import BaseFunction

from secateur.kernels.compilation import resolving
from secateur.kernels.compilation.decorator import part
from secateur.kernels.compilation.linked import KernelCompiler

if numba.config.DISABLE_JIT:
    pytest.skip("nothing is compiled", allow_module_level=True)


def new(function):
    """Return a kernel that no cache knows."""
    return numba.njit(pipeline_class=KernelCompiler, _nrt=False)(function)


@part
def _mixed(small, wide, x):
    return max(x, small * wide) - abs(x) ** 2 / (wide + 1)


def compute(numbers, counts, flags):
    total = 0.0
    for k in range(len(numbers)):
        if flags[k] and numbers[k] <= 2.0:
            total += _mixed(counts[k], k, numbers[k])
            counts[k] += 1
    return total, int(total), -total


def compute_some():
    """Compile and run a new kernel."""
    kernel = new(compute)
    flags = np.ones(3, np.bool_)
    found = kernel(np.array([0.5, 1.0, 3.0]), np.arange(3, dtype=np.int16), flags)
    assert found == (0.75, 0, -0.75)
    return kernel


def test_remembered_signatures_are_those_of_numba():
    resolving._known.clear()
    context = compute_some().targetctx.typing_context
    assert len(resolving._known) > 10
    for (_, _, args), (function, signature) in resolving._known.items():
        assert resolving._resolve(function, context, args, {}) == signature


def test_what_is_remembered_serves_other_kernels():
    compute_some()
    before = resolving._known.copy()
    compute_some()
    assert resolving._known == before


def test_numba_is_left_as_it_was():
    assert BaseFunction.get_call_type is resolving._resolve
    compute_some()
    assert BaseFunction.get_call_type is resolving._resolve
    with pytest.raises(numba.errors.TypingError):
        new(lambda numbers: numbers + "text")(np.ones(3))
    assert BaseFunction.get_call_type is resolving._resolve
