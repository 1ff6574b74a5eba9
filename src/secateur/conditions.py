"""When a run ends: conditions that combine with ``|`` (either) and ``&`` (both).

They are made by the functions of :mod:`secateur.until`.
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from secateur.schema import Count, Duration, Share


class Snapshot(NamedTuple):
    """Where a run stands; a list of these is what ``pandas.DataFrame`` takes."""

    iteration: Count
    """The last one that was done."""

    seconds: Duration
    """Since the run began."""

    nash_conv: float
    """Of the strategy at this moment."""

    exploitability: float
    """Half of it."""

    nodes_touched: Count | None
    """Histories visited so far, if they are counted."""

    bytes_resident: Count
    """Of the solver's arrays and the compiled game."""

    alive: Share
    """Share of the regrets that are in use; 1 without best-response pruning."""

    space: Share
    """Share of the regrets and strategy sums, together, that are in use."""


class Kind(enum.StrEnum):
    """What sort of thing ended a run."""

    EXPLOITABILITY = "exploitability"
    ITERATIONS = "iterations"
    SECONDS = "seconds"
    NODES_TOUCHED = "nodes_touched"
    CONDITION = "condition"
    """Another condition, or several together."""

    EXACT = "exact"
    """The linear program was solved."""

    INEXACT = "inexact"
    """It was solved, but what it gives is further from an equilibrium than rounding explains."""

    INTERRUPTED = "interrupted"
    """By Ctrl-C."""

    TERMINATED = "terminated"
    """By SIGTERM."""


class Condition(ABC):
    """Says whether a run is over."""

    kind: ClassVar[Kind] = Kind.CONDITION

    @abstractmethod
    def met(self, now: Snapshot) -> bool:
        """Return whether the run may end here."""

    @abstractmethod
    def remaining(self, history: list[Snapshot]) -> float:
        """Return the seconds that the run will probably still take; infinity if unknown."""

    @property
    def sentence(self) -> str:
        """What has happened when it is met, in words."""
        return f"{self} was met"

    def ended_by(self, now: Snapshot) -> Condition | None:
        """Return which condition of those that this one is made of lets the run end here."""
        return self if self.met(now) else None

    @property
    def last_iteration(self) -> float:
        """The iteration after which the run ends in any case."""
        return math.inf

    @property
    def last_second(self) -> float:
        """The time after which the run ends in any case."""
        return math.inf

    @property
    def counts_nodes(self) -> bool:
        """Whether nodes must be counted to tell."""
        return False

    def __or__(self, other: Condition) -> Condition:
        return Either(self, other) if isinstance(other, Condition) else NotImplemented

    def __and__(self, other: Condition) -> Condition:
        return Both(self, other) if isinstance(other, Condition) else NotImplemented


@dataclass(frozen=True)
class _Pair(Condition):
    """Two conditions, and whether the earlier or the later of their ends counts."""

    first: Condition
    second: Condition

    @staticmethod
    @abstractmethod
    def _end(first: float, second: float) -> float:
        """Return which of two ends counts."""

    def remaining(self, history: list[Snapshot]) -> float:
        """Return the time of the one that counts."""
        return self._end(self.first.remaining(history), self.second.remaining(history))

    @property
    def last_iteration(self) -> float:
        """That of the one that counts."""
        return self._end(self.first.last_iteration, self.second.last_iteration)

    @property
    def last_second(self) -> float:
        """That of the one that counts."""
        return self._end(self.first.last_second, self.second.last_second)

    @property
    def counts_nodes(self) -> bool:
        """Whether one of them counts."""
        return self.first.counts_nodes or self.second.counts_nodes


@dataclass(frozen=True)
class Either(_Pair):
    """One of two conditions is met."""

    @staticmethod
    def _end(first: float, second: float) -> float:
        return min(first, second)

    def met(self, now: Snapshot) -> bool:
        """Return whether one is met."""
        return self.first.met(now) or self.second.met(now)

    def ended_by(self, now: Snapshot) -> Condition | None:
        """Return the first that is met."""
        return self.first.ended_by(now) or self.second.ended_by(now)


@dataclass(frozen=True)
class Both(_Pair):
    """Two conditions are met."""

    @staticmethod
    def _end(first: float, second: float) -> float:
        return max(first, second)

    def met(self, now: Snapshot) -> bool:
        """Return whether both are met."""
        return self.first.met(now) and self.second.met(now)

    @property
    def sentence(self) -> str:
        """Both sentences."""
        return f"{self.first.sentence} and {self.second.sentence}"


@dataclass(frozen=True)
class Iterations(Condition):
    """A number of iterations is done."""

    limit: int
    kind = Kind.ITERATIONS

    @property
    def sentence(self) -> str:
        """What has happened, in words."""
        many = f"{self.limit:,} iterations were" if self.limit > 1 else "1 iteration was"
        return f"{many} done"

    def met(self, now: Snapshot) -> bool:
        """Compare the iteration."""
        return now.iteration >= self.limit

    def remaining(self, history: list[Snapshot]) -> float:
        """Extrapolate the rate so far."""
        now = history[-1]
        return now.seconds / max(now.iteration, 1) * max(self.limit - now.iteration, 0)

    @property
    def last_iteration(self) -> float:
        """The limit."""
        return self.limit


@dataclass(frozen=True)
class Seconds(Condition):
    """An amount of time is spent."""

    limit: float
    kind = Kind.SECONDS

    @property
    def sentence(self) -> str:
        """What has happened, in words."""
        return f"{self.limit:g} second{'' if self.limit == 1 else 's'} had passed"

    def met(self, now: Snapshot) -> bool:
        """Compare the time."""
        return now.seconds >= self.limit

    def remaining(self, history: list[Snapshot]) -> float:
        """Return what is left."""
        return max(self.limit - history[-1].seconds, 0.0)

    @property
    def last_second(self) -> float:
        """The limit."""
        return self.limit


@dataclass(frozen=True)
class Exploitability(Condition):
    """Exploitability (half of NashConv) is at most a target."""

    target: float
    why: str = ""
    """Where the target comes from, if nobody has chosen it."""

    kind = Kind.EXPLOITABILITY

    @property
    def sentence(self) -> str:
        """What has happened, in words."""
        why = f", {self.why}," if self.why else ""
        return f"exploitability at most {self.target:.4g}{why} was reached"

    def met(self, now: Snapshot) -> bool:
        """Compare the exploitability."""
        return now.exploitability <= self.target

    def remaining(self, history: list[Snapshot]) -> float:
        """Extrapolate a straight line through time and exploitability, both in logarithms."""
        now = history[-1]
        before = next((s for s in history if s.seconds > 0.3 * now.seconds), now)
        gain = before.exploitability / max(now.exploitability, 1e-300)
        if gain <= 1.0 or before.seconds <= 0.0 or now.seconds <= before.seconds:
            return math.inf
        slope = math.log(now.seconds / before.seconds) / math.log(gain)
        exponent = slope * math.log(max(now.exploitability / self.target, 1.0))
        return now.seconds * math.expm1(exponent) if exponent < 100.0 else math.inf


@dataclass(frozen=True)
class NodesTouched(Condition):
    """A number of histories has been visited."""

    limit: int
    kind = Kind.NODES_TOUCHED

    @property
    def sentence(self) -> str:
        """What has happened, in words."""
        return f"{self.limit:,} nodes were touched"

    def met(self, now: Snapshot) -> bool:
        """Compare the count."""
        return now.nodes_touched is not None and now.nodes_touched >= self.limit

    def remaining(self, history: list[Snapshot]) -> float:
        """Extrapolate the rate so far."""
        now = history[-1]
        if not now.nodes_touched:
            return math.inf
        return now.seconds / now.nodes_touched * max(self.limit - now.nodes_touched, 0)

    @property
    def counts_nodes(self) -> bool:
        """Yes."""
        return True
