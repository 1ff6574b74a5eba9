"""Sweeps over a game by one thread or several, to the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from secateur.compiled.cut import Cut
from secateur.compiled.game import CompiledGame
from secateur.crew import thread_count, together
from secateur.kernels.core.pieces import Pieces, Turn
from secateur.kernels.core.workspace import Workspace

Room = TypeVar("Room", bound=tuple[Any, ...])
Call = Callable[[Turn, Room], Any]
Room_co = TypeVar("Room_co", bound=tuple[Any, ...], covariant=True)


class Sweeping(Protocol[Room_co]):
    """Where a game, or a part of it, is swept."""

    pieces: Pieces

    def run(self, turn: Turn, call: Call[Room_co], *, settle: bool = False) -> Any:
        """Have all done that a turn asks for; return the sum of what kernels return."""

    def held(self) -> tuple[Any, ...]:
        """Return all that is in memory."""


class Sweeps(Generic[Room]):
    """Where a game is swept: its pieces, and room for every thread.

    Parameters
    ----------
    game : CompiledGame
        What is swept.
    make : function
        Allocates what a thread needs for itself.
    cut : Cut
        In which pieces; those of the game if not given.
    """

    def __init__(
        self, game: CompiledGame, make: Callable[[CompiledGame], Room], cut: Cut | None = None
    ) -> None:
        self.pieces = Pieces.of(game.cut if cut is None else cut)
        self._game = game
        self._make = make
        self._rooms = {0: make(game)}

    @property
    def first_room(self) -> Room:
        """What the first thread has for itself."""
        return self._rooms[0]

    def helpers(self) -> int:
        """Return how many threads may help."""
        return max(0, min(thread_count(), len(self.pieces.first)) - 1)

    def run(self, turn: Turn, call: Call[Room], *, settle: bool = False) -> Any:
        """Have all done that a turn asks for; return the sum of what kernels return.

        Parameters
        ----------
        turn : Turn
            Some iterations, of one player or both.
        call : function
            Is given a part of it, and the room of a thread, and calls a kernel.
        settle : bool
            Whether blocks make up for what they have missed, at the end.
        """
        if self.helpers() == 0:
            return call(turn._replace(settle=settle), self.first_room)
        found = 0.0
        for row in range(turn.row, turn.last_row):
            for player in range(turn.player, turn.last_player):
                found += self._sweep(Turn(row, row + 1, player, player + 1), call)
        if settle:
            self.share(Turn(turn.last_row, turn.last_row, settle=True), call)
        return found

    def share(self, turn: Turn, call: Call[Room]) -> None:
        """Have all threads do what a turn asks for, each with room of its own."""
        together(lambda thread: call(turn, self._room(thread)), self.helpers())

    def _sweep(self, turn: Turn, call: Call[Room]) -> Any:
        """Sweep for one player: alone down and up the trunk, and together over the pieces."""
        call(turn._replace(pieces=False, up=False), self.first_room)
        self.share(turn._replace(down=False, up=False), call)
        return call(turn._replace(down=False, pieces=False), self.first_room)

    def _room(self, thread: int) -> Room:
        if thread not in self._rooms:
            self._rooms[thread] = self._make(self._game)
        return self._rooms[thread]

    def held(self) -> tuple[Pieces, *tuple[Room, ...]]:
        """Return all that is in memory."""
        return self.pieces, *self._rooms.values()


def plain_sweeps(game: CompiledGame) -> Sweeps[Workspace]:
    """Return where a game is swept without more than stacks."""
    return Sweeps(game, Workspace.of)
