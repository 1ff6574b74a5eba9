"""The average strategy of a run that prunes.

Strategy sums flow: what comes to an information set is shared out among its actions. Where the
sums of the actions are short of what came, the difference has not been shared out yet, because the
sweep does not go where the opponent is not alive; the strategy there has stayed as it is, so it
tells how. What was discarded counts as shared out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.best_response_pruning.stacks import LivePieces
from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    ITERATION,
    LANE,
    LANES,
    SCALE,
    UPDATED,
    Store,
    after_lane,
    lanes_at,
    sections_at,
)
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.evaluate import leave_best
from secateur.kernels.core.in_pieces import in_pieces
from secateur.kernels.core.parts import U
from secateur.kernels.core.pieces import keep_slots, number_of, take_slots
from secateur.kernels.core.pruning_parts import parent_of
from secateur.kernels.core.walk import choose_everything, nothing_at, visitor
from secateur.kernels.regret_minimizers.matching import probability, scale_of

Float = npt.NDArray[np.float64]

_NOISE = 1e-12
"""Differences below that share of the sum are rounding."""

_MOST_LOST = 2.0**1000
"""How many times what is left of a sum may have come: more has an infinite quotient."""


@stage
def share_out(g, block, s, write, flow):
    """Put the sums of a block's cells on the stack ``flow``; ``write`` also keeps them."""
    at = block_at(g, block)
    ids, numbers = s.ids, s.numbers
    for slot in range(at.slot, at.slot + at.actions * at.stride):
        flow[U(slot)] = 0.0
    attic = s.attic_at[U(block)]
    last = attic + int(s.attic_numbers[U(attic)])
    for entry in range(attic + 1 + s.attic_ids[U(attic)], last + 1):
        if s.attic_ids[U(entry)] < at.actions * at.stride:
            flow[U(at.slot + s.attic_ids[U(entry)])] = s.attic_numbers[U(entry)]
    record = s.ids_at[U(block)]
    names = record + HEAD
    values = lanes_at(s, block)
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        alive = ids[U(names + ALIVE)]
        cells = sections_at(values, alive)
        totals = cells + s.total * alive
        slot = at.slot + lane
        if alive > 1:
            for k in range(alive):
                name = ids[U(names + ACTIONS + k)]
                # negative if it has just been pruned; then there is nothing left to share out
                flow[U(slot + max(name, ~name) * at.stride)] = numbers[U(totals + k)]
        before = flow[U(parent_of(g, at.parent, lane))]
        pending = before - _lost(s, last, at.actions * at.stride + lane)
        for a in range(at.actions):
            pending -= flow[U(slot + a * at.stride)]
        claims = cells + s.claims * alive
        if pending > _NOISE * before and alive == 1:
            flow[U(slot + ids[U(names + ACTIONS)] * at.stride)] = pending
        elif pending > _NOISE * before:
            scale = numbers[U(values + SCALE)]
            for k in range(alive):
                share = probability(numbers[U(claims + k)], scale)
                flow[U(slot + ids[U(names + ACTIONS + k)] * at.stride)] += pending * share
                if write:
                    numbers[U(totals + k)] += pending * share
        names += ACTIONS + alive
        values = after_lane(s, values, alive)


@part
def _lost(s, last, name):
    """Return what a lane has lost, which stands among the last entries of an attic."""
    entry = last
    while s.attic_ids[U(entry)] > name:
        entry -= 1
    return s.attic_numbers[U(entry)] if s.attic_ids[U(entry)] == name else 0.0


@stage
def follow_average(g, block, flow, reach, reached):
    """Multiply reach through the average that ``flow`` holds for a block."""
    at = block_at(g, block)
    for a in range(at.actions):
        reached[U(at.row + a)] = False
    for lane in range(at.lanes):
        norm = 0.0
        slot = at.slot + lane
        for _ in range(at.actions):
            norm += flow[U(slot)]
            slot += at.stride
        before = reach[U(parent_of(g, at.parent, lane))]
        factor = before / norm if before < _MOST_LOST * norm else 0.0
        slot = at.slot + lane
        for a in range(at.actions):
            after = factor * flow[U(slot)]
            reach[U(slot)] = after
            if after > 0.0:
                reached[U(at.row + a)] = True
            slot += at.stride


@part
def face_average(visit, tally, g, _me, block, w):
    """Put the opponent's average strategy on the stack of reach."""
    share_out(g, block, visit.s, False, visit.flow)
    follow_average(g, block, visit.flow, w.reach, w.reached)
    return tally


@part
def face_flow(visit, tally, g, _me, block, w):
    """Put the opponent's average strategy on the stack of reach, and its sums on that of flow."""
    share_out(g, block, visit.s, False, w.flow)
    follow_average(g, block, w.flow, w.reach, w.reached)
    return tally


@part
def keep_flow(visit, _tally, me, pieces, piece, w):
    """Keep the opponent's sums where a piece begins."""
    keep_slots(visit.there.flow, pieces, piece, 1 - me, w.flow)


@part
def take_flow(visit, me, pieces, piece, w):
    """Begin a piece with the opponent's sums."""
    take_slots(visit.there.flow, pieces, piece, 1 - me, w.flow)
    return 0.0


@visitor(face=face_flow, leave=leave_best, keep=keep_flow, take=take_flow)
class _RespondToAverage(NamedTuple):
    """A best response to the average in a store, whose values are ``kept``."""

    s: Store
    there: LivePieces
    kept: Float


@kernel
def best_responses_to_average(g, s, weight, kept, pieces, there, turn, w):
    """Return the sum of the values of best responses to the opponent's average.

    ``kept``, if not empty, receives the values of own sequences that the opponent reaches.
    ``turn`` says for which players, and may ask for a part of the sweep.
    """
    total = 0.0
    for me in range(turn.player, turn.last_player):
        w.flow[U(0)] = weight
        visit = _RespondToAverage(s, there, kept)
        in_pieces(g, me, visit, visit, 1.0, pieces, turn, number_of(0, me), w)
        total += w.value[U(0)]
    return total


@part
def _share(visit, tally, g, _me, block, w):
    """Share out what has come to a block."""
    share_out(g, block, visit.s, visit.write, w.flow)
    return tally


@visitor(
    choose=choose_everything,
    open=nothing_at,
    face=_share,
    ends=nothing_at,
    leave=nothing_at,
    keep=keep_flow,
    take=take_flow,
)
class _ShareOut(NamedTuple):
    """All that has come to information sets of a player is shared out."""

    s: Store
    there: LivePieces
    write: bool  # or else only looked at


@part
def keep_average(g, player, s, weight, pieces, there, turn, number, w):
    """Share out all that has come to ``player``'s information sets, ``weight`` in total."""
    w.flow[U(0)] = weight
    visit, glance = _ShareOut(s, there, True), _ShareOut(s, there, False)
    in_pieces(g, 1 - player, visit, glance, 1.0, pieces, turn, number, w)


@kernel
def average_sums(g, s, weight, sums, flow, other):
    """Write the sums of all cells to ``sums``."""
    flow[U(0)] = weight
    other[U(0)] = weight
    for block in range(1, len(g.player)):
        if g.player[U(block)] == 0:
            _copy_sums(g, block, s, sums, flow)
        else:
            _copy_sums(g, block, s, sums, other)


@stage
def _copy_sums(g, block, s, sums, flow):
    """Write the sums of a block's cells."""
    share_out(g, block, s, False, flow)
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        for lane in range(at.lanes):
            sums[U(cell + lane)] = flow[U(slot + lane)]
        cell += at.lanes
        slot += at.stride


@kernel
def current_strategy(g, s, strategy):
    """Write the strategy of the next iteration, and a uniform one where nothing is active."""
    for block in range(1, len(g.player)):
        actions = g.actions[U(block)]
        lanes = g.lanes[U(block)]
        first_cell = g.first_cell[U(block)]
        for cell in range(first_cell, first_cell + actions * lanes):
            strategy[U(cell)] = 1.0 / actions
        record = s.ids_at[U(block)]
        # predictions of an earlier iteration have lapsed; what is stored stays as it is
        lapsed = (
            s.claims > 0 and s.numbers[U(s.numbers_at[U(block)] + UPDATED)] < s.clock[ITERATION]
        )
        names = record + HEAD
        values = lanes_at(s, block)
        for _ in range(s.ids[U(record + LANES)]):
            lane = s.ids[U(names + LANE)]
            alive = s.ids[U(names + ALIVE)]
            for a in range(actions):
                strategy[U(first_cell + a * lanes + lane)] = 0.0
            cells = sections_at(values, alive)
            claims = cells if lapsed else cells + s.claims * alive
            scale = s.numbers[U(values + SCALE)]
            if lapsed:
                norm = 0.0
                for k in range(alive):
                    norm += max(0.0, s.numbers[U(cells + k)])
                scale = scale_of(norm, alive)
            for k in range(alive):
                cell = first_cell + s.ids[U(names + ACTIONS + k)] * lanes + lane
                if alive == 1:
                    strategy[U(cell)] = 1.0
                else:
                    strategy[U(cell)] = probability(s.numbers[U(claims + k)], scale)
            names += ACTIONS + alive
            values = after_lane(s, values, alive)


@kernel
def count_entries(g, s, weight, flow, other):
    """Return how many regrets are in use, and how many strategy sums are positive."""
    flow[U(0)] = weight
    other[U(0)] = weight
    regrets = 0
    sums = 0
    for block in range(1, len(g.player)):
        if g.player[U(block)] == 0:
            share_out(g, block, s, False, flow)
            sums += _positive(g, block, flow)
        else:
            share_out(g, block, s, False, other)
            sums += _positive(g, block, other)
        record = s.ids_at[U(block)]
        names = record + HEAD
        for _ in range(s.ids[U(record + LANES)]):
            alive = s.ids[U(names + ALIVE)]
            regrets += alive
            names += ACTIONS + alive
    return regrets, sums


@part
def _positive(g, block, flow):
    """Return how many cells of a block have a sum."""
    count = 0
    at = block_at(g, block)
    slot = at.slot
    for _ in range(at.actions):
        for lane in range(at.lanes):
            count += flow[U(slot + lane)] > 0.0
        slot += at.stride
    return count
