"""Runs of CFR whose numbers are kept in 16 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from secateur.compiled.columns import pieces
from secateur.compiled.game import CompiledGame
from secateur.kernels.core.pieces import Turn
from secateur.kernels.core.workspace import Workspace
from secateur.kernels.regret_minimizers.quantized import (
    LEAST_EXPONENT,
    MOST_EXPONENT,
    MOST_REGRET,
    MOST_SUM,
    Draft,
    QuantizedNumbers,
)
from secateur.kernels.regret_minimizers.quantized_sweep import iterate_quantized
from secateur.kernels.regret_minimizers.sweep import Visits
from secateur.metrics import nash_conv_of_sums
from secateur.solvers.dense import DenseState, blocks_that_miss, stores, strategies_stored
from secateur.solvers.holdings import arrays_in, each_once
from secateur.solvers.resumable import Array
from secateur.strategy import Strategy
from secateur.sweeping import Sweeps

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR, CFRState

Float = npt.NDArray[np.float64]


@final
class QuantizedState(DenseState):
    """A run of CFR in 16 bits (see :mod:`secateur.kernels.regret_minimizers.quantized`).

    Partial pruning changes no bit, as in other precisions. ``regret``, ``strategy`` and
    ``strategy_sum`` are computed from what is kept.
    """

    def __init__(self, solver: CFR, game: CompiledGame) -> None:
        super().__init__(solver, game)
        blocks = len(game.arrays.player)
        strategy = np.zeros(game.cells, np.uint16) if stores(solver) else None
        second = strategy is not None and solver.updates == "simultaneous"
        self._kept = QuantizedNumbers(
            regret=np.zeros(game.cells, np.int16),
            regret_exponent=np.full(blocks, LEAST_EXPONENT, np.int16),
            strategy=strategy,
            chosen=np.zeros(game.cells, np.uint16) if second else strategy,
            total=np.zeros(game.cells, np.uint16),
            total_exponent=np.full(blocks, LEAST_EXPONENT, np.int16),
            seen=np.zeros(blocks_that_miss(solver, game), np.uint16),
        )
        self._seen = self._kept.seen
        self._sweeps = Sweeps(game, lambda each: (Workspace.of(each), Draft.of(each)))

    @staticmethod
    def memory_estimate(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run will take, but for small stacks."""
        numbers = game.cells * (2 + strategies_stored(solver))
        blocks = 2 * len(game.arrays.player) + blocks_that_miss(solver, game)
        return 2 * (numbers + blocks)

    @staticmethod
    def memory_beside(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes by which the strategy at the end, and its sums, exceed those of a run.

        Regrets are gone then.
        """
        return max(0, 10 * game.cells - QuantizedState.memory_estimate(solver, game))

    def round_from(self, exact: CFRState) -> None:
        """Take over the numbers of a run in double precision, rounded to the nearest."""
        kept, a = self._kept, self.game.arrays
        strategy = exact.strategy
        for blocks in pieces(len(a.player)):
            cells = a.actions[blocks].astype(np.int64) * a.lanes[blocks]
            first = int(a.first_cell[blocks.start])
            here = slice(first, first + int(cells.sum()))
            for numbers, whole, exponent, most in (
                (exact.regret, kept.regret, kept.regret_exponent, MOST_REGRET),
                (exact.strategy_sum, kept.total, kept.total_exponent, MOST_SUM),
            ):
                whole[here], exponent[blocks] = _rounded(numbers[here], cells, most)
            if kept.strategy is not None and kept.chosen is not None:
                kept.strategy[here] = np.rint(MOST_SUM * strategy[here])
                kept.chosen[here] = kept.strategy[here]
        self.iteration, self.earlier, self.weight = exact.iteration, exact.earlier, exact.weight

    def _sweep(self, schedule: Float, visits: Visits) -> int:
        given = self.game.arrays, self._kept, schedule, self.iteration + 1, visits

        def call(turn: Turn, room: tuple[Workspace, Draft]) -> float:
            stacks, draft = room
            touched: float = iterate_quantized(*given, draft, self._sweeps.pieces, turn, stacks)
            return touched

        return int(self._sweeps.run(Turn(0, len(schedule)), call, settle=visits.idle))

    def _arrays(self) -> dict[str, Array]:
        kept = each_once(arrays_in("", self._kept))
        return {name: part for name, part in kept.items() if name != "seen"}

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return each_once(arrays_in("", self._kept) | self._held_by_sweeps())

    def _is_sound(self, name: str, part: Array) -> bool:
        if name.endswith("exponent"):
            return not len(part) or LEAST_EXPONENT <= part.min() <= part.max() <= MOST_EXPONENT
        return name != "regret" or not len(part) or part.min() >= -MOST_REGRET

    def _scaled(self, whole: Array, exponent: Array) -> Float:
        """Return whole numbers, by cell, times powers of two, by block."""
        cells = np.diff(self.game.arrays.first_cell, append=self.game.cells)
        numbers: Float = np.ldexp(whole.astype(np.float64), np.repeat(exponent, cells))
        return numbers

    @property
    def regret(self) -> Float:
        """Regrets, by cell."""
        return self._scaled(self._kept.regret, self._kept.regret_exponent)

    @property
    def strategy_sum(self) -> Float:
        """Sums of the strategies that were faced, by cell."""
        return self._scaled(self._kept.total, self._kept.total_exponent)

    @property
    def strategy(self) -> Float:
        """Probabilities, by cell, that the next iteration begins with."""
        shares = self._kept.strategy
        if shares is None:
            shares = np.maximum(self._kept.regret, 0)
        return Strategy.of_sums(self.game, shares.astype(np.float64)).own_probabilities

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self._kept.total))

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        # the sums of a block share a scale
        return Strategy.of_sums(self.game, self._kept.total.astype(np.float64))

    def last_strategy(self) -> Strategy:
        """Return the average strategy when regrets are gone."""
        game, sums = self.game, self._kept.total
        self._give_up()
        return Strategy.of_sums(game, sums.astype(np.float64))

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        return nash_conv_of_sums(self.game, self._kept.total)


def _rounded(numbers: Float, cells: npt.NDArray[np.int64], most: float) -> tuple[Float, Array]:
    """Return whole numbers up to the most, and the exponents of the blocks that they belong to."""
    block = np.repeat(np.arange(len(cells)), cells)
    largest = np.zeros(len(cells))
    np.maximum.at(largest, block, np.abs(numbers))
    # the least power of two with which no number is more than the most
    exponent = np.frexp(largest / most)[1]
    exponent[np.ldexp(most, exponent - 1) >= largest] -= 1
    exponent = np.maximum(np.where(largest > 0.0, exponent, LEAST_EXPONENT), LEAST_EXPONENT)
    return np.rint(np.ldexp(numbers, -exponent[block])), exponent
