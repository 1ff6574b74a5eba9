"""Liar's dice: bidding on the dice of both players while seeing only the own."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from secateur.errors import ParameterError
from secateur.games.public import Deal, Hands, Matrix, Payoff, PublicGame
from secateur.games.rules import CHANCE, END

LIAR = "liar"
MOST_BIDS = 24
NO_BID = -1


class Bidding(NamedTuple):
    """What both players have seen."""

    turn: int
    bid: int  # number of the last bid
    bidder: int
    label: str


@dataclass(frozen=True)
class LiarsDice(PublicGame):
    """Liar's dice with two players and one round.

    Both players roll their dice in secret. Player 0 bids a quantity and a face, such as ``2-5``:
    among all dice there are at least two fives. The players take turns to bid higher (a higher
    quantity, or the same quantity of a higher face) or to call the last bid a lie, which ends the
    game. The highest face is wild: it counts as every face. If the bid holds the bidder wins 1,
    else the caller does. The rules are those of OpenSpiel's ``liars_dice``.

    Dice do not differ, so a hand is a sorted roll: with several dice, rolls that differ only in
    order are one hand that has their probabilities together. One chance move rolls all dice. An
    information set is labeled with the hand and the bids: ``36 1-3 2-3`` rolled 3 and 6.

    ================  =========  ================
    dice, sides       histories  information sets
    ================  =========  ================
    1, 6                294,877            24,576
    1, 4                  8,177             1,024
    2, 3                294,877            24,576
    ================  =========  ================

    Parameters
    ----------
    dice : int
        Number of dice of each player.
    sides : int
        Number of faces of a die; ``2 * dice * sides``, the number of bids, is limited to 24.
    """

    dice: int = 1
    sides: int = 6
    name = "liars_dice"

    def __post_init__(self) -> None:
        for field, least in (("dice", 1), ("sides", 2)):
            value = getattr(self, field)
            if value not in range(least, MOST_BIDS):
                raise ParameterError(
                    f"liars_dice: {field}={value!r} is not possible; choose {least} to "
                    f"{MOST_BIDS - 1}"
                )
        if 2 * self.dice * self.sides > MOST_BIDS:
            raise ParameterError(
                f"liars_dice: dice={self.dice}, sides={self.sides} allow "
                f"{2 * self.dice * self.sides} bids; lower them to stay within {MOST_BIDS} bids"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass."""
        return asdict(self)

    @cached_property
    def _rolls(self) -> tuple[tuple[int, ...], ...]:
        return tuple(combinations_with_replacement(range(1, self.sides + 1), self.dice))

    @cached_property
    def _undealt(self) -> Hands:
        return Hands((("",), ("",)), np.ones((1, 1)))

    @cached_property
    def _dealt(self) -> Hands:
        between = "" if self.sides <= 9 else "."
        labels = tuple(between.join(map(str, roll)) for roll in self._rolls)
        orders = [
            math.factorial(self.dice) // math.prod(map(math.factorial, Counter(roll).values()))
            for roll in self._rolls
        ]
        chances = np.array(orders) / self.sides**self.dice
        return Hands((labels, labels), np.outer(chances, chances))

    @cached_property
    def _actions(self) -> tuple[str, ...]:
        quantities, faces = range(1, 2 * self.dice + 1), range(1, self.sides + 1)
        return (*(f"{quantity}-{face}" for quantity in quantities for face in faces), LIAR)

    @cached_property
    def _menus(self) -> tuple[tuple[str, ...], ...]:
        """For each last bid: the actions that may follow."""
        return tuple(self._actions[bid + 1 :] for bid in range(len(self._actions) - 1))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self._actions)}

    @cached_property
    def _bidder_wins(self) -> tuple[Matrix, ...]:
        """For each bid and pair of hands: what the bidder wins when it is called."""
        matrices = []
        for bid in range(len(self._actions) - 1):
            quantity, face = 1 + bid // self.sides, 1 + bid % self.sides
            counts = np.array(
                [sum(die in (face, self.sides) for die in roll) for roll in self._rolls]
            )
            holds = counts[:, None] + counts[None, :] >= quantity
            matrices.append(np.where(holds, 1.0, -1.0))
        return tuple(matrices)

    def public_start(self) -> Bidding:
        """Begin before the dice are rolled."""
        return Bidding(CHANCE, NO_BID, NO_BID, "")

    def public_turn(self, public: Bidding) -> int:
        """Return who moves."""
        return public.turn

    def hands(self, public: Bidding) -> Hands:
        """Return the rolls, which nothing rules out later."""
        return self._undealt if public.turn == CHANCE else self._dealt

    def public_actions(self, public: Bidding) -> tuple[str, ...]:
        """Return the higher bids, and the call once there is a bid."""
        return self._actions[:-1] if public.bid == NO_BID else self._menus[public.bid]

    def public_after(self, public: Bidding, action: str) -> Bidding:
        """Return the bidding after one more bid or the call."""
        label = f"{public.label} {action}"
        if action == LIAR:
            return public._replace(turn=END, label=label)
        return Bidding(1 - public.turn, self._numbers[action], public.turn, label)

    def deals(self, public: Bidding) -> list[Deal]:
        """Roll all dice."""
        hidden = np.zeros(len(self._rolls), dtype=np.intp)
        return [Deal("roll", public._replace(turn=0), (hidden, hidden))]

    def public_label(self, public: Bidding) -> str:
        """Return the bids, such as `` 1-3 2-3``."""
        return public.label

    def payoff(self, public: Bidding) -> Payoff:
        """Return 1 to who was right about the last bid."""
        return Payoff(self._bidder_wins[public.bid], 1.0 if public.bidder == 0 else -1.0)
