"""Sweeps over a game by one thread or several, to the same bits.

Helpers stay for all the sweeps of a call: the first thread opens the pieces of a sweep when it has
come down the trunk, and helpers wait for that meanwhile, which is much less than to be woken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from secateur.compiled.cut import Cut
from secateur.compiled.game import CompiledGame
from secateur.crew import thread_count, together
from secateur.kernels.core import heap
from secateur.kernels.core.pieces import Pieces, Turn
from secateur.kernels.core.workspace import Workspace

Room = TypeVar("Room", bound=tuple[Any, ...])
Call = Callable[[Turn, Room], Any]
Room_co = TypeVar("Room_co", bound=tuple[Any, ...], covariant=True)


def with_helpers(
    things: heap.Long, helpers: int, lead: Callable[[], Any], take_part: Callable[[int], Any]
) -> Any:
    """Return what this thread finds when it leads others, who take from the heap that it opens.

    ``take_part`` is called by each helper, with its number.
    """
    found = [0.0]

    def work(thread: int) -> None:
        if thread > 0:
            take_part(thread)
            return
        try:
            found[0] = lead()
        finally:
            heap.close(things)

    heap.clear(things)
    try:
        together(work, helpers)
    finally:
        heap.close(things)
    return found[0]


class Sweeping(Protocol[Room_co]):
    """Where a game, or a part of it, is swept."""

    pieces: Pieces

    def run(self, turn: Turn, call: Call[Room_co], *, settle: bool = False) -> Any:
        """Have all done that a turn asks for; return what kernels return, in total."""

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
        count = len(self.pieces.first)
        return min(thread_count(), count) - 1 if count else 0

    def run(self, turn: Turn, call: Call[Room], *, settle: bool = False) -> Any:
        """Have all done that a turn asks for; return what the kernel returns to the first thread.

        Parameters
        ----------
        turn : Turn
            Some iterations, of one player or both.
        call : function
            Is given that, or what helpers do meanwhile, and the room of a thread; calls a kernel.
        settle : bool
            Whether blocks make up for what they have missed, at the end.
        """
        if settle:
            turn = turn._replace(settle=True)
        helpers = self.helpers()
        if helpers == 0:
            return call(turn, self.first_room)
        return with_helpers(
            self.pieces.heap,
            helpers,
            lambda: call(turn, self.first_room),
            lambda thread: call(turn.for_helpers(), self._room(thread)),
        )

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
