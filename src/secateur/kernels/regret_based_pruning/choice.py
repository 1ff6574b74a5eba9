"""Chooses strategies everywhere: learning rates and thresholds change where nobody comes."""

from __future__ import annotations

import math

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.exponential import exponentiate
from secateur.kernels.core.parts import U
from secateur.kernels.regret_based_pruning.parts import HEDGE, OPEN, choose_open
from secateur.kernels.regret_minimizers.hedge import learning_rate
from secateur.kernels.regret_minimizers.hedge_choice import normalize
from secateur.kernels.regret_minimizers.thresholding import cut_block


@kernel
def choose_everywhere(g, p, me, b, rule, hedge, thresholds, iteration):
    """Choose ``me``'s next strategies of all information sets in play, and cut them."""
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
                cut_block(g, block, thresholds, iteration + 1, b.chosen)
        block += 1


@part
def _choose_softmax(g, block, b, hedge, iteration):
    """Choose as Hedge does, among actions that are not pruned."""
    at = block_at(g, block)
    for lane in range(at.lanes):
        rate = learning_rate(g, block, lane, hedge, iteration)
        largest = -math.inf
        cell = at.cell + lane
        for _ in range(at.actions):
            if b.pruned[U(cell)] == OPEN:
                largest = max(largest, b.regret[U(cell)])
            cell += at.lanes
        cell = at.cell + lane
        for _ in range(at.actions):
            if b.pruned[U(cell)] == OPEN:
                b.chosen[U(cell)] = rate * (b.regret[U(cell)] - largest)
            else:
                b.chosen[U(cell)] = -math.inf
            cell += at.lanes
    exponentiate(b.chosen, at.cell, at.cell + at.actions * at.lanes)
    normalize(g, block, b.chosen, at.cell, b.chosen)
