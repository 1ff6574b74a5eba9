"""Pieces that the kernels of interval pruning share."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import LEAST_NORM, U

OPEN, PRUNED, RETURNING = 0, 1, 2
"""What may become of a cell; returning means: its branch is being brought up to date."""

MATCHING, MATCHING_PLUS, HEDGE = 0, 1, 2
"""How regrets turn into strategies."""


@part
def choose_open(g, block, lane, pruned, regret, chosen):
    """Set the next strategy of one information set, in which pruned actions are not played."""
    at = block_at(g, block)
    first = at.cell + lane
    norm = 0.0
    open_actions = 0
    cell = first
    for _ in range(at.actions):
        if pruned[U(cell)] == OPEN:
            norm += max(0.0, regret[U(cell)])
            open_actions += 1
        cell += at.lanes
    scale = 1.0 / norm if norm >= LEAST_NORM else 0.0
    share = 0.0 if norm >= LEAST_NORM else 1.0 / open_actions
    cell = first
    for _ in range(at.actions):
        if pruned[U(cell)] == OPEN:
            chosen[U(cell)] = scale * max(0.0, regret[U(cell)]) + share
        else:
            chosen[U(cell)] = 0.0
        cell += at.lanes
