"""A run of CFR with best-response pruning.

When an action is pruned, how long, and how it comes back are equations (5), (9), and (7) and (8) of
Brown and Sandholm (2017); see :class:`secateur.pruning.BestResponsePruning`.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.best_response_pruning.iterate import Pruning
from secateur.kernels.best_response_pruning.live import Live
from secateur.kernels.best_response_pruning.store import Store
from secateur.pruning import BestResponsePruning
from secateur.solvers.begins_dense import BeginsDense, layout_of
from secateur.solvers.pruned_books import PrunedBooks
from secateur.solvers.pruned_start import losing_cells, pruning_pays
from secateur.solvers.resumable import Array, Saved
from secateur.solvers.store_checks import check_live, check_store
from secateur.solvers.stores import frames_type, ids_type, most_frames, most_records

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

_LOOK, _LOOK_AT_ALL, _SHARE_OF_LOOKS = 6.0, 1500.0, 0.04
"""How long a look takes that decides whether to prune: so many iterations, and as long as it takes
to update so many blocks; and the share of time that looks may take."""

_COPIED_AT_ONCE = 48 << 20
"""Bytes of a store that are copied before their old places are given back."""

_LITTLE = 0.02
"""Blocks that a search must lay to rest, as a share of those alive, to be worth its while."""


def _most_of_records(solver: CFR, policy: BestResponsePruning, game: CompiledGame) -> int:
    """Return the bytes of records if nothing is pruned."""
    ids, numbers, _ = most_records(game, layout_of(solver, policy)).tolist()
    found: int = ids_type(game).itemsize * ids + 8 * numbers
    return found


@final
class PrunedState(BeginsDense):
    """Regrets, bounds and strategies of a run with best-response pruning."""

    _numbers = (
        *("_iteration", "earlier", "_weight"),
        *("minimum_skip", "last_search", "_check", "_patience"),
    )
    _books: PrunedBooks

    def __init__(
        self, solver: CFR, policy: BestResponsePruning, game: CompiledGame, dense: CFRState
    ) -> None:
        super().__init__(solver, policy, game, dense, policy.minimum_skip or _FIRST_SKIP)
        self._patience = 1.0
        self._nodes = np.zeros(2)
        self._work = np.zeros(2)

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
        self._new_books()
        self.store.clock[:] = self._clock()
        self._books.fill(found, self._weight, self._weight * threshold)

    def _new_books(self) -> None:
        self._books = PrunedBooks(self.game, self._layout())

    def _check_books(self, saved: Saved) -> None:
        check_store(self.game, self.store, saved.arrays)
        check_live(self.game, saved.arrays)

    def _arrays(self) -> dict[str, Array]:
        return {"nodes": self._nodes, "work": self._work} | super()._arrays()

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return {"nodes": self._nodes, "work": self._work} | super().held()

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

    @staticmethod
    def first_look(game: CompiledGame) -> int:
        """Return after how many iterations to look for the first time whether to search."""
        return ceil((_LOOK + _LOOK_AT_ALL / len(game.arrays.player)) / _SHARE_OF_LOOKS)

    def _is_worth_it(self) -> bool:
        """Whether to search now."""
        if self.weight == 0.0:
            return False  # there is no average yet
        if not self._dense or self.policy.check_every is not None:
            return True
        found, touched = losing_cells(self._dense, self._layout(), self._terms(), for_good=False)
        self._dense.count_nodes(touched)
        return pruning_pays(self.game, found.cut)

    def _step_books(self, stop: int) -> None:
        """Run iterations up to ``stop``, or until the store must be compacted; do so then."""
        books = self._books
        last = self.earlier + stop
        schedule = self._schedule(last + 1)
        done = books.iterate(schedule, self._pruning(last))
        self._iteration += done
        self._weight = self.solver.averaging.total(self._weight, schedule[:done, -1])
        if self._iteration < stop:
            books.compact(self._weight, 0.0)

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
