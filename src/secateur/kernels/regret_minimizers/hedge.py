"""Hedge: what it observes at an information set, and how fast it learns from it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.lanes import ONE, THREE, add, minus, plus, take, times
from secateur.kernels.core.parts import LEAST_NORM, U
from secateur.kernels.core.pruning_parts import parent_of

Float = npt.NDArray[np.float64]

NO_VARIANCE = 1e-12
"""Share of the mean square up to which rounding may be all there is of a variance."""


@book
class HedgeBooks(NamedTuple):
    """What learning rates are made of.

    Sums need no update where the opponent does not come: there the value is zero.
    """

    # per information set
    value_sum: Float  # sum of counterfactual values
    square_sum: Float  # sum of their squares
    payoff_range: Float

    log_actions: Float  # per number of actions
    row: Float  # room for what is exponentiated together: some blocks, one at the least
    adaptive: bool  # whether learning rates follow the variance


@kernel
def payoff_ranges(g, p, found):
    """Write how far apart payoffs behind each information set are to ``found``."""
    for block in range(len(g.player)):
        lanes = g.lanes[U(block)]
        infoset = g.first_infoset[U(block)]
        cell = g.first_cell[U(block)]
        for lane in range(lanes):
            found[U(infoset + lane)] = _payoff_range(p, cell + lane, infoset + lane)
        for _ in range(1, g.actions[U(block)]):
            cell += lanes
            for lane in range(lanes):
                here = _payoff_range(p, cell + lane, infoset + lane)
                found[U(infoset + lane)] = max(found[U(infoset + lane)], here)


@part
def _payoff_range(p, cell, infoset):
    """Return how much more may be won after an action than at its information set at the least."""
    return p.payoffs[U(p.upper[U(cell)])] - p.payoffs[U(p.lower[U(infoset)])]


@part
def fold_observed(g, block, regret, strategy, value, h):
    """Fold the values of an own block into its parents; add them to regrets and observations."""
    at = block_at(g, block)
    lane = 0
    if at.parent >= 0:
        while lane + 3 <= at.lanes:
            _fold_lanes(at, lane, at.parent + lane, regret, strategy, value, h, THREE)
            lane += 3
    while lane < at.lanes:
        _fold_lanes(at, lane, parent_of(g, at.parent, lane), regret, strategy, value, h, ONE)
        lane += 1


@part
def _fold_lanes(at, lane, parent, regret, strategy, value, h, zeros):
    """Fold information sets, as many as there are zeros; add their values to observations."""
    expected = zeros
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        expected = plus(expected, times(take(strategy, cell, zeros), take(value, slot, zeros)))
        cell += at.lanes
        slot += at.stride
    add(value, parent, expected)
    add(h.value_sum, at.infoset + lane, expected)
    add(h.square_sum, at.infoset + lane, times(expected, expected))
    cell = at.cell + lane
    slot = at.slot + lane
    for _ in range(at.actions):
        add(regret, cell, minus(take(value, slot, zeros), expected))
        cell += at.lanes
        slot += at.stride


@part
def learning_rate(g, block, lane, h, iteration):
    """Return the learning rate of an information set after so many iterations."""
    at = block_at(g, block)
    infoset = at.infoset + lane
    share = 1.0 / iteration
    log_actions = share * h.log_actions[U(at.actions)]
    if h.adaptive:
        mean = share * h.value_sum[U(infoset)]
        square = share * h.square_sum[U(infoset)]
        variance = square - mean * mean
        if variance > NO_VARIANCE * square and variance >= LEAST_NORM:
            return math.sqrt(log_actions / (9.0 * variance))
    payoffs = h.payoff_range[U(infoset)]
    return math.sqrt(8.0 * log_actions) / payoffs if payoffs >= LEAST_NORM else 0.0
