"""Suits that board and ranges cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import numpy as np
import numpy.typing as npt

from secateur.games.holdem.cards import COMBINATIONS, NUMBER_OF

Float = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

Suits = tuple[int, ...]
"""Which suit takes the place of each."""

SAME: Suits = (0, 1, 2, 3)


def symmetries(board: Iterable[int], ranges: Iterable[Float]) -> tuple[Suits, ...]:
    """Return all ways to exchange suits that change neither the board nor the ranges."""
    cards, weights = set(board), list(ranges)
    return tuple(
        suits
        for suits in permutations(range(4))
        if {renamed(card, suits) for card in cards} == cards
        and all(np.array_equal(each[moved(suits)], each) for each in weights)
    )


def those_that_keep(group: tuple[Suits, ...], cards: Iterable[int]) -> tuple[Suits, ...]:
    """Return the ways to exchange suits that leave each of these cards as it is."""
    kept = {card % 4 for card in cards}
    return tuple(suits for suits in group if all(suits[suit] == suit for suit in kept))


def renamed(card: int, suits: Suits) -> int:
    """Return a card with its suit exchanged."""
    return card - card % 4 + suits[card % 4]


def moved(suits: Suits) -> Indices:
    """Return the number that each combination has when suits are exchanged."""
    cards = COMBINATIONS - COMBINATIONS % 4 + np.array(suits)[COMBINATIONS % 4]
    found: Indices = NUMBER_OF[cards[:, 0], cards[:, 1]]
    return found


def last_alike(group: tuple[Suits, ...]) -> Indices:
    """Return for each combination the last one that it can be exchanged for."""
    found: Indices = np.max([moved(suits) for suits in group], axis=0)
    return found
