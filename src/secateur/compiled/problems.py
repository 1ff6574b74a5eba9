"""What is wrong with the rules of a game, and where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from secateur.errors import GameError
from secateur.games.rules import Game

_MOST_MOVES = 12


class Problem(Exception):  # noqa: N818 - never leaves this package
    """Something wrong at a history that is being visited.

    Parameters
    ----------
    text : str
        What is wrong, without a full stop.
    at_parent : bool
        Whether it is wrong where the last move was made, not where it led.
    """

    def __init__(self, text: str, *, at_parent: bool = False) -> None:
        super().__init__(text)
        self.at_parent = at_parent

    def located(self, game: Game, path: Sequence[Any]) -> GameError:
        """Return the error to raise, with the moves that lead there."""
        return GameError(" ".join(f"{game}: {place(path)}: {self}.".splitlines()))


def raised(error: Exception, method: str, *arguments: object) -> Problem:
    """Return the problem that the rules raised an error themselves."""
    asked = "".join(f", {argument}" for argument in arguments)
    call = f"{method}({f'state{asked}' if method != 'start' else ''})"
    words = " ".join(str(error).split())
    told = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return Problem(f"{call} raised {told}; correct the rules")


def place(path: Sequence[Any]) -> str:
    """Return in words where a history is: its last moves."""
    moves = [str(move) for move in islice(path, max(0, len(path) - _MOST_MOVES), None)]
    if not moves:
        return "at the start"
    return f"after {'... ' if len(path) > _MOST_MOVES else ''}{' '.join(moves)}"
