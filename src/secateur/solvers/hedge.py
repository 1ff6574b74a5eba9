"""What a run with Hedge keeps besides regrets and strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.regret_minimizers.hedge import HedgeBooks, payoff_ranges
from secateur.minimizers import Hedge

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR

_ROW = 2048
"""Exponentials at a time: many, but no more than the first-level cache holds."""

_NOTHING = np.zeros(0)

NO_HEDGE = HedgeBooks(_NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING, adaptive=False)
"""For kernels that always ask for books."""


def hedge_books(solver: CFR, game: CompiledGame) -> HedgeBooks | None:
    """Return empty books for a run with Hedge; None for other minimizers."""
    if not isinstance(solver.minimizer, Hedge):
        return None
    if game.pruning is None:
        raise ParameterError(
            f"Hedge on {game}: its learning rates need the range of payoffs, for which it was not "
            "compiled; use compile(game, pruning=True)."
        )
    infosets = game.size.information_sets
    largest = (game.arrays.actions.astype(np.int64) * game.arrays.lanes).max()
    payoff_range = np.zeros(infosets)
    payoff_ranges(game.arrays, game.pruning, payoff_range)
    return HedgeBooks(
        value_sum=np.zeros(infosets),
        square_sum=np.zeros(infosets),
        payoff_range=payoff_range,
        log_actions=np.log(np.maximum(np.arange(game.arrays.actions.max() + 1.0), 1.0)),
        row=np.zeros(max(_ROW, int(largest))),
        adaptive=solver.minimizer.learning_rate == "variance",
    )
