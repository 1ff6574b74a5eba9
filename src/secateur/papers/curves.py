"""The curves of the figures: a game, an algorithm, and what it may skip.

Updates of CFR are simultaneous in all that are made here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from secateur import recipes
from secateur.averaging import Averaging
from secateur.compiled.game import CompiledGame
from secateur.minimizers import RegretMatchingPlus
from secateur.papers.reweighted import Reweighted
from secateur.pruning import (
    BestResponsePruning,
    NoPruning,
    PartialPruning,
    Pruning,
    RegretBasedPruning,
)
from secateur.solvers.egt import EGT
from secateur.solvers.protocols import Solver, State
from secateur.solvers.pruned import PrunedState
from secateur.thresholding import DynamicThresholding

METHODS = {
    "CFR": recipes.cfr(),
    "CFR with RM+": recipes.cfr(minimizer=RegretMatchingPlus()),
    "CFR+": recipes.cfr_plus(),
    "DCFR": recipes.dcfr(averaging=Averaging(power=4)),
    "Hedge": recipes.hedge(),
}
"""Regret matching, regret matching+, that with linear averaging; DCFR and Hedge."""

LINEAR = 1.0
"""The power of linear averages."""


@dataclass(frozen=True)
class Curve:
    """One line of a figure."""

    game: str
    method: str
    pruning: str
    solver: Solver
    result_power: float | None = None
    """The power of the average that is the result, if tests of the solver have another."""

    @property
    def name(self) -> str:
        """What the legend says."""
        return f"{self.method} - {self.pruning}"

    def __str__(self) -> str:
        return f"{self.name} on {self.game}"

    def start(self, game: CompiledGame) -> State | Reweighted:
        """Return the run before its first iteration."""
        state = self.solver.start(game)
        if self.result_power is None:
            return state
        assert isinstance(state, PrunedState)
        return Reweighted(state, self.result_power)


def unpruned(game: str, method: str) -> Curve:
    """Return a method that visits everything."""
    return _curve(game, method, "no pruning", NoPruning())


def partial(game: str, method: str) -> Curve:
    """Return a method with partial pruning only."""
    return _curve(game, method, "partial pruning", PartialPruning())


def rbp(game: str, method: str) -> Curve:
    """Return a method with (interval) regret-based pruning."""
    return _curve(game, method, "RBP", RegretBasedPruning())


def brp(game: str, method: str, threshold: float) -> Curve:
    """Return a method with best-response pruning, which the earlier paper calls total RBP.

    ``threshold`` is the papers' C: the average strategy of a pruned action is discarded once it
    is below C over the root of the number of iterations.
    """
    # searches touch few nodes, or none, so they may be more frequent than pays in time
    pruning = BestResponsePruning(
        check_every=100,
        evaluations=0.25,
        discard=threshold,
        discard_rule="sqrt",
        cut_played=True,
    )
    return _curve(game, method, f"BRP (C = {threshold:g})", pruning)


def brp_with_plain_tests(game: str, threshold: float) -> Curve:
    """Return CFR+ with total RBP: linear averaging of the result, tests with the plain average.

    The run is that of regret matching+ with best-response pruning, with another result.
    """
    run = brp(game, "CFR with RM+", threshold)
    return replace(run, method="CFR+", pruning=f"{run.pruning}, plain tests", result_power=LINEAR)


def brp_with_two_rules(game: str, method: str) -> Curve:
    """Return a method with best-response pruning whose tests have the weights of the result.

    What is played is not cut.
    """
    pruning = BestResponsePruning(check_every=100, evaluations=0.25)
    return _curve(game, method, "BRP (two rules)", pruning)


def thresholded(game: str, method: str, aggressiveness: float) -> Curve:
    """Return a method with dynamic thresholding and partial pruning; aggressiveness is d."""
    words = f"thresholding (d = {aggressiveness:g})"
    return _curve(game, method, words, PartialPruning(), _thresholding(aggressiveness))


def thresholded_rbp(game: str, method: str, aggressiveness: float) -> Curve:
    """Return a method with dynamic thresholding and regret-based pruning."""
    words = f"thresholding (d = {aggressiveness:g}) and RBP"
    return _curve(game, method, words, RegretBasedPruning(), _thresholding(aggressiveness))


def egt(game: str, threshold: float) -> Curve:
    """Return the excessive gap technique; ``threshold`` is the paper's c, 0 for its vanilla EGT."""
    solver = EGT(weights="kroer15", steps="fixed", threshold=threshold, count_nodes=True)
    words = f"threshold (c = {threshold:g})" if threshold else "no threshold"
    return Curve(game, "EGT", words, solver)


def _thresholding(aggressiveness: float) -> DynamicThresholding:
    return DynamicThresholding(factor=1.0 + aggressiveness)


def _curve(
    game: str,
    method: str,
    words: str,
    pruning: Pruning,
    thresholding: DynamicThresholding | None = None,
) -> Curve:
    solver = replace(
        METHODS[method],
        pruning=pruning,
        thresholding=thresholding,
        updates="simultaneous",
        count_nodes=True,
    )
    return Curve(game, method, words, solver)
