"""A game of pursuit, written as a user would: an intruder crosses a yard that a guard patrols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from secateur import END, Game

Place = tuple[int, int]


class Walks(NamedTuple):
    """Where both have been, the intruder's walk first; the guard's may be one step behind."""

    intruder: tuple[Place, ...]
    guard: tuple[Place, ...]


@dataclass(frozen=True)
class Pursuit(Game):
    """An intruder (player 0) crosses a yard of squares from west to east, a guard patrols it.

    The intruder begins anywhere in the first column, the guard anywhere in the middle one. Both
    take steps at the same time, to the north, south, east, west or not at all, and do not see each
    other. On each square the guard sees whether there are tracks: whether the intruder has been
    there before. The guard wins 1 if both meet on a square, or on the way between two; the intruder
    wins 1 on reaching the last column, and nobody wins if time is over before.

    Parameters
    ----------
    rows : int
        Number of rows of the yard.
    columns : int
        Number of columns.
    steps : int
        Number of steps of each.
    """

    rows: int = 3
    columns: int = 3
    steps: int = 4
    name = "pursuit"
    immutable_states = True

    def start(self) -> Walks:
        """Begin outside."""
        return Walks((), ())

    def turn(self, state: Walks) -> int:
        """Let the intruder step, then the guard, who does not see it."""
        intruder, guard = state
        if len(intruder) > len(guard):
            return 1
        over = len(intruder) > self.steps or _met(state) or self._escaped(state)
        return END if over else 0

    def _escaped(self, state: Walks) -> bool:
        return bool(state.intruder) and state.intruder[-1][1] == self.columns - 1

    def actions(self, state: Walks) -> list[Place]:
        """Offer the squares where a player may begin, then those next to the own."""
        player = self.turn(state)
        own = state[player]
        if not own:
            return [(row, player * (self.columns // 2)) for row in range(self.rows)]
        row, column = own[-1]
        near = [(row, column), (row - 1, column), (row + 1, column)]
        near += [(row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in near if r in range(self.rows) and c in range(self.columns)]

    def after(self, state: Walks, action: Place) -> Walks:
        """Take a step."""
        intruder, guard = state
        if self.turn(state) == 0:
            return Walks((*intruder, action), guard)
        return Walks(intruder, (*guard, action))

    def information(self, state: Walks) -> str:
        """Show the own walk, to the guard with the tracks on it."""
        if self.turn(state) == 0:
            return f"intruder {_words(state.intruder)}"
        tracks = (place in state.intruder[:when] for when, place in enumerate(state.guard))
        seen = "".join("x" if each else "." for each in tracks)
        return f"guard {_words(state.guard)} {seen}"

    def payoffs(self, state: Walks) -> tuple[float, float]:
        """See who has won; a guard in time at the last column still catches the intruder."""
        win = -1.0 if _met(state) else float(self._escaped(state))
        return win, -win


def _met(state: Walks) -> bool:
    """Tell whether the last step led both to the same square, or each to the other's."""
    intruder, guard = state
    crossed = intruder[-2:] == guard[-2:][::-1] and len(intruder) > 1
    return bool(intruder) and (intruder[-1] == guard[-1] or crossed)


def _words(walk: tuple[Place, ...]) -> str:
    return " ".join(f"{row}{column}" for row, column in walk)
