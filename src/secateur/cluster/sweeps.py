"""Sweeps of which trunk and pieces are in different places."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from secateur.cluster.letters import Down, Letters, Up
from secateur.compiled.parts import Part
from secateur.crew import together
from secateur.kernels.core.pieces import Turn
from secateur.kernels.core.workspace import Workspace
from secateur.sweeping import Call, Sweeps

Exchange = Callable[[int, int], None]
"""Has the pieces of a game swept, for a row and a player."""


class TrunkSweeps(Sweeps[Workspace]):
    """Sweeps over a trunk, whose pieces somebody else sweeps meanwhile."""

    def __init__(self, trunk: Part, exchange: Exchange) -> None:
        super().__init__(trunk.game, Workspace.of, trunk.cut)
        self._exchange = exchange

    def run(self, turn: Turn, call: Call[Workspace], *, settle: bool = False) -> Any:
        """Go down, have the pieces swept, and go up; return the sum of what kernels return."""
        found = 0
        for row in range(turn.row, turn.last_row):
            for player in range(turn.player, turn.last_player):
                mine = Turn(row, row + 1, player, player + 1, pieces=False)
                call(mine._replace(up=False), self.first_room)
                self._exchange(row, player)
                found += call(mine._replace(down=False), self.first_room)
        if settle:
            call(Turn(turn.last_row, turn.last_row, settle=True), self.first_room)
        return found


class PieceSweeps(Sweeps[Workspace]):
    """Sweeps over pieces: of what is asked for, they do what the last letter says."""

    def __init__(self, part: Part) -> None:
        super().__init__(part.game, Workspace.of, part.cut)
        self._letters = Letters(self.pieces, np.arange(len(part.cut.first)))
        self._letter: Down | None = None
        self._begin = 0.0

    def accept(self, letter: Down) -> None:
        """Begin with what the trunk tells."""
        self._begin = time.perf_counter()
        self._letter = letter
        self._letters.take_down(letter)

    def run(self, turn: Turn, call: Call[Workspace], *, settle: bool = False) -> Any:
        """Sweep for the player, and in the row, that the letter says."""
        letter, helpers = self._letter, self.helpers()
        assert letter is not None, "there must be a letter"
        player = letter.player
        mine = Turn(letter.row, letter.row + 1, player, player + 1, down=False)
        self.pieces.taken[0] = 0
        shared = mine._replace(up=False)
        together(lambda thread: call(shared, self._room(thread)), helpers)
        # there is nothing above, but strategies are chosen then
        call(mine._replace(pieces=False), self.first_room)
        if settle and letter.is_last:
            rest = Turn(turn.last_row, turn.last_row, settle=True)
            together(lambda thread: call(rest, self._room(thread)), helpers)
        return 0

    def answer(self) -> Up:
        """Return what pieces are worth."""
        assert self._letter is not None, "there must be a letter"
        return self._letters.up(self._letter.player, time.perf_counter() - self._begin)
