"""What driver and shards tell each other in a sweep: the stacks where pieces begin."""

from __future__ import annotations

import pickle
from enum import StrEnum
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from secateur.cluster.uses import Uses
from secateur.kernels.core.pieces import Pieces

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Int = npt.NDArray[np.int64]


class Errand(StrEnum):
    """What a sweep is for."""

    ITERATE = "iterate"
    NASH_CONV = "nash_conv"
    VALUE = "value"
    BEST_RESPONSE = "best_response"


class Down(NamedTuple):
    """How the opponent comes to the pieces of a shard, and what to do there."""

    errand: Errand
    iterations: int
    """Of which this is one; 1 unless the errand is to iterate."""

    row: int
    """Which one, counted from 0."""

    player: int
    reach: Float
    reached: Flags
    visited: Flags

    @property
    def is_first(self) -> bool:
        """Whether these iterations begin here."""
        return self.row == 0 and self.player == 0

    @property
    def is_last(self) -> bool:
        """Whether they end here."""
        return self.row == self.iterations - 1 and self.player == 1


class Up(NamedTuple):
    """What the pieces of a shard are worth to the sequences above them."""

    value: Float
    tally: Float
    seconds: float
    """That the sweep took where the shard is."""


Letter = TypeVar("Letter", Down, Up)


def sealed(letter: Down | Up) -> bytes:
    """Return a letter as bytes, on which Ray spends less time than on arrays."""
    return pickle.dumps(letter, pickle.HIGHEST_PROTOCOL)


def opened(kind: type[Letter], sent: bytes) -> Letter:
    """Return the letter in what one's own driver or shard has sent."""
    letter = pickle.loads(sent)
    assert isinstance(letter, kind)
    return letter


class _Places(NamedTuple):
    """Where what is sent stands, for sweeps of one player."""

    slots_down: Int
    rows_down: Int
    slots_up: Int


class Letters:
    """Packs and unpacks what is told of some pieces; only what they use is sent.

    Parameters
    ----------
    pieces : Pieces
        Those of a game.
    numbers : array
        Which of them.
    uses : Uses
        What each of these uses.
    """

    def __init__(self, pieces: Pieces, numbers: Int, uses: Uses) -> None:
        self._pieces = pieces
        self._numbers = numbers
        slots, rows = numbers * pieces.slots_kept, numbers * pieces.rows_kept
        self._places = [
            _Places(
                slots_down=_moved(uses.slots[1 - player], slots),
                rows_down=_moved(uses.rows[1 - player], rows),
                slots_up=_moved(uses.slots[player], slots),
            )
            for player in range(2)
        ]

    def down(self, errand: Errand, iterations: int, row: int, player: int) -> Down:
        """Return what the trunk tells."""
        pieces, places = self._pieces, self._places[player]
        return Down(
            errand,
            iterations,
            row,
            player,
            pieces.reach[places.slots_down],
            pieces.reached[places.rows_down],
            pieces.visited[self._numbers],
        )

    def take_down(self, letter: Down) -> None:
        """Let pieces begin with what the trunk has told."""
        pieces, places = self._pieces, self._places[letter.player]
        pieces.reach[places.slots_down] = letter.reach
        pieces.reached[places.rows_down] = letter.reached
        pieces.visited[self._numbers] = letter.visited

    def up(self, player: int, seconds: float) -> Up:
        """Return what pieces tell."""
        pieces = self._pieces
        values = pieces.value[self._places[player].slots_up]
        return Up(values, pieces.tally[self._numbers], seconds)

    def take_up(self, player: int, letter: Up) -> None:
        """Let the trunk go on with what pieces have told."""
        pieces = self._pieces
        # what is not told of is worth nothing; something of the other player may stand there
        pieces.value.reshape(-1, pieces.slots_kept)[self._numbers] = 0.0
        pieces.value[self._places[player].slots_up] = letter.value
        pieces.tally[self._numbers] = letter.tally


def _moved(uses: list[Int], begin: Int) -> Int:
    """Return what pieces use, if what is kept for each begins there."""
    return np.concatenate([first + each for first, each in zip(begin, uses, strict=True)])
