"""Chance that moves after the last decision: its outcomes are added up when compiling."""

from typing import Any

import numpy as np
import pytest

import secateur
from secateur.compiled.from_histories import compile_histories
from secateur.games import Deal, Hands, Payoff, PublicGame


class LateCoin(PublicGame):
    """Both choose even or odd in turn; a coin decides when they agree, else player 0 wins 1."""

    name = "late-coin"

    def __init__(self, tails: float) -> None:
        self.tails = tails
        self.one = np.ones((1, 1))
        nobody = (np.zeros(1, np.intp), np.zeros(1, np.intp))
        self.origins = nobody
        self.known = {
            coin: Hands((("",), ("",)), np.full((1, 1), weight))
            for coin, weight in (("", 1.0), ("H", 0.5), ("T", 0.5))
        }

    def public_start(self) -> str:
        return ""

    def public_turn(self, public: str) -> int:
        return (0, 1, secateur.CHANCE, secateur.END)[len(public)]

    def hands(self, public: str) -> Hands:
        return self.known[public[2:]]

    def public_actions(self, public: str) -> list[str]:
        return ["e", "o"]

    def public_after(self, public: str, action: str) -> str:
        return public + action

    def deals(self, public: str) -> list[Deal]:
        return [Deal(coin, public + coin, self.origins) for coin in "HT"]

    def public_label(self, public: str) -> str:
        return public or "start"

    def payoff(self, public: Any) -> Payoff:
        first, second, coin = public
        if first != second:
            return Payoff(self.one, 1.0)
        return Payoff(self.one, 1.0 if coin == "H" else self.tails)


@pytest.mark.parametrize(("tails", "leaves"), [(-1.0, 2), (-0.5, 4)])
def test_outcomes_of_one_leaf_are_added_and_vanish_where_they_cancel(
    tails: float, leaves: int
) -> None:
    game = secateur.compile(LateCoin(tails))
    assert game.size.leaves == leaves
    assert game.size.histories == 15
    assert secateur.solve(game, secateur.Exact()).value == pytest.approx((1 + tails) / 2)
    by_histories = compile_histories(LateCoin(tails))
    uniform = secateur.expected_value(game, secateur.Strategy.uniform(game))
    assert uniform == secateur.expected_value(by_histories, secateur.Strategy.uniform(by_histories))
