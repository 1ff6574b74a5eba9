"""The one place that sets Numba's options.

A kernel's machine code is cached on disk and keyed by the file that defines it alone. A kernel
must therefore call only kernels of its own file: a change in another file would go unnoticed.
"""

import numba

kernel = numba.njit(cache=True, nogil=True, error_model="numpy", boundscheck=False)
"""For functions that Python calls."""

part = numba.njit(inline="always", error_model="numpy", boundscheck=False)
"""For pieces of kernels: a call would copy the descriptors of all the arrays that it is given."""
