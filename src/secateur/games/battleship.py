"""Battleship: players hide ships, then shoot in turn."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

from secateur.errors import ParameterError
from secateur.games.rules import END, Game

Cell = tuple[int, int]
Ship = tuple[Cell, ...]


class Sea(NamedTuple):
    """The fleets placed so far (player 0's first), and both players' shots in turn."""

    fleets: tuple[str, ...]
    shots: tuple[str, ...]


@dataclass(frozen=True)
class Battleship(Game):
    """Battleship on a small board.

    Each player has an own board. Player 0 and then player 1 place all their ships at once and in
    secret; ships lie along rows or columns and do not overlap. Then the players shoot in turn,
    player 0 first, at cells of the other's board where they have not shot before. Both see where
    each shot went and whether it missed, hit, or sank a ship. The game ends when all ships of one
    player are sunk or both players have used their shots. Each player wins what the own shots
    earned and loses what the opponent's earned. Player 0 has the advantage of the first shot.
    With one ship the tree is that of OpenSpiel's ``battleship`` without repeated shots.

    Rows are letters and columns are numbers. An information set is labeled with the player, the
    own fleet and all shots: ``0 a1-a2 | b1 miss a1 hit`` is player 0 with a ship on a1 and a2, who
    missed b1 and was hit on a1.

    ====================  =========  ================
    parameters            histories  information sets
    ====================  =========  ================
    the defaults             10,069             3,286
    shots=2                   3,029               470
    columns=3, shots=2       52,095             2,907
    ====================  =========  ================

    Parameters
    ----------
    rows : int
        Number of rows of each board, from 1 to 26.
    columns : int
        Number of columns of each board.
    ships : tuple of int
        Length of each ship of a player.
    shots : int
        Number of shots of each player.
    hit : float
        What each hit earns.
    sunk : float
        What each sunk ship earns, on top of its hits.
    """

    rows: int = 2
    columns: int = 2
    ships: tuple[int, ...] = (2,)
    shots: int = 3
    hit: float = 0.0
    sunk: float = 1.0
    name = "battleship"
    immutable_states = True

    def __post_init__(self) -> None:
        for field in ("rows", "columns", "shots"):
            value = getattr(self, field)
            if value not in range(1, 27):
                raise ParameterError(
                    f"battleship: {field}={value!r} is not possible; choose 1 to 26"
                )
        if self.shots > self.rows * self.columns:
            raise ParameterError(
                f"battleship: shots={self.shots} exceed the {self.rows * self.columns} cells of "
                "the board; lower shots"
            )
        for field in ("hit", "sunk"):
            value = getattr(self, field)
            if not math.isfinite(value):
                raise ParameterError(f"battleship: {field}={value} is not finite; give a number")
        object.__setattr__(self, "ships", tuple(self.ships))
        if not self.ships or any(length not in range(1, 27) for length in self.ships):
            raise ParameterError(
                f"battleship: ships={self.ships} is not possible; give lengths such as (2,)"
            )
        if not self._fleets:
            raise ParameterError(
                f"battleship: ships={self.ships} do not fit on a board of {self.rows} by "
                f"{self.columns}; shorten them or enlarge the board"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass."""
        return asdict(self)

    @cached_property
    def _cells(self) -> list[Cell]:
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    @cached_property
    def _fleets(self) -> dict[str, tuple[frozenset[str], ...]]:
        """Every placement of all ships: its label, and the cells of each ship."""
        fleets: list[tuple[Ship, ...]] = [()]
        for number, length in enumerate(self.ships):
            fleets = [
                (*fleet, ship)
                for fleet in fleets
                for ship in self._places(length)
                if not any(set(ship) & set(other) for other in fleet)
                # Ships of equal length do not differ: place them in one order only.
                and all(
                    other < ship
                    for other, size in zip(fleet, self.ships[:number], strict=True)
                    if size == length
                )
            ]
        return {
            ",".join("-".join(map(_cell_label, ship)) for ship in fleet): tuple(
                frozenset(map(_cell_label, ship)) for ship in fleet
            )
            for fleet in fleets
        }

    def _places(self, length: int) -> list[Ship]:
        across = [tuple((r, c + n) for n in range(length)) for r, c in self._cells]
        down = [tuple((r + n, c) for n in range(length)) for r, c in self._cells]
        return sorted({ship for ship in across + down if ship[-1] in self._cells})

    def start(self) -> Sea:
        """Begin with empty boards."""
        return Sea((), ())

    def turn(self, state: Sea) -> int:
        """Let both place their fleets, then shoot in turn."""
        if len(state.fleets) < 2:
            return len(state.fleets)
        over = len(state.shots) == 2 * self.shots or any(
            self._afloat(state, player) == 0 for player in (0, 1)
        )
        return END if over else len(state.shots) % 2

    def _afloat(self, state: Sea, player: int) -> int:
        received = set(state.shots[1 - player :: 2])
        return sum(not ship <= received for ship in self._fleets[state.fleets[player]])

    def actions(self, state: Sea) -> list[str]:
        """Offer all fleets, later all cells not shot at."""
        if len(state.fleets) < 2:
            return list(self._fleets)
        fired = state.shots[len(state.shots) % 2 :: 2]
        return [label for label in map(_cell_label, self._cells) if label not in fired]

    def after(self, state: Sea, action: str) -> Sea:
        """Write down the fleet or the shot."""
        if len(state.fleets) < 2:
            return Sea((*state.fleets, action), ())
        return Sea(state.fleets, (*state.shots, action))

    def information(self, state: Sea) -> str:
        """Show the own fleet and all shots with their results."""
        player = self.turn(state)
        if len(state.fleets) < 2:
            return f"{player} place"
        results = [
            f" {cell} {self._result(state, number)}" for number, cell in enumerate(state.shots)
        ]
        return f"{player} {state.fleets[player]} |{''.join(results)}"

    def _result(self, state: Sea, number: int) -> str:
        """Return what the shot of that number did."""
        fleet = self._fleets[state.fleets[1 - number % 2]]
        fired = set(state.shots[number % 2 : number + 1 : 2])
        for ship in fleet:
            if state.shots[number] in ship:
                return "sunk" if ship <= fired else "hit"
        return "miss"

    def payoffs(self, state: Sea) -> tuple[float, float]:
        """Count the hits and the sunk ships."""
        win = 0.0
        for number in range(len(state.shots)):
            result = self._result(state, number)
            earned = self.hit * (result != "miss") + self.sunk * (result == "sunk")
            win += earned if number % 2 == 0 else -earned
        return win, -win


def _cell_label(cell: Cell) -> str:
    row, column = cell
    return f"{'abcdefghijklmnopqrstuvwxyz'[row]}{column + 1}"
