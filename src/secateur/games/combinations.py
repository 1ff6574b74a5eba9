"""Hands of two cards, which go together unless they share one.

Poker deals hands to both players from one deck. A thousand of them a side make a million pairs;
what is said here of each hand says all of the pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Float = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

MOST_CARDS = 64
"""Cards are numbers below this."""


class Combinations(NamedTuple):
    """What a player may hold."""

    cards: Indices
    """Of each combination, two different ones."""

    weight: Float
    """How often the player holds it, in any unit."""

    hand: Indices
    """Which hand it is. Several are one hand if nobody needs to tell them apart."""


@dataclass(frozen=True, eq=False)
class Disjoint:
    """Joint chances of hands that are independent, but that no card is in both.

    In the place of a matrix: ``scale`` times the sum, over all combinations of hand ``i`` and all
    of hand ``j`` that share no card, of the product of their weights.

    Parameters
    ----------
    players : tuple of Combinations
        What either player may hold; for showdowns best from the weakest combination on.
    scale : float
        What weights are multiplied by.
    copies : int
        How many public states this one stands for, that differ only in the names of cards: as many
        times its pairs of combinations are counted as histories.
    """

    players: tuple[Combinations, Combinations]
    scale: float
    copies: int = 1

    @cached_property
    def matrix(self) -> Matrix:
        """The same written out, for small games."""
        found = np.zeros([int(each.hand.max()) + 1 for each in self.players])
        np.add.at(found, np.ix_(*(each.hand for each in self.players)), self._products)
        return found

    @property
    def _products(self) -> Matrix:
        (mine, weight, _), (theirs, other, _) = self.players
        shared = (mine[:, None, :, None] == theirs[None, :, None, :]).any(axis=(2, 3))
        return np.where(shared, 0.0, self.scale * weight[:, None] * other[None, :])

    @cached_property
    def marginals(self) -> tuple[Float, Float]:
        """The chances of either player's hands."""
        first, second = self.players
        return _summed(first, second, self.scale), _summed(second, first, self.scale)

    @cached_property
    def pairs(self) -> tuple[Indices, Indices]:
        """How many pairs of combinations each hand of either player is in."""
        first, second = (each._replace(weight=np.ones(len(each.hand))) for each in self.players)
        mine, theirs = _summed(first, second, self.copies), _summed(second, first, self.copies)
        return mine.astype(np.intp), theirs.astype(np.intp)


def _summed(mine: Combinations, theirs: Combinations, scale: float) -> Float:
    """Return the weight of each hand, with that of all others that it may meet."""
    weight = scale * mine.weight * meeting(mine.cards, theirs, theirs.weight)
    found: Float = np.bincount(mine.hand, weight).astype(np.float64)
    return found


def meeting(cards: Indices, others: Combinations, numbers: Float) -> Float:
    """Return, for hands with these cards, the sum of numbers of all others that share none."""
    sums = np.bincount(others.cards.ravel(), np.repeat(numbers, 2), MOST_CARDS)
    found: Float = numbers.sum() - sums[cards].sum(axis=1)
    twin = twins(cards, others.cards)
    found[twin >= 0] += numbers[twin[twin >= 0]]
    return found


def twins(cards: Indices, others: Indices) -> Indices:
    """Return where the same two cards stand among others; -1 where they do not."""
    place = np.full(MOST_CARDS * MOST_CARDS, -1, np.intp)
    for one, two in (others.T, others.T[::-1]):
        place[one * MOST_CARDS + two] = np.arange(len(others))
    found: Indices = place[cards[:, 0] * MOST_CARDS + cards[:, 1]]
    return found


@dataclass(frozen=True, eq=False)
class Showdown:
    """Payoffs of 1 to the stronger hand, and 0 to both if they are equal: in place of a matrix."""

    strength: tuple[Indices, Indices]
    """Of each hand of either player; more is stronger."""

    @property
    def matrix(self) -> Matrix:
        """The same written out."""
        mine, theirs = self.strength
        found: Matrix = np.sign(mine[:, None] - theirs[None, :]).astype(np.float64)
        return found


@dataclass(frozen=True, eq=False)
class Fixed:
    """Payoffs of 1 whatever the hands are, in place of a matrix."""

    hands: tuple[int, int]
    """How many either player has."""

    @property
    def matrix(self) -> Matrix:
        """The same written out."""
        return np.ones(self.hands)
