"""When to evaluate a solver that runs: the same iterations for all."""

from __future__ import annotations

from collections.abc import Iterator

GROWTH = 1.05
"""Checkpoints grow by this factor, so no solver runs more than 5 % past its target."""


def checkpoints(watched: tuple[int, ...] = ()) -> Iterator[int]:
    """Yield growing numbers of iterations without end, those watched among them."""
    pending = sorted(watched)
    checkpoint = 0
    while True:
        following = max(checkpoint + 1, int(checkpoint * GROWTH))
        if pending and pending[0] <= following:
            following = pending.pop(0)
        checkpoint = following
        yield checkpoint
