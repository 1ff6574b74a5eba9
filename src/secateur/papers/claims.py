"""A claim: its sentence, its number, how ours is measured, and when it holds."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from math import inf

from secateur.papers.measures import Measure
from secateur.papers.runs import Runs


class Verdict(enum.Enum):
    """What became of a claim."""

    HOLDS = "holds"
    PARTLY = "partly"
    DOES_NOT_HOLD = "does not hold"


@dataclass(frozen=True)
class Band:
    """Numbers from ``low`` to ``high``."""

    low: float = -inf
    high: float = inf

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    def __str__(self) -> str:
        if self.high == inf:
            return f"at least {self.low:.3g}"
        if self.low == -inf:
            return f"at most {self.high:.3g}"
        return f"{self.low:.3g} to {self.high:.3g}"


@dataclass(frozen=True)
class Claim:
    """Holds if the measured number is in one band, and partly if it is in a wider one."""

    sentence: str
    claimed: str
    """The number that is claimed, or the word for it."""

    measure: Measure
    holds: Band
    partly: Band

    @property
    def criterion(self) -> str:
        """The bands in words."""
        return f"{self.holds}; partly: {self.partly}"

    def judge(self, runs: Runs) -> Judgement:
        """Return our number and the verdict."""
        ours = self.measure.of(runs)
        if ours in self.holds:
            return Judgement(self, ours, Verdict.HOLDS)
        if ours in self.partly:
            return Judgement(self, ours, Verdict.PARTLY)
        return Judgement(self, ours, Verdict.DOES_NOT_HOLD)


@dataclass(frozen=True)
class Judgement:
    """A claim after the runs."""

    claim: Claim
    ours: float
    verdict: Verdict
