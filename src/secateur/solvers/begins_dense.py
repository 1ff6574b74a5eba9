"""What runs with best-response pruning have in common: they begin as runs with partial pruning."""

from __future__ import annotations

import sys
from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.best_response_pruning.dense import Terms
from secateur.kernels.best_response_pruning.store import (
    CLOCK,
    ITERATION,
    WEIGHT_NEXT,
    WEIGHT_NOW,
)
from secateur.metrics import nash_conv
from secateur.pruning import BestResponsePruning
from secateur.solvers.bounds import payoff_range
from secateur.solvers.resumable import Array, Resumable, Saved
from secateur.solvers.stores import Layout
from secateur.strategy import Strategy

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR, CFRState

Float = npt.NDArray[np.float64]


def layout_of(solver: CFR, policy: BestResponsePruning) -> Layout:
    """Return what must be kept of a run."""
    minimizer = solver.minimizer
    return Layout(
        summed=policy.regrets_are_sums(solver),
        idle=minimizer.changes_when_idle,
        predictive=minimizer.predicts,
        simultaneous=solver.updates == "simultaneous",
        fixed=policy.duration == "fixed",
    )


class Books(Protocol):
    """What a run keeps once it prunes; ``weight`` is that of all iterations."""

    def arrays(self) -> dict[str, Array]:
        """Return what another run needs to go on, by name."""

    def used(self) -> dict[str, int]:
        """Return how much of each array is in use, for those that are longer."""

    def held(self) -> dict[str, Array]:
        """Return all arrays by name."""

    def entries(self, weight: float) -> tuple[int, int]:
        """Return how many regrets are in use, and how many strategy sums are positive."""

    def strategy_sums(self, weight: float) -> Float:
        """Return the sums of all cells."""

    def current_strategy(self, iteration: int) -> Float:
        """Return what is played after an iteration, and uniform play where nothing is active."""

    def nash_conv(self, weight: float) -> float:
        """Return what both players would win by best responses to the average, in total."""


class BeginsDense(Resumable):
    """A run of CFR that prunes own actions when that pays, or when it is told to.

    Until something is pruned, nothing is gained by books that can forget: the run begins as
    ``dense``, which prunes partially, and changes over with the first search. What information sets
    have earned until then is told by regrets, if these are sums; else the values of the average
    strategies against each other take its place.
    """

    solver: CFR
    _books: Books

    def __init__(
        self,
        solver: CFR,
        policy: BestResponsePruning,
        game: CompiledGame,
        dense: CFRState,
        minimum_skip: float,
    ) -> None:
        if game.pruning is None:
            raise ParameterError(
                f"best-response pruning on {game}: it was not compiled for pruning; "
                "use compile(game, pruning=True)."
            )
        self.solver = solver
        self.policy = policy
        self.game = game
        self.minimum_skip = min(minimum_skip, sys.float_info.max)
        """Iterations for which an action must be skipped to be pruned."""

        self.last_search = 0
        """The iteration after which actions to prune were searched for last; 0 before the first."""

        self._check = 0.0
        self._first_look = self.first_look(game)
        self._known_discounts = np.ones(0)
        self._payoff_range = payoff_range(game.pruning)
        self._iteration = 0
        self.earlier = 0
        """Iterations for which the strategy stands that the run began with, once it prunes."""

        self._weight = 0.0
        self._dense: CFRState | None = dense

    @property
    def dense(self) -> CFRState | None:
        """The run until something is pruned."""
        return self._dense

    @staticmethod
    @abstractmethod
    def first_look(game: CompiledGame) -> int:
        """Return after how many iterations to look for the first time whether to search."""

    @abstractmethod
    def _new_books(self) -> None:
        """Make books that hold nothing yet."""

    @abstractmethod
    def _check_books(self, saved: Saved) -> None:
        """Raise ParameterError unless the books can take over what was saved."""

    def _take_books(self) -> None:
        """Make ready what follows from the arrays that were restored."""

    @abstractmethod
    def _is_worth_it(self) -> bool:
        """Whether to search now."""

    @abstractmethod
    def _step_books(self, stop: int) -> None:
        """Run some iterations, at the most up to ``stop``, with what is pruned left out."""

    @abstractmethod
    def _search(self) -> None:
        """Find actions to prune, forget what lies behind them and what is hardly played."""

    def _layout(self) -> Layout:
        return layout_of(self.solver, self.policy)

    def _clock(self) -> Float:
        """Return what the clock of a store tells now."""
        clock = np.zeros(CLOCK)
        clock[WEIGHT_NOW] = self.weight
        clock[WEIGHT_NEXT] = self.weight + self._weight_of(self._now + 1)
        clock[ITERATION] = self._now
        return clock

    def _terms(self) -> Terms:
        """Return on which terms a search of the dense run prunes."""
        return Terms(
            summed=self._layout().summed,
            fixed=self._layout().fixed,
            clock=self._clock(),
            weight=self._weight_of(self._now),
            payoff_range=self._payoff_range,
            minimum_skip=self.minimum_skip,
            cut_played=self.policy.cut_played,
            for_good=False,
        )

    @property
    def iteration(self) -> int:
        """Iterations run so far."""
        return self._dense.iteration if self._dense else self._iteration

    @property
    def _now(self) -> int:
        """What schedules count: iterations so far and those that the run began with."""
        dense = self._dense
        return dense.earlier + dense.iteration if dense else self.earlier + self._iteration

    @property
    def weight(self) -> float:
        """The sum of the weights of all iterations in the average strategy."""
        return self._dense.weight if self._dense else self._weight

    def saved(self) -> Saved:
        """Return what another state needs to go on from here."""
        return self._dense.saved()._replace(origin=self._origin) if self._dense else super().saved()

    def has_nan(self) -> bool:
        """Whether a number that the next iteration depends on is none."""
        return self._dense.has_nan() if self._dense else super().has_nan()

    def _take(self, saved: Saved) -> None:
        if isinstance(saved.numbers, dict) and "minimum_skip" not in saved.numbers:
            if self._dense is None:  # it has gone on to prune: begin anew
                begun = self.solver.start(self.game)
                assert isinstance(begun, BeginsDense)
                begun._take(saved)
                self.__dict__ = begun.__dict__
            else:
                self._dense._take(saved)
            return
        before = self.__dict__.copy()
        self._dense = None
        self._new_books()
        try:
            super()._take(saved)
        except ParameterError:
            self.__dict__.update(before)
            raise
        self._take_books()

    def _check_saved(self, saved: Saved) -> None:
        super()._check_saved(saved)
        self._check_books(saved)

    def _arrays(self) -> dict[str, Array]:
        return self._books.arrays()

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return self._dense.held() if self._dense else self._books.held()

    def _used(self) -> dict[str, int]:
        return self._books.used()

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        iterations = checks.ITERATIONS(f"step({checks.shown(iterations)})", iterations)
        last = self.iteration + iterations
        while self.iteration < last:
            check = self._next_check()
            stop = min(check, last)
            if self._dense:
                self._dense.step(stop - self.iteration)
            else:
                self._step_books(stop)
            if self.iteration == check and self._is_worth_it():
                self._search()

    def _next_check(self) -> int:
        """Return the next iteration after which to look whether something can be pruned."""
        if self.policy.check_every is not None:
            return self.policy.next_check(self.iteration)
        if not self._dense:
            return int(self._check)
        check = first = self._first_look
        while check <= self.iteration:
            check += max(first, check // 2)
        return check

    def _schedule(self, last: int) -> Float:
        """Return what the minimizer does up to the ``last`` iteration, and weights beside it."""
        numbers = np.arange(self._now + 1, last + 1, dtype=np.float64)
        weights = self.solver.averaging.weights(numbers)
        return np.column_stack([self.solver.minimizer.schedule(numbers), weights])

    def _discounts(self, last: int) -> Float:
        """Return discounts of positive and negative regrets, from iteration 0 to the ``last``."""
        if not self.solver.minimizer.changes_when_idle:
            return np.ones(2)
        if len(self._known_discounts) <= 2 * last:
            numbers = np.arange(1.0, max(1024.0, 2.0 * last))
            known = self.solver.minimizer.schedule(numbers)[:, :2].ravel()
            self._known_discounts = np.concatenate([np.ones(2), known])
        return self._known_discounts

    def _weight_of(self, iteration: int) -> float:
        return float(self.solver.averaging.weights(np.array([iteration], np.float64))[0])

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret is in use: of information sets in play, and not pruned."""
        return (
            self._dense.regret_entries_live if self._dense else self._books.entries(self._weight)[0]
        )

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return (
            self._dense.strategy_entries_live
            if self._dense
            else self._books.entries(self._weight)[1]
        )

    def strategy_sums(self) -> Float:
        """Return the weighted sums of realization plans, one per sequence."""
        if self._dense:
            return self._dense.strategy_sum.copy()
        return self._books.strategy_sums(self._weight)

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        if self._dense:
            return self._dense.average_strategy()
        return Strategy.of_sums(self.game, self._books.strategy_sums(self._weight))

    def last_strategy(self) -> Strategy:
        """Return the average strategy, and give up all else."""
        return self._dense.last_strategy() if self._dense else self.average_strategy()

    def current_strategy(self) -> Strategy:
        """Return the strategy that the next iteration begins with; uniform behind cuts."""
        if self._dense:
            return self._dense.current_strategy()
        return Strategy.trusted(self.game, self._books.current_strategy(self._now))

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self._dense:
            return self._dense.nash_conv()
        if self._weight == 0.0:
            return nash_conv(self.game, self.average_strategy())
        return self._books.nash_conv(self._weight)
