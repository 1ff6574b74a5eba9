"""Finds rules whose states share parts that change: one state's moves then change another.

Such rules compile to a game that nobody meant, often a smaller one. A history is asked again after
its last child has been made (the first histories also after their first child has been read); the
answers must be the same as before. What only payoffs show is found by making the moves to an end
once more, from the start.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from secateur.compiled.problems import Problem
from secateur.games.rules import END, Game

ALL_BEFORE = 1_000
"""The number of histories before which everything is asked twice."""

_MOVES_PER_HISTORY = 0.125
"""How many moves are made again after that."""

_ATOMS = frozenset((int, float, bool, str, bytes, complex, type(None)))

REMEDY = (
    "states must not share what changes: let after() copy whatever it changes (lists and "
    "dictionaries inside, too; copy.deepcopy(state) copies all)"
)


class Sharing:
    """Asks rules again what they have been asked before."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._credit = 0.0
        self._histories = 0

    def check(self, state: Any, turn: int, information: Hashable) -> None:
        """Ask again who moves at a history, and what that player knows."""
        kind = type(state)
        if kind in _ATOMS or (kind is tuple and _ATOMS.issuperset(map(type, state))):
            return
        now = self._game.turn(state)
        if now != turn:
            raise Problem(
                f"turn() gave {turn}, but {now} after moves had been made from there; {REMEDY}",
                at_parent=True,
            )
        if turn >= 0:
            known = self._game.information(state)
            if known != information:
                raise Problem(
                    f"information() gave {information!r}, but {known!r} after moves had been made "
                    f"from there; {REMEDY}",
                    at_parent=True,
                )

    def due(self, histories: int, depth: int) -> bool:
        """Whether to reach the end that was read last a second time."""
        if histories < ALL_BEFORE:
            return True
        self._credit += _MOVES_PER_HISTORY * (histories - self._histories)
        self._histories = histories
        if self._credit < depth:
            return False
        self._credit = 0.0
        return True

    def replay(self, path: Sequence[Any], paid: Any) -> None:
        """Make moves again from the start, and compare the payoffs at the end."""
        game = self._game
        try:
            state = game.start()
            for move in path:
                state = game.after(state, move)
            again = game.payoffs(state) if game.turn(state) == END else None
        except Exception as error:
            raise Problem(
                f"the same moves, made once more from the start, raised {type(error).__name__}: "
                f"{error}; {REMEDY}"
            ) from error
        if again is None:
            raise Problem(
                "the game is over, but not when the same moves are made once more from the start; "
                f"{REMEDY}"
            )
        if tuple(again) != tuple(paid):
            raise Problem(
                f"payoffs() gave {paid!r}, but {again!r} when the same moves are made once more "
                f"from the start; {REMEDY}"
            )
