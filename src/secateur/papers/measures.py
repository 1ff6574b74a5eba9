"""Numbers drawn from runs, one for each kind of claim.

All compare curves at the same number of nodes touched. Except for noise, exploitability is the
lowest so far, as in the papers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import exp, log

from secateur.papers.curves import Curve
from secateur.papers.runs import Measurement, Run, Runs


class Measure(ABC):
    """One number of some curves."""

    @abstractmethod
    def of(self, runs: Runs) -> float:
        """Return the number."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What the number is."""


@dataclass(frozen=True)
class SpaceFactor(Measure):
    """How many times less space a curve uses at its end than the whole game."""

    curve: Curve

    def of(self, runs: Runs) -> float:
        """Return all entries over those live."""
        return 1.0 / _share(runs[self.curve][-1])

    @property
    def words(self) -> str:
        """What the number is."""
        return f"all entries over those live at the end: {self.curve}"


@dataclass(frozen=True)
class SpaceFactorGrowth(Measure):
    """How much the reduction of space still grows in the second half of a run."""

    curve: Curve

    def of(self, runs: Runs) -> float:
        """Return the space at half of the nodes over that at the end."""
        run = runs[self.curve]
        return _share(_at(run, 0.5 * run[-1].nodes_touched)) / _share(run[-1])

    @property
    def words(self) -> str:
        """What the number is."""
        return f"live entries after half of the nodes over those at the end: {self.curve}"


@dataclass(frozen=True)
class SpaceFactorRatio(Measure):
    """How many times larger the reduction of space is on one curve than on another."""

    larger: Curve
    smaller: Curve

    def of(self, runs: Runs) -> float:
        """Return the ratio of the factors at the end."""
        return SpaceFactor(self.larger).of(runs) / SpaceFactor(self.smaller).of(runs)

    @property
    def words(self) -> str:
        """What the number is."""
        return f"reduction factor at the end: {self.larger} over {self.smaller}"


@dataclass(frozen=True)
class EarlySpace(Measure):
    """The most that any of some curves uses after the first tenth of the nodes."""

    curves: tuple[Curve, ...]

    def of(self, runs: Runs) -> float:
        """Return the largest share of entries live."""
        return max(
            _share(_at(run, 0.1 * run[-1].nodes_touched))
            for run in map(runs.__getitem__, self.curves)
        )

    @property
    def words(self) -> str:
        """What the number is."""
        count = len(self.curves)
        return f"largest share of entries live after a tenth of the nodes, of {count} curves"


@dataclass(frozen=True)
class SpaceRatio(Measure):
    """How much more space one curve uses than another on the way, averaged over its snapshots."""

    larger: Curve
    smaller: Curve

    def of(self, runs: Runs) -> float:
        """Return the geometric mean of the ratio of live entries."""
        larger, smaller = runs[self.larger], runs[self.smaller]
        ratios = [_share(now) / _share(_at(smaller, now.nodes_touched)) for now in larger]
        return exp(sum(map(log, ratios)) / len(ratios))

    @property
    def words(self) -> str:
        """What the number is."""
        return f"live entries, mean of the run: {self.larger} over {self.smaller}"


@dataclass(frozen=True)
class ExploitabilityRatio(Measure):
    """How many times more exploitable one curve ends than another."""

    worse: Curve
    better: Curve

    def of(self, runs: Runs) -> float:
        """Return the ratio at the end."""
        worse, better = runs[self.worse][-1], runs[self.better][-1]
        return worse.lowest_exploitability / better.lowest_exploitability

    @property
    def words(self) -> str:
        """What the number is."""
        return f"exploitability at the end: {self.worse} over {self.better}"


@dataclass(frozen=True)
class Ahead(Measure):
    """How many times more exploitable the best of some curves ends than the worst of others."""

    ahead: tuple[Curve, ...]
    behind: tuple[Curve, ...]

    def of(self, runs: Runs) -> float:
        """Return the ratio at the end."""
        ahead, behind = (
            [runs[curve][-1].lowest_exploitability for curve in curves]
            for curves in (self.ahead, self.behind)
        )
        return min(behind) / max(ahead)

    @property
    def words(self) -> str:
        """What the number is."""
        behind, ahead = (
            curves[0] if len(curves) == 1 else f"the {which} of {len(curves)} curves"
            for curves, which in ((self.behind, "best"), (self.ahead, "worst"))
        )
        return f"exploitability at the end: {behind} over {ahead}"


@dataclass(frozen=True)
class ExploitabilitySpread(Measure):
    """How far apart some curves end."""

    curves: tuple[Curve, ...]

    def of(self, runs: Runs) -> float:
        """Return the largest exploitability over the smallest."""
        ends = [runs[curve][-1].lowest_exploitability for curve in self.curves]
        return max(ends) / min(ends)

    @property
    def words(self) -> str:
        """What the number is."""
        return f"largest exploitability at the end over the smallest, of {len(self.curves)} curves"


@dataclass(frozen=True)
class NodesRatio(Measure):
    """How many times more nodes one curve needs than another to the same exploitability.

    That is the lowest that both reach.
    """

    slower: Curve
    faster: Curve

    def of(self, runs: Runs) -> float:
        """Return the ratio of nodes."""
        slower, faster = runs[self.slower], runs[self.faster]
        target = max(run[-1].lowest_exploitability for run in (slower, faster))
        return _nodes_to(target, slower) / _nodes_to(target, faster)

    @property
    def words(self) -> str:
        """What the number is."""
        return (
            f"nodes to the lowest exploitability that both reach: {self.slower} over {self.faster}"
        )


@dataclass(frozen=True)
class NodesRatioGrowth(Measure):
    """How many times larger the ratio of nodes of two curves is in one game than in another.

    Pairs are of a slower and a faster curve.
    """

    larger: tuple[Curve, Curve]
    smaller: tuple[Curve, Curve]

    def of(self, runs: Runs) -> float:
        """Return the quotient of the ratios."""
        return NodesRatio(*self.larger).of(runs) / NodesRatio(*self.smaller).of(runs)

    @property
    def words(self) -> str:
        """What the number is."""
        first, second = self.larger[0].game, self.smaller[0].game
        return f"nodes to the same exploitability, ratio without and with: {first} over {second}"


@dataclass(frozen=True)
class EarlyLead(Measure):
    """How many times less exploitable one curve is than another early on, at best."""

    leader: Curve
    other: Curve

    def of(self, runs: Runs) -> float:
        """Return the largest ratio within the first tenth of the nodes."""
        leader, other = runs[self.leader], runs[self.other]
        early = [now for now in leader if now.nodes_touched <= 0.1 * leader[-1].nodes_touched]
        return max(
            _at(other, now.nodes_touched).lowest_exploitability / now.lowest_exploitability
            for now in early or leader[:1]
        )

    @property
    def words(self) -> str:
        """What the number is."""
        return (
            "exploitability, largest ratio within the first tenth of the nodes: "
            f"{self.other} over {self.leader}"
        )


@dataclass(frozen=True)
class Noise(Measure):
    """How far the exploitability of a curve rises above the lowest so far."""

    curve: Curve

    def of(self, runs: Runs) -> float:
        """Return the largest ratio after the first tenth of the nodes."""
        run = runs[self.curve]
        late = [now for now in run if now.nodes_touched >= 0.1 * run[-1].nodes_touched]
        return max(now.exploitability / now.lowest_exploitability for now in late)

    @property
    def words(self) -> str:
        """What the number is."""
        return (
            "largest exploitability over the lowest so far, after a tenth of the nodes: "
            f"{self.curve}"
        )


def _share(now: Measurement) -> float:
    return now.entries_live / now.entries_total


def _at(run: Run, nodes: float) -> Measurement:
    """Return the last measurement up to so many nodes, or the first if there is none."""
    return next((now for now in reversed(run) if now.nodes_touched <= nodes), run[0])


def _nodes_to(target: float, run: Run) -> float:
    """Return the nodes at which a run reaches an exploitability, between snapshots a power law."""
    after = next(index for index, now in enumerate(run) if now.lowest_exploitability <= target)
    there = run[after]
    if after == 0:
        return there.nodes_touched
    here = run[after - 1]
    fall = log(here.lowest_exploitability / there.lowest_exploitability)
    way = log(here.lowest_exploitability / target) / fall
    return here.nodes_touched * exp(way * log(there.nodes_touched / here.nodes_touched))
