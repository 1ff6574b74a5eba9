"""Kuhn poker: the smallest poker game, and the file to copy when you write your own game."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

from secateur.errors import ParameterError
from secateur.games.rules import CHANCE, END, Game

RANKS = "A23456789TJQK"


@dataclass(frozen=True)
class Kuhn(Game):
    """Kuhn poker: one card each, one bet.

    Both players ante 1 and get one card, all different. Player 0 checks or bets 1; after a check
    player 1 may check or bet. Who faces a bet folds or calls. The higher card wins the pot.

    A state is ``()`` before the deal and then the two cards followed by the moves so far, such as
    ``(10, 12, "check", "bet")``. With 3 cards the value to player 0 is -1/18.

    =====  =========  ================
    cards  histories  information sets
    =====  =========  ================
        3         55                12
       13      1,405                52
    =====  =========  ================

    Parameters
    ----------
    cards : int
        Number of different cards in the deck, from 2 to 13; the king is the highest.
    """

    cards: int = 3
    name = "kuhn"
    immutable_states = True

    def __post_init__(self) -> None:
        if self.cards not in range(2, 14):
            raise ParameterError(f"kuhn: cards={self.cards!r} is not possible; choose 2 to 13")

    @property
    def parameters(self) -> dict[str, Any]:
        """The number of cards."""
        return {"cards": self.cards}

    def start(self) -> tuple[Any, ...]:
        """Begin before the deal."""
        return ()

    def turn(self, state: tuple[Any, ...]) -> int:
        """Let chance deal; then the players alternate until a fold, a call or two checks."""
        if not state:
            return CHANCE
        over = state[-1] in ("fold", "call") or state[2:] == ("check", "check")
        return END if over else len(state) % 2

    def chance(self, state: tuple[Any, ...]) -> list[tuple[Any, float]]:
        """Deal two different cards."""
        assert not state
        deals = list(permutations(range(13 - self.cards, 13), 2))
        return [(deal, 1 / len(deals)) for deal in deals]

    def actions(self, state: tuple[Any, ...]) -> tuple[str, ...]:
        """Offer fold or call after a bet, else check or bet."""
        return ("fold", "call") if state[-1] == "bet" else ("check", "bet")

    def after(self, state: tuple[Any, ...], action: Any) -> tuple[Any, ...]:
        """Write the deal or the move behind what happened so far."""
        return state + action if self.turn(state) == CHANCE else (*state, action)

    def information(self, state: tuple[Any, ...]) -> str:
        """Show the player to move the own card and all moves, such as ``K check bet``."""
        return " ".join([RANKS[state[len(state) % 2]], *state[2:]])

    def payoffs(self, state: tuple[Any, ...]) -> tuple[float, float]:
        """Give the ante to who did not fold, or the stakes to the higher card."""
        if state[-1] == "fold":
            win = 1.0 if len(state) % 2 == 0 else -1.0
        else:
            stake = 2.0 if "bet" in state else 1.0
            win = stake if state[0] > state[1] else -stake
        return win, -win
