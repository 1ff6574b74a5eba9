"""Strategies of this iteration, which simultaneous updates must remember while regrets change."""

from __future__ import annotations

from secateur.kernels.best_response_pruning.store import (
    ITERATION,
    SCALE,
    follow_claims,
    probability,
    record_of,
    section_of,
)
from secateur.kernels.compilation.decorator import kernel, stage
from secateur.kernels.core.parts import U


@kernel
def set_played(g, s, live):
    """Write the strategies that both players will play in the next iteration."""
    for place in range(live.length[0]):
        write_played(g, live.order[U(place)], s)


@stage
def write_played(g, block, s):
    """Write the strategy of a block to the section of what is played."""
    r = record_of(g, s, block)
    follow_claims(s, r, s.clock[ITERATION])
    claims = section_of(r, s.claims)
    played = section_of(r, s.played)
    for k in range(r.rows * r.lanes):
        scale = s.numbers[U(r.lane + SCALE * r.lanes + k % r.lanes)]
        share = probability(s.numbers[U(claims + k)], s.numbers[U(r.cell + k)], scale)
        s.numbers[U(played + k)] = share
