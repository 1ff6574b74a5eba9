"""Dynamic thresholding: small probabilities are set to zero.

The thresholds are those of two theorems of Brown, Kroer and Sandholm (2017), with C >= 1: the
regret bounds of Hedge and of regret matching grow at most by the factor C.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

Threshold = Callable[[int, int], float]
"""From |A(I)| and the iteration t that is about to be played to the threshold."""


def no_threshold(actions: int, t: int) -> float:
    """Cut nothing."""
    return 0.0


def threshold_of_hedge(factor: float) -> Threshold:
    """Theorem 1: (C - 1) sqrt(ln |A|) / (sqrt(2) |A|^2 sqrt(t))."""
    return lambda actions, t: (factor - 1) * sqrt(log(actions)) / (sqrt(2) * actions**2 * sqrt(t))


def threshold_of_regret_matching(factor: float) -> Threshold:
    """Theorem 2: (C^2 - 1) / (2 C |A|^2 sqrt(t))."""
    return lambda actions, t: (factor**2 - 1) / (2 * factor * actions**2 * sqrt(t))


def thresholded(strategy: list[float], threshold: float) -> list[float]:
    """Set probabilities of at most the threshold to zero, the rest in proportion to sum to one.

    The largest are kept: for a large C the threshold may exceed them all.
    """
    largest = max(strategy)
    kept = [p if p > threshold or p == largest else 0.0 for p in strategy]
    if kept == strategy:
        return kept
    return [p / sum(kept) for p in kept]
