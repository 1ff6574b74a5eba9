"""Runs of the CFR family, told apart by name, and comparisons between their states."""

from __future__ import annotations

import numpy as np

import secateur
from secateur import CFR, Averaging
from secateur.compiled.game import CompiledGame
from secateur.minimizers import Minimizer
from secateur.solvers.cfr import CFRState

MINIMIZERS: dict[str, Minimizer] = {
    "rm": secateur.RegretMatching(),
    "rm+": secateur.RegretMatchingPlus(),
    "linear": secateur.RegretMatching(linear=True),
    "dcfr": secateur.DiscountedRegretMatching(),
    "dcfr+": secateur.DiscountedRegretMatchingPlus(),
    "pcfr+": secateur.PredictiveRegretMatchingPlus(),
    "pdcfr+": secateur.PredictiveDiscountedRegretMatchingPlus(),
    "sapcfr+": secateur.AsymmetricPredictiveRegretMatchingPlus(),
    "hedge": secateur.Hedge(),
}
"""By the names that the oracle gives to its rules."""

UPDATES = ("alternating", "simultaneous")
AVERAGINGS = {"uniform": Averaging(0), "linear": Averaging(1), "quadratic": Averaging(2)}
KEPT = ("regret", "strategy", "strategy_sum")
"""The arrays that a state carries from one iteration to the next."""


def started(game: CompiledGame, minimizer: str, updates: str, **options: object) -> CFRState:
    """Return the state before the first iteration."""
    averaging = options.pop("averaging", Averaging(1))
    return CFR(MINIMIZERS[minimizer], averaging, updates=updates, **options).start(game)


def assert_same_bits(first: CFRState, second: CFRState) -> None:
    """Compare everything that the next iteration depends on."""
    assert first.iteration == second.iteration
    for name in KEPT:
        mine, theirs = getattr(first, name), getattr(second, name)
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs), f"{name} after {first.iteration} iterations"
