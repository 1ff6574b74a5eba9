"""Games of thousands of moves, with probabilities of every size, and payoffs in any unit."""

from __future__ import annotations

import random
from typing import Any

from secateur.games import CHANCE, END, Game


class Duel(Game):
    """Players shoot in turns, with rising accuracy, or wait; who misses is lost."""

    name = "duel"

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds

    @property
    def parameters(self) -> dict[str, Any]:
        return {"rounds": self.rounds}

    def start(self) -> tuple[int, str]:
        return 0, ""

    def turn(self, state: tuple[int, str]) -> int:
        moves, what = state
        if what == "shot":
            return CHANCE
        return END if what or moves == 2 * self.rounds else moves % 2

    def actions(self, state: tuple[int, str]) -> list[str]:
        return ["shoot", "wait"]

    def chance(self, state: tuple[int, str]) -> list[tuple[str, float]]:
        accuracy = (state[0] + 1) / (2 * self.rounds + 1)
        return [("hit", accuracy), ("miss", 1.0 - accuracy)]

    def after(self, state: tuple[int, str], move: str) -> tuple[int, str]:
        moves, _ = state
        if move == "wait":
            return moves + 1, ""
        return moves, "shot" if move == "shoot" else move

    def information(self, state: tuple[int, str]) -> int:
        return state[0]

    def payoffs(self, state: tuple[int, str]) -> tuple[float, float]:
        moves, what = state
        if not what:
            return 0.0, 0.0
        win = 1.0 if (what == "hit") == (moves % 2 == 0) else -1.0
        return win, -win


class LongGame(Game):
    """A coin that only player 0 sees, then a long row of moves, each of which may end the game.

    Parameters
    ----------
    seed : int
        Whose moves they are, how likely chance goes on, and payoffs follow from it.
    moves : int
        The length of the row.
    unlikely : float
        Chance's probabilities of going on, or of ending the game, go down to it.
    stakes : float
        The size of payoffs.
    """

    name = "long"

    def __init__(self, seed: int, moves: int, unlikely: float, stakes: float) -> None:
        self.seed, self.moves, self.unlikely, self.stakes = seed, moves, unlikely, stakes
        dice = random.Random(seed)
        self._movers = [dice.choice([0, 0, 1, 1, CHANCE]) for _ in range(moves)]
        self._ends = [dice.choice([0.5, unlikely ** dice.random()]) for _ in range(moves)]
        self._go_on = [dice.random() < 0.5 for _ in range(moves)]
        self._wins = {
            (coin, at): stakes * dice.uniform(-1.0, 1.0) for coin in "HT" for at in range(moves + 1)
        }

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "moves": self.moves,
            "unlikely": self.unlikely,
            "stakes": self.stakes,
        }

    def start(self) -> tuple[str, int, bool]:
        return "", 0, False

    def turn(self, state: tuple[str, int, bool]) -> int:
        coin, at, over = state
        if not coin:
            return CHANCE
        return END if over or at == self.moves else self._movers[at]

    def actions(self, state: tuple[str, int, bool]) -> list[str]:
        return ["stop", "go on"]

    def chance(self, state: tuple[str, int, bool]) -> list[tuple[str, float]]:
        coin, at, _ = state
        if not coin:
            return [("H", 0.5), ("T", 0.5)]
        shares = (1.0 - self._ends[at], self._ends[at])
        ways = ("stop", "go on") if self._go_on[at] else ("go on", "stop")
        return list(zip(ways, shares, strict=True))

    def after(self, state: tuple[str, int, bool], move: str) -> tuple[str, int, bool]:
        coin, at, _ = state
        if not coin:
            return move, 0, False
        return (coin, at, True) if move == "stop" else (coin, at + 1, False)

    def information(self, state: tuple[str, int, bool]) -> tuple[str, int]:
        coin, at, _ = state
        return (coin if self._movers[at] == 0 else "?"), at

    def payoffs(self, state: tuple[str, int, bool]) -> tuple[float, float]:
        coin, at, _ = state
        win = self._wins[coin, at]
        return win, -win


class Scaled(Game):
    """Another game, with its payoffs in another unit."""

    def __init__(self, game: Game, unit: float) -> None:
        self.game, self.unit = game, unit
        self.name = game.name
        for question in ("start", "turn", "actions", "chance", "after", "information"):
            setattr(self, question, getattr(game, question))

    @property
    def parameters(self) -> dict[str, Any]:
        return {**self.game.parameters, "unit": self.unit}

    def payoffs(self, state: Any) -> tuple[float, float]:
        first, second = self.game.payoffs(state)
        return self.unit * float(first), self.unit * float(second)

    def start(self) -> Any: ...
    def turn(self, state: Any) -> int: ...
    def actions(self, state: Any) -> Any: ...
    def after(self, state: Any, action: Any) -> Any: ...
    def information(self, state: Any) -> Any: ...


LONG_GAMES = [
    LongGame(seed=11, moves=3, unlikely=1e-300, stakes=1.0),
    LongGame(seed=12, moves=40, unlikely=0.5, stakes=1e12),
    LongGame(seed=13, moves=40, unlikely=1e-20, stakes=1e-12),
    LongGame(seed=14, moves=400, unlikely=1e-3, stakes=1e-4),
    LongGame(seed=15, moves=400, unlikely=1e-300, stakes=1e12),
    LongGame(seed=16, moves=1500, unlikely=1e-20, stakes=1.0),
    LongGame(seed=17, moves=3000, unlikely=0.5, stakes=1e-12),
]
"""Long games with all sizes of numbers."""
