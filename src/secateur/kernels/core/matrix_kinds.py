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

CARD_BITS = 6
CARD_MASK = MOST_CARDS - 1
"""Of the number that packs a combination's lane, and below it two cards."""

assert (SPARSE, DENSE, DISJOINT, SHOWDOWN) == (
    arrays.SPARSE,
    arrays.DENSE,
    arrays.DISJOINT,
    arrays.SHOWDOWN,
)
assert 1 << CARD_BITS == MOST_CARDS == combinations.MOST_CARDS
