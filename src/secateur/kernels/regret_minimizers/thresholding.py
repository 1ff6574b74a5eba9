"""Sets small probabilities to zero."""

from __future__ import annotations

import math

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U


@kernel
def cut_small(g, me, thresholds, iteration, chosen):
    """Cut ``me``'s strategies for an iteration; ``thresholds`` are those of the first one."""
    for block in range(len(g.player)):
        if g.player[U(block)] == me:
            cut_block(g, block, thresholds, iteration, chosen)


@part
def cut_block(g, block, thresholds, iteration, chosen):
    """Set probabilities up to the threshold to zero, but no lane's largest; rescale."""
    at = block_at(g, block)
    threshold = thresholds[U(at.actions)] / math.sqrt(iteration)
    for lane in range(at.lanes):
        first = at.cell + lane
        largest = 0.0
        cell = first
        for _ in range(at.actions):
            largest = max(largest, chosen[U(cell)])
            cell += at.lanes
        kept = 0.0
        lost = 0.0
        cell = first
        for _ in range(at.actions):
            if chosen[U(cell)] > threshold or chosen[U(cell)] == largest:
                kept += chosen[U(cell)]
            else:
                lost += chosen[U(cell)]
                chosen[U(cell)] = 0.0
            cell += at.lanes
        if lost > 0.0:
            scale = 1.0 / kept
            cell = first
            for _ in range(at.actions):
                chosen[U(cell)] *= scale
                cell += at.lanes
