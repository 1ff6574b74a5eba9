"""The games of the figures, which may have names of their own."""

from __future__ import annotations

from typing import Any

from secateur.games.registry import load
from secateur.games.rules import Game

_TWELVE = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0)

PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "leduc12": ("leduc", {"bet_sizes": (_TWELVE, tuple(2.0 * bet for bet in _TWELVE))}),
}
"""Leduc poker with twelve bet sizes a round has 2.6 million sequences."""


def load_game(name: str) -> Game:
    """Return the rules of a game of a figure."""
    known, parameters = PARAMETERS.get(name, (name, {}))
    return load(known, **parameters)
