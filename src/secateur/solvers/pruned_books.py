"""What a run with best-response pruning keeps: a store, the list of what is alive, and room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from secateur.compiled.cut import cut_for_links
from secateur.compiled.game import CompiledGame
from secateur.kernels.best_response_pruning import average
from secateur.kernels.best_response_pruning.compact import (
    BLOCK,
    OLD_ATTIC,
    OLD_IDS,
    OLD_NUMBERS,
    PROGRESS,
    compact,
)
from secateur.kernels.best_response_pruning.dense import Dense
from secateur.kernels.best_response_pruning.iterate import Pruning, iterate_pruned, search
from secateur.kernels.best_response_pruning.live import Live
from secateur.kernels.best_response_pruning.played import set_played
from secateur.kernels.best_response_pruning.stacks import LivePieces, LiveStacks
from secateur.kernels.best_response_pruning.store import Store
from secateur.kernels.core.pieces import BOTH, Pieces, Turn
from secateur.kernels.core.workspace import Workspace
from secateur.memory import release_pages, return_free_memory
from secateur.solvers.holdings import arrays_in
from secateur.solvers.resumable import Array
from secateur.solvers.scratch import Scratch
from secateur.solvers.stores import Layout, LiveMemory, StoreMemory
from secateur.sweeping import Sweeps

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]

_NOTHING = np.zeros(0)

_CHUNK = 1 << 18
"""Numbers that are copied before the memory of their old places is given back."""


class PrunedBooks:
    """The store of a run, the list of blocks that both players may still reach, and room."""

    def __init__(self, game: CompiledGame, layout: Layout) -> None:
        assert game.pruning is not None
        self.game = game
        self.more = game.pruning
        self.layout = layout
        self.workspace = Workspace.of(game)
        self.scratch = Scratch.of(game)
        cut = cut_for_links(game.cut, game.arrays, game.pruning)
        self.sweeps = Sweeps(game, LiveStacks.of, cut)
        self._pieces_alive = LivePieces.of(self.sweeps.pieces)
        self._memory = self._new_memory()
        self._live_memory = LiveMemory(game, self._memory)

    def _new_memory(self) -> StoreMemory:
        return StoreMemory(self.game, self.layout)

    @property
    def store(self) -> Store:
        """Where the numbers are."""
        return self._memory.store

    @property
    def live(self) -> Live:
        """The blocks that both players may still reach."""
        return self._live_memory.live

    @property
    def fresh(self) -> Live:
        """Room for another list of the same frames, while a branch comes back."""
        return self._live_memory.fresh

    @property
    def most(self) -> npt.NDArray[np.int64]:
        """The most entries that the parts of the store and the frames can take."""
        return np.array([*self._memory.most, self._live_memory.most])

    def arrays(self) -> dict[str, Array]:
        """Return what another run needs to go on, by name."""
        return self._memory.arrays() | self._live_memory.arrays()

    def used(self) -> dict[str, int]:
        """Return how much of each array is in use, for those that are longer."""
        return self._memory.used() | self._live_memory.used()

    def held(self) -> dict[str, Array]:
        """Return all arrays by name; of those that are longer, what is in use."""
        used = self.used()
        return (
            {name: part[: used.get(name, len(part))] for name, part in self.arrays().items()}
            | arrays_in("workspace", self.workspace)
            | arrays_in("scratch", self.scratch)
            | arrays_in("sweeps", self.sweeps.held())
            | arrays_in("alive", self._pieces_alive)
        )

    def fill(self, dense: Dense, weight: float, threshold: float) -> None:
        """Take over what is not cut of a dense run, whose memory is given back on the way.

        The clock of the store must be right; the rest is like compacting.
        """
        arrays = self.game.arrays

        def release(progress: Long) -> None:
            block = min(int(progress[BLOCK]), len(arrays.player) - 1)
            for part in (dense.regret, dense.total, dense.cut):
                release_pages(part, int(arrays.first_cell[block]))
            release_pages(dense.value_sums, int(arrays.first_infoset[block]))

        self._copy(self._memory, dense, self._memory, weight, threshold, release)

    def iterate(self, schedule: Float, pruning: Pruning) -> int:
        """Run iterations, whose schedule has one row more, while there is room; return how many."""
        rows = len(schedule) - 1
        lists = self.store, self.live, self.fresh
        given = self.game.arrays, self.more, *lists, schedule, pruning, *self._in_pieces()

        def call(turn: Turn, stacks: LiveStacks) -> int:
            done: int = iterate_pruned(*given, turn, stacks, self.workspace, self.scratch)
            return done

        return int(self.sweeps.run(Turn(0, rows), call))

    def _in_pieces(self) -> tuple[Pieces, LivePieces]:
        """Return what walks in pieces need."""
        return self.sweeps.pieces, self._pieces_alive

    def search(self, weight: float, pruning: Pruning, *, cut_played: bool) -> None:
        """Find actions to prune; ``weight`` is that of the last iteration. Compact afterwards."""
        given = self.game.arrays, self.more, self.store, weight, pruning, cut_played
        more = self._in_pieces()
        self.sweeps.run(
            Turn(0, 2), lambda turn, stacks: search(*given, *more, turn, stacks), settle=True
        )

    def set_played(self, discounts: Float) -> None:
        """Write down what both play in the next iteration, if updates are simultaneous."""
        if self.store.played > 0:
            set_played(self.store, self.live, discounts)

    def compact(self, weight: float, threshold: float) -> None:
        """Copy what is alive, discard strategy sums up to a threshold, give memory back.

        ``weight`` is that of all iterations.
        """
        old, new = self._memory, self._new_memory()
        new.store.clock[:] = old.store.clock

        def release(progress: Long) -> None:
            old.release(*(int(progress[part]) for part in (OLD_IDS, OLD_NUMBERS, OLD_ATTIC)))

        self._copy(old, None, new, weight, threshold, release)

    def _copy(
        self,
        old: StoreMemory,
        dense: Dense | None,
        new: StoreMemory,
        weight: float,
        threshold: float,
        release: Callable[[Long], None],
    ) -> None:
        """Copy part by part; ``release`` gives back what is no longer needed after each."""
        progress = np.zeros(PROGRESS, np.int64)
        while progress[BLOCK] < len(self.game.arrays.player):
            compact(
                self.game.arrays,
                self.more,
                old.store,
                dense,
                new.store,
                old.ordered,
                self.live,
                new.store.used[1] + _CHUNK,
                progress,
                weight,
                threshold,
                self.scratch,
            )
            release(progress)
            self.game.forget()
        new.ordered[:] = new.store.used
        self._memory = new
        self._live_memory.trim()
        return_free_memory()

    def entries(self, weight: float) -> tuple[int, int]:
        """Return how many regrets are in use, and how many strategy sums are positive."""
        return average.count_entries(  # type: ignore[no-any-return]
            self.game.arrays, self.store, weight, *self.scratch.flows
        )

    def strategy_sums(self, weight: float) -> Float:
        """Return the sums of all cells."""
        sums = np.zeros(self.game.cells)
        average.average_sums(self.game.arrays, self.store, weight, sums, *self.scratch.flows)
        return sums

    def current_strategy(self, _iteration: int) -> Float:
        """Return the strategy of the next iteration, and a uniform one where nothing is active."""
        strategy = np.zeros(self.game.cells)
        average.current_strategy(self.game.arrays, self.store, strategy)
        return strategy

    def nash_conv(self, weight: float) -> float:
        """Return what both players would win by best responses to the average, in total."""
        given = self.game.arrays, self.store, weight, _NOTHING, *self._in_pieces()
        return float(
            self.sweeps.run(
                BOTH,
                lambda turn, stacks: average.best_responses_to_average(*given, turn, stacks),
            )
        )
