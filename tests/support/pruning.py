"""The fast engine and the slow oracle of best-response pruning, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

import secateur
from reference import ReferenceBRP
from secateur.averaging import LINEAR, QUADRATIC, UNIFORM
from secateur.games import Game
from secateur.solvers.pruned import PrunedState
from support.apart import apart, unlike
from support.small_games import ready_to_prune
from support.stored import unpacked

RULES = {
    "rm": (secateur.RegretMatching(), UNIFORM),
    "rm+": (secateur.RegretMatchingPlus(), UNIFORM),
    "linear": (secateur.RegretMatching(linear=True), LINEAR),
    "cfr+": (secateur.RegretMatchingPlus(), LINEAR),
    "dcfr": (secateur.DiscountedRegretMatching(), QUADRATIC),
    "dcfr+": (secateur.DiscountedRegretMatchingPlus(), secateur.Averaging(4)),
    "pcfr+": (secateur.PredictiveRegretMatchingPlus(), QUADRATIC),
    "pdcfr+": (secateur.PredictiveDiscountedRegretMatchingPlus(), secateur.Averaging(5)),
    "sapcfr+": (secateur.AsymmetricPredictiveRegretMatchingPlus(), QUADRATIC),
}
"""By the names that the oracle gives to algorithms."""

PAPERS = ("rm", "rm+", "linear")
"""Those of the papers: regrets and averages weigh iterations alike."""

PREDICTIVE = ("pcfr+", "pdcfr+", "sapcfr+")


def started(game: secateur.CompiledGame, rule: str, updates: str, **policy: Any) -> PrunedState:
    """Return a run of the engine before its first iteration."""
    minimizer, averaging = RULES[rule]
    solver = secateur.CFR(
        minimizer=minimizer,
        averaging=averaging,
        updates=updates,
        pruning=secateur.BestResponsePruning(**policy),
        count_nodes=True,
    )
    return solver.start(game)


class SideBySide:
    """Steps both and compares all that they keep."""

    def __init__(
        self,
        game: Game,
        rule: str,
        updates: str,
        min_skip: float | None,
        check_every: int | None,
        discard: float = 0.0,
        discard_rule: str = "linear",
        softness: float = 0.0,
        duration: str = "reach",
        **adaptive: float,
    ) -> None:
        self.game = ready_to_prune(game)
        policy = {"minimum_skip": min_skip, "check_every": check_every, "duration": duration}
        discarding = {"discard": discard, "discard_rule": discard_rule}
        self.fast = started(
            self.game, rule, updates, **policy, **adaptive, **discarding, softness=softness
        )
        self.slow = ReferenceBRP(
            game,
            rule,
            updates=updates,
            min_skip=self.fast.minimum_skip,
            check_every=check_every or set(),
            softness=softness,
            duration=duration,
            **(discarding if discard else {}),
        )
        keys = {(key[0], str(key[1])): key for key in self.slow.active}
        infosets = list(self.game.information_sets())
        self.keys = [keys[infoset.player, infoset.label] for infoset in infosets]
        self.names: list[Any] = [None] * self.game.cells
        self.infoset_of = np.zeros(self.game.cells, np.int64)
        for number, (key, infoset) in enumerate(zip(self.keys, infosets, strict=True)):
            self.infoset_of[infoset.cells] = number
            self.names[infoset.cells] = [(key, a) for a in self.slow.tree.infosets[key].actions]

    def step(self) -> None:
        """Run one iteration of both."""
        self.slow.min_skip = self.fast.minimum_skip
        self.fast.step()
        if isinstance(self.slow.check_every, set):  # the engine decides when to search
            self.slow.check_every.add(self.fast.last_search)
        self.slow.step()

    def differences(self, tolerance: float = 1e-8) -> list[str]:
        """Return what is not the same: decisions exactly, numbers up to rounding."""
        books, slow, names = unpacked(self.fast), self.slow, self.names
        allowed = tolerance * max(1.0, self.fast.weight)
        active = np.array([key in slow.active for key in self.keys])
        pruned = np.array([name in slow.pruned for name in names])
        values = np.array([slow.sumv.get(key, 0.0) for key in self.keys])
        sums = np.array([slow.strategy_sum.get(name, 0.0) for name in names])
        regrets = np.array([slow.regret.get(name, 0.0) for name in names])
        kept = active[self.infoset_of]
        both = active & books.active & ~np.isnan(books.value_sum)  # a dense run sums no values
        weighted = pruned | slow.summed  # only sums and bounds grow with the weights
        return [
            *unlike("activity", self.keys, books.active, active),
            *apart("values", self.keys, books.value_sum, values, allowed, both),
            *apart("sum", names, books.total, sums, allowed),
            *unlike("pruning", names, books.pruned & kept, pruned & kept),
            *apart(
                "regret", names, books.regret, regrets, np.where(weighted, allowed, tolerance), kept
            ),
        ]
