"""The one place that sets Numba's options.

Numba caches machine code on disk, and compiles anew when the file that defines a kernel has
changed; it does not notice changes in other files from which the kernel takes its parts, and it
cannot read a cache that speaks of classes which no longer exist. So here the names of all cached
files hold a hash of all files of this package: they change together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numba
from numba.core import types
from numba.core.caching import IndexDataCacheFile

from secateur.kernels.compilation.linked import KernelCompiler, PartCompiler

# Kernels own no arrays. Without "_nrt" (Numba's runtime) they cannot allocate any, but neither do
# they count references to those they are given, which can make inner loops four times slower.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "boundscheck": False, "_nrt": False}

_KERNEL: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": KernelCompiler,
    **_OPTIONS,
}

_LINKED: dict[str, Any] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": PartCompiler,
    **_OPTIONS,
}

STAMP = hashlib.sha256(
    b"".join(file.read_bytes() for file in sorted(Path(__file__).parents[1].rglob("*.py")))
).hexdigest()[:16]
"""Tells apart what kernels of different versions do."""


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that Python calls, when it is first called or from the cache.

    To other kernels it is a :func:`stage`.
    """
    compiled = numba.njit(**_KERNEL)(function)
    if hasattr(compiled, "_cache"):  # not where NUMBA_DISABLE_JIT is set
        cache = compiled._cache
        cache._cache_file = IndexDataCacheFile(
            cache._cache_path, f"{cache._impl.filename_base}-{STAMP}", STAMP
        )
        # what another kernel calls need not be ready for Python, too
        inside: Any = stage(function)
        compiled.get_call_template = inside.get_call_template
        compiled.get_overload = inside.get_overload
    return compiled  # type: ignore[no-any-return]


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a piece of kernels, which is copied to where it is called: for inner loops."""
    return _linked(numba.njit(forceinline=True, **_LINKED)(function))


def stage(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a piece of kernels, which is called: for all that runs once per block or less."""
    return _linked(numba.njit(**_LINKED)(function))


def _linked(compiled: Any) -> Callable[..., Any]:
    """Compile a piece of kernels once, whatever the integers are that it is called with."""
    if hasattr(compiled, "get_call_template"):  # not where NUMBA_DISABLE_JIT is set
        find = compiled.get_call_template
        compiled.get_call_template = lambda args, kws: find(
            tuple(map(_widest, args)), {name: _widest(kind) for name, kind in kws.items()}
        )
        # it has no address: Python must neither find one nor have one made
        compiled.add_overload = lambda found: compiled.overloads.update(
            {tuple(found.signature.args): found}
        )
        compiled._compile_for_args = partial(_refuse, compiled.py_func.__name__)
    return compiled  # type: ignore[no-any-return]


def _refuse(name: str, *_: Any, **__: Any) -> NoReturn:
    """Say why a piece of kernels cannot be called."""
    raise TypeError(
        f"{name}() is a piece of kernels, which only they can call; call one of them, or set "
        "NUMBA_DISABLE_JIT=1 to run it as plain Python."
    )


def _widest(kind: Any) -> Any:
    """Return the type that an argument is given to a piece of kernels with."""
    kind = types.unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind
