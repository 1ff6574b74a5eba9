"""Copies what is alive to a new store, and finds the blocks that both players may still reach."""

from __future__ import annotations

import numpy as np

from secateur.kernels.average import share_out
from secateur.kernels.decorator import kernel, part
from secateur.kernels.live import write_frame
from secateur.kernels.parts import U
from secateur.kernels.pruning_parts import parent_of
from secateur.kernels.store import (
    ACTIONS,
    ALIVE,
    BOUNDS,
    CEILING,
    CELLS,
    HEAD,
    LANE,
    LANES,
    LOST,
    REST,
    SCALE,
    TOTAL,
    active_lanes,
    find_rows_alive,
    lane_ids,
    lane_numbers,
    mark_live,
)

BLOCK, DEPTH, DEAD_END, OLD_IDS, OLD_NUMBERS, PROGRESS = range(6)
"""How far a copy has come: the next block, the open ones, the end of a subtree that is dead, and
what is no longer needed of the old store; and the length of such a report."""


@kernel
def fill(g, p, s, live, alive):
    """Write a record for every block: all lanes active, nothing pruned, no regrets."""
    for player in range(2):
        for row in range(len(alive[player])):
            alive[player][U(row)] = True
    live.used[0] = 0
    live.used[1] = 0
    s.used[0] = HEAD  # the empty record
    s.used[1] = 0
    for block in range(len(g.player)):
        write_frame(g, p, block, live, block, alive)
        live.size[U(block)] = g.subtree_end[U(block)] - block
        if block == 0:
            continue
        actions = g.actions[U(block)]
        lanes = g.lanes[U(block)]
        s.ids_at[U(block)] = s.used[0]
        s.numbers_at[U(block)] = s.used[1]
        s.ids[U(s.used[0] + LANES)] = lanes
        for lane in range(lanes):
            names = lane_ids(s, block, actions, lane)
            values = lane_numbers(s, block, actions, lane)
            s.ids[U(names + LANE)] = lane
            s.ids[U(names + ALIVE)] = actions
            s.numbers[U(values + SCALE)] = -1.0 / actions
            for a in range(actions):
                s.ids[U(names + ACTIONS + a)] = a
                s.numbers[U(values + CELLS + CEILING * actions + a)] = np.inf
                if s.played > 0:
                    s.numbers[U(values + CELLS + s.played * actions + a)] = 1.0 / actions
        s.used[0] = lane_ids(s, block, actions, lanes)
        s.used[1] = lane_numbers(s, block, actions, lanes)
    live.length[0] = len(g.player)


@kernel
def compact(
    g, p, old, new, ordered, live, limit, progress, mark, alive, flow, stack, weight, threshold
):
    """Copy blocks to ``new`` until it holds ``limit`` numbers or all are done.

    Before ``ordered``, the old records stand in the order of the blocks.
    ``mark``, ``alive`` and ``flow`` have one stack per player; ``weight`` is that of all
    iterations. Strategy sums of pruned cells are
    discarded if they are at most ``threshold``, and all sums behind those.
    """
    blocks = len(g.player)
    block = progress[BLOCK]
    depth = progress[DEPTH]
    dead_end = progress[DEAD_END]
    if block == 0:
        new.used[0] = HEAD
        new.used[1] = 0
        live.length[0] = 0
        live.used[0] = 0
        live.used[1] = 0
        for player in range(2):
            mark[player][U(0)] = True
            alive[player][U(0)] = True
            flow[player][U(0)] = weight
    while True:
        while depth > 0 and g.subtree_end[U(live.order[U(stack[U(depth - 1)])])] <= block:
            depth -= 1
            live.size[U(stack[U(depth)])] = live.length[0] - stack[U(depth)]
        if block == blocks or new.used[1] >= limit:
            break
        if block >= dead_end and not (
            alive[0][U(g.gate[U(2 * block)])] and alive[1][U(g.gate[U(2 * block + 1)])]
        ):
            dead_end = g.subtree_end[U(block)]
        if block > 0:
            player = g.player[U(block)]
            if old.ids_at[U(block)] < ordered[0]:
                progress[OLD_IDS] = max(progress[OLD_IDS], old.ids_at[U(block)])
                progress[OLD_NUMBERS] = max(progress[OLD_NUMBERS], old.numbers_at[U(block)])
            _copy(g, block, old, new, mark[player], flow[player], threshold)
            mark_live(g, block, new, mark[player])
            find_rows_alive(g, block, new, alive[player])
            share_out(g, block, new, False, flow[player])
        if block >= dead_end:
            write_frame(g, p, block, live, live.length[0], alive)
            stack[U(depth)] = live.length[0]
            depth += 1
            live.length[0] += 1
        block += 1
    progress[BLOCK] = block
    progress[DEPTH] = depth
    progress[DEAD_END] = dead_end


@part
def _copy(g, block, old, new, mark, flow, threshold):
    """Copy the record of a block: lanes that are active, and strategy sums of the others."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    parent = g.parent_slot[U(block)]
    old_active = active_lanes(old, block)
    active = 0
    for i in range(old_active):
        lane = old.ids[U(lane_ids(old, block, actions, i) + LANE)]
        if mark[U(parent_of(g, parent, lane))]:
            active += 1
    record = new.used[0]
    new.ids_at[U(block)] = record
    new.numbers_at[U(block)] = new.used[1]
    rest_names = lane_ids(new, block, actions, active)
    rest_values = lane_numbers(new, block, actions, active)
    old_names = lane_ids(old, block, actions, old_active)
    old_values = lane_numbers(old, block, actions, old_active)
    rest = 0
    for k in range(old.ids[U(old.ids_at[U(block)] + REST)]):
        cell = old.ids[U(old_names + k)]
        if flow[U(parent_of(g, parent, cell % lanes))] > 0.0:
            new.ids[U(rest_names + rest)] = cell
            new.numbers[U(rest_values + rest)] = old.numbers[U(old_values + k)]
            rest += 1
    bounds = 0
    names = lane_ids(new, block, actions, 0)
    values = lane_numbers(new, block, actions, 0)
    for i in range(old_active):
        old_names = lane_ids(old, block, actions, i)
        old_values = lane_numbers(old, block, actions, i)
        lane = old.ids[U(old_names + LANE)]
        above = parent_of(g, parent, lane)
        if mark[U(above)]:
            for k in range(ACTIONS + actions):
                new.ids[U(names + k)] = old.ids[U(old_names + k)]
            for k in range(CELLS + new.sections * actions):
                new.numbers[U(values + k)] = old.numbers[U(old_values + k)]
            bounds += actions - new.ids[U(names + ALIVE)]
            if threshold > 0.0:
                _discard(new, names, values, actions, threshold)
            names += ACTIONS + actions
            values += CELLS + new.sections * actions
        elif flow[U(above)] > 0.0:
            if old.numbers[U(old_values + LOST)] > 0.0:
                new.ids[U(rest_names + rest)] = actions * lanes + lane
                new.numbers[U(rest_values + rest)] = old.numbers[U(old_values + LOST)]
                rest += 1
            for k in range(actions):
                total = old.numbers[U(old_values + CELLS + TOTAL * actions + k)]
                if total > 0.0:
                    cell = old.ids[U(old_names + ACTIONS + k)] * lanes + lane
                    new.ids[U(rest_names + rest)] = cell
                    new.numbers[U(rest_values + rest)] = total
                    rest += 1
    if active == 0 and rest == 0:
        new.ids_at[U(block)] = 0
        new.numbers_at[U(block)] = 0
    else:
        new.ids[U(record + LANES)] = active
        new.ids[U(record + REST)] = rest
        new.ids[U(record + BOUNDS)] = bounds
        new.used[0] = rest_names + rest
        new.used[1] = rest_values + rest


@part
def _discard(s, names, values, actions, threshold):
    """Discard small sums of a lane's pruned actions, as long as others remain."""
    totals = values + CELLS + TOTAL * actions
    for k in range(s.ids[U(names + ALIVE)], actions):
        total = s.numbers[U(totals + k)]
        others = 0.0
        for j in range(actions):
            if j != k:
                others += s.numbers[U(totals + j)]
        if others > 0.0 and total + s.numbers[U(values + LOST)] <= threshold:
            s.numbers[U(values + LOST)] += total
            s.numbers[U(totals + k)] = 0.0


@kernel
def count_entries(g, s):
    """Return how many regrets are in use, and how many strategy sums are positive."""
    regrets = 0
    sums = 0
    for block in range(1, len(g.player)):
        actions = g.actions[U(block)]
        active = active_lanes(s, block)
        for i in range(active):
            regrets += s.ids[U(lane_ids(s, block, actions, i) + ALIVE)]
            totals = lane_numbers(s, block, actions, i) + CELLS + TOTAL * actions
            for k in range(actions):
                sums += s.numbers[U(totals + k)] > 0.0
        names = lane_ids(s, block, actions, active)
        for k in range(s.ids[U(s.ids_at[U(block)] + REST)]):
            sums += s.ids[U(names + k)] < actions * g.lanes[U(block)]
    return regrets, sums
