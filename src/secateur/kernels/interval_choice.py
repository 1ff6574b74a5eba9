"""Chooses strategies everywhere: learning rates and thresholds change where nobody comes."""

from __future__ import annotations

import math

from secateur.kernels.decorator import kernel, part
from secateur.kernels.exponential import exponentiate
from secateur.kernels.hedge import learning_rate
from secateur.kernels.hedge_choice import normalise
from secateur.kernels.interval_parts import HEDGE, OPEN, choose_open
from secateur.kernels.parts import U
from secateur.kernels.thresholding import cut_block


@kernel
def choose_everywhere(g, p, me, b, rule, hedge, thresholds, iteration):
    """Choose ``me``'s next strategies of all information sets in play, and cut them."""
    scale = 1.0 / math.sqrt(iteration + 1.0)
    block = 0
    while block < len(g.player):
        gate = p.gate_number[U(2 * block + me)]
        if gate > 0 and b.alive[U(gate)] == 0:
            block = g.subtree_end[U(block)]
            continue
        if g.player[U(block)] == me:
            if rule == HEDGE:
                _choose_softmax(g, block, b, hedge, iteration)
            else:
                for lane in range(g.lanes[U(block)]):
                    choose_open(g, block, lane, b.pruned, b.regret, b.chosen)
            if len(thresholds) > 0:
                cut_block(g, block, scale * thresholds[U(g.actions[U(block)])], b.chosen)
        block += 1


@part
def _choose_softmax(g, block, b, hedge, iteration):
    """Choose as Hedge does, among actions that are not pruned."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    first = g.first_cell[U(block)]
    for lane in range(lanes):
        rate = learning_rate(g, block, lane, hedge, iteration)
        largest = -math.inf
        cell = first + lane
        for _ in range(actions):
            if b.pruned[U(cell)] == OPEN:
                largest = max(largest, b.regret[U(cell)])
            cell += lanes
        cell = first + lane
        for _ in range(actions):
            if b.pruned[U(cell)] == OPEN:
                b.chosen[U(cell)] = rate * (b.regret[U(cell)] - largest)
            else:
                b.chosen[U(cell)] = -math.inf
            cell += lanes
    exponentiate(b.chosen, first, first + actions * lanes)
    normalise(g, block, b.chosen, first, b.chosen)
