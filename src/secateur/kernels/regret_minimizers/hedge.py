"""Hedge: what it observes at an information set, and how fast it learns from it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
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
def payoff_ranges(g, upper, lower, found):
    """Write how far apart payoffs behind each information set are to ``found``."""
    for block in range(len(g.player)):
        lanes = g.lanes[U(block)]
        infoset = g.first_infoset[U(block)]
        cell = g.first_cell[U(block)]
        for lane in range(lanes):
            found[U(infoset + lane)] = upper[U(cell + lane)] - lower[U(infoset + lane)]
        for _ in range(1, g.actions[U(block)]):
            cell += lanes
            for lane in range(lanes):
                here = upper[U(cell + lane)] - lower[U(infoset + lane)]
                found[U(infoset + lane)] = max(found[U(infoset + lane)], here)


@part
def fold_observed(g, block, regret, strategy, value, h):
    """Fold the values of an own block into its parents; add them to regrets and observations."""
    at = block_at(g, block)
    lane = 0
    if at.parent >= 0:
        while lane + 3 <= at.lanes:
            _fold_three_lanes(
                at.actions,
                at.lanes,
                at.stride,
                at.cell + lane,
                at.slot + lane,
                at.infoset + lane,
                at.parent + lane,
                regret,
                strategy,
                value,
                h,
            )
            lane += 3
    while lane < at.lanes:
        _fold_lane(
            at.actions,
            at.lanes,
            at.stride,
            at.cell + lane,
            at.slot + lane,
            at.infoset + lane,
            parent_of(g, at.parent, lane),
            regret,
            strategy,
            value,
            h,
        )
        lane += 1


@part
def _fold_lane(
    actions, lanes, stride, first_cell, first_slot, infoset, parent, regret, strategy, value, h
):
    """Fold one information set."""
    expected = 0.0
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        expected += strategy[U(cell)] * value[U(slot)]
        cell += lanes
        slot += stride
    _observe(infoset, parent, expected, value, h)
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        regret[U(cell)] += value[U(slot)] - expected
        cell += lanes
        slot += stride


@part
def _fold_three_lanes(
    actions, lanes, stride, first_cell, first_slot, infoset, parent, regret, strategy, value, h
):
    """Fold three information sets side by side; the same as one after the other."""
    expected_0 = expected_1 = expected_2 = 0.0
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        expected_0 += strategy[U(cell)] * value[U(slot)]
        expected_1 += strategy[U(cell + 1)] * value[U(slot + 1)]
        expected_2 += strategy[U(cell + 2)] * value[U(slot + 2)]
        cell += lanes
        slot += stride
    _observe(infoset, parent, expected_0, value, h)
    _observe(infoset + 1, parent + 1, expected_1, value, h)
    _observe(infoset + 2, parent + 2, expected_2, value, h)
    cell = first_cell
    slot = first_slot
    for _ in range(actions):
        regret[U(cell)] += value[U(slot)] - expected_0
        regret[U(cell + 1)] += value[U(slot + 1)] - expected_1
        regret[U(cell + 2)] += value[U(slot + 2)] - expected_2
        cell += lanes
        slot += stride


@part
def _observe(infoset, parent, expected, value, h):
    """Add the value of an information set to its parent and to its observations."""
    value[U(parent)] += expected
    h.value_sum[U(infoset)] += expected
    h.square_sum[U(infoset)] += expected * expected


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
