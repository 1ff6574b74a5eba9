"""What runs of methods that follow gradients have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.gradient_books import (
    SPARE,
    Float,
    GradientBooks,
    GradientRoom,
    Visits,
    branches_of,
)
from secateur.metrics import best_response_value
from secateur.pruning import NoPruning, PartialPruning, Pruning
from secateur.solvers.resumable import Array, Resumable
from secateur.strategy import Strategy


def check_visits(name: str, pruning: Pruning) -> None:
    """Raise ParameterError if gradients cannot be computed with that pruning."""
    if not isinstance(pruning, NoPruning | PartialPruning):
        raise ParameterError(
            f"{name} with {type(pruning).__name__}: it has no regrets to prune by; "
            "use --prune partial or none, or --algorithm cfr."
        )


def payoff_scale(game: CompiledGame) -> float:
    """Return how large values are: a scale for rounding.

    That is the most that a pair of sequences earns, or that wins against the uniform strategy.
    """
    uniform = Strategy.uniform(game)
    wins = (abs(best_response_value(game, uniform, player)) for player in range(2))
    return max(float(np.abs(game.arrays.leaf_factor).max(initial=0.0)), *wins) or 1.0


class GradientState(Resumable):
    """A run that keeps gradients, responses to them, and plans."""

    _numbers = ("iteration", "_nodes_touched")

    def __init__(
        self, game: CompiledGame, pruning: Pruning, dilation: Float, *, count_nodes: bool
    ) -> None:
        self.game = game
        self.iteration = 0
        self.books = GradientBooks(
            np.append(dilation, np.ones(SPARE)),
            np.zeros(game.cells + SPARE),
            np.append(Strategy.uniform(game).probabilities, np.zeros(SPARE)),
        )
        self._branches = branches_of(game)
        self._room = GradientRoom.of(game)
        everything = isinstance(pruning, NoPruning)
        histories = (game.size.histories,) * 2
        self._visits = Visits(
            skip=not everything,
            counted=count_nodes and not everything,
            # player i's histories are those that the other's gradient visits
            roots=histories if everything else game.root_histories,
        )
        self._counts = count_nodes or everything
        self._nodes_touched = 0

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        if iterations < 1:
            raise ParameterError(f"step({iterations}): run at least one iteration.")
        self._nodes_touched += self._iterate(self.iteration + 1, self.iteration + iterations)
        self.iteration += iterations

    def _arrays(self) -> dict[str, Array]:
        return {"gradient": self.books.gradient, "behaviour": self.books.behaviour}

    def _iterate(self, first: int, last: int) -> int:
        """Run these iterations; return histories touched."""
        raise NotImplementedError

    @property
    def nodes_touched(self) -> int | None:
        """Histories visited by gradients so far; None if nobody asked to count them."""
        return int(self._nodes_touched) if self._counts else None

    @property
    def nodes_touched_overhead(self) -> int | None:
        """Histories visited besides: none."""
        return 0 if self._counts else None

    @property
    def regret_entries_live(self) -> int:
        """Sequences whose gradient is in use: all."""
        return self.game.cells

    @property
    def bytes_resident(self) -> int:
        """Bytes of the arrays that this run holds, without those of the compiled game."""
        parts: list[npt.NDArray[Any]] = [*self.books, *self._room, *self._plans]
        return sum(part.nbytes for part in parts)

    @property
    def _plans(self) -> tuple[Float, ...]:
        """Arrays that this run holds besides."""
        raise NotImplementedError
