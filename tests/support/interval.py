"""The fast engine and the slow oracle of interval regret-based pruning, side by side."""

from __future__ import annotations

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
        self.game = secateur.compile(game, pruning=True)
        policy = {"minimum_skip": min_skip, "check_every": check_every}
        self.fast = started(self.game, method, updates, **policy)
        self.slow = oracle(
            game, method, updates=updates, min_skip=min_skip, check_every=check_every
        )
        tree = self.slow.tree
        keys = {(key[0], str(key[1])): key for key in tree.infosets}
        self.infosets = [
            (number, keys[infoset.player, infoset.label], range(self.game.cells)[infoset.cells])
            for number, infoset in enumerate(self.game.information_sets())
        ]
        self.actions = {key: infoset.actions for key, infoset in tree.infosets.items()}

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
        books, slow = self.fast.books, self.slow
        allowed = tolerance * max(1.0, self.fast.weight)
        found = []

        def compare(what: str, ours: float, theirs: float) -> None:
            if abs(ours - theirs) > allowed:
                found.append(f"{what}: {ours} and {theirs}")

        for number, key, cells in self.infosets:
            if (key in slow.active) != bool(books.active[number]):
                found.append(f"activity of {key}")
            compare(f"values of {key}", books.value_sum[number], slow.sumv[key])
            compare(f"reach of {key}", books.reach_sum[number], slow.reach_sum[key])
            for action, cell in zip(self.actions[key], cells, strict=True):
                name = (key, action)
                compare(f"sum of {name}", books.total[cell], slow.strategy_sum[name])
                compare(f"plain sum of {name}", books.faced[cell], slow.faced_sum[name])
                if (name in slow.pruned) != bool(books.pruned[cell]):
                    found.append(f"pruning of {name}")
                    continue
                regret = books.bound[cell] if books.pruned[cell] else books.regret[cell]
                compare(f"regret of {name}", regret, slow.regret[name])
        return found


class UntiedLeduc(Leduc):
    """Leduc with stakes that differ a little from one sequence of bets to another.

    In Leduc a bet that everybody folds to wins exactly what a check wins, and rounding decides
    whether its regret has increased. Regret matching+ then forgets how far below zero the regret
    was: two right programs part.
    """

    def payoff(self, public: Betting) -> Payoff:
        matrix, factor = super().payoff(public)
        return Payoff(matrix, factor * (1.0 + drawn(public.label) / 8))
