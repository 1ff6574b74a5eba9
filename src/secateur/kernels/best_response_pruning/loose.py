"""A block's numbers laid out cell by cell, to be changed and packed again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    BOUNDS,
    HEAD,
    ITERATION,
    LANE,
    LANES,
    PAST,
    REACH,
    SCALE,
    UPDATED,
    VALUE_SUM,
    after_lane,
    date_of,
    lanes_at,
    sections_at,
    watch,
)
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.regret_minimizers.matching import scale_of

Float = npt.NDArray[np.float64]

GONE, LIVING, PRUNED, BACK = range(4)
"""What a cell is: of a lane that is not active, alive, pruned, or just coming back."""


@book
class Loose(NamedTuple):
    """The numbers of one block, by lane, or by cell: the distance of its slot from the first."""

    state: npt.NDArray[np.int8]
    regret: Float  # of a pruned cell the number of its bound, of one that comes back its gap
    date: npt.NDArray[np.uint16]  # of a pruned cell
    claim: Float
    played: Float
    total: Float
    active: npt.NDArray[np.bool_]
    value_sum: Float
    reach: Float
    lost: Float
    past: Float  # of the block: one number

    @staticmethod
    def of(lanes: int, cells: int) -> Loose:
        """Make room for blocks of at most so many lanes and cells."""
        regret, claim, played, total = np.zeros((4, cells))
        value_sum, reach, lost = np.zeros((3, lanes))
        return Loose(
            state=np.zeros(cells, np.int8),
            regret=regret,
            date=np.zeros(cells, np.uint16),
            claim=claim,
            played=played,
            total=total,
            active=np.zeros(lanes, np.bool_),
            value_sum=value_sum,
            reach=reach,
            lost=lost,
            past=np.zeros(PAST),
        )


@stage
def unpack(g, block, s, loose):
    """Lay out what the store holds of a block.

    In a record, a negative id is that of an action which has just been pruned; in an attic, of one
    that comes back.
    """
    at = block_at(g, block)
    for lane in range(at.lanes):
        loose.active[U(lane)] = False
        loose.lost[U(lane)] = 0.0
    for cell in range(at.actions * at.stride):
        loose.state[U(cell)] = GONE
        loose.total[U(cell)] = 0.0
    loose.past[UPDATED] = s.clock[ITERATION]
    now = date_of(s)
    record = s.ids_at[U(block)]
    if s.past > 0 and record > 0:
        loose.past[UPDATED] = s.numbers[U(s.numbers_at[U(block)] + UPDATED)]
    names = record + HEAD
    values = lanes_at(s, block)
    for _ in range(s.ids[U(record + LANES)]):
        lane = s.ids[U(names + LANE)]
        alive = s.ids[U(names + ALIVE)]
        loose.active[U(lane)] = True
        loose.value_sum[U(lane)] = s.numbers[U(values + VALUE_SUM)]
        loose.reach[U(lane)] = s.numbers[U(values + REACH)]
        cells = sections_at(values, alive)
        for k in range(alive):
            name = s.ids[U(names + ACTIONS + k)]
            cell = max(name, ~name) * at.stride + lane
            loose.state[U(cell)] = LIVING if name >= 0 else PRUNED
            loose.regret[U(cell)] = s.numbers[U(cells + k)]
            loose.date[U(cell)] = now
            loose.claim[U(cell)] = loose.regret[U(cell)]
            if alive > 1:
                loose.claim[U(cell)] = s.numbers[U(cells + s.claims * alive + k)]
                loose.total[U(cell)] = s.numbers[U(cells + s.total * alive + k)]
                loose.played[U(cell)] = s.numbers[U(cells + s.played * alive + k)]
            else:
                loose.played[U(cell)] = 1.0
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
    attic = s.attic_at[U(block)]
    entry = attic + 1
    end = entry + s.attic_ids[U(attic)]
    for lane in range(at.lanes):
        while entry < end:
            name = s.attic_ids[U(entry)]
            a = max(name, ~name) - lane * at.actions
            if a >= at.actions:
                break
            loose.state[U(a * at.stride + lane)] = PRUNED if name >= 0 else BACK
            loose.regret[U(a * at.stride + lane)] = s.attic_numbers[U(entry)]
            loose.date[U(a * at.stride + lane)] = s.attic_dates[U(entry)]
            entry += 1
    for rest in range(end, attic + 1 + int(s.attic_numbers[U(attic)])):
        cell = s.attic_ids[U(rest)]
        if cell < at.actions * at.stride:
            loose.total[U(cell)] = s.attic_numbers[U(rest)]
        else:
            loose.lost[U(cell - at.actions * at.stride)] = s.attic_numbers[U(rest)]


@stage
def pack(g, p, block, loose, s):
    """Write a new record and a new attic for a block."""
    at = block_at(g, block)
    record = s.used[0]
    attic = s.used[2]
    names = record + HEAD
    values = s.used[1]
    if s.past > 0:
        s.numbers[U(values + UPDATED)] = loose.past[UPDATED]
    values += s.past
    entry = attic + 1
    active = 0
    if s.fixed:
        s.deadlines[U(block)] = np.inf
    for lane in range(at.lanes):
        if not loose.active[U(lane)]:
            continue
        first = entry
        alive = 0
        for a in range(at.actions):
            cell = a * at.stride + lane
            if loose.state[U(cell)] == LIVING:
                s.ids[U(names + ACTIONS + alive)] = a
                alive += 1
            else:
                s.attic_ids[U(entry)] = lane * at.actions + a
                s.attic_numbers[U(entry)] = loose.regret[U(cell)]
                s.attic_dates[U(entry)] = loose.date[U(cell)]
                entry += 1
        norm = 0.0
        cells = sections_at(values, alive)
        for k in range(alive):
            cell = s.ids[U(names + ACTIONS + k)] * at.stride + lane
            s.numbers[U(cells + k)] = loose.regret[U(cell)]
            if alive > 1:
                if s.claims > 0:
                    s.numbers[U(cells + s.claims * alive + k)] = loose.claim[U(cell)]
                if s.played > 0:
                    s.numbers[U(cells + s.played * alive + k)] = loose.played[U(cell)]
                s.numbers[U(cells + s.total * alive + k)] = loose.total[U(cell)]
            norm += max(0.0, loose.claim[U(cell)])
        s.ids[U(names + LANE)] = lane
        s.ids[U(names + ALIVE)] = alive
        s.numbers[U(values + VALUE_SUM)] = loose.value_sum[U(lane)]
        s.numbers[U(values + REACH)] = loose.reach[U(lane)]
        if alive > 1:
            s.numbers[U(values + SCALE)] = scale_of(norm, alive)
        watch(g, p, block, s, first, entry, lane, values)
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
        active += 1
    bounds = entry - attic - 1
    entry = _pack_sums(at.actions * at.stride, at.lanes, loose, s, entry)
    s.ids_at[U(block)] = 0
    s.numbers_at[U(block)] = 0
    s.attic_at[U(block)] = 0
    if active > 0:
        s.ids[U(record + LANES)] = active
        s.ids[U(record + BOUNDS)] = bounds
        s.ids_at[U(block)] = record
        s.numbers_at[U(block)] = s.used[1]
        s.used[0] = names
        s.used[1] = values
    if entry > attic + 1:
        s.attic_ids[U(attic)] = bounds
        s.attic_numbers[U(attic)] = entry - attic - 1
        s.attic_at[U(block)] = attic
        s.used[2] = entry


@part
def _pack_sums(cells, lanes, loose, s, entry):
    """Write strategy sums of cells that are not alive, and what was lost; return the end."""
    for cell in range(cells):
        if loose.state[U(cell)] != LIVING and loose.total[U(cell)] > 0.0:
            s.attic_ids[U(entry)] = cell
            s.attic_numbers[U(entry)] = loose.total[U(cell)]
            entry += 1
    for lane in range(lanes):
        if loose.lost[U(lane)] > 0.0:
            s.attic_ids[U(entry)] = cells + lane
            s.attic_numbers[U(entry)] = loose.lost[U(lane)]
            entry += 1
    return entry
