"""Cards, boards, and the 1,326 combinations of two cards."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import numpy.typing as npt

from secateur.checks import shown
from secateur.errors import ParameterError

Indices = npt.NDArray[np.intp]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""All cards, the weakest first: card number ``4 * rank + suit``."""

COMBINATIONS: Indices = np.array([*combinations(range(52), 2)], np.intp)
"""The two cards of each combination, the lower one first: 2c2d, 2c2h, ... AhAs."""

_NUMBERS = np.full((52, 52), -1, np.intp)
_NUMBERS[COMBINATIONS[:, 0], COMBINATIONS[:, 1]] = np.arange(len(COMBINATIONS))
NUMBER_OF: Indices = np.maximum(_NUMBERS, _NUMBERS.T)
"""The number of the combination of two cards."""


def combination_label(number: int) -> str:
    """Return a combination as players write it, the higher card first: ``AsKd``."""
    low, high = map(int, COMBINATIONS[number])
    return CARDS[high] + CARDS[low]


def kind_of(combination: str) -> str | None:
    """Return a combination without its suits: ``AKs`` of ``AsKs``; None if it is no combination."""
    high, low = combination[:2], combination[2:]
    if high not in CARDS or low not in CARDS:
        return None
    suits = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
    return high[0] + low[0] + suits


def board_of(text: str) -> tuple[int, ...]:
    """Return the cards of a board such as ``Ks 7h 4d``; raise ParameterError if it is none."""
    words = re.findall(r"[^\s,]{1,2}", text)
    names = [word[:1].upper() + word[1:].lower() for word in words]
    for word, name in zip(words, names, strict=True):
        if name not in CARDS:
            raise ParameterError(
                f"holdem: board={shown(text)} has {word!r}, which is no card; write a rank of "
                f"{RANKS} and a suit of {SUITS}, such as Ks7h4d"
            )
    again = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if again is not None:
        raise ParameterError(f"holdem: board={shown(text)} has {again} twice; give each card once")
    if len(names) not in (3, 4, 5):
        raise ParameterError(
            f"holdem: board={shown(text)} has {len(names)} cards; give 3 (a flop), 4 (a turn) or 5 "
            "(a river)"
        )
    return tuple(map(CARDS.index, names))
