"""A small poker game with hands of two cards, written history by history and by public states.

Both players get two cards of a small deck; chance prefers some combinations and never deals others.
They bet, a card is turned up, they bet again, and the stronger hand wins; many are equal.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from secateur.games import CHANCE, END, Game, PublicGame
from secateur.games.combinations import Combinations, Disjoint, Fixed, Showdown
from secateur.games.public import Deal, Hands, Payoff
from support.written import drawn

CARDS = 7
HANDS = tuple(combinations(range(CARDS), 2))
NEXT = {"": "kb", "k": "kb", "b": "fc", "kb": "fc"}
"""The betting of a round: check or bet, fold or call."""


def weight(player: int, hand: tuple[int, int]) -> float:
    """Return how often chance deals a hand, in any unit."""
    number = drawn("weight", player, hand)
    return 0.0 if number < -0.6 else 1.5 + number


def strength(hand: tuple[int, int], board: int) -> int:
    """Return one of four strengths."""
    return (hand[0] * hand[1] + board * (hand[0] + hand[1])) % 4


def label(hand: tuple[int, int]) -> str:
    """Return the cards of a hand."""
    return f"{hand[0]}{hand[1]}"


def mover(bets: str) -> int:
    """Return who moves in a round."""
    return len(bets) % 2


def is_over(bets: str) -> bool:
    """Return whether a round is over."""
    return bets not in NEXT


def staked(rounds: tuple[str, ...]) -> float:
    """Return what each player has staked: one, and two for every bet that was called."""
    return 1.0 + 2.0 * sum(bets.endswith("c") for bets in rounds)


def win(rounds: tuple[str, ...], sign: int) -> float:
    """Return what player 0 wins; who folds loses what was staked before.

    And a little more: no two actions are worth the same to the last bit but for rounding.
    """
    if rounds[-1].endswith("f"):
        return 1.1 * staked(rounds) * (1.0 if mover(rounds[-1][:-1]) == 1 else -1.0)
    return staked(rounds) * sign


class ByHistory(Game):
    """A state is hands, the card that was turned up, and the bets of either round."""

    name = "two cards"

    def start(self) -> Any:
        return ()

    def turn(self, state: Any) -> int:
        if not state:
            return CHANCE
        *_, card, rounds = state
        if rounds[-1].endswith("f") or (len(rounds) == 2 and is_over(rounds[-1])):
            return END
        if is_over(rounds[-1]) and card is None:
            return CHANCE
        return mover(rounds[-1])

    def chance(self, state: Any) -> list[tuple[Any, float]]:
        if not state:
            found = {
                (mine, theirs): weight(0, mine) * weight(1, theirs)
                for mine in HANDS
                for theirs in HANDS
                if not {*mine} & {*theirs}
            }
            total = sum(found.values())
            return [(pair, each / total) for pair, each in found.items() if each > 0.0]
        mine, theirs, _, _ = state
        left = [card for card in range(CARDS) if card not in (*mine, *theirs)]
        return [(card, 1.0 / len(left)) for card in left]

    def actions(self, state: Any) -> str:
        return NEXT[state[3][-1]]

    def after(self, state: Any, action: Any) -> Any:
        if not state:
            return (*action, None, ("",))
        mine, theirs, card, rounds = state
        if isinstance(action, str):
            return mine, theirs, card, (*rounds[:-1], rounds[-1] + action)
        return mine, theirs, action, (*rounds, "")

    def information(self, state: Any) -> str:
        return label(state[self.turn(state)]) + _public_label(state[2], state[3])

    def payoffs(self, state: Any) -> tuple[float, float]:
        mine, theirs, card, rounds = state
        sign = 0
        if card is not None:
            sign = int(np.sign(strength(mine, card) - strength(theirs, card)))
        found = win(rounds, sign)
        return found, -found


def _public_label(card: int | None, rounds: tuple[str, ...]) -> str:
    return f" {rounds[0]}" if card is None else f" {rounds[0]} {card} {rounds[1]}"


class ByPublicState(PublicGame):
    """A public state is the card that was turned up, and the bets of either round."""

    name = "two cards"

    def public_start(self) -> Any:
        return ()

    def public_turn(self, public: Any) -> int:
        return ByHistory().turn(public and ((), (), *public))

    def hands(self, public: Any) -> Hands:
        return _undealt() if not public else _table(public[0])[0]

    def public_actions(self, public: Any) -> str:
        return NEXT[public[1][-1]]

    def public_after(self, public: Any, action: str) -> Any:
        card, rounds = public
        return card, (*rounds[:-1], rounds[-1] + action)

    def deals(self, public: Any) -> list[Deal]:
        if not public:
            origins = tuple(np.zeros(len(each), np.intp) for each in _table(None)[1])
            return [Deal("deal", (None, ("",)), origins)]
        before = _table(None)[1]
        return [
            Deal(
                str(card),
                (card, (*public[1], "")),
                tuple(
                    np.array([old.index(hand) for hand in new], np.intp)
                    for old, new in zip(before, _table(card)[1], strict=True)
                ),
            )
            for card in range(CARDS)
        ]

    def public_label(self, public: Any) -> str:
        return _public_label(*public) if public else ""

    def payoff(self, public: Any) -> Payoff:
        card, rounds = public
        _, _, fixed, showdown = _table(card)
        if rounds[-1].endswith("f"):
            return Payoff(fixed, win(rounds, 0))
        return Payoff(showdown, win(rounds, 1))


@cache
def _undealt() -> Hands:
    return Hands((("",), ("",)), np.ones((1, 1)))


@cache
def _table(card: int | None) -> tuple[Hands, tuple[list[Any], list[Any]], Fixed, Showdown | None]:
    hands = tuple(
        [hand for hand in HANDS if weight(player, hand) > 0.0 and card not in hand]
        for player in range(2)
    )
    first, second = (
        Combinations(
            np.array(mine, np.intp),
            np.array([weight(player, hand) for hand in mine]),
            np.arange(len(mine)),
        )
        for player, mine in enumerate(hands)
    )
    total = sum(
        weight(0, mine) * weight(1, theirs)
        for mine in HANDS
        for theirs in HANDS
        if not {*mine} & {*theirs}
    )
    chance = 1.0 if card is None else 1.0 / (CARDS - 4)
    labels = tuple(tuple(map(label, mine)) for mine in hands)
    showdown = None
    if card is not None:
        showdown = Showdown(
            tuple(np.array([strength(hand, card) for hand in mine], np.intp) for mine in hands)
        )
    weights = Disjoint((first, second), chance / total)
    return Hands(labels, weights), hands, Fixed((len(hands[0]), len(hands[1]))), showdown
