"""Matrix games: both players choose once, at the same time."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from secateur.errors import ParameterError
from secateur.games.rules import END, Game

ROCK_PAPER_SCISSORS = ((0.0, -1.0, 1.0), (1.0, 0.0, -1.0), (-1.0, 1.0, 0.0))
REMEDY = "give rows of equal length, such as ((1, -1), (-1, 1))"


@dataclass(frozen=True)
class MatrixGame(Game):
    """A one-shot game given by its payoffs; rock, paper, scissors unless told otherwise.

    Player 0 chooses a row; player 1 chooses a column without seeing the row. A state is the tuple
    of choices so far. A game of ``r`` rows and ``c`` columns has ``1 + r + r * c`` histories (13
    for the default, 7 for a game of 2 by 2) and 2 information sets, ``row`` and ``column``.

    Parameters
    ----------
    matrix : tuple of tuples of float
        What player 0 wins, row by row; nested lists and arrays serve as well.
    """

    matrix: tuple[tuple[float, ...], ...] = ROCK_PAPER_SCISSORS
    name = "matrix"
    immutable_states = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", _checked(self.matrix))

    @property
    def parameters(self) -> dict[str, Any]:
        """The payoffs."""
        return asdict(self)

    def start(self) -> tuple[int, ...]:
        """Begin without choices."""
        return ()

    def turn(self, state: tuple[int, ...]) -> int:
        """Let player 0 choose first; player 1 does not see it."""
        return (0, 1, END)[len(state)]

    def actions(self, state: tuple[int, ...]) -> range:
        """Offer the rows or the columns, numbered from 0."""
        return range(len(self.matrix[0]) if state else len(self.matrix))

    def after(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        """Write the choice down."""
        return (*state, action)

    def information(self, state: tuple[int, ...]) -> str:
        """Show nothing but what is to be chosen."""
        return "column" if state else "row"

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, float]:
        """Look the choices up."""
        row, column = state
        win = self.matrix[row][column]
        return win, -win


def _checked(matrix: Any) -> tuple[tuple[float, ...], ...]:
    """Return the payoffs as tuples of float, or say why they cannot be used."""
    try:
        rows = tuple(tuple(float(win) for win in row) for row in matrix)
    except (TypeError, ValueError):
        raise ParameterError(
            f"matrix: matrix={matrix!r} is not rows of numbers; {REMEDY}"
        ) from None
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise ParameterError(
            f"matrix: matrix={matrix!r} has empty rows or rows of different length; {REMEDY}"
        )
    for win in (win for row in rows for win in row):
        if not math.isfinite(win):
            raise ParameterError(f"matrix: the payoff {win} is not finite; give finite payoffs")
    return rows
