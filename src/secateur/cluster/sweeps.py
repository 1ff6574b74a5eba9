"""Sweeps of which trunk and pieces are in different places."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from secateur.cluster.letters import Down, Letters, Up
from secateur.cluster.uses import Uses
from secateur.compiled.parts import Part
from secateur.kernels.core.pieces import Pieces, Turn
from secateur.kernels.core.workspace import Workspace
from secateur.sweeping import Call, Sweeps

Exchange = Callable[[int, int], None]
"""Has the pieces of a game swept, for a row and a player."""


class TrunkSweeps:
    """Sweeps over a trunk, whose pieces somebody else sweeps meanwhile."""

    def __init__(self, trunk: Part, exchange: Exchange) -> None:
        self.pieces = Pieces.of(trunk.cut)
        self._room = Workspace.of(trunk.game)
        self._exchange = exchange

    def run(self, turn: Turn, call: Call[Workspace], *, settle: bool = False) -> Any:
        """Go down, have the pieces swept, and go up; return the sum of what kernels return."""
        found = 0
        for row in range(turn.row, turn.last_row):
            for player in range(turn.player, turn.last_player):
                mine = Turn(row, row + 1, player, player + 1, pieces=False)
                call(mine._replace(up=False), self._room)
                self._exchange(row, player)
                found += call(mine._replace(down=False), self._room)
        if settle:
            call(Turn(turn.last_row, turn.last_row, settle=True), self._room)
        return found

    def held(self) -> tuple[Pieces, Workspace]:
        """Return all that is in memory."""
        return self.pieces, self._room


class PieceSweeps:
    """Sweeps over pieces: of what is asked for, they do what the last letter says."""

    def __init__(self, part: Part, uses: Uses) -> None:
        self._sweeps = Sweeps(part.game, Workspace.of, part.cut)
        self.pieces = self._sweeps.pieces
        self._letters = Letters(self.pieces, np.arange(len(part.cut.first)), uses)
        self._letter: Down | None = None
        self._begin = 0.0

    def accept(self, letter: Down) -> None:
        """Begin with what the trunk tells."""
        self._begin = time.perf_counter()
        self._letter = letter
        self._letters.take_down(letter)

    def run(
        self,
        turn: Turn,  # noqa: ARG002 - the letter tells
        call: Call[Workspace],
        *,
        settle: bool = False,
    ) -> Any:
        """Sweep for the player, and in the row, that the letter says."""
        letter = self._letter
        assert letter is not None, "there must be a letter"
        player = letter.player
        # there is nothing above, but strategies are chosen on the way up
        mine = Turn(letter.row, letter.row + 1, player, player + 1, down=False)
        self._sweeps.run(mine, call, settle=settle and letter.is_last)
        return 0

    def held(self) -> tuple[Any, ...]:
        """Return all that is in memory."""
        return self._sweeps.held()

    def answer(self) -> Up:
        """Return what pieces are worth."""
        assert self._letter is not None, "there must be a letter"
        return self._letters.up(self._letter.player, time.perf_counter() - self._begin)
