"""Hedge: what it observes at an information set, and the strategies that follow."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.decorator import kernel, part
from secateur.kernels.exponential import exponentiate
from secateur.kernels.parts import U, padded
from secateur.kernels.pruning_parts import parent_of

Float = npt.NDArray[np.float64]

NO_VARIANCE = 1e-12
"""Share of the mean square up to which rounding may be all there is of a variance."""


class HedgeBooks(NamedTuple):
    """What learning rates are made of.

    Sums need no update where the opponent does not come: there the value is zero.
    """

    # per information set
    value_sum: Float  # sum of counterfactual values
    square_sum: Float  # sum of their squares
    payoff_range: Float

    log_actions: Float  # per number of actions
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
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        expected = 0.0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            expected += strategy[U(cell)] * value[U(slot)]
            cell += lanes
            slot += stride
        value[U(parent_of(g, parent, lane))] += expected
        h.value_sum[U(first_infoset + lane)] += expected
        h.square_sum[U(first_infoset + lane)] += expected * expected
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            regret[U(cell)] += value[U(slot)] - expected
            cell += lanes
            slot += stride


@kernel
def choose_softmax(g, me, regret, h, iteration, chosen):
    """Choose ``me``'s next strategies everywhere: rates change even where nobody comes."""
    for block in range(len(g.player)):
        if g.player[U(block)] != me:
            continue
        actions = g.actions[U(block)]
        lanes = g.lanes[U(block)]
        first = g.first_cell[U(block)]
        for lane in range(lanes):
            rate = learning_rate(g, block, lane, h, iteration)
            largest = regret[U(first + lane)]
            cell = first + lane
            for _ in range(actions):
                largest = max(largest, regret[U(cell)])
                cell += lanes
            cell = first + lane
            for _ in range(actions):
                chosen[U(cell)] = rate * (regret[U(cell)] - largest)
                cell += lanes
        exponentiate(chosen, first, first + actions * lanes)
        normalise(actions, lanes, first, chosen)


@part
def learning_rate(g, block, lane, h, iteration):
    """Return the learning rate of an information set after so many iterations."""
    infoset = g.first_infoset[U(block)] + lane
    log_actions = h.log_actions[U(g.actions[U(block)])]
    if h.adaptive:
        mean = h.value_sum[U(infoset)] / iteration
        square = h.square_sum[U(infoset)] / iteration
        variance = square - mean * mean
        if variance > NO_VARIANCE * square:
            return math.sqrt(log_actions / (9.0 * variance * iteration))
    payoffs = h.payoff_range[U(infoset)]
    return math.sqrt(8.0 * log_actions / iteration) / payoffs if payoffs > 0.0 else 0.0


@part
def normalise(actions, lanes, first, chosen):
    """Scale the numbers of a block so that each lane sums to one."""
    for lane in range(lanes):
        norm = 0.0
        cell = first + lane
        for _ in range(actions):
            norm += chosen[U(cell)]
            cell += lanes
        scale = 1.0 / norm
        cell = first + lane
        for _ in range(actions):
            chosen[U(cell)] *= scale
            cell += lanes
