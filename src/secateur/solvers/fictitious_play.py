"""Fictitious play in extensive form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.errors import ParameterError
from secateur.kernels.fictitious_play.books import FictitiousBooks, FictitiousRoom, bounds_of
from secateur.kernels.fictitious_play.iterate import iterate_fictitious_play
from secateur.kernels.fictitious_play.pruning import count_open, settle_everything
from secateur.metrics import nash_conv, nash_conv_of_plan
from secateur.pruning import (
    BestResponsePruning,
    NoPruning,
    PartialPruning,
    Pruning,
    a_pruning,
)
from secateur.solvers.gradient import GradientState, payoff_scale
from secateur.solvers.holdings import arrays_in
from secateur.solvers.resumable import Array
from secateur.strategy import Strategy

_TIE = 1e-12
"""Average values that differ by less, for the largest payoffs, differ by rounding."""

_MINIMUM_SKIP = 400.0
"""A strategy that is faced is pure, and averages reach much more: evaluations must be rare."""


@final
@dataclass(frozen=True)
class FictitiousPlay:
    """Fictitious play (Brown, 1951): each player best-responds to the other's average so far.

    Both begin with the uniform strategy, which counts as the first iteration, and move at the same
    time. Best responses are pure, so an iteration reaches little of the game; among equal actions
    the first is played. The average converges to an equilibrium, slowly.

    Parameters
    ----------
    pruning : Pruning
        Partial pruning leaves out what the opponent does not reach. Best-response pruning leaves
        out own actions, too, while they cannot be best responses (Brown and Sandholm, 2017,
        section 5, name the combination without equations); what is played is the same but for
        rounding. Of its parameters ``minimum_skip`` (400 if not given), ``restart`` and
        ``check_every`` count here; sums of strategies are all kept.
    count_nodes : bool
        Count the histories touched. Without pruning that costs nothing and is always done.
    """

    pruning: Pruning = field(default_factory=PartialPruning)
    count_nodes: bool = False
    needs_branches: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.check_fields(self, pruning=a_pruning, count_nodes=checks.flag)
        if not isinstance(self.pruning, NoPruning | PartialPruning | BestResponsePruning):
            raise ParameterError(
                f"fictitious play with {type(self.pruning).__name__}: it has no regrets to prune "
                "by; use BestResponsePruning(), PartialPruning() or NoPruning(), or recipes.cfr()."
            )
        if isinstance(self.pruning, BestResponsePruning):
            usual = BestResponsePruning()
            for name in ("discard", "discard_rule", "softness", "evaluations"):
                chosen = getattr(self.pruning, name)
                if chosen != getattr(usual, name):
                    raise ParameterError(
                        f"fictitious play with BestResponsePruning({name}={chosen!r}): it plays "
                        f"exact best responses and keeps all strategies; leave {name} out."
                    )

    @property
    def needs_bounds(self) -> bool:
        """Whether games must be compiled for pruning."""
        return self.pruning.needs_bounds

    @property
    def kernel_seconds(self) -> int:
        """About how long its kernels take to compile, pruning included in any case."""
        return 13

    def start(self, game: CompiledGame) -> FictitiousPlayState:
        """Return the state before the first iteration."""
        game = checked_game("start", game)
        if self.needs_bounds and game.pruning is None:
            raise ParameterError(
                f"fictitious play with BestResponsePruning on {game}: it was not compiled for "
                "pruning; use compile(game, pruning=True)."
            )
        return FictitiousPlayState(self, game)

    def memory_estimate(self, game: CompiledGame) -> int:
        """Return the bytes that a state will take (but for small stacks), without allocating it."""
        return 25 * game.cells

    def memory_beside(self, game: CompiledGame) -> int:
        """Return the bytes that a run takes for a while beside its state, at its start or end."""
        return 28 * game.cells  # measured 26

    def in_words(self) -> list[str]:
        """Return what was chosen besides pruning: there is nothing else to choose."""
        return []


@final
class FictitiousPlayState(GradientState):
    """A run of fictitious play: values of best responses, and sums of the strategies played."""

    def __init__(self, solver: FictitiousPlay, game: CompiledGame) -> None:
        super().__init__(game, solver.pruning, count_nodes=solver.count_nodes)
        self.solver = solver
        self.books = FictitiousBooks(
            np.zeros(game.cells),
            Strategy.uniform(game).probabilities.copy(),
            np.zeros(game.cells),
            np.zeros(game.cells, np.int8),
        )
        self._bounds = bounds_of(game)
        self._room = FictitiousRoom.of(game)
        self._tie = _TIE * payoff_scale(game)

    @property
    def strategy_sum(self) -> npt.NDArray[np.float64]:
        """The sum of the plans played."""
        if self.iteration == 0:
            return np.zeros(self.game.cells)
        self._settle()
        return self.books.counts + Strategy.uniform(self.game).plan

    def _settle(self) -> None:
        """Bring counts up to date that lag behind, so that equal runs have equal books."""
        if self.solver.needs_bounds and self.iteration > 0:
            for me in range(2):
                settle_everything(self.game.arrays, me, self.iteration, self.books, self._room)

    def average_strategy(self) -> Strategy:
        """Return the average strategy, which converges to an equilibrium."""
        return Strategy.from_plan(self.game, self.strategy_sum)

    def current_strategy(self) -> Strategy:
        """Return the best responses that the next iteration plays.

        Behind pruned actions they are what they once were; nobody gets there.
        """
        return Strategy.trusted(self.game, self.books.behavior.copy())

    def nash_conv(self) -> float:
        """Return NashConv of the average strategy."""
        if self.iteration == 0:
            return nash_conv(self.game, self.average_strategy())
        return nash_conv_of_plan(self.game, self.strategy_sum, 1.0 / self.iteration)

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose values are in use."""
        arrays = self.game.arrays
        return sum(int(count_open(arrays, me, self.books, self._room)) for me in range(2))

    @property
    def strategy_entries_live(self) -> int:
        """Sequences that the average strategy plays."""
        return int(np.count_nonzero(self.strategy_sum))

    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game."""
        own = {"nodes": self._nodes} | self.books._asdict()
        return own | arrays_in("room", self._room)

    def _arrays(self) -> dict[str, Array]:
        self._settle()
        return super()._arrays() | self.books._asdict()

    def _iterate(self, first: int, last: int) -> None:
        pruning = self.solver.pruning
        if not isinstance(pruning, BestResponsePruning):
            self._run(first, last, search=False, limits=(self._tie, 1.0, 1.0))
            return
        minimum_skip = float(pruning.minimum_skip or _MINIMUM_SKIP)
        limits = (self._tie, max(1.0, pruning.restart * minimum_skip), minimum_skip)
        while first <= last:
            check = pruning.next_check(first - 1)
            self._run(first, min(last, check), search=check <= last, limits=limits)
            first = check + 1

    def _run(
        self, first: int, last: int, *, search: bool, limits: tuple[float, float, float]
    ) -> None:
        iterate_fictitious_play(
            self.game.arrays,
            self._bounds,
            first,
            last,
            self.solver.needs_bounds,
            search,
            limits,
            self._visits,
            self.books,
            self._room,
            self._nodes,
        )
