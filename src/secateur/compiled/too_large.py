"""Refuses games whose histories do not fit into memory: at once, or as soon as it is sure."""

from __future__ import annotations

import os
import random
from typing import Any

from secateur.games.rules import CHANCE, END, Game

_BYTES_PER_HISTORY = 350
"""What reading and compiling takes at its peak: measured 306 on liar's dice of OpenSpiel."""

_UNKNOWN_MEMORY = 16 << 30
"""Taken where the system does not tell how much there is."""

_BATCHES = 10
_PLAYOUTS = 16
_DEEPEST = 10_000


def most_histories() -> int:
    """Return how many histories fit into this machine's memory."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        memory = _UNKNOWN_MEMORY
    return memory // _BYTES_PER_HISTORY


def surely_more(game: Game, histories: int) -> bool:
    """Whether random play shows that a game has more histories than that.

    The widths of the tree along a random path, multiplied, estimate the number of its nodes
    without bias (Knuth 1975). So the mean of a batch of estimates is twice as large as the truth
    or more with a probability of at most one half (Markov), and that of each batch with one of at
    most one in a thousand.
    """
    chooser = random.Random(0)
    enough = 2.0 * _PLAYOUTS * histories
    return all(_batch(game, chooser, enough) for _ in range(_BATCHES))


def _batch(game: Game, chooser: random.Random, enough: float) -> bool:
    """Whether some estimates add up to enough; ends as soon as they do."""
    total = 0.0
    for _ in range(_PLAYOUTS):
        state, width = game.start(), 1.0
        for _ in range(_DEEPEST):
            total += width
            if total > enough:
                return True
            choices = _choices(game, state)
            if not choices:
                break
            width *= len(choices)
            state = game.after(state, chooser.choice(choices))
    return False


def _choices(game: Game, state: Any) -> list[Any]:
    turn = game.turn(state)
    if turn == END:
        return []
    if turn == CHANCE:
        return [outcome for outcome, probability in game.chance(state) if probability > 0.0]
    return list(game.actions(state))
