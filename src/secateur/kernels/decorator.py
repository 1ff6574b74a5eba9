"""The one place that sets Numba's options.

Numba caches machine code on disk, and compiles anew when the file that defines a kernel has
changed; it does not notice changes in other files from which the kernel takes its parts, and it
cannot read a cache that speaks of classes which no longer exist. So here the names of all cached
files hold a hash of all files of this package: they change together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import IndexDataCacheFile

# Kernels own no arrays. Without "_nrt" (Numba's runtime) they cannot allocate any, but neither do
# they count references to those they are given, which can make inner loops four times slower.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "boundscheck": False, "_nrt": False}

STAMP = hashlib.sha256(
    b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
).hexdigest()[:16]
"""Tells apart what kernels of different versions do."""


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that Python calls, when it is first called or from the cache."""
    compiled = numba.njit(cache=True, nogil=True, **_OPTIONS)(function)
    if hasattr(compiled, "_cache"):  # not where NUMBA_DISABLE_JIT is set
        cache = compiled._cache
        cache._cache_file = IndexDataCacheFile(
            cache._cache_path, f"{cache._impl.filename_base}-{STAMP}", STAMP
        )
    return compiled  # type: ignore[no-any-return]


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a piece of kernels: a call would copy the descriptors of all arrays it is given."""
    return numba.njit(inline="always", **_OPTIONS)(function)  # type: ignore[no-any-return]
