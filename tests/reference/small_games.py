"""Tiny games whose solutions are known by heart; they depend on no game of the package."""

from __future__ import annotations

from itertools import permutations

from secateur.games.rules import CHANCE, END, Game


class Coin(Game):
    """Player 0 sees a coin and bets or passes; player 1 calls or folds a bet without seeing it.

    A pass loses 1, a fold of player 1 loses 1, a called bet wins 2 on heads and loses 2 on tails.
    """

    name = "coin"

    def start(self) -> str:
        return ""

    def turn(self, state: str) -> int:
        return END if state[1:] == "p" else (CHANCE, 0, 1, END)[len(state)]

    def chance(self, state: str) -> list[tuple[str, float]]:
        return [("H", 0.5), ("T", 0.5)]

    def actions(self, state: str) -> list[str]:
        return ["b", "p"] if len(state) == 1 else ["c", "f"]

    def after(self, state: str, action: str) -> str:
        return state + action

    def information(self, state: str) -> str:
        return state if len(state) == 1 else "bet"

    def payoffs(self, state: str) -> tuple[float, float]:
        win = {"p": -1, "bf": 1, "bc": 2 if state[0] == "H" else -2}[state[1:]]
        return win, -win


class Kuhn(Game):
    """Kuhn poker: three cards, one each, ante 1, one bet of 1.

    A state is the two cards and the moves so far, ``p`` (check or fold) and ``b`` (bet or call).
    """

    name = "kuhn"

    def start(self) -> str:
        return ""

    def turn(self, state: str) -> int:
        if not state:
            return CHANCE
        moves = state[2:]
        return END if moves in ("pp", "bp", "bb", "pbp", "pbb") else len(moves) % 2

    def chance(self, state: str) -> list[tuple[str, float]]:
        return [(first + second, 1 / 6) for first, second in permutations("012", 2)]

    def actions(self, state: str) -> list[str]:
        return ["p", "b"]

    def after(self, state: str, action: str) -> str:
        return state + action

    def information(self, state: str) -> str:
        moves = state[2:]
        return state[len(moves) % 2] + moves

    def payoffs(self, state: str) -> tuple[float, float]:
        moves = state[2:]
        showdown = 1 if state[0] > state[1] else -1
        win = {"pp": showdown, "bp": 1, "pbp": -1, "bb": 2 * showdown, "pbb": 2 * showdown}[moves]
        return win, -win


class Matrix(Game):
    """Both players choose a row and a column without seeing each other's choice."""

    name = "matrix"

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = rows

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> int:
        return (0, 1, END)[len(state)]

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return list(range(len(self.rows) if not state else len(self.rows[0])))

    def after(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def information(self, state: tuple[int, ...]) -> str:
        return "choose"

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, float]:
        win = self.rows[state[0]][state[1]]
        return win, -win
