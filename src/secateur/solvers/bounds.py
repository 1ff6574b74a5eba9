"""What pruning needs to know about the payoffs of a game."""

from __future__ import annotations

from secateur.compiled.arrays import PruningArrays


def payoff_range(bounds: PruningArrays) -> float:
    """Return how far apart payoffs can be: a scale for rounding errors."""
    return float(bounds.upper.max(initial=0.0) - bounds.lower.min(initial=0.0))
