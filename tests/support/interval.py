"""The fast engine and the slow oracle of interval regret-based pruning, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import secateur
from reference import ReferenceHedgeRBP, ReferenceRBP
from reference.thresholding import threshold_of_hedge, threshold_of_regret_matching
from secateur.averaging import LINEAR, UNIFORM
from secateur.games import Game
from secateur.games.leduc import Betting, Leduc
from secateur.games.public import Payoff
from secateur.solvers.interval import IntervalState
from support.apart import Numbers, apart, unlike
from support.small_games import ready_to_prune
from support.written import drawn

FACTOR = 2.0
"""Of the thresholds."""

CUT = secateur.DynamicThresholding(FACTOR)
METHODS: dict[str, dict[str, Any]] = {
    "rm": {"minimizer": secateur.RegretMatching(), "averaging": UNIFORM},
    "rm+": {"minimizer": secateur.RegretMatchingPlus(), "averaging": UNIFORM},
    "cfr+": {"minimizer": secateur.RegretMatchingPlus(), "averaging": LINEAR},
    "rm, cut": {"minimizer": secateur.RegretMatching(), "thresholding": CUT},
    "cfr+, cut": {
        "minimizer": secateur.RegretMatchingPlus(),
        "averaging": LINEAR,
        "thresholding": CUT,
    },
    "hedge, cut": {"minimizer": secateur.Hedge(), "thresholding": CUT},
}
"""Parts of solvers."""


def started(game: secateur.CompiledGame, method: str, updates: str, **policy: Any) -> IntervalState:
    """Return a run of the engine before its first iteration."""
    solver = secateur.CFR(
        **METHODS[method],
        updates=updates,
        pruning=secateur.RegretBasedPruning(**policy),
        count_nodes=True,
    )
    return solver.start(game)


def oracle(game: Game, method: str, **options: Any) -> ReferenceRBP:
    """Return the slow version of a run."""
    if method == "hedge, cut":
        return ReferenceHedgeRBP(game, threshold_of_hedge(FACTOR), **options)
    rule, _, cut = method.partition(", ")
    if cut:
        options["threshold"] = threshold_of_regret_matching(FACTOR)
    if rule == "cfr+":
        return ReferenceRBP(game, "rm+", "linear", **options)
    return ReferenceRBP(game, rule, **options)


class SideBySide:
    """Steps both and compares all that they keep."""

    def __init__(
        self, game: Game, method: str, updates: str, min_skip: float, check_every: int
    ) -> None:
        self.game = ready_to_prune(game)
        policy = {"minimum_skip": min_skip, "check_every": check_every}
        self.fast = started(self.game, method, updates, **policy)
        self.slow = oracle(
            game, method, updates=updates, min_skip=min_skip, check_every=check_every
        )
        infosets = self.slow.tree.infosets
        keys = {(key[0], str(key[1])): key for key in infosets}
        self.keys: list[Any] = []
        self.names: list[Any] = [None] * self.game.cells
        for infoset in self.game.information_sets():
            key = keys[infoset.player, infoset.label]
            self.keys.append(key)
            self.names[infoset.cells] = [(key, action) for action in infosets[key].actions]

    def step(self) -> None:
        """Run one iteration of both."""
        self.fast.step()
        self.slow.step()

    def near_tie(self) -> bool:
        """Return whether a number is zero but for rounding: both are right and may part."""
        books = self.fast.books
        numbers = [books.regret, books.bound, np.array(list(self.slow.regret.values()))]
        return any(((x != 0.0) & (np.abs(x) < 1e-12)).any() for x in numbers)

    def differences(self, tolerance: float = 1e-8) -> list[str]:
        """Return what is not the same: decisions exactly, numbers up to rounding."""
        books, slow, keys, names = self.fast.books, self.slow, self.keys, self.names
        allowed = tolerance * max(1.0, self.fast.weight)
        active = np.array([key in slow.active for key in keys])
        pruned = np.array([name in slow.pruned for name in names])
        regret = np.where(books.pruned, books.bound, books.regret)

        def of(numbers: Mapping[Any, float], places: list[Any]) -> Numbers:
            return np.array([numbers[place] for place in places])

        return [
            *unlike("activity", keys, books.active != 0, active),
            *apart("values", keys, books.value_sum, of(slow.sumv, keys), allowed),
            *apart("reach", keys, books.reach_sum, of(slow.reach_sum, keys), allowed),
            *apart("sum", names, books.total, of(slow.strategy_sum, names), allowed),
            *apart("plain sum", names, books.faced, of(slow.faced_sum, names), allowed),
            *unlike("pruning", names, books.pruned != 0, pruned),
            *apart("regret", names, regret, of(slow.regret, names), allowed),
        ]


class UntiedLeduc(Leduc):
    """Leduc with stakes that differ a little from one sequence of bets to another.

    In Leduc a bet that everybody folds to wins exactly what a check wins, and rounding decides
    whether its regret has increased. Regret matching+ then forgets how far below zero the regret
    was: two right programs part.
    """

    def payoff(self, public: Betting) -> Payoff:
        matrix, factor = super().payoff(public)
        return Payoff(matrix, factor * (1.0 + drawn(public.label) / 8))
