"""Strategies of this iteration, which simultaneous updates must remember while regrets change."""

from __future__ import annotations

from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    ITERATION,
    LANES,
    SCALE,
    after_lane,
    catch_up,
    lanes_at,
    sections_at,
)
from secateur.kernels.compilation.decorator import kernel, stage
from secateur.kernels.core.parts import U
from secateur.kernels.regret_minimizers.matching import probability


@kernel
def set_played(s, live, discounts):
    """Write the strategies that both players will play in the next iteration."""
    for place in range(live.length[0]):
        write_played(live.order[U(place)], s, discounts)


@stage
def write_played(block, s, discounts):
    """Write the strategy of a block to the section of what is played."""
    record = s.ids_at[U(block)]
    catch_up(s, record, s.numbers_at[U(block)], discounts, int(s.clock[ITERATION]))
    names = record + HEAD
    values = lanes_at(s, block)
    for _ in range(s.ids[U(record + LANES)]):
        alive = s.ids[U(names + ALIVE)]
        cells = sections_at(values, alive)
        for k in range(alive if alive > 1 else 0):
            claim = s.numbers[U(cells + s.claims * alive + k)]
            share = probability(claim, s.numbers[U(values + SCALE)])
            s.numbers[U(cells + s.played * alive + k)] = share
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
