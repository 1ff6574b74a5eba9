"""A run of CFR with best-response pruning.

When an action is pruned, how long, and how it comes back are equations (5), (9), and (7) and (8) of
Brown and Sandholm (2017); see :class:`secateur.pruning.BestResponsePruning`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.best_response_pruning.dense import Terms
from secateur.kernels.best_response_pruning.iterate import Pruning
from secateur.kernels.best_response_pruning.live import Live
from secateur.kernels.best_response_pruning.store import (
    CLOCK,
    ITERATION,
    WEIGHT_NEXT,
    WEIGHT_NOW,
    Store,
)
from secateur.metrics import nash_conv
from secateur.pruning import BestResponsePruning
from secateur.solvers.bounds import payoff_range
from secateur.solvers.pruned_books import PrunedBooks
from secateur.solvers.pruned_start import losing_cells, pruning_pays
from secateur.solvers.resumable import Array, Resumable, Saved
from secateur.solvers.store_checks import check_live, check_store
from secateur.solvers.stores import Layout, frames_type, ids_type, most_frames, most_records
from secateur.strategy import Strategy

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR, CFRState

Float = npt.NDArray[np.float64]

_FIRST_SKIP, _LEAST_SKIP = 15.0, 5.0
_STEP = 1.25
_LEAST_WORK = 0.4
"""Share of the evaluations allowed below which the minimum skip falls."""

_EVALUATION, _SEARCH = 5.0, 8.0
"""What it takes to evaluate a block, and, for each block of the game, to search: in updates."""

_SHARE = 0.1
"""The share of time that searches may take."""

_COPIED_AT_ONCE = 48 << 20
"""Bytes of a store that are copied before their old places are given back."""

_LITTLE = 0.02
"""Blocks that a search must lay to rest, as a share of those alive, to be worth its while."""


def layout_of(solver: CFR, policy: BestResponsePruning) -> Layout:
    """Return what a store must have room for."""
    minimizer = solver.minimizer
    return Layout(
        summed=policy.regrets_are_sums(solver),
        idle=minimizer.changes_when_idle,
        predictive=minimizer.predicts,
        simultaneous=solver.updates == "simultaneous",
        fixed=policy.duration == "fixed",
    )


def _most_of_records(solver: CFR, policy: BestResponsePruning, game: CompiledGame) -> int:
    """Return the bytes of records if nothing is pruned."""
    ids, numbers, _ = most_records(game, layout_of(solver, policy)).tolist()
    found: int = ids_type(game).itemsize * ids + 8 * numbers
    return found


@final
class PrunedState(Resumable):
    """Regrets, bounds and strategies of a run with best-response pruning.

    Until something is pruned, nothing is gained by a store: the run begins as ``dense``, which
    prunes partially, and changes over with the first search. What information sets have earned
    until then is told by regrets, if these are sums; else the values of the average strategies
    against each other take its place.
    """

    _numbers = (
        *("_iteration", "earlier", "_weight"),
        *("minimum_skip", "last_search", "_check", "_patience"),
    )

    def __init__(
        self, solver: CFR, policy: BestResponsePruning, game: CompiledGame, dense: CFRState
    ) -> None:
        if game.pruning is None:
            raise ParameterError(
                f"best-response pruning on {game}: it was not compiled for pruning; "
                "use compile(game, pruning=True)."
            )
        self.solver = solver
        self.policy = policy
        self.game = game
        self.minimum_skip = policy.minimum_skip or _FIRST_SKIP
        """Iterations for which an action must be skipped to be pruned."""

        self.last_search = 0
        """The iteration after which actions to prune were searched for last; 0 before the first."""

        self._check, self._patience = 0.0, 1.0
        self._known_discounts = np.ones(0)
        self._payoff_range = payoff_range(game.pruning)
        self._nodes = np.zeros(2)
        self._work = np.zeros(2)
        self._iteration = 0
        self.earlier = 0
        """Iterations for which the strategy stands that the run began with, once it prunes."""

        self._weight = 0.0
        self._dense: CFRState | None = dense

    @property
    def dense(self) -> CFRState | None:
        """The run until something is pruned."""
        return self._dense

    def _leave_dense(self, threshold: float) -> None:
        """Prune what can be, and go on with a store that holds the rest of the dense run.

        Strategy sums up to a ``threshold`` are discarded, as a share of the weight.
        """
        dense = self._dense
        assert dense is not None
        found, touched = losing_cells(dense, self._layout(), self._terms(), for_good=True)
        self._iteration, self.earlier, self._weight = dense.iteration, dense.earlier, dense.weight
        if self.solver.count_nodes:
            self._nodes[:] = dense.nodes_touched or 0, touched
        self._dense = dense = None  # frees the rest of it
        self._books = PrunedBooks(self.game, self._layout())
        self.store.clock[:] = self._clock()
        self._books.fill(found, self._weight, self._weight * threshold)

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
        if self._dense and "minimum_skip" not in saved.numbers:
            self._dense._take(saved)
            return
        before = self.__dict__.copy()
        self._dense = None
        self._books = PrunedBooks(self.game, self._layout())
        try:
            super()._take(saved)
        except ParameterError:
            self.__dict__.update(before)
            raise

    def _check_saved(self, saved: Saved) -> None:
        super()._check_saved(saved)
        check_store(self.game, self.store, saved.arrays)
        check_live(self.game, saved.arrays)

    def _arrays(self) -> dict[str, Array]:
        return {"nodes": self._nodes, "work": self._work} | self._books.arrays()

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        own = {"nodes": self._nodes, "work": self._work}
        return own | (self._dense.held() if self._dense else self._books.held())

    def _used(self) -> dict[str, int]:
        return self._books.used()

    def _layout(self) -> Layout:
        return layout_of(self.solver, self.policy)

    @property
    def store(self) -> Store:
        """Where the numbers are."""
        return self._books.store

    @property
    def live(self) -> Live:
        """The blocks that both players may still reach."""
        return self._books.live

    @staticmethod
    def memory_estimate(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run will take at the most, but for small stacks."""
        assert isinstance(solver.pruning, BestResponsePruning)
        blocks = len(game.arrays.player)
        records = _most_of_records(solver, solver.pruning, game)
        frames = frames_type(game).itemsize * most_frames(game)
        # the first search notes what it cuts; the store grows while the dense arrays give way
        cuts = game.cells + 8 * game.size.information_sets
        dense = 16 * game.cells + 8 * game.size.information_sets
        return cuts + max(dense, records) + frames + (3 * 4 + 20) * blocks

    @staticmethod
    def memory_to_compact(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes by which a store may grow before it is copied, and of the copy.

        Records that replace others take as much again at the most; what is copied is given back
        piece by piece.
        """
        assert isinstance(solver.pruning, BestResponsePruning)
        records = _most_of_records(solver, solver.pruning, game)
        return records + min(records, _COPIED_AT_ONCE)

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
                self._step_store(stop)
            if self.iteration == check and self._is_worth_it():
                self._search()

    def _next_check(self) -> int:
        """Return the next iteration after which to look whether something can be pruned."""
        if self.policy.check_every is not None:
            return self.policy.next_check(self.iteration)
        if not self._dense:
            return int(self._check)
        check = first = self.policy.first_look(len(self.game.arrays.player))
        while check <= self.iteration:
            check += max(first, check // 2)
        return check

    def _is_worth_it(self) -> bool:
        """Whether to search now."""
        if self.weight == 0.0:
            return False  # there is no average yet
        if not self._dense or self.policy.check_every is not None:
            return True
        found, touched = losing_cells(self._dense, self._layout(), self._terms(), for_good=False)
        self._dense.count_nodes(touched)
        return pruning_pays(self.game, found.cut)

    def _step_store(self, stop: int) -> None:
        """Run iterations up to ``stop``, or until the store must be compacted; do so then."""
        solver, books = self.solver, self._books
        last = self.earlier + stop
        numbers = np.arange(self._now + 1, last + 2, dtype=np.float64)
        weights = solver.averaging.weights(numbers)
        schedule = np.column_stack([solver.minimizer.schedule(numbers), weights])
        done = books.iterate(schedule, self._pruning(last))
        self._iteration += done
        self._weight = solver.averaging.total(self._weight, weights[:done])
        if self._iteration < stop:
            books.compact(self._weight, 0.0)

    def _discounts(self, last: int) -> Float:
        """Return discounts of positive and negative regrets, from iteration 0 to the ``last``."""
        if not self.solver.minimizer.changes_when_idle:
            return np.ones(2)
        if len(self._known_discounts) <= 2 * last:
            numbers = np.arange(1.0, max(1024.0, 2.0 * last))
            known = self.solver.minimizer.schedule(numbers)[:, :2].ravel()
            self._known_discounts = np.concatenate([np.ones(2), known])
        return self._known_discounts

    def _pruning(self, last: int) -> Pruning:
        """Return how this run prunes up to the ``last`` iteration, and where it stands."""
        return Pruning(
            iteration=self._now + 1,
            weight=self._weight,
            payoff_range=self._payoff_range,
            minimum_skip=self.minimum_skip,
            again=max(1.0, self.policy.restart * self.minimum_skip),
            softness=float(self.policy.softness),
            counted=self.solver.count_nodes,
            room=2 * self._books.most,
            discounts=self._discounts(last),
            nodes=self._nodes,
            work=self._work,
        )

    def _search(self) -> None:
        """Find actions to prune, forget what lies behind them and what is hardly played."""
        threshold = self.policy.discards_up_to(self._now, self.solver.averaging)
        before = len(self.game.arrays.player)
        if self._dense:
            self._leave_dense(threshold)
        else:
            before = int(self._books.live.length[0])
            self._search_store()
            self._books.compact(self._weight, self._weight * threshold)
        books = self._books
        books.set_played(self._discounts(self._now))
        self._plan_search(before, int(books.live.length[0]))
        self._follow_work()
        self.last_search = self._iteration

    def _search_store(self) -> None:
        weight, pruning = self._weight_of(self._now), self._pruning(self._now)
        self._books.search(weight, pruning, cut_played=self.policy.cut_played)

    def _plan_search(self, before: int, after: int) -> None:
        """Decide when to search again; ``before`` and ``after`` this one so much was alive.

        A search may take a tenth of the time, and less while it finds little.
        """
        passed = self._iteration - self.last_search
        updates, evaluations = self._work if self._work[0] else (passed * after, 0.0)
        if before - after < _LITTLE * before:
            self._patience *= _STEP
        else:
            self._patience = max(1.0, self._patience / _STEP)
        pace = max(1.0, (updates + _EVALUATION * evaluations) / passed)
        interval = self._patience * _SEARCH * len(self.game.arrays.player) / (_SHARE * pace)
        self._check = self._iteration + max(1.0, np.ceil(interval))

    def _weight_of(self, iteration: int) -> float:
        return float(self.solver.averaging.weights(np.array([iteration], np.float64))[0])

    def _follow_work(self) -> None:
        """Adapt the minimum skip to what evaluations of branches have cost since last time."""
        if self.policy.minimum_skip is None:
            updates, evaluations = self._work
            allowed = self.policy.evaluations * updates
            if evaluations > allowed:
                self.minimum_skip *= _STEP
            elif evaluations < _LEAST_WORK * allowed:
                self.minimum_skip = max(_LEAST_SKIP, self.minimum_skip / _STEP)
        self._work[:] = 0.0

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited so far, in regret updates and evaluations; None if not counted."""
        if self._dense:
            return self._dense.nodes_touched
        return int(self._nodes.sum()) if self.solver.count_nodes else None

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Histories visited to evaluate pruned branches; None if not counted."""
        return int(self._nodes[1]) if self.solver.count_nodes else None

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
        return Strategy.trusted(self.game, self._books.current_strategy())

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self._dense:
            return self._dense.nash_conv()
        if self._weight == 0.0:
            return nash_conv(self.game, self.average_strategy())
        return self._books.nash_conv(self._weight)
