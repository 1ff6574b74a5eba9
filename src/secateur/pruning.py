"""What a solver may skip."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pruning:
    """A pruning policy."""


@dataclass(frozen=True)
class NoPruning(Pruning):
    """Visit the whole game for each player in every iteration."""


@dataclass(frozen=True)
class PartialPruning(Pruning):
    """Skip what the opponent does not reach; the result is the same to the last bit."""
