"""How kernels are compiled: decorators, and what Numba is told of tuples and parts."""
