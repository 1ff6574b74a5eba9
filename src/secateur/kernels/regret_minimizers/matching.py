"""Strategies that match regrets, and are not stored.

An action is played in proportion to its *claim*, its positive regret; where no claim is positive,
all actions alike. Of each information set only the *scale* is kept: what claims are multiplied by
or, where all are played alike, minus the probability of each.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import LEAST_NORM, U
from secateur.kernels.core.pruning_parts import parent_of


@part
def probability(claim, scale):
    """Return the probability of an action."""
    return max(0.0, claim) * scale if scale > 0.0 else -scale


@part
def scale_of(norm, actions):
    """Return the scale of so many actions whose positive claims sum up to ``norm``."""
    return 1.0 / norm if norm >= LEAST_NORM else -1.0 / actions


@part
def pass_matched(g, block, regret, scale, total, omega, reach, reached):
    """Multiply the reach of ``block``'s owner through what matches regrets; add it to ``total``."""
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for row in range(at.row, at.row + at.actions):
        some = 0.0
        for lane in range(at.lanes):
            before = reach[U(parent_of(g, at.parent, lane))]
            after = before * probability(regret[U(cell + lane)], scale[U(at.infoset + lane)])
            reach[U(slot + lane)] = after
            total[U(cell + lane)] += omega * after
            some += after
        reached[U(row)] = some > 0.0
        cell += at.lanes
        slot += at.stride


@part
def _scale_at(at, lane, regret):
    """Return the scale of an information set."""
    norm = 0.0
    cell = at.cell + lane
    for _ in range(at.actions):
        norm += max(0.0, regret[U(cell)])
        cell += at.lanes
    return scale_of(norm, at.actions)


@part
def match_block(g, block, regret, scale):
    """Write the scales of a block's information sets."""
    at = block_at(g, block)
    for lane in range(at.lanes):
        scale[U(at.infoset + lane)] = _scale_at(at, lane, regret)


@part
def write_block(g, block, regret, strategy):
    """Write the strategies that match the regrets of a block."""
    at = block_at(g, block)
    for lane in range(at.lanes):
        scale = _scale_at(at, lane, regret)
        cell = at.cell + lane
        for _ in range(at.actions):
            strategy[U(cell)] = probability(regret[U(cell)], scale)
            cell += at.lanes


@kernel
def match_regrets(g, regret, scale):
    """Write the scales of all information sets."""
    for block in range(len(g.player)):
        match_block(g, block, regret, scale)


@kernel
def write_strategies(g, regret, strategy):
    """Write all strategies that match regrets."""
    for block in range(len(g.player)):
        write_block(g, block, regret, strategy)
