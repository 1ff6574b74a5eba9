"""Numbers drawn from runs, one function for each kind of claim.

All but one compare curves at the same number of nodes touched. Except for noise, exploitability is
the lowest so far, as in the papers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

from secateur.papers.curves import Curve
from secateur.papers.runs import Measurement, Run, Runs


@dataclass(frozen=True)
class Measure:
    """One number of some curves."""

    words: str
    """What the number is."""

    curves: tuple[Curve, ...]
    find: Callable[..., float]
    """Takes the runs of the curves, in their order."""

    def of(self, runs: Runs) -> float:
        """Return the number."""
        return self.find(*(runs[curve] for curve in self.curves))


def space_factor(curve: Curve) -> Measure:
    """How many times less space a curve uses at its end than the whole game."""
    words = f"all entries over those live at the end: {curve}"
    return Measure(words, (curve,), _space_factor)


def space_factor_growth(curve: Curve) -> Measure:
    """How much the reduction of space still grows in the second half of a run."""
    words = f"live entries after half of the nodes over those at the end: {curve}"
    return Measure(words, (curve,), lambda run: _share(_at(run, 0.5)) / _share(run[-1]))


def space_factor_ratio(larger: Curve, smaller: Curve) -> Measure:
    """How many times larger the reduction of space is on one curve than on another."""
    words = f"reduction factor at the end: {larger} over {smaller}"
    return Measure(words, (larger, smaller), lambda a, b: _space_factor(a) / _space_factor(b))


def early_space(*curves: Curve) -> Measure:
    """Return the most that any of some curves uses after the first tenth of the nodes."""
    count = len(curves)
    words = f"largest share of entries live after a tenth of the nodes, of {count} curves"
    return Measure(words, curves, lambda *runs: max(_share(_at(run, 0.1)) for run in runs))


def space_ratio(larger: Curve, smaller: Curve) -> Measure:
    """How much more space one curve uses than another: the geometric mean over its snapshots."""

    def find(larger: Run, smaller: Run) -> float:
        ratios = [_share(now) / _share(_up_to(smaller, now.nodes_touched)) for now in larger]
        return exp(sum(map(log, ratios)) / len(ratios))

    words = f"live entries, mean of the run: {larger} over {smaller}"
    return Measure(words, (larger, smaller), find)


def exploitability_ratio(worse: Curve, better: Curve) -> Measure:
    """How many times more exploitable one curve ends than another."""
    words = f"exploitability at the end: {worse} over {better}"
    return Measure(words, (worse, better), lambda worse, better: _end(worse) / _end(better))


def late_fall(curve: Curve) -> Measure:
    """How far the exploitability of a curve falls after the first tenth of its nodes."""
    words = f"exploitability after a tenth of the nodes over that at the end: {curve}"
    return Measure(words, (curve,), lambda run: _at(run, 0.1).lowest_exploitability / _end(run))


def lead(ahead: tuple[Curve, ...], behind: tuple[Curve, ...]) -> Measure:
    """How many times more exploitable the best of some curves ends than the worst of others."""

    def find(*runs: Run) -> float:
        ends = [_end(run) for run in runs]
        return min(ends[len(ahead) :]) / max(ends[: len(ahead)])

    first, second = (
        curves[0] if len(curves) == 1 else f"the {which} of {len(curves)} curves"
        for curves, which in ((behind, "best"), (ahead, "worst"))
    )
    return Measure(f"exploitability at the end: {first} over {second}", (*ahead, *behind), find)


def exploitability_spread(*curves: Curve) -> Measure:
    """How far apart some curves end."""
    words = f"largest exploitability at the end over the smallest, of {len(curves)} curves"
    return Measure(words, curves, lambda *runs: max(map(_end, runs)) / min(map(_end, runs)))


def nodes_ratio(slower: Curve, faster: Curve) -> Measure:
    """How many times more nodes one curve needs than another to the same exploitability.

    That is the lowest that both reach.
    """
    words = f"nodes to the lowest exploitability that both reach: {slower} over {faster}"
    return Measure(words, (slower, faster), _nodes_ratio)


def nodes_to_nash_conv(target: float, slower: Curve, faster: Curve) -> Measure:
    """How many times more nodes one curve needs than another to a NashConv.

    If they do not both reach it, to the lowest that both reach.
    """

    def find(slower: Run, faster: Run) -> float:
        goal = max(0.5 * target, _end(slower), _end(faster))
        return _nodes_to(goal, slower) / _nodes_to(goal, faster)

    words = (
        f"nodes to NashConv {target:g}, or to the lowest that both reach: {slower} over {faster}"
    )
    return Measure(words, (slower, faster), find)


def equal_iterations_ratio(worse: Curve, better: Curve) -> Measure:
    """How many times more exploitable one curve is than another after as many iterations.

    These are the last that both have run.
    """

    def find(worse: Run, better: Run) -> float:
        last = min(worse[-1].iteration, better[-1].iteration)
        return _after(last, worse) / _after(last, better)

    words = f"NashConv after the last iteration that both run: {worse} over {better}"
    return Measure(words, (worse, better), find)


def nodes_ratio_growth(larger: tuple[Curve, Curve], smaller: tuple[Curve, Curve]) -> Measure:
    """How many times larger the ratio of nodes of two curves is in one game than in another.

    Pairs are of a slower and a faster curve.
    """
    first, second = larger[0].game, smaller[0].game
    words = f"nodes to the same exploitability, ratio without and with: {first} over {second}"
    return Measure(
        words,
        (*larger, *smaller),
        lambda *runs: _nodes_ratio(*runs[:2]) / _nodes_ratio(*runs[2:]),
    )


def early_lead(leader: Curve, other: Curve) -> Measure:
    """How many times less exploitable one curve is than another early on, at best."""

    def find(leader: Run, other: Run) -> float:
        early = [now for now in leader if now.nodes_touched <= 0.1 * leader[-1].nodes_touched]
        return max(
            _up_to(other, now.nodes_touched).lowest_exploitability / now.lowest_exploitability
            for now in early or leader[:1]
        )

    words = "exploitability, largest ratio within the first tenth of the nodes"
    return Measure(f"{words}: {other} over {leader}", (leader, other), find)


def noise(curve: Curve) -> Measure:
    """How far the exploitability of a curve rises above the lowest so far."""

    def find(run: Run) -> float:
        late = [now for now in run if now.nodes_touched >= 0.1 * run[-1].nodes_touched]
        return max(now.exploitability / now.lowest_exploitability for now in late)

    words = "largest exploitability over the lowest so far, after a tenth of the nodes"
    return Measure(f"{words}: {curve}", (curve,), find)


def _share(now: Measurement) -> float:
    return now.entries_live / now.entries_total


def _space_factor(run: Run) -> float:
    return 1.0 / _share(run[-1])


def _end(run: Run) -> float:
    return run[-1].lowest_exploitability


def _up_to(run: Run, nodes: float) -> Measurement:
    """Return the last measurement up to so many nodes, or the first if there is none."""
    return next((now for now in reversed(run) if now.nodes_touched <= nodes), run[0])


def _at(run: Run, share: float) -> Measurement:
    """Return where a run stood after a share of its nodes."""
    return _up_to(run, share * run[-1].nodes_touched)


def _nodes_ratio(slower: Run, faster: Run) -> float:
    target = max(_end(slower), _end(faster))
    return _nodes_to(target, slower) / _nodes_to(target, faster)


def _after(iteration: int, run: Run) -> float:
    """Return the exploitability after so many iterations, between snapshots a power law."""
    after = next(index for index, now in enumerate(run) if now.iteration >= iteration)
    here, there = run[max(0, after - 1)], run[after]
    if here.iteration == there.iteration:
        return there.lowest_exploitability
    way = log(iteration / here.iteration) / log(there.iteration / here.iteration)
    fall = log(there.lowest_exploitability / here.lowest_exploitability)
    return here.lowest_exploitability * exp(way * fall)


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
