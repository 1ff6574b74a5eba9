"""What runs of methods that follow gradients have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from secateur import checks
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.core.pieces import Turn
from secateur.kernels.gradients.books import (
    SPARE,
    Desk,
    Float,
    GradientBooks,
    GradientPieces,
    GradientRoom,
    Visits,
    branches_of,
)
from secateur.kernels.gradients.programs import Program, run
from secateur.metrics import best_response_value
from secateur.pruning import NoPruning, PartialPruning, Pruning
from secateur.solvers.holdings import arrays_in
from secateur.solvers.resumable import Array, Resumable
from secateur.strategy import Strategy
from secateur.sweeping import Sweeps

KERNEL_SECONDS = 15
"""About how long the kernels of methods that follow gradients take to compile."""


def check_visits(name: str, pruning: Pruning) -> None:
    """Raise ParameterError if gradients cannot be computed with that pruning."""
    if not isinstance(pruning, NoPruning | PartialPruning):
        raise ParameterError(
            f"{name} with {type(pruning).__name__}: it has no regrets to prune by; "
            "use PartialPruning() or NoPruning(), or recipes.cfr()."
        )


def payoff_scale(game: CompiledGame) -> float:
    """Return how large values are: a scale for rounding.

    That is the most that a pair of sequences earns, or that wins against the uniform strategy.
    """
    uniform = Strategy.uniform(game)
    wins = (abs(best_response_value(game, uniform, player)) for player in range(2))
    factors = game.arrays.factors[np.unique(game.arrays.leaf_factor)]
    return max(float(np.abs(factors).max(initial=0.0)), *wins) or 1.0


class GradientState(Resumable):
    """A run whose sweeps visit a player's whole game for a plan of the opponent."""

    _numbers: ClassVar[tuple[str, ...]] = ("iteration",)

    def __init__(self, game: CompiledGame, pruning: Pruning, *, count_nodes: bool) -> None:
        self.game = game
        self.iteration = 0
        everything = not pruning.skips_unreached
        histories = (game.size.histories,) * 2
        self._visits = Visits(
            skip=not everything,
            counted=count_nodes and not everything,
            # player i's histories are those that the other's gradient visits
            roots=histories if everything else game.root_histories,
        )
        self._counts = count_nodes or everything
        self._nodes = np.zeros(2)
        """Histories visited by sweeps, and to evaluate what was pruned."""

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        iterations = checks.ITERATIONS(f"step({checks.shown(iterations)})", iterations)
        self._iterate(self.iteration + 1, self.iteration + iterations)
        self.iteration += iterations

    def _arrays(self) -> dict[str, Array]:
        return {"nodes": self._nodes}

    @abstractmethod
    def _iterate(self, first: int, last: int) -> None:
        """Run these iterations; add to the histories visited."""

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited so far; None if nobody asked to count them."""
        return round(self._nodes.sum()) if self._counts else None

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Those visited to evaluate what was pruned."""
        return round(self._nodes[1]) if self._counts else None

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose gradient is in use: all."""
        return self.game.cells


class RespondingState(GradientState):
    """A run made of smoothed responses, which threads find together."""

    def __init__(self, game: CompiledGame, pruning: Pruning, *, count_nodes: bool) -> None:
        super().__init__(game, pruning, count_nodes=count_nodes)
        self._branches = branches_of(game)
        self._sweeps = Sweeps(game, GradientRoom.of)
        self._there = GradientPieces.of(self._sweeps.pieces)

    def _desk(self, plans: tuple[Float, Float], books: tuple[GradientBooks, GradientBooks]) -> Desk:
        """Return what threads share that work on some plans and books."""
        return Desk(plans, books, self._visits, self._sweeps.pieces, self._there)

    def _run_program(self, program: Program, desk: Desk) -> float:
        """Have all threads do something; count histories, and return the value."""
        given = self.game.arrays, self._branches, program, desk

        def call(turn: Turn, room: GradientRoom) -> tuple[float, float]:
            found: tuple[float, float] = run(*given, turn, room)
            return found

        value, nodes = self._sweeps.run(Turn(0, 1), call)
        self._nodes[0] += nodes
        return float(value)

    def _held_by_sweeps(self) -> dict[str, Array]:
        return arrays_in("sweeps", self._sweeps.held()) | arrays_in("there", self._there)


def gradient_books(game: CompiledGame, dilation: Float) -> GradientBooks:
    """Return books with no gradient yet, and uniform responses."""
    return GradientBooks(
        np.append(dilation, np.ones(SPARE)),
        np.zeros(game.cells + SPARE),
        np.append(Strategy.uniform(game).probabilities, np.zeros(SPARE)),
        np.zeros(2),
    )
