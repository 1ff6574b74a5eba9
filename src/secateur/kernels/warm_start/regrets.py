"""Regrets for a run that begins with a strategy (``docs/warm-start.md`` derives them).

Each information set has a *scale*: what may be won or lost by its decisions, weighted by how likely
chance and the opponent come there, times the root of the number of actions. Regrets of an iteration
are never longer, as vectors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import LEAST_NORM, U
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes
from secateur.kernels.core.walk import begin, nothing_at, visitor, walk

Float = npt.NDArray[np.float64]

_STEPS = 50
_PRECISE = 1e-13
"""Steps of Newton's method, which needs four or five, and when it has come far enough."""


@part
def _leave_scales(visit, tally, g, me, block, w):
    """Write the scales of a block's information sets."""
    p = visit.p
    reach_of_lanes(g, p, me, block, w.reach, visit.lane_reach)
    at = block_at(g, block)
    for lane in range(at.lanes):
        least = p.payoffs[U(p.lower[U(at.infoset + lane)])]
        most = least
        for a in range(at.actions):
            most = max(most, p.payoffs[U(p.upper[U(at.cell + a * at.lanes + lane)])])
        weighted = visit.lane_reach[U(at.slot + lane)] * (most - least)
        visit.scales[U(at.infoset + lane)] = weighted * at.actions**0.5
    return tally


@visitor(ends=nothing_at, leave=_leave_scales)
class _Scale(NamedTuple):
    """The opponent's plan, and where scales go."""

    plan: Float
    scale: float
    p: PruningArrays
    scales: Float
    lane_reach: Float


@kernel
def write_scales(g, p, me, plan, scales, lane_reach, w):
    """Write the scales of ``me``'s information sets that the opponent's ``plan`` reaches."""
    begin(w, 1.0)
    walk(g, me, _Scale(plan, 1.0, p, scales, lane_reach), 0, w)


@stage
def nearly_best(value, slot, stride, actions, allowance):
    """Return the least that a response may win if its regrets are at most ``allowance`` long.

    That is the least x with ``sum of max(0, value - x)^2 <= allowance^2``, but no less than the
    worst value. The length of the regrets is a convex function of x, so Newton's method comes to it
    from below.
    """
    best = value[U(slot)]
    worst = best
    for a in range(1, actions):
        best = max(best, value[U(slot + a * stride)])
        worst = min(worst, value[U(slot + a * stride)])
    if allowance <= 0.0:
        return best
    x = best - allowance
    for _ in range(_STEPS):
        total = 0.0
        squares = 0.0
        for a in range(actions):
            regret = max(0.0, value[U(slot + a * stride)] - x)
            total += regret
            squares += regret * regret
        if total < LEAST_NORM:
            break
        length = squares**0.5
        step = (length - allowance) * length / total
        x += step
        if step <= _PRECISE * allowance:
            break
    return max(worst, x)


@part
def _leave_substituted(visit, tally, g, _me, block, w):
    """Fold nearly best values into the parents; keep the regrets that they leave, if asked to."""
    value, regret = w.value, visit.regret
    keep = len(regret) > 0
    at = block_at(g, block)
    for lane in range(at.lanes):
        allowance = visit.softness * visit.scales[U(at.infoset + lane)]
        here = nearly_best(value, at.slot + lane, at.stride, at.actions, allowance)
        if keep:
            for a in range(at.actions):
                left = value[U(at.slot + a * at.stride + lane)] - here
                times = visit.positive if left > 0.0 else visit.negative
                regret[U(at.cell + a * at.lanes + lane)] = times * left
        value[U(parent_of(g, at.parent, lane))] += here
    return tally


@visitor(leave=_leave_substituted)
class _Substitute(NamedTuple):
    """The opponent's plan, how soft values are, and where regrets go."""

    plan: Float
    scale: float
    softness: float
    scales: Float
    positive: float
    negative: float
    regret: Float


@kernel
def substituted_value(g, me, plan, softness, scales, positive, negative, regret, w):
    """Return what nearly best responses to ``plan`` win, if regrets may be so long everywhere.

    ``softness`` is their length in scales; 0 is a best response. ``regret``, if not empty, receives
    the regrets of one iteration, times ``positive`` or ``negative`` as they are; where the plan
    does not come it stays as it is.
    """
    begin(w, 1.0)
    visit = _Substitute(plan, 1.0, softness, scales, positive, negative, regret)
    walk(g, me, visit, 0, w)
    return w.value[U(0)]


@kernel
def write_lengths(g, regret, lengths):
    """Write how long the positive regrets of each information set are, as a vector."""
    for block in range(1, len(g.player)):
        at = block_at(g, block)
        for lane in range(at.lanes):
            squares = 0.0
            for a in range(at.actions):
                squares += max(0.0, regret[U(at.cell + a * at.lanes + lane)]) ** 2
            lengths[U(at.infoset + lane)] = squares**0.5


@kernel
def follow(g, behavior, lengths, regret):
    """Let regrets be proportional to probabilities, as long as given.

    Regrets of actions that are not played stay as they are.
    """
    for block in range(1, len(g.player)):
        at = block_at(g, block)
        for lane in range(at.lanes):
            squares = 0.0
            for a in range(at.actions):
                squares += behavior[U(at.cell + a * at.lanes + lane)] ** 2
            times = lengths[U(at.infoset + lane)] / squares**0.5
            for a in range(at.actions):
                cell = at.cell + a * at.lanes + lane
                if behavior[U(cell)] > 0.0:
                    regret[U(cell)] = times * behavior[U(cell)]
