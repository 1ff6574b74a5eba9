"""The excessive gap technique with dilated entropy, and with thresholds on its gradients."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.compiled.sequence_form import sequence_form
from secateur.errors import ParameterError
from secateur.kernels.gradients.books import SPARE, Desk, GradientBooks
from secateur.kernels.gradients.orders import FOLLOW, RESPOND, Order
from secateur.kernels.gradients.programs import ADAPTIVE, EXCESS, FIXED, ORDER, Program
from secateur.metrics import nash_conv_of_plan
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
_LARGEST = 1e100
_COARSE = 4.0
_REFINEMENTS = 4
"""The search goes by that factor, and then halves what it has enclosed on the scale of logarithms.
"""

_LEAST_SHARE = 0.1
"""Of NashConv of the uniform strategy: how small the first bound on NashConv may be."""


@final
@dataclass(frozen=True)
class EGT:
    r"""The excessive gap technique (Nesterov, 2005; Hoda et al., 2010).

    Best responses are smoothed by :math:`\mu_i` times an entropy. The pair of plans is kept such
    that the values of both smoothed best responses add up to at most zero; then NashConv is at most
    :math:`\mu_0 D_0 + \mu_1 D_1` with the largest entropies :math:`D_i`. Every iteration makes one
    :math:`\mu_i` smaller, of the order 1 / T after T iterations, and computes three gradients.
    The last pair of plans is the result; nothing is averaged.

    Parameters
    ----------
    weights : {"kroer17", "kroer15"}
        Weights of the entropy: of Kroer et al. (2017) or (2015).
    steps : {"adaptive", "fixed"} or None
        Shrink by as much as leaves the condition intact (half at most, half of that whenever it
        fails, a ninth more whenever it does not); or by 2 / (t + 2) in iteration t, which is sure
        to leave it intact only if the smoothing begins safely. None is adaptive without a threshold
        and fixed with one.
    balanced : bool
        Shrink the larger of both smoothings, not each in turn.
    smoothing : {"search", "safe"}
        Begin with the smallest smoothing that fulfills the condition, or with the one that theory
        proves to.
    threshold : float
        The constant c: branches that chance and the opponent take with a probability below c / t
        are left out of gradients (Brown, Kroer and Sandholm, 2017, section 5). No bound is proved
        for c > 0.
    pruning : Pruning
        Partial pruning leaves out what the opponent does not reach at all.
    count_nodes : bool
        Count the histories touched. Without pruning that costs nothing and is always done.
    """

    weights: str = "kroer17"
    steps: str | None = None
    balanced: bool = False
    smoothing: str = "search"
    threshold: float = 0.0
    pruning: Pruning = field(default_factory=PartialPruning)
    count_nodes: bool = False
    needs_bounds: ClassVar[bool] = False
    kernel_seconds: ClassVar[int] = KERNEL_SECONDS

    def __post_init__(self) -> None:
        checks.check_fields(
            self,
            weights=checks.one_of(*WEIGHTS),
            steps=checks.one_of("adaptive", "fixed", None),
            balanced=checks.flag,
            smoothing=checks.one_of("search", "safe"),
            threshold=checks.number(
                "use a number from 0 (visit everything) to below 1",
                least=0.0,
                most=math.nextafter(1.0, 0.0),
            ),
            pruning=a_pruning,
            count_nodes=checks.flag,
        )
        check_visits("EGT", self.pruning)
        if self.threshold > 0.0 and not self.pruning.skips_unreached:
            raise ParameterError(
                f"EGT(threshold={self.threshold:g}) without pruning: a threshold leaves branches "
                "out; use PartialPruning(), or threshold 0."
            )
        if self.threshold > 0.0 and self.steps == "adaptive":
            raise ParameterError(
                f"EGT(threshold={self.threshold:g}, steps='adaptive'): the condition cannot be "
                "checked with branches left out; use steps='fixed', or threshold 0."
            )

    @property
    def adaptive(self) -> bool:
        """Whether steps are adaptive."""
        return self.steps == "adaptive" or (self.steps is None and self.threshold == 0.0)

    @property
    def needs_branches(self) -> bool:
        """Whether games must be compiled for thresholds."""
        return self.threshold > 0.0

    def start(self, game: CompiledGame) -> EGTState:
        """Return the state before the first iteration."""
        game = checked_game("start", game)
        if self.needs_branches and game.branches is None:
            raise ParameterError(
                f"EGT(threshold={self.threshold:g}) on {game}: it was not compiled for thresholds; "
                "use compile(game, thresholds=True)."
            )
        return EGTState(self, game)

    def memory_estimate(self, game: CompiledGame) -> int:
        """Return the bytes that a state will take (but for small stacks), without allocating it."""
        arrays, spare = (6, 5) if self.adaptive else (4, 3)
        numbers = arrays * game.cells + game.size.information_sets + spare * SPARE
        return 8 * (numbers + (4 if self.adaptive else 2))

    def memory_beside(self, game: CompiledGame) -> int:
        """Return the bytes that a run takes for a while beside its state, at its start or end."""
        return 28 * game.cells  # measured 25

    def in_words(self) -> list[str]:
        """Return what was chosen besides pruning."""
        return [
            f"threshold {self.threshold:g}/t" if self.threshold else "no threshold",
            "adaptive steps" if self.adaptive else "fixed steps",
            *(["balanced"] if self.balanced else []),
            *(["safe smoothing"] if self.smoothing == "safe" else []),
            weights_in_words(self.weights),
        ]


@final
class EGTState(RespondingState):
    """A run of the excessive gap technique: a pair of plans and two smoothings."""

    def __init__(self, solver: EGT, game: CompiledGame) -> None:
        weights = dilation(game, solver.weights)
        super().__init__(game, solver.pruning, count_nodes=solver.count_nodes)
        self.solver = solver
        self.books = gradient_books(game, weights)
        self.plan = Strategy.uniform(game).plan.copy()
        """The realization plans of both players."""

        self.smoothing = np.zeros(2)
        """How much of its entropy each player's smoothed best response gets."""

        self._next = self.plan.copy()
        self._found = _copied(self.books) if solver.adaptive else self.books
        """Where adaptive steps lead, before they are taken. Fixed ones need room for a plan."""

        self._step = np.array([0.5])
        self._diameters = diameters(game, weights)
        self._scale = payoff_scale(game)
        if solver.smoothing == "safe":
            self._begin(float(np.abs(sequence_form(game).payoff).max()))
        else:
            self._begin(self._smallest_smoothing())

    @property
    def bound(self) -> float:
        """What NashConv cannot exceed while :meth:`excess` is not negative."""
        return float(self.smoothing @ self._diameters)

    def excess(self) -> float:
        """Return how far the plans are within the condition of the method.

        It is not negative if steps are adaptive, or fixed from a safe smoothing with no threshold.
        """
        books = _copied(self.books)  # the run may go on from its own
        desk = self._desk((self.plan, self._next), (books, books))
        before = self._nodes.copy()
        gap = self._run_program(self._program(EXCESS), desk)
        self._nodes[:] = before  # a look is not counted
        return gap

    def average_strategy(self) -> Strategy:
        """Return the strategy that converges to an equilibrium: the last, there is no average."""
        return Strategy.from_plan(self.game, self.plan)

    def current_strategy(self) -> Strategy:
        """Return the same."""
        return self.average_strategy()

    def nash_conv(self) -> float:
        """Return NashConv of the pair of plans."""
        return nash_conv_of_plan(self.game, self.plan)

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the plans play."""
        return int(np.count_nonzero(self.plan))

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        return each_once(
            arrays_in("books", self.books)
            | self._arrays()
            | {"next_plan": self._next}
            | arrays_in("found", self._found)
            | self._held_by_sweeps()
        )

    def _arrays(self) -> dict[str, Array]:
        books = self.books
        kept = {"gradient": books.gradient, "behaviour": books.behavior, "unmoved": books.unmoved}
        more = {"plan": self.plan, "smoothing": self.smoothing, "step": self._step}
        return super()._arrays() | kept | more

    def _iterate(self, first: int, last: int) -> None:
        what = ADAPTIVE if self.solver.adaptive else FIXED
        limit = _ROUNDING * self._scale if self.solver.adaptive else self.solver.threshold
        program = self._program(what)._replace(first=first, last=last, limit=limit)
        self._run_program(program, self._own_desk())

    def _program(self, what: int) -> Program:
        return Program(what, self.smoothing, self._step, balanced=self.solver.balanced)

    def _own_desk(self) -> Desk:
        return self._desk((self.plan, self._next), (self.books, self._found))

    def _begin(self, smoothing: float) -> float:
        """Take the first pair of plans with a smoothing; return its excess.

        Player 1 responds to the uniform strategy, and player 0 to that. The books then hold the
        responses to the pair.
        """
        self.smoothing[:] = smoothing
        self.plan[:] = Strategy.uniform(self.game).plan
        self._respond(1)
        self._follow(1)
        first = self._respond(0)
        self._follow(0)
        return -first - self._respond(1)

    def _respond(self, me: int) -> float:
        """Respond to the other's plan; return the value."""
        desk = self._own_desk()
        desk.there.order[:] = Order(RESPOND, me, smoothing=self.smoothing[me])
        return self._run_program(self._program(ORDER), desk)

    def _follow(self, me: int) -> None:
        """Make the response the plan."""
        desk = self._own_desk()
        desk.there.order[:] = Order(FOLLOW, me, new=0.0, target_share=1.0)
        self._run_program(self._program(ORDER), desk)

    def _smallest_smoothing(self) -> float:
        """Return about the smallest smoothing whose first pair of plans is within the condition.

        It is not so small that it would matter only if that pair were an equilibrium by chance.
        """
        tolerance = -_ROUNDING * self._scale
        to_gain = nash_conv_of_plan(self.game, self.plan)
        floor = max(_LEAST_SHARE * to_gain, _ROUNDING * self._scale) / max(*self._diameters, 1.0)
        good = self._scale / max(*self._diameters, 1.0)
        while self._begin(good) < tolerance and good < _LARGEST:
            good *= _COARSE
        bad = good / _COARSE
        while bad > floor and self._begin(bad) >= tolerance:
            good, bad = bad, bad / _COARSE
        for _ in range(_REFINEMENTS):
            middle = math.sqrt(good * bad)
            if self._begin(middle) < tolerance:
                bad = middle
            else:
                good = middle
        return good


def _copied(books: GradientBooks) -> GradientBooks:
    """Return books with the same weights, and copies of all that changes."""
    changing = (books.gradient, books.behavior, books.unmoved)
    return GradientBooks(books.dilation, *(book.copy() for book in changing))
