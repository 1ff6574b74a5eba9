"""Counterfactual regret minimization, put together from parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.averaging import UNIFORM, Averaging
from secateur.compiled.game import CompiledGame, checked_game
from secateur.errors import ParameterError
from secateur.kernels.core.pieces import Turn
from secateur.kernels.core.workspace import Workspace
from secateur.kernels.regret_minimizers import sweep
from secateur.kernels.regret_minimizers.matching import match_regrets, write_strategies
from secateur.metrics import nash_conv_of_plan, nash_conv_of_sums
from secateur.minimizers import Hedge, Minimizer, RegretMatching
from secateur.pruning import PartialPruning, Pruning, a_pruning
from secateur.solvers.dense import DenseState, blocks_that_miss, stores, strategies_stored
from secateur.solvers.hedge import hedge_books
from secateur.solvers.holdings import arrays_in, each_once
from secateur.solvers.protocols import State
from secateur.solvers.resumable import Array, Saved
from secateur.solvers.warm_start import begun
from secateur.storage import Storage
from secateur.strategy import Strategy
from secateur.sweeping import Sweeping, plain_sweeps
from secateur.thresholding import DynamicThresholding

Float = npt.NDArray[np.float64]

PER_INFOSET = ("value_sum", "square_sum")
"""Arrays of a run with a number for each information set; others have one for each sequence."""


@final
@dataclass(frozen=True)
class CFR:
    r"""Counterfactual regret minimization (Zinkevich et al., 2007).

    Each information set minimizes its own regret, made of counterfactual values

    .. math:: v(I, a) = \sum_{h \in I} \pi_{-i}(h) \sum_z \pi(h \cdot a, z)\, u_i(z), \qquad
        v(I) = \sum_a \sigma(I, a)\, v(I, a),

    equations (2) and (1) of Brown and Sandholm (2017). The regret of a player is at most the sum of
    those of its information sets (Brown, Kroer and Sandholm, 2017, equation (9)), and the average
    strategy of two regret minimizers converges to an equilibrium.

    Parameters
    ----------
    minimizer : Minimizer
        How regrets turn into the next strategy.
    averaging : Averaging
        How much each iteration counts in the average strategy.
    pruning : Pruning
        What may be skipped.
    thresholding : DynamicThresholding or None
        Which small probabilities are set to zero; none if not given.
    updates : {"alternating", "simultaneous"}
        Whether player 1 answers to the strategy that player 0 has just chosen or to the last one.
    storage : Storage
        Precision of the numbers that are kept.
    count_nodes : bool
        Count the histories touched. Without pruning that costs nothing and is always done.
    """

    minimizer: Minimizer = field(default_factory=RegretMatching)
    averaging: Averaging = UNIFORM
    pruning: Pruning = field(default_factory=PartialPruning)
    updates: str = "alternating"
    storage: Storage = field(default_factory=Storage)
    count_nodes: bool = False
    thresholding: DynamicThresholding | None = None
    needs_branches: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.check_fields(
            self,
            minimizer=checks.instance_of(
                Minimizer,
                "pass a minimizer, such as secateur.RegretMatching() or secateur.Hedge()",
            ),
            averaging=checks.instance_of(Averaging, "pass secateur.Averaging(power, delay)"),
            pruning=a_pruning,
            updates=checks.one_of("alternating", "simultaneous"),
            storage=checks.instance_of(
                Storage, "pass secateur.Storage('float64', 'float32' or 'int16')"
            ),
            count_nodes=checks.flag,
            thresholding=checks.optional(
                checks.instance_of(DynamicThresholding, "pass secateur.DynamicThresholding(factor)")
            ),
        )
        self.pruning.check(self)
        if self.storage.precision == "int16":
            self._check_shares()

    def _check_shares(self) -> None:
        """Raise ParameterError unless strategies can be kept as shares in 16 bits."""
        if isinstance(self.minimizer, Hedge):
            raise ParameterError(
                "Hedge with int16 storage: its probabilities are exponential in regrets, for which "
                "16 bits are too few; use float64 or float32."
            )
        if self.thresholding is not None:
            raise ParameterError(
                "thresholding with int16 storage: thresholds become smaller than what 16 bits can "
                "tell apart; use float64 or float32."
            )

    @property
    def needs_bounds(self) -> bool:
        """Whether games must be compiled for pruning."""
        return self.minimizer.needs_bounds or self.pruning.needs_bounds

    @property
    def kernel_seconds(self) -> int:
        """About how long its kernels take to compile."""
        return self.pruning.kernel_seconds

    def start(
        self,
        game: CompiledGame,
        warm_start: Strategy | None = None,
        warm_weight: int | None = None,
    ) -> State:
        """Return the state before the first iteration.

        Parameters
        ----------
        game : CompiledGame
            What to solve.
        warm_start : Strategy
            Where to begin, instead of uniform play: a strategy of the same game. For regret
            matching without floors and discounts it must be compiled with ``pruning=True``.
        warm_weight : int
            The iterations that this strategy stands for: no more than a run needs to come as close
            to an equilibrium. If not given, an estimate that is not too high.
        """
        state = self.pruning.start(self, checked_game("start", game))
        return begun(state, self, warm_start, warm_weight)

    def memory_estimate(self, game: CompiledGame) -> int:
        """Return the bytes that a state will take (but for small stacks), without allocating it."""
        return self.pruning.memory_estimate(self, game)

    def memory_beside(self, game: CompiledGame) -> int:
        """Return the bytes that a run takes for a while beside its state, at its start or end."""
        return self.pruning.memory_beside(self, game)

    def in_words(self) -> list[str]:
        """Return what was chosen besides pruning."""
        cuts = self.thresholding
        as_usual = self.averaging == self.minimizer.usual_averaging
        return [
            *([] if cuts is None else [f"threshold of factor {cuts.factor:g}"]),
            *self.minimizer.in_words(),
            *([] if as_usual else self.averaging.in_words()),
            f"{self.updates} updates",
            self.storage.precision,
        ]

    def thresholds(self, game: CompiledGame) -> Float | None:
        """Return thresholds of the first iteration by numbers of actions; None cuts nothing."""
        if self.thresholding is None:
            return None
        # nobody has no action; one action is as good as none
        actions = np.maximum(np.arange(game.arrays.actions.max() + 1.0), 1.0)
        return self.minimizer.thresholds(self.thresholding.factor, actions)


@final
class CFRState(DenseState):
    """A run of CFR whose numbers are floating-point numbers."""

    def __init__(
        self, solver: CFR, game: CompiledGame, sweeps: Sweeping[Workspace] | None = None
    ) -> None:
        super().__init__(solver, game)
        self._sweeps = plain_sweeps(game) if sweeps is None else sweeps
        dtype = solver.storage.dtype
        self.regret = np.zeros(game.cells, dtype)
        self.strategy_sum = np.zeros(game.cells)
        stored = np.empty(game.cells, dtype) if stores(solver) else None
        self._strategy = self._chosen = stored
        if stored is not None and solver.updates == "simultaneous":
            self._chosen = np.empty_like(stored)
        self._scale = np.zeros(game.size.information_sets if stored is None else 0)
        self.match_regrets()
        self._hedge = hedge_books(solver, game)
        self._thresholds = solver.thresholds(game)
        self._seen = np.zeros(blocks_that_miss(solver, game), np.uint16)

    @staticmethod
    def memory_estimate(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run will take, but for small stacks."""
        observed = solver.minimizer.bytes_per_information_set * game.size.information_sets
        numbers = game.cells * (8 + (1 + strategies_stored(solver)) * solver.storage.dtype.itemsize)
        scales = 0 if stores(solver) else 8 * game.size.information_sets
        return numbers + scales + observed + 2 * blocks_that_miss(solver, game)

    @staticmethod
    def memory_beside(_solver: CFR, _game: CompiledGame) -> int:
        """Return the bytes that the strategy takes at the end beside a run: it is in its place."""
        return 0

    def _sweep(self, schedule: Float, visits: sweep.Visits) -> int:
        numbers = sweep.Numbers(
            regret=self.regret,
            strategy=self._strategy,
            chosen=self._chosen,
            scale=self._scale,
            total=self.strategy_sum,
            seen=self._seen,
        )
        first = self.earlier + self.iteration + 1
        more = self._hedge, self._thresholds, visits, self._sweeps.pieces

        def call(turn: Turn, stacks: Workspace) -> float:
            touched: float = sweep.iterate(
                self.game.arrays, numbers, schedule, first, *more, turn, stacks
            )
            return touched

        return int(self._sweeps.run(Turn(0, len(schedule)), call, settle=visits.idle))

    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {
            "regret": self.regret,
            "strategy_sum": self.strategy_sum,
        }
        if self._strategy is not None and self._chosen is not None:
            arrays["strategy"] = self._strategy
            if self._chosen is not self._strategy:
                arrays["chosen"] = self._chosen
        if self._hedge is not None:
            arrays["value_sum"] = self._hedge.value_sum
            arrays["square_sum"] = self._hedge.square_sum
        return arrays

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return each_once(
            self._arrays()
            | {"scale": self._scale, "seen": self._seen}
            | arrays_in("hedge", self._hedge)
            | arrays_in("thresholds", self._thresholds)
            | self._held_by_sweeps()
        )

    def _take(self, saved: Saved) -> None:
        # before strategies followed from regrets they were stored as well
        if self._strategy is None and isinstance(saved.arrays, dict):
            needed = {name: part for name, part in saved.arrays.items() if name != "strategy"}
            saved = saved._replace(arrays=needed)
        super()._take(saved)
        if self._strategy is None:
            self.match_regrets()

    def match_regrets(self) -> None:
        """Let strategies follow from regrets, without a prediction."""
        if self._strategy is None or self._chosen is None:
            match_regrets(self.game.arrays, self.regret, self._scale)
        else:
            write_strategies(self.game.arrays, self.regret, self._strategy)
            self._chosen[:] = self._strategy

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self.strategy_sum))

    @property
    def strategy(self) -> Array:
        """Probabilities, by cell, that the next iteration begins with."""
        if self._strategy is not None:
            return self._strategy
        matched = np.empty(self.game.cells)
        write_strategies(self.game.arrays, self.regret, matched)
        return matched

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        return Strategy.from_plan(self.game, self.strategy_sum)

    def last_strategy(self) -> Strategy:
        """Return the average strategy in the place of its sums."""
        game, sums = self.game, self.strategy_sum
        self._give_up()
        return Strategy.of_sums(game, sums)

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        # The sum of the strategies is a plan times the weight; but probabilities that were rounded
        # to single precision do not quite add up, and before the first weight there is none.
        if self.weight == 0.0 or self.solver.storage.dtype != np.float64:
            return nash_conv_of_sums(self.game, self.strategy_sum, self._sweeps)
        return nash_conv_of_plan(self.game, self.strategy_sum, 1.0 / self.weight, self._sweeps)
