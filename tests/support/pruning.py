"""The fast engine and the slow oracle of best-response pruning, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

import secateur
from reference import ReferenceBRP
from secateur.averaging import LINEAR, QUADRATIC, UNIFORM
from secateur.games import Game
from secateur.solvers.pruned import PrunedState
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
        self.game = secateur.compile(game, pruning=True)
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
        self.infosets = [
            (number, keys[infoset.player, infoset.label], infoset.cells)
            for number, infoset in enumerate(self.game.information_sets())
        ]
        tree = self.slow.tree
        self.actions = {key: tree.infosets[key].actions for key in self.slow.active}

    def step(self) -> None:
        """Run one iteration of both."""
        self.slow.min_skip = self.fast.minimum_skip
        self.fast.step()
        if isinstance(self.slow.check_every, set):  # the engine decides when to search
            self.slow.check_every.add(self.fast.last_search)
        self.slow.step()

    def differences(self, tolerance: float = 1e-8) -> list[str]:
        """Return what is not the same: decisions exactly, numbers up to rounding."""
        books, slow = unpacked(self.fast), self.slow
        allowed = tolerance * max(1.0, self.fast.weight)
        found = []

        def compare(what: str, ours: float, theirs: float, allowed: float = allowed) -> None:
            if abs(ours - theirs) > allowed:
                found.append(f"{what}: {ours} and {theirs}")

        for number, key, cells in self.infosets:
            active = key in slow.active
            if active != bool(books.active[number]):
                found.append(f"activity of {key}")
            elif active and not np.isnan(books.value_sum[number]):
                compare(f"values of {key}", books.value_sum[number], slow.sumv[key])
            for action, cell in zip(self.actions[key], range(self.game.cells)[cells], strict=True):
                name = (key, action)
                compare(f"sum of {name}", books.total[cell], slow.strategy_sum.get(name, 0.0))
                if active and (name in slow.pruned) != bool(books.pruned[cell]):
                    found.append(f"pruning of {name}")
                elif active:
                    # only sums and bounds grow with the weights
                    weighted = slow.summed or name in slow.pruned
                    compare(
                        f"regret of {name}",
                        books.regret[cell],
                        slow.regret[name],
                        allowed if weighted else tolerance,
                    )
        return found
