"""When a run ends: conditions that combine with ``|`` (either) and ``&`` (both).

::

    exploitability(1e-3) | seconds(60)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from secateur.errors import ParameterError


class Snapshot(NamedTuple):
    """Where a run stands; a list of these is what ``pandas.DataFrame`` takes."""

    iteration: int
    seconds: float
    nash_conv: float
    exploitability: float
    nodes_touched: int | None
    bytes_resident: int
    alive: float
    """Share of the regrets that are in use; 1 without best-response pruning."""

    space: float
    """Share of the regrets and strategy sums, together, that are in use."""


class Condition(ABC):
    """Says whether a run is over."""

    @abstractmethod
    def met(self, now: Snapshot) -> bool:
        """Return whether the run may end here."""

    @abstractmethod
    def remaining(self, history: list[Snapshot]) -> float:
        """Return the seconds that the run will probably still take; infinity if unknown."""

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
        return Either(self, other)

    def __and__(self, other: Condition) -> Condition:
        return Both(self, other)


@dataclass(frozen=True)
class Either(Condition):
    """One of two conditions is met."""

    first: Condition
    second: Condition

    def met(self, now: Snapshot) -> bool:
        """Return whether one is met."""
        return self.first.met(now) or self.second.met(now)

    def remaining(self, history: list[Snapshot]) -> float:
        """Return the shorter time."""
        return min(self.first.remaining(history), self.second.remaining(history))

    @property
    def last_iteration(self) -> float:
        """The earlier one."""
        return min(self.first.last_iteration, self.second.last_iteration)

    @property
    def last_second(self) -> float:
        """The earlier one."""
        return min(self.first.last_second, self.second.last_second)

    @property
    def counts_nodes(self) -> bool:
        """Whether one of them counts."""
        return self.first.counts_nodes or self.second.counts_nodes


@dataclass(frozen=True)
class Both(Condition):
    """Two conditions are met."""

    first: Condition
    second: Condition

    def met(self, now: Snapshot) -> bool:
        """Return whether both are met."""
        return self.first.met(now) and self.second.met(now)

    def remaining(self, history: list[Snapshot]) -> float:
        """Return the longer time."""
        return max(self.first.remaining(history), self.second.remaining(history))

    @property
    def last_iteration(self) -> float:
        """The later one."""
        return max(self.first.last_iteration, self.second.last_iteration)

    @property
    def last_second(self) -> float:
        """The later one."""
        return max(self.first.last_second, self.second.last_second)

    @property
    def counts_nodes(self) -> bool:
        """Whether one of them counts."""
        return self.first.counts_nodes or self.second.counts_nodes


@dataclass(frozen=True)
class Iterations(Condition):
    """A number of iterations is done."""

    limit: int

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


def iterations(limit: int) -> Condition:
    """Stop after that many iterations."""
    if limit < 1:
        raise ParameterError(f"iterations({limit}): run at least one iteration.")
    return Iterations(int(limit))


def seconds(limit: float) -> Condition:
    """Stop after that much time, at the end of an iteration."""
    if not limit > 0.0:
        raise ParameterError(f"seconds({limit}): give the run some time, more than 0 seconds.")
    return Seconds(float(limit))


def exploitability(target: float) -> Condition:
    """Stop when exploitability, half of NashConv, is at most ``target``."""
    if not 0.0 < target < math.inf:
        raise ParameterError(
            f"exploitability({target}): use a target above 0; iterations only approach an exact "
            "equilibrium (the exact solver finds one)."
        )
    return Exploitability(float(target))


DEFAULT_LIMIT = exploitability(1e-3)
"""Where runs end for which nobody has said when."""


def nodes_touched(limit: int) -> Condition:
    """Stop when that many histories have been visited."""
    if limit < 1:
        raise ParameterError(f"nodes_touched({limit}): visit at least one history.")
    return NodesTouched(int(limit))
