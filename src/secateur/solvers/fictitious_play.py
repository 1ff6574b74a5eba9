"""Fictitious play in extensive form."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from secateur.compiled.game import CompiledGame
from secateur.kernels.fictitious_play import iterate_fictitious_play
from secateur.kernels.gradient_books import SPARE, Float
from secateur.metrics import nash_conv_of_plan
from secateur.pruning import PartialPruning, Pruning
from secateur.solvers.gradient import GradientState, check_visits, payoff_scale
from secateur.solvers.resumable import Array
from secateur.strategy import Strategy

_TIE = 1e-12
"""Average values that differ by less, for the largest payoffs, differ by rounding."""


@dataclass(frozen=True)
class FictitiousPlay:
    """Fictitious play (Brown, 1951): each player best-responds to the other's average so far.

    Both begin with the uniform strategy, which counts as the first iteration, and move at the same
    time. Best responses are pure, so an iteration reaches little of the game; among equal actions
    the first is played. The average converges to an equilibrium, slowly.

    Parameters
    ----------
    pruning : Pruning
        Partial pruning leaves out what the opponent does not reach.
    count_nodes : bool
        Count the histories touched. Without pruning that costs nothing and is always done.
    """

    pruning: Pruning = field(default_factory=PartialPruning)
    count_nodes: bool = False

    def __post_init__(self) -> None:
        check_visits("fictitious play", self.pruning)

    @property
    def needs_bounds(self) -> bool:
        """Whether games must be compiled for pruning: no."""
        return False

    @property
    def needs_branches(self) -> bool:
        """Whether games must be compiled for thresholds: no."""
        return False

    def start(self, game: CompiledGame) -> FictitiousPlayState:
        """Return the state before the first iteration."""
        return FictitiousPlayState(self, game)

    def memory_estimate(self, game: CompiledGame) -> int:
        """Return the bytes that a state will take (but for small stacks), without allocating it."""
        return 8 * (4 * game.cells + game.size.information_sets + 3 * SPARE)


class FictitiousPlayState(GradientState):
    """A run of fictitious play: sums of what was earned, and of the strategies played."""

    def __init__(self, solver: FictitiousPlay, game: CompiledGame) -> None:
        unsmoothed = np.zeros(game.size.information_sets)
        super().__init__(game, solver.pruning, unsmoothed, count_nodes=solver.count_nodes)
        self.solver = solver
        self.strategy_sum = np.zeros(game.cells)
        self._response = np.zeros(game.cells)
        self._tie = _TIE * payoff_scale(game)

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        return Strategy.from_plan(self.game, self.strategy_sum)

    def current_strategy(self) -> Strategy:
        """Return the best responses that the next iteration plays."""
        return Strategy(self.game, self.books.behaviour[: self.game.cells].copy())

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self.iteration == 0:
            return nash_conv_of_plan(self.game, self.average_strategy().plan)
        return nash_conv_of_plan(self.game, self.strategy_sum, 1.0 / self.iteration)

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self.strategy_sum))

    @property
    def _plans(self) -> tuple[Float, ...]:
        return self.strategy_sum, self._response

    def _arrays(self) -> dict[str, Array]:
        return super()._arrays() | {"strategy_sum": self.strategy_sum}

    def _iterate(self, first: int, last: int) -> int:
        return int(
            iterate_fictitious_play(
                self.game.arrays,
                self._branches,
                first,
                last,
                self._tie,
                self.strategy_sum,
                self._response,
                self._visits,
                self.books,
                self._room,
            )
        )
