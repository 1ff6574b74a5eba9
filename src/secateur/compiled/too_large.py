"""Refuses games that do not fit into memory: at once, or as soon as it is sure."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, NoReturn

from secateur.errors import GameError, ParameterError
from secateur.games.rules import CHANCE, END, Game
from secateur.memory import free_memory, in_units, resident_memory

_BYTES_TO_COMPILE = 400
"""For each history, beside what reading has taken: measured 250 to 550 at the peak."""

_SMALL = 10_000
"""Histories that are read before anybody asks whether there are too many."""

_NOTABLE = 256 << 20
"""Bytes after which that is asked before."""

_BATCHES = 10
_PLAYOUTS = 16
_DEEPEST = 10_000

_TELLING = 0.2
"""Share of the public states that must have been read to tell what all of them take."""

_BEYOND = 1e15
"""Bytes; estimates beyond mean nothing."""


_PAUSE = 256
"""Public states that are compiled between two looks."""

_TO_FINISH = 1.25
"""How many times as much as reading public states has taken is taken at the peak: measured 1.05 to
1.16."""

_TO_WIDEN = 1.6
"""The same of games that will be wide: measured 1.4."""

_TO_FINISH_BRANCHES = 3.6
"""The same of games that are compiled for thresholds: measured 3.0 to 3.4."""


class MemoryWatch:
    """Compares what reading takes, and compiling will take, with what is free and allowed."""

    def __init__(self, game: Game, limit: int | None = None) -> None:
        self._game = game
        self._limit = limit
        self._free = free_memory() if limit is None else min(limit, free_memory())
        self._before = resident_memory() or 0
        self._estimated = False

    def look(self, histories: int) -> None:
        """Raise GameError if so many histories are too many, or if there surely will be."""
        taken = max(0, (resident_memory() or 0) - self._before)
        each = _BYTES_TO_COMPILE + taken / histories
        most = int(self._free / each)
        if histories >= most:
            self._refuse(most, each)
        if not self._estimated and (histories >= _SMALL or taken > _NOTABLE):
            self._estimated = True
            if surely_more(self._game, most):
                self._refuse(most, each)

    def _refuse(self, most: int, each: float) -> NoReturn:
        if self._free == self._limit:
            needed = each * estimated_histories(self._game)
            raise over_the_limit(self._game, self._limit, needed)
        raise GameError(
            f"{self._game}: too large: it has {_in_words(estimated_histories(self._game))} "
            f"histories by estimate, of which {most:,} fit into the {self._free / 1e9:.3g} GB of "
            f"memory that are free, at {each:,.0f} bytes each; choose smaller parameters."
        )


_BYTES_PER_SEQUENCE = 10
"""To compile games whose sequences are estimated: measured 10 to 13 at the peak."""


class PublicWatch:
    """Compares what compiling public states takes with a limit."""

    def __init__(self, game: Game, limit: int | None, *, thresholds: bool) -> None:
        self._game = game
        self._limit = limit
        self._before = resident_memory() or 0
        self._thresholds = thresholds
        self._visits = 0

    def expect(self, sequences: float) -> None:
        """Raise an error if a game of about so many sequences does not fit."""
        needed = _BYTES_PER_SEQUENCE * sequences
        if self._limit is not None and needed > self._limit:
            raise over_the_limit(self._game, self._limit, needed)
        free = free_memory()
        if needed > free:
            raise GameError(
                f"{self._game}: too large: it has about {sequences:.2g} sequences by estimate, "
                f"which take {in_units(int(needed))} to compile and more to solve, and "
                f"{in_units(free)} of memory are free; choose smaller parameters."
            )

    def look(self, share: Callable[[], float], *, wide: bool, finished: bool = False) -> None:
        """Raise ParameterError if compiling will surely take more than the limit."""
        self._visits += 1
        if self._limit is None or (self._visits % _PAUSE and not finished):
            return
        to_finish = _TO_WIDEN if wide else _TO_FINISH
        needed = (_TO_FINISH_BRANCHES if self._thresholds else to_finish) * (
            (resident_memory() or 0) - self._before
        )
        if needed > self._limit:
            read = share()
            estimate = needed / read if read > _TELLING else math.inf
            raise over_the_limit(self._game, self._limit, estimate)


def over_the_limit(game: Game, limit: int, needed: float) -> ParameterError:
    """Return the error of a game that takes too much to be compiled."""
    words = f"about {in_units(int(needed))}" if needed < _BEYOND else "more"
    return ParameterError(
        f"memory_limit of {in_units(limit)}: to compile {game} takes {words}; allow more, or "
        "choose a smaller game."
    )


def surely_more(game: Game, histories: int) -> bool:
    """Whether random play shows that a game has more histories than that.

    The widths of the tree along a random path, multiplied, estimate the number of its nodes
    without bias (Knuth 1975). So the mean of a batch of estimates is twice as large as the truth
    or more with a probability of at most one half (Markov), and that of each batch with one of at
    most one in a thousand.
    """
    chooser = random.Random(0)
    enough = 2.0 * _PLAYOUTS * histories
    return all(_batch(game, chooser, enough) > enough for _ in range(_BATCHES))


def estimated_histories(game: Game) -> float:
    """Return an estimate of the number of histories, which may be infinity."""
    return _batch(game, random.Random(1), math.inf) / _PLAYOUTS


def _batch(game: Game, chooser: random.Random, enough: float) -> float:
    """Return the sum of some estimates; ends as soon as it is more than enough."""
    total = 0.0
    for _ in range(_PLAYOUTS):
        state, width = game.start(), 1.0
        for _ in range(_DEEPEST):
            total += width
            if total > enough:
                return total
            choices = _choices(game, state)
            if not choices:
                break
            width *= len(choices)
            state = game.after(state, chooser.choice(choices))
    return total


def _choices(game: Game, state: Any) -> list[Any]:
    turn = game.turn(state)
    if turn == END:
        return []
    if turn == CHANCE:
        return [outcome for outcome, probability in game.chance(state) if probability > 0.0]
    return list(game.actions(state))


def _in_words(number: float) -> str:
    if number < 1e9:
        return f"about {number:,.0f}"
    return f"about 10^{math.log10(number):.0f}" if math.isfinite(number) else "more than 10^308"
