"""Games written down history by history, and small games with odd shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from secateur.games import CHANCE, END, Game


def drawn(*about: object) -> float:
    """Return a number in [-1, 1) that depends on the arguments alone."""
    digest = blake2b(repr(about).encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**47 - 1.0


@dataclass(frozen=True)
class Move:
    """What happens at a history where a player moves."""

    player: Any
    information: Any
    actions: tuple[Any, ...]


@dataclass(frozen=True)
class Deal:
    """What happens at a history where chance moves."""

    outcomes: tuple[tuple[Any, float], ...]


@dataclass(frozen=True)
class Over:
    """What happens at the end."""

    payoffs: Any


class Written(Game):
    """A game whose states are tuples of moves; a function says what happens after each."""

    name = "written"

    def __init__(self, rules: Callable[[tuple[Any, ...]], Move | Deal | Over]) -> None:
        self.rules = rules

    def start(self) -> tuple[Any, ...]:
        return ()

    def turn(self, state: tuple[Any, ...]) -> Any:
        now = self.rules(state)
        if isinstance(now, Move):
            return now.player
        return CHANCE if isinstance(now, Deal) else END

    def chance(self, state: tuple[Any, ...]) -> tuple[tuple[Any, float], ...]:
        return self.rules(state).outcomes

    def actions(self, state: tuple[Any, ...]) -> tuple[Any, ...]:
        return self.rules(state).actions

    def after(self, state: tuple[Any, ...], action: Any) -> tuple[Any, ...]:
        return (*state, action)

    def information(self, state: tuple[Any, ...]) -> Any:
        return self.rules(state).information

    def payoffs(self, state: tuple[Any, ...]) -> Any:
        return self.rules(state).payoffs


def at_start(now: Move | Deal | Over, then: Over | None = None) -> Game:
    """Return a game of one move, after which it is over."""
    ends = then or Over((0.0, 0.0))
    return Written(lambda state: ends if state else now)


def crossed_orders() -> Game:
    """Return a game in which nobody knows who moved first.

    Chance decides in secret who moves first; the other has not seen that move. Then both moves are
    shown to player 0, who moves again; player 1 sees this last move and answers. No clock fits:
    each player's first move is before the other's in some histories and after it in others.
    """

    def rules(state: tuple[str, ...]) -> Move | Deal | Over:
        if not state:
            return Deal((("zero first", 0.3), ("one first", 0.7)))
        first = 0 if state[0] == "zero first" else 1
        moves = state[1:]
        if len(moves) < 2:
            mover = first if not moves else 1 - first
            return Move(mover, f"first move of {mover}", ("l", "m", "r")[: 2 + mover])
        own = {first: moves[0], 1 - first: moves[1]}
        if len(moves) == 2:
            return Move(0, f"own {own[0]} seen {own[1]}", ("u", "d"))
        if len(moves) == 3:
            return Move(1, f"own {own[1]} seen {moves[2]}", ("x", "y"))
        win = drawn("crossed", state)
        return Over((win, -win))

    return Written(rules)


def diagonal(hands: int) -> Game:
    """Return a guessing game whose payoffs are mostly zero.

    Both players get one of ``hands`` cards with chances that differ; both say yes or no without
    seeing the other; only equal cards win or lose anything.
    """
    weights = [1.0 + k for k in range(hands * hands)]

    def rules(state: tuple[Any, ...]) -> Move | Deal | Over:
        if not state:
            deals = [(i, j) for i in range(hands) for j in range(hands)]
            total = sum(weights)
            return Deal(tuple((d, w / total) for d, w in zip(deals, weights, strict=True)))
        if len(state) < 3:
            player = len(state) - 1
            return Move(player, f"{player} holds {state[0][player]}", ("yes", "no"))
        win = drawn("diagonal", state) if state[0][0] == state[0][1] else 0.0
        return Over((win, -win))

    return Written(rules)


def rare_hand(chance: float) -> Game:
    """Return a game in which player 0 rarely holds the hand that makes a difference.

    With the common hand everything wins 1. With the rare hand ``a`` wins 2 and ``b`` wins 5.
    Player 1 sees the action and answers, to no effect.
    """

    def rules(state: tuple[str, ...]) -> Move | Deal | Over:
        if not state:
            return Deal((("common", 1.0 - chance), ("rare", chance)))
        if len(state) == 1:
            return Move(0, state[0], ("a", "b"))
        if len(state) == 2:
            return Move(1, f"seen {state[1]}", ("x", "y"))
        win = {"common": 1.0, "rare": 2.0 if state[1] == "a" else 5.0}[state[0]]
        return Over((win, -win))

    return Written(rules)
