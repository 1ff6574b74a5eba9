"""A run of CFR with best-response pruning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels import bounds, pruned, review
from secateur.kernels.books import Books
from secateur.kernels.workspace import Workspace
from secateur.metrics import nash_conv_of_plan
from secateur.minimizers import Minimizer, RegretMatching, RegretMatchingPlus
from secateur.pruning import BestResponsePruning
from secateur.strategy import Strategy

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR


class _Scratch(NamedTuple):
    """Room for what pruning kernels compute on the way."""

    lane_reach: npt.NDArray[np.float64]
    mark: npt.NDArray[np.bool_]
    marked: npt.NDArray[np.bool_]
    expired: npt.NDArray[np.int32]
    expired_block: npt.NDArray[np.int32]


def check_prunable(solver: CFR) -> None:
    """Raise ParameterError if best-response pruning cannot serve these parts.

    It compares a sum of values with a best response to the opponent's average: both must weigh
    the iterations alike, and the regrets must be sums of what was observed.
    """
    minimizer = solver.minimizer
    if not isinstance(minimizer, RegretMatching | RegretMatchingPlus):
        raise ParameterError(
            f"best-response pruning with {type(minimizer).__name__}: its regrets are no plain "
            "sums; use regret matching (--algorithm cfr or lcfr), or regret matching+."
        )
    power = 1.0 if _is_linear(minimizer) else 0.0
    if (solver.averaging.power, solver.averaging.delay) != (power, 0):
        raise ParameterError(
            f"best-response pruning with averaging of power {solver.averaging.power:g} and delay "
            f"{solver.averaging.delay}: regrets weigh iterations with power {power:g}, and so "
            "must the average; use --algorithm cfr or lcfr."
        )
    if solver.storage.precision != "float64":
        raise ParameterError("best-response pruning with float32 storage: use float64.")


def _is_linear(minimizer: Minimizer) -> bool:
    return isinstance(minimizer, RegretMatching) and minimizer.linear


class PrunedState:
    """Regrets, bounds and strategies of a run with best-response pruning."""

    def __init__(self, solver: CFR, policy: BestResponsePruning, game: CompiledGame) -> None:
        check_prunable(solver)
        if game.pruning is None:
            raise ParameterError(
                f"best-response pruning on {game}: it was not compiled for pruning; "
                "use compile(game, pruning=True)."
            )
        self._more = game.pruning
        self.solver = solver
        self.policy = policy
        self.game = game
        self.iteration = 0
        self.weight = 0.0
        cells, infosets = game.cells, game.size.information_sets
        strategy = Strategy.uniform(game).probabilities
        regret = np.zeros(cells)
        plus = isinstance(solver.minimizer, RegretMatchingPlus)
        self.books = Books(
            regret=regret,
            plain=np.zeros(cells) if plus else regret,
            strategy=strategy,
            chosen=strategy.copy() if solver.updates == "simultaneous" else strategy,
            total=np.zeros(cells),
            pruned=np.zeros(cells, np.uint8),
            upper=np.zeros(cells),
            value_sum=np.zeros(infosets),
            active=np.ones(infosets, np.uint8),
            lower=np.zeros(infosets),
            alive=np.zeros(1 + int(game.arrays.actions.sum()), np.int32),
            pruned_count=np.zeros(len(game.arrays.player), np.int32),
        )
        self._workspace = Workspace.of(game)
        self._scratch = _Scratch(
            lane_reach=np.zeros(game.stack.slots),
            mark=np.zeros(game.stack.slots, np.bool_),
            marked=np.zeros(game.stack.rows, np.bool_),
            expired=np.zeros(cells, np.int32),
            expired_block=np.zeros(cells, np.int32),
        )
        self._nodes = np.zeros(2)
        self._prepare()

    def _prepare(self) -> None:
        arrays, more = self.game.arrays, self._more
        low = np.zeros(self.game.stack.slots)
        for me in range(2):
            bounds.spread_bounds(
                arrays, more, me, self.books.upper, self.books.lower, self._workspace, low
            )
            review.refresh(arrays, more, me, self.books, 0, len(arrays.player), self._scratch.mark)
        most = self.books.upper.max(initial=0.0)
        self._payoff_range = float(most - self.books.lower.min(initial=0.0))

    @staticmethod
    def memory_estimate(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run will take, but for small stacks."""
        arrays = 4 + isinstance(solver.minimizer, RegretMatchingPlus)
        arrays += solver.updates == "simultaneous"
        rows = int(game.arrays.actions.sum())
        per_cell = 8 * arrays + 1 + 2 * 4
        return per_cell * game.cells + 17 * game.size.information_sets + 4 * rows

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        if iterations < 1:
            raise ParameterError(f"step({iterations}): run at least one iteration.")
        solver, policy = self.solver, self.policy
        numbers = np.arange(self.iteration + 1, self.iteration + iterations + 1, dtype=np.float64)
        weights = solver.averaging.weights(numbers)
        self.weight = pruned.iterate_pruned(
            self.game.arrays,
            self._more,
            self.books,
            np.column_stack([solver.minimizer.schedule(numbers), weights]),
            self.iteration + 1,
            self.weight,
            self._payoff_range,
            solver.updates == "simultaneous",
            policy.check_every,
            policy.minimum_skip,
            max(1.0, policy.restart * policy.minimum_skip),
            solver.count_nodes,
            self._workspace,
            self._scratch,
            self._nodes,
        )
        self.iteration += iterations

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited so far, in regret updates and evaluations; None if not counted."""
        return int(self._nodes.sum()) if self.solver.count_nodes else None

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Histories visited to evaluate pruned branches; None if not counted."""
        return int(self._nodes[1]) if self.solver.count_nodes else None

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret is in use: of information sets in play, and not pruned."""
        return int(self.books.alive.sum())

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self.books.total))

    @property
    def bytes_resident(self) -> int:
        """Bytes of the arrays that this run holds, without those of the compiled game."""
        parts: list[npt.NDArray[Any]] = [*self.books, *self._workspace, *self._scratch]
        # some books are kept in one array for two purposes
        return sum({id(part): part.nbytes for part in parts}.values())

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        return Strategy.from_plan(self.game, self.books.total)

    def current_strategy(self) -> Strategy:
        """Return the strategy that the next iteration begins with; uniform behind cuts."""
        return Strategy.from_plan(self.game, self.books.strategy)

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self.weight == 0.0:
            return nash_conv_of_plan(self.game, self.average_strategy().plan)
        return nash_conv_of_plan(self.game, self.books.total, 1.0 / self.weight, self._workspace)
