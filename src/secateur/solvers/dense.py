"""What runs of CFR with numbers for all sequences have in common, however these are kept."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.regret_minimizers.sweep import AVERAGE, Visits
from secateur.memory import return_free_memory
from secateur.minimizers import Hedge
from secateur.solvers.holdings import arrays_in
from secateur.solvers.resumable import Array
from secateur.solvers.scheduled import Scheduled
from secateur.strategy import Strategy
from secateur.sweeping import Sweeping

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR

Float = npt.NDArray[np.float64]


class DenseState(Scheduled):
    """A run of CFR: regrets, strategies, and the sum of the strategies so far.

    The average of a player is over the strategies that the opponent has *faced*: with alternating
    updates, player 1 faces player 0's new strategy of each iteration.
    """

    _numbers = ("iteration", "earlier", "weight", "_nodes_touched")

    solver: CFR
    _sweeps: Sweeping[Any]
    _seen: npt.NDArray[np.uint16]
    """Of each block, what it knows of the iterations at hand; empty if none misses anything."""

    def __init__(self, solver: CFR, game: CompiledGame) -> None:
        self.solver = solver
        self.game = game
        self.iteration = 0
        self.earlier = 0
        """Iterations for which the strategy stands that the run began with."""

        self.weight = 0.0
        self._nodes_touched = 0

    def _iterate(self, iterations: int) -> None:
        schedule = self.schedule(iterations)
        self.sweep(schedule)
        self.advance(schedule)

    def schedule(self, iterations: int) -> Float:
        """Return what the next iterations do to regrets and averages, a row for each."""
        first = self.earlier + self.iteration + 1
        numbers = np.arange(first, first + iterations, dtype=np.float64)
        weights = self.solver.averaging.weights(numbers)
        return np.column_stack([self.solver.minimizer.schedule(numbers), weights])

    def sweep(self, schedule: Float) -> None:
        """Run one iteration per row of a schedule, without counting them."""
        solver = self.solver
        self._nodes_touched += self._sweep(
            schedule,
            Visits(
                simultaneous=solver.updates == "simultaneous",
                skip=solver.pruning.skips_unreached,
                idle=len(self._seen) > 0,
                counted=solver.count_nodes and solver.pruning.skips_unreached,
            ),
        )

    def advance(self, schedule: Float) -> None:
        """Count the iterations of a schedule that was swept."""
        self.iteration += len(schedule)
        self.weight = self.solver.averaging.total(self.weight, schedule[:, AVERAGE])

    @abstractmethod
    def _sweep(self, schedule: Float, visits: Visits) -> int:
        """Run one iteration per row of a schedule; return the histories touched."""

    def _held_by_sweeps(self) -> dict[str, Array]:
        """Return the arrays that sweeps use on the way."""
        return arrays_in("sweeps", self._sweeps.held())

    def count_nodes(self, touched: int) -> None:
        """Count histories that were touched besides iterations, if they are counted."""
        if self.solver.count_nodes:
            self._nodes_touched += touched

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited by regret updates so far; None if nobody asked to count them."""
        if not self.solver.pruning.skips_unreached:
            return 2 * self.game.size.histories * self.iteration
        if not self.solver.count_nodes:
            return None
        # the start of the game is visited by everybody, always
        return self._nodes_touched + sum(self.game.root_histories) * self.iteration

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Histories visited besides regret updates: none."""
        return None if self.nodes_touched is None else 0

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret is in use: all."""
        return self.game.cells

    @property
    @abstractmethod
    def strategy(self) -> Array:
        """Probabilities, by cell, that the next iteration begins with."""

    def _give_up(self) -> None:
        """Let the system have all memory that only this run has used, which is over."""
        vars(self).clear()
        return_free_memory()

    def current_strategy(self) -> Strategy:
        """Return the strategy that the next iteration begins with."""
        return Strategy.trusted(self.game, self.strategy.astype(np.float64))


def stores(solver: CFR) -> bool:
    """Return whether strategies are stored, because they do not follow from regrets alone."""
    return (
        solver.minimizer.predicts
        or isinstance(solver.minimizer, Hedge)
        or solver.thresholding is not None
        or solver.updates == "simultaneous"  # they are faced when regrets are new already
    )


def strategies_stored(solver: CFR) -> int:
    """Return how many arrays of strategies a run has."""
    return 0 if not stores(solver) else 1 if solver.updates == "alternating" else 2


def blocks_that_miss(solver: CFR, game: CompiledGame) -> int:
    """Return how many blocks must make up for iterations in which they were left out."""
    # Hedge chooses its strategies everywhere in any case
    if isinstance(solver.minimizer, Hedge) or not solver.pruning.skips_unreached:
        return 0
    # what was cut may be played again as soon as the threshold has fallen
    changes = solver.minimizer.changes_when_idle or solver.thresholding is not None
    return len(game.arrays.player) if changes else 0
