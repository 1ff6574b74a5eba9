"""How strong hands are at a showdown, by the library eval7."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.errors import ParameterError
from secateur.extras import how_to_install
from secateur.games.holdem.cards import CARDS, COMBINATIONS

Indices = npt.NDArray[np.intp]


@cache
def _library() -> ModuleType:
    try:
        with warnings.catch_warnings():
            # it reads ranges by names that its parser calls old; nobody asks it for ranges here
            warnings.simplefilter("ignore", DeprecationWarning)
            import eval7  # noqa: PLC0415 - an extra
    except ImportError:
        raise ParameterError(
            f"holdem needs eval7, which ranks hands; {how_to_install('holdem')}"
        ) from None
    return eval7  # type: ignore[no-any-return]


@cache
def _cards() -> list[Any]:
    return [_library().Card(name) for name in CARDS]


def strengths(board: Iterable[int], numbers: Indices) -> Indices:
    """Return how strong combinations are with a board of five cards; more is stronger."""
    cards, evaluate = _cards(), _library().evaluate
    public = [cards[card] for card in board]
    hands = COMBINATIONS[numbers].tolist()
    return np.array([evaluate([*public, cards[one], cards[two]]) for one, two in hands], np.intp)
