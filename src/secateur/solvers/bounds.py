"""What pruning needs to know about the payoffs of a game."""

from __future__ import annotations

import numpy as np

from secateur.compiled.arrays import PruningArrays


def payoff_range(bounds: PruningArrays) -> float:
    """Return how far apart payoffs can be: a scale for rounding errors."""
    most = bounds.payoffs[np.unique(bounds.upper)].max(initial=0.0)
    least = bounds.payoffs[np.unique(bounds.lower)].min(initial=0.0)
    return float(most - least)
