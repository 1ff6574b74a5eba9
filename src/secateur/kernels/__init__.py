"""All hot loops, compiled by Numba; nothing here checks its input or raises."""
