"""A run of CFR with interval regret-based pruning.

When an action may be skipped is equation (10) of Brown, Kroer and Sandholm (2017), for Hedge their
equation (11); see :class:`secateur.pruning.RegretBasedPruning`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.core.workspace import Workspace
from secateur.kernels.regret_based_pruning import iterate as interval
from secateur.kernels.regret_based_pruning.books import IntervalBooks, IntervalScratch
from secateur.kernels.regret_based_pruning.parts import HEDGE, MATCHING, MATCHING_PLUS
from secateur.metrics import nash_conv, nash_conv_of_plan
from secateur.pruning import RegretBasedPruning
from secateur.solvers.bounds import payoff_range
from secateur.solvers.hedge import NO_HEDGE, hedge_books
from secateur.solvers.holdings import arrays_in, each_once
from secateur.solvers.resumable import Array
from secateur.solvers.scheduled import Scheduled
from secateur.strategy import Strategy

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR


def _has_two_sums(solver: CFR) -> bool:
    """Return whether the average strategy weighs iterations otherwise than regrets do."""
    return (solver.averaging.power, solver.averaging.delay) != (0.0, 0)


_RULES = {"hedge": HEDGE, "matching": MATCHING, "matching+": MATCHING_PLUS}


def _rule(solver: CFR) -> int:
    """Return the number by which kernels know how regrets turn into strategies."""
    assert solver.minimizer.pruned_as is not None  # else the policy has refused it
    return _RULES[solver.minimizer.pruned_as]


@final
class IntervalState(Scheduled):
    """Regrets, bounds and strategies of a run with interval regret-based pruning."""

    _numbers = ("iteration", "weight")

    def __init__(self, solver: CFR, policy: RegretBasedPruning, game: CompiledGame) -> None:
        if game.pruning is None:
            raise ParameterError(
                f"regret-based pruning on {game}: it was not compiled for pruning; "
                "use compile(game, pruning=True)."
            )
        self._more = game.pruning
        self.solver = solver
        self.policy = policy
        self.game = game
        self.iteration = 0
        self.weight = 0.0
        self._rule = _rule(solver)
        self._two_sums = _has_two_sums(solver)
        cells, infosets = game.cells, game.size.information_sets
        self._hedge = hedge_books(solver, game) or NO_HEDGE
        strategy = Strategy.uniform(game).own_probabilities
        regret, total = np.zeros(cells), np.zeros(cells)
        self.books = IntervalBooks(
            regret=regret,
            plain=np.zeros(cells) if self._rule == MATCHING_PLUS else regret,
            bound=np.zeros(cells),
            strategy=strategy,
            chosen=strategy.copy() if solver.updates == "simultaneous" else strategy,
            total=total,
            faced=np.zeros(cells) if self._two_sums else total,
            pruned=np.zeros(cells, np.uint8),
            upper=game.pruning.upper,
            value_sum=self._hedge.value_sum if self._rule == HEDGE else np.zeros(infosets),
            reach_sum=np.zeros(infosets),
            active=np.ones(infosets, np.uint8),
            lower=game.pruning.lower,
            payoffs=game.pruning.payoffs,
            square_sum=self._hedge.square_sum,
            frozen_at=np.zeros(infosets if self._rule == HEDGE else 0, np.int32),
            alive=np.append(np.int32(0), np.repeat(game.arrays.lanes, game.arrays.actions)),
        )
        self._workspace = Workspace.of(game)
        self._scratch = IntervalScratch(
            lane_reach=np.zeros(game.stack.slots),
            mark=np.zeros(game.stack.slots, np.bool_),
            marked=np.zeros(game.stack.rows, np.bool_),
            returning=np.zeros(cells, np.int32),
            returning_block=np.zeros(cells, np.int32),
        )
        self._nodes = np.zeros(2)
        self._payoff_range = payoff_range(game.pruning)
        thresholds = solver.thresholds(game)
        self._thresholds = np.zeros(0) if thresholds is None else thresholds

    @staticmethod
    def memory_estimate(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run will take, but for small stacks."""
        arrays = 4 + (_rule(solver) == MATCHING_PLUS) + _has_two_sums(solver)
        arrays += solver.updates == "simultaneous"
        rows = int(game.arrays.actions.sum())
        per_cell = 8 * arrays + 1 + 2 * 4
        per_infoset = 17 + (20 if _rule(solver) == HEDGE else 0)
        return per_cell * game.cells + per_infoset * game.size.information_sets + 4 * rows

    def _iterate(self, iterations: int) -> None:
        solver = self.solver
        numbers = np.arange(self.iteration + 1, self.iteration + iterations + 1, dtype=np.float64)
        weights = solver.averaging.weights(numbers)
        interval.iterate_interval(
            self.game.arrays,
            self._more,
            self.books,
            weights,
            self.iteration + 1,
            interval.Pruning(
                payoff_range=self._payoff_range,
                rule=self._rule,
                two_sums=self._two_sums,
                simultaneous=solver.updates == "simultaneous",
                check_every=self.policy.check_every,
                minimum_skip=float(self.policy.minimum_skip),
                counted=solver.count_nodes,
            ),
            self._hedge,
            self._thresholds,
            self._workspace,
            self._scratch,
            self._nodes,
        )
        self.iteration += iterations
        self.weight = solver.averaging.total(self.weight, weights)

    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {"nodes": self._nodes}
        known = {id(part) for part in self._more}  # by the game
        for name, part in self.books._asdict().items():
            if id(part) not in known:  # some books are kept in one array for two purposes
                arrays[name] = part
                known.add(id(part))
        return arrays

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return each_once(
            self._arrays()
            | arrays_in("hedge", self._hedge)
            | {"thresholds": self._thresholds}
            | arrays_in("workspace", self._workspace)
            | arrays_in("scratch", self._scratch)
        )

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited so far, in regret updates and returns; None if not counted."""
        return int(self._nodes.sum()) if self.solver.count_nodes else None

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Histories visited to bring pruned branches up to date; None if not counted."""
        return int(self._nodes[1]) if self.solver.count_nodes else None

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose regret is in use: all, because what is pruned waits for its return."""
        return self.game.cells

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self.books.total))

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        return Strategy.from_plan(self.game, self.books.total)

    def current_strategy(self) -> Strategy:
        """Return the strategy that the next iteration begins with."""
        return Strategy.trusted(self.game, self.books.strategy.copy())

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self.weight == 0.0:
            return nash_conv(self.game, self.average_strategy())
        return nash_conv_of_plan(self.game, self.books.total, 1.0 / self.weight)
