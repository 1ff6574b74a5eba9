"""Optimistic mirror descent with dilated entropy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.compiled.sequence_form import sequence_form
from secateur.kernels.gradients.books import SPARE
from secateur.kernels.gradients.programs import MIRROR, Program
from secateur.metrics import nash_conv, nash_conv_of_plan
from secateur.pruning import PartialPruning, Pruning, a_pruning
from secateur.solvers.dilation import WEIGHTS, diameters, dilation, weights_in_words
from secateur.solvers.gradient import (
    KERNEL_SECONDS,
    RespondingState,
    check_visits,
    gradient_books,
    payoff_scale,
)
from secateur.solvers.holdings import arrays_in, each_once
from secateur.solvers.resumable import Array
from secateur.strategy import Strategy

_ROUNDING = 1e-12

_NO_SMOOTHING = np.zeros(2)
_SLACK = 2.0
"""Regrets come close to what is allowed where a pure strategy is best, and must not be taken for
too large then."""

_CHECKS = 1.25
"""The step size is checked whenever the iterations have grown by this factor."""


@final
@dataclass(frozen=True)
class OptimisticMirrorDescent:
    r"""Optimistic mirror descent (Rakhlin and Sridharan, 2013) with dilated entropy.

    Each player follows the gradients :math:`u_t` of what it has faced, the last one counted twice
    because the next is predicted to be like it (Farina, Kroer and Sandholm, 2019). The next plan x
    maximizes

    .. math:: \eta\, \langle u_1 + \dots + u_t + u_t,\, x \rangle - d(x).

    One gradient per player and iteration; both move at the same time. The average converges as
    1 / T. The last strategy is :meth:`OptimisticMirrorDescentState.current_strategy`; it converges
    where a pure one is enough.

    Parameters
    ----------
    weights : {"kroer17", "kroer15"}
        Weights of the entropy: of Kroer et al. (2017) or (2015).
    steps : {"adaptive", "safe"}
        A safe step size :math:`\eta` keeps the regrets of both players together below
        :math:`(D_0 + D_1) / \eta`, but for what the first iteration adds, where :math:`D_i` is the
        largest entropy of a player. Adaptive is the largest :math:`\eta` for which they have been
        within twice that: it begins where the first strategies just are, and is halved when they
        are not.
    pruning : Pruning
        Partial pruning leaves out what the opponent's average does not reach, which is nothing.
    count_nodes : bool
        Count the histories touched. Without pruning that costs nothing and is always done.
    """

    weights: str = "kroer17"
    steps: str = "adaptive"
    pruning: Pruning = field(default_factory=PartialPruning)
    count_nodes: bool = False
    needs_bounds: ClassVar[bool] = False
    needs_branches: ClassVar[bool] = False
    kernel_seconds: ClassVar[int] = KERNEL_SECONDS

    def __post_init__(self) -> None:
        checks.check_fields(
            self,
            weights=checks.one_of(*WEIGHTS),
            steps=checks.one_of("adaptive", "safe"),
            pruning=a_pruning,
            count_nodes=checks.flag,
        )
        check_visits("optimistic mirror descent", self.pruning)

    def start(self, game: CompiledGame) -> OptimisticMirrorDescentState:
        """Return the state before the first iteration."""
        return OptimisticMirrorDescentState(self, checked_game("start", game))

    def memory_estimate(self, game: CompiledGame) -> int:
        """Return the bytes that a state will take (but for small stacks), without allocating it."""
        return 8 * (4 * game.cells + game.size.information_sets + 3 * SPARE + 2)

    def memory_beside(self, game: CompiledGame) -> int:
        """Return the bytes that a run takes for a while beside its state, at its start or end."""
        return 18 * game.cells  # measured 14

    def in_words(self) -> list[str]:
        """Return what was chosen besides pruning."""
        return [f"{self.steps} steps", weights_in_words(self.weights)]


@final
class OptimisticMirrorDescentState(RespondingState):
    """A run of optimistic mirror descent: the sum of the plans, and the last ones."""

    _numbers = ("iteration", "step_size", "_check")

    def __init__(self, solver: OptimisticMirrorDescent, game: CompiledGame) -> None:
        super().__init__(game, solver.pruning, count_nodes=solver.count_nodes)
        self.solver = solver
        weights = dilation(game, solver.weights)
        self.books = gradient_books(game, weights)
        self.strategy_sum = np.zeros(game.cells)
        self._faced = np.zeros(game.cells)
        self._allowance = _SLACK * sum(diameters(game, weights))
        self._check = 1
        """The next iteration after which the step size is checked."""

        self.step_size = self._largest_step() if solver.steps == "adaptive" else _safe_step(game)

    @property
    def bound(self) -> float:
        """What NashConv of the average did not exceed when an adaptive step was last checked."""
        return self._allowance / (self.step_size * max(1, self.iteration))

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        return Strategy.from_plan(self.game, self.strategy_sum)

    def current_strategy(self) -> Strategy:
        """Return the strategy that the next iteration plays: the last iterate."""
        return Strategy.trusted(self.game, self.books.behavior[: self.game.cells].copy())

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self.iteration == 0:
            return nash_conv(self.game, self.average_strategy())
        return nash_conv_of_plan(self.game, self.strategy_sum, 1.0 / self.iteration)

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self.strategy_sum))

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return each_once(
            arrays_in("books", self.books)
            | self._arrays()
            | {"faced": self._faced}
            | self._held_by_sweeps()
        )

    def _arrays(self) -> dict[str, Array]:
        kept = {"gradient": self.books.gradient, "behaviour": self.books.behavior}
        return super()._arrays() | kept | {"strategy_sum": self.strategy_sum}

    def _iterate(self, first: int, last: int) -> None:
        if self.solver.steps == "safe":
            self._run(first, last)
            return
        while first <= last:
            end = min(last, self._check)
            self._run(first, end)
            if end == self._check:
                self._adapt(end)
            first = end + 1

    def _run(self, first: int, last: int) -> None:
        desk = self._desk((self.strategy_sum, self._faced), (self.books, self.books))
        program = Program(MIRROR, _NO_SMOOTHING, np.array([self.step_size]), first, last)
        self._run_program(program, desk)

    def _adapt(self, iteration: int) -> None:
        """Halve the step size until the regrets so far are within what it allows."""
        regrets = iteration * nash_conv_of_plan(self.game, self.strategy_sum, 1.0 / iteration)
        while regrets * self.step_size > self._allowance * (1.0 + _ROUNDING) > 0.0:
            self.step_size *= 0.5
        self._check = max(iteration + 1, int(_CHECKS * iteration))

    def _largest_step(self) -> float:
        """Return the step size that the uniform strategies just allow."""
        uniform = nash_conv(self.game, Strategy.uniform(self.game))
        # where nobody can choose, or all are content with the first strategy, any size will do
        return max(self._allowance, 1.0) / max(uniform, _ROUNDING * payoff_scale(self.game))


def _safe_step(game: CompiledGame) -> float:
    """Return half the inverse of the most that a pair of sequences earns."""
    largest = float(np.abs(sequence_form(game).payoff).max())
    return 0.5 / largest if largest > 0.0 else 1.0
