"""One module for each solver; each has a class ``Runner``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.games import GameFiles
    from benchmarks.sequence_form import Floats, SequenceForm


class IterativeRunner(ABC):
    """CFR+ of one library, on one game; making it sets the game up."""

    @abstractmethod
    def __init__(self, files: GameFiles) -> None:
        """Read the game and make the solver ready for its first iteration."""

    @abstractmethod
    def step(self, iterations: int) -> None:
        """Run so many iterations, average included, and nothing else."""

    @abstractmethod
    def average(self, form: SequenceForm) -> tuple[Floats, Floats]:
        """Return the average strategies as plans for the judge."""

    @abstractmethod
    def own_nash_conv(self) -> float:
        """Return the NashConv of the average strategy by the library's own evaluation."""


class DirectRunner(ABC):
    """A solver that finds the solution in one go."""

    @abstractmethod
    def __init__(self, files: GameFiles) -> None:
        """Read the game and state the problem."""

    @abstractmethod
    def solve(self, seconds: float) -> tuple[Floats, Floats] | None:
        """Return a solution as plans, None if it takes longer than the seconds given."""
