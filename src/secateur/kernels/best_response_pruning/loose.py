"""A block's numbers laid out cell by cell, to be changed and packed again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.best_response_pruning.store import (
    BOUNDS,
    DEAD,
    HEAD,
    PAST,
    POSITIVE_NOW,
    REACH,
    ROWS,
    SCALE,
    SUM,
    after_record,
    record_at,
    record_of,
    scale_of,
    section_of,
    watch,
)
from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U

Float = npt.NDArray[np.float64]

GONE, LIVING, PRUNED, BACK = range(4)
"""What a cell is: of a lane that is not active, alive, pruned, or just coming back."""


@book
class Loose(NamedTuple):
    """The numbers of one block, by lane, or by cell: the distance of its slot from the first."""

    state: npt.NDArray[np.int8]
    regret: Float  # of a pruned cell the number of its bound, of one that comes back its gap
    claim: Float
    played: Float
    total: Float
    active: npt.NDArray[np.bool_]
    value: Float  # sums of values
    reach: Float
    lost: Float
    past: Float  # of the block

    @staticmethod
    def of(lanes: int, cells: int) -> Loose:
        """Make room for blocks of at most so many lanes and cells."""
        regret, claim, played, total = np.zeros((4, cells))
        value, reach, lost = np.zeros((3, lanes))
        return Loose(
            state=np.zeros(cells, np.int8),
            regret=regret,
            claim=claim,
            played=played,
            total=total,
            active=np.zeros(lanes, np.bool_),
            value=value,
            reach=reach,
            lost=lost,
            past=np.zeros(PAST),
        )


@stage
def unpack(g, block, s, loose):
    """Lay out what the store holds of a block.

    A negative id in an attic is that of an action that comes back.
    """
    at = block_at(g, block)
    for lane in range(at.lanes):
        loose.active[U(lane)] = False
        loose.lost[U(lane)] = 0.0
    for cell in range(at.actions * at.stride):
        loose.state[U(cell)] = GONE
        loose.total[U(cell)] = 0.0
    for k in range(PAST):
        loose.past[U(k)] = s.clock[U(POSITIVE_NOW + k)]
    r = record_of(g, s, block)
    if r.rows > 0:
        for k in range(s.past):
            loose.past[U(k)] = s.numbers[U(r.numbers + k)]
        for lane in range(r.lanes):
            loose.value[U(lane)] = s.numbers[U(r.lane + SUM * r.lanes + lane)]
            loose.reach[U(lane)] = s.numbers[U(r.lane + REACH * r.lanes + lane)]
    claims = section_of(r, s.claims)
    totals = section_of(r, s.total)
    played = section_of(r, s.played)
    for k in range(r.rows):
        first = s.ids[U(r.names + k)] * at.stride
        for lane in range(r.lanes):
            here = k * r.lanes + lane
            cell = first + lane
            if s.numbers[U(r.cell + here)] > DEAD:
                loose.active[U(lane)] = True
                loose.state[U(cell)] = LIVING
                loose.regret[U(cell)] = s.numbers[U(r.cell + here)]
                loose.claim[U(cell)] = s.numbers[U(claims + here)]
                loose.total[U(cell)] = s.numbers[U(totals + here)]
                loose.played[U(cell)] = s.numbers[U(played + here)]
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
    rows = 0
    for a in range(at.actions):
        some = False
        for lane in range(at.lanes):
            some |= loose.state[U(a * at.stride + lane)] == LIVING
        if some:
            s.ids[U(record + HEAD + rows)] = a
            rows += 1
    s.ids[U(record + ROWS)] = rows
    r = record_at(s, record, s.used[1], at.lanes)
    for k in range(s.past):
        s.numbers[U(r.numbers + k)] = loose.past[U(k)]
    _pack_cells(at, loose, s, r)
    entry = attic + 1
    if s.fixed:
        s.deadlines[U(block)] = np.inf
    for lane in range(at.lanes if rows > 0 else 0):
        first = entry
        for a in range(at.actions if loose.active[U(lane)] else 0):
            cell = a * at.stride + lane
            if loose.state[U(cell)] == PRUNED:
                s.attic_ids[U(entry)] = lane * at.actions + a
                s.attic_numbers[U(entry)] = loose.regret[U(cell)]
                entry += 1
        watch(g, p, block, s, r, first, entry, lane)
    bounds = entry - attic - 1
    entry = _pack_sums(at.actions * at.stride, at.lanes, loose, s, entry)
    s.ids_at[U(block)] = 0
    s.numbers_at[U(block)] = 0
    s.attic_at[U(block)] = 0
    if rows > 0:
        s.ids[U(record + BOUNDS)] = bounds
        s.ids_at[U(block)] = record
        s.numbers_at[U(block)] = r.numbers
        s.used[0] = r.names + rows
        s.used[1] = after_record(s, r)
    if entry > attic + 1:
        s.attic_ids[U(attic)] = bounds
        s.attic_numbers[U(attic)] = entry - attic - 1
        s.attic_at[U(block)] = attic
        s.used[2] = entry


@part
def _pack_cells(at, loose, s, r):
    """Write the numbers of lanes and of rows."""
    claims = section_of(r, s.claims)
    totals = section_of(r, s.total)
    played = section_of(r, s.played)
    for lane in range(r.lanes if r.rows > 0 else 0):
        norm = 0.0
        alive = 0
        for k in range(r.rows):
            cell = s.ids[U(r.names + k)] * at.stride + lane
            here = k * r.lanes + lane
            living = loose.state[U(cell)] == LIVING
            claim = max(0.0, loose.claim[U(cell)]) if living else 0.0
            if s.claims > 0:
                s.numbers[U(claims + here)] = claim
            if s.played > 0:
                s.numbers[U(played + here)] = loose.played[U(cell)] if living else 0.0
            s.numbers[U(totals + here)] = loose.total[U(cell)] if living else 0.0
            s.numbers[U(r.cell + here)] = loose.regret[U(cell)] if living else DEAD
            norm += claim
            alive += living
        active = loose.active[U(lane)]
        s.numbers[U(r.lane + SUM * r.lanes + lane)] = loose.value[U(lane)] if active else 0.0
        s.numbers[U(r.lane + REACH * r.lanes + lane)] = loose.reach[U(lane)] if active else 0.0
        s.numbers[U(r.lane + SCALE * r.lanes + lane)] = scale_of(norm, alive)


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
