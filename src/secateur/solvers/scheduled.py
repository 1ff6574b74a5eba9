"""Runs whose iterations follow a schedule, which is made for some of them at a time."""

from __future__ import annotations

from abc import abstractmethod

from secateur import checks
from secateur.solvers.resumable import Resumable

MOST_AT_ONCE = 2**15
"""Iterations whose schedule is in memory at a time; blocks count them in 16 bits."""


class Scheduled(Resumable):
    """A run that takes many iterations in parts."""

    iteration: int

    def step(self, iterations: int = 1) -> None:
        """Run some iterations."""
        iterations = checks.ITERATIONS(f"step({checks.shown(iterations)})", iterations)
        last = self.iteration + iterations
        while self.iteration < last:
            self._iterate(min(last - self.iteration, MOST_AT_ONCE))

    @abstractmethod
    def _iterate(self, iterations: int) -> None:
        """Run so many iterations at once."""
