"""Runs whose result weighs iterations otherwise than what they test.

Best-response pruning tests with the weights of the average that it keeps. What becomes of another
average of the same strategies is found beside the run, from how its sums grow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.metrics import nash_conv
from secateur.solvers.pruned import PrunedState
from secateur.strategy import Strategy

Floats = npt.NDArray[np.float64]


@dataclass
class WeightedAverage:
    """The average with weights t^power, from sums of strategies that weigh iterations otherwise."""

    power: float
    summed: float  # the power of the weights in the sums
    sums: Floats
    before: Floats = field(init=False)
    last: Floats = field(init=False)
    """What was played in the last iteration."""

    def __post_init__(self) -> None:
        self.before = self.last = np.zeros_like(self.sums)

    def add(self, iteration: int, sums: Floats) -> None:
        """Take note of the sums after another iteration."""
        self.last = (sums - self.before) / iteration**self.summed
        self.sums += iteration**self.power * self.last
        self.sums[sums == 0.0] = 0.0  # what was discarded there is discarded here
        self.before = sums


@final
class Reweighted:
    """A run with best-response pruning whose result has the weights t^power."""

    def __init__(self, state: PrunedState, power: float) -> None:
        self._state = state
        summed = state.solver.averaging.power
        self._average = WeightedAverage(power, summed, np.zeros(state.game.cells))

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        for _ in range(iterations):
            self._state.step()
            self._average.add(self._state.iteration, self._state.strategy_sums())

    def nash_conv(self) -> float:
        """Return NashConv of the result."""
        return nash_conv(self.game, Strategy.from_plan(self.game, self._average.sums))

    @property
    def game(self) -> CompiledGame:
        """What is solved."""
        return self._state.game

    @property
    def iteration(self) -> int:
        """Iterations run so far."""
        return self._state.iteration

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited so far; the result is put together on the way."""
        return self._state.nodes_touched

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Those of them that were visited for the sake of pruning."""
        return self._state.nodes_touched_overhead

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret is in use."""
        return self._state.regret_entries_live

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the result plays: those that the tested average plays."""
        return self._state.strategy_entries_live
