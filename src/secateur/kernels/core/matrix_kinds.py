"""The kinds of matrices, as kernels know them.

Machine code is kept as long as no file of this package changes; so kernels take nothing from
elsewhere, not even numbers.
"""

from __future__ import annotations

from secateur.compiled import arrays
from secateur.games import combinations

SPARSE, DENSE, DISJOINT, SHOWDOWN = range(4)
MOST_CARDS = 64
"""Cards that a deck may have, at the most."""

assert (SPARSE, DENSE, DISJOINT, SHOWDOWN) == (
    arrays.SPARSE,
    arrays.DENSE,
    arrays.DISJOINT,
    arrays.SHOWDOWN,
)
assert MOST_CARDS == combinations.MOST_CARDS
