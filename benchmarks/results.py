"""What the workers measured, and the numbers drawn from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any

US = "secateur"


@dataclass
class Measured:
    """All measurements of one solver on one game."""

    speeds: list[dict[str, Any]] = field(default_factory=list)
    """One for each round."""

    convergence: dict[str, Any] | None = None
    solution: dict[str, Any] | None = None
    failure: str | None = None

    @property
    def iteration(self) -> float | None:
        """Seconds per iteration: median over the batches of all rounds."""
        return _median([each for speed in self.speeds for each in speed["iterations"]])

    @property
    def set_up(self) -> float | None:
        """Seconds to read the game and make the solver ready."""
        alone = [self.solution["set_up"]] if self.solution else []
        return _median([speed["set_up"] for speed in self.speeds] + alone)

    @property
    def warm_up(self) -> float | None:
        """Seconds that the first batch took, compilation included."""
        return _median([speed["warm_up"] for speed in self.speeds])

    def memory(self, kind: str) -> float | None:
        """Return bytes above the idle interpreter; ``kind`` is ``steady`` or ``peak``."""
        measured = [*self.speeds, *([self.solution] if self.solution else [])]
        return _median(
            [each["memory"][kind] for each in measured if kind in (each["memory"] or {})]
        )

    def seconds_to(self, target: float) -> float | None:
        """Return seconds to a NashConv, None if it was not reached."""
        if self.solution and self.solution.get("nash_conv", 1.0) <= target:
            return self.solution["seconds"]
        run = self.reached(target)
        return run["seconds"] if run else None

    def reached(self, target: float) -> dict[str, Any] | None:
        """Return iterations and seconds to a NashConv, None if it was not reached."""
        return self.convergence["reached"].get(str(target)) if self.convergence else None

    @property
    def busy(self) -> float:
        """Wall time over processor time; above 1 the core was shared."""
        return max((speed["wall_per_processor"] for speed in self.speeds), default=1.0)


def speed_ratio(peer: Measured, us: Measured) -> float | None:
    """Return the median over rounds of the peer's time per iteration over ours.

    A round runs all solvers one after another, so a slow hour of the machine hits both sides.
    """
    pairs = zip(peer.speeds, us.speeds, strict=False)
    return _median([median(p["iterations"]) / median(u["iterations"]) for p, u in pairs])


def quotient(peer: float | None, us: float | None) -> float | None:
    """Return a ratio where both numbers exist."""
    return None if peer is None or not us else peer / us


def _median(values: list[float]) -> float | None:
    return median(values) if values else None
