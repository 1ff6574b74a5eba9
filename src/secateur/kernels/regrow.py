"""Brings branches back: takes over drafts of a review, and puts blocks back among those alive."""

from __future__ import annotations

import numpy as np

from secateur.kernels.average import share_out
from secateur.kernels.decorator import kernel, part
from secateur.kernels.live import write_frame
from secateur.kernels.live_sweep import write_played
from secateur.kernels.parts import U
from secateur.kernels.pruning_parts import parent_of
from secateur.kernels.store import (
    ACTIONS,
    BOUNDS,
    CEILING,
    CELLS,
    HEAD,
    LANE,
    LANES,
    LOST,
    REST,
    SUM,
    TOTAL,
    active_lanes,
    find_rows_alive,
    lane_ids,
    lane_numbers,
    mark_live,
    settle,
)


@kernel
def take_drafts(g, s, ids_top, numbers_top, floor, mark):
    """Store what is alive of the drafts, parents before children."""
    mark[U(0)] = True
    while ids_top < len(s.ids):
        drafted = s.ids[U(ids_top)]
        block = int(s.numbers[U(numbers_top)])
        parent = g.parent_slot[U(block)]
        grown = 0
        for i in range(drafted):
            if mark[U(parent_of(g, parent, s.ids[U(ids_top + 1 + i)]))]:
                grown += 1
        if grown > 0:
            _merge(g, block, s, ids_top, numbers_top, grown, floor, mark)
        mark_live(g, block, s, mark)
        ids_top += 1 + drafted
        numbers_top += 1 + drafted * (1 + 2 * g.actions[U(block)])


@part
def _merge(g, block, s, draft_ids, draft_numbers, grown, floor, mark):
    """Write a new record with the active lanes of the old one and the living ones of a draft."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    parent = g.parent_slot[U(block)]
    ids, numbers = s.ids, s.numbers
    old_active = active_lanes(s, block)
    old_rest = ids[U(s.ids_at[U(block)] + REST)]
    old_names = lane_ids(s, block, actions, 0)
    old_values = lane_numbers(s, block, actions, 0)
    drafted = ids[U(draft_ids)]
    active = old_active + grown
    record = s.used[0]
    names = record + HEAD
    values = s.used[1]
    ids[U(record + LANES)] = active
    ids[U(record + BOUNDS)] = ids[U(s.ids_at[U(block)] + BOUNDS)]
    s.ids_at[U(block)] = record
    s.numbers_at[U(block)] = values
    taken = 0  # old lanes
    j = 0  # next lane of the draft
    for _ in range(active):
        while j < drafted and not mark[U(parent_of(g, parent, ids[U(draft_ids + 1 + j)]))]:
            j += 1
        if j == drafted or (
            taken < old_active and ids[U(old_names + LANE)] < ids[U(draft_ids + 1 + j)]
        ):
            for k in range(ACTIONS + actions):
                ids[U(names + k)] = ids[U(old_names + k)]
            for k in range(CELLS + s.sections * actions):
                numbers[U(values + k)] = numbers[U(old_values + k)]
            old_names += ACTIONS + actions
            old_values += CELLS + s.sections * actions
            taken += 1
        else:
            draft = draft_numbers + 1 + j * (1 + 2 * actions)
            ids[U(names + LANE)] = ids[U(draft_ids + 1 + j)]
            numbers[U(values + SUM)] = numbers[U(draft)]
            numbers[U(values + LOST)] = 0.0
            for a in range(actions):
                gap = numbers[U(draft + 1 + a)]
                ceiling = numbers[U(draft + 1 + actions + a)]
                cell = values + CELLS + a
                ids[U(names + ACTIONS + a)] = a
                if s.played > 0:
                    numbers[U(cell + s.played * actions)] = 0.0
                numbers[U(cell + s.plain * actions)] = gap
                numbers[U(cell)] = max(floor, gap) if ceiling == np.inf else gap
                numbers[U(cell + TOTAL * actions)] = 0.0
                numbers[U(cell + CEILING * actions)] = ceiling
                if ceiling < np.inf:
                    ids[U(record + BOUNDS)] += 1
            settle(s, names, values, actions)
            j += 1
        names += ACTIONS + actions
        values += CELLS + s.sections * actions
    # sums of lanes that have come back leave the rest
    rest = 0
    for k in range(old_rest):
        cell = ids[U(old_names + k)]
        amount = numbers[U(old_values + k)]
        if not _take_back(s, block, actions, lanes, active, cell, amount):
            ids[U(names + rest)] = cell
            numbers[U(values + rest)] = amount
            rest += 1
    ids[U(record + REST)] = rest
    s.used[0] = names + rest
    s.used[1] = values + rest


@part
def _take_back(s, block, actions, lanes, active, cell, amount):
    """Write an entry of the rest to its lane, if that is active; return whether it is."""
    found = False
    for i in range(active):
        names = lane_ids(s, block, actions, i)
        values = lane_numbers(s, block, actions, i)
        if s.ids[U(names + LANE)] == cell % lanes:
            found = True
            if cell >= actions * lanes:
                s.numbers[U(values + LOST)] = amount
            for k in range(actions):
                if s.ids[U(names + ACTIONS + k)] == cell // lanes:
                    s.numbers[U(values + CELLS + TOTAL * actions + k)] = amount
    return found


@kernel
def relink(g, p, s, live, begin, weights, flows, alive, fresh, stack):
    """Find anew which blocks of the subtree ``begin`` are alive; bring their averages up to date.

    ``weights`` are the sums of weights that each player's strategies have been faced with,
    ``flows`` and ``alive`` have one stack per player, ``fresh`` is another list of the same frames.
    """
    end = g.subtree_end[U(begin)]
    first = _place_of(live, begin)
    for player in range(2):
        flows[player][U(0)] = weights[player]
        alive[player][U(0)] = True
    # the way to the subtree
    block = 1
    while block < begin:
        if g.subtree_end[U(block)] <= begin:
            block = g.subtree_end[U(block)]
            continue
        player = g.player[U(block)]
        share_out(g, block, s, False, flows[player])
        find_rows_alive(g, block, s, alive[player])
        block += 1
    # the subtree itself
    before = first  # in order: the next block that was alive before
    count = 0
    depth = 0
    block = begin
    while True:
        while depth > 0 and g.subtree_end[U(fresh.order[U(stack[U(depth - 1)])])] <= block:
            depth -= 1
            fresh.size[U(stack[U(depth)])] = count - stack[U(depth)]
        if block == end:
            break
        if not (alive[0][U(g.gate[U(2 * block)])] and alive[1][U(g.gate[U(2 * block + 1)])]):
            block = g.subtree_end[U(block)]
            continue
        while before < live.length[0] and live.order[U(before)] < block:
            before += 1
        new = before == live.length[0] or live.order[U(before)] > block
        player = g.player[U(block)]
        share_out(g, block, s, new, flows[player])
        find_rows_alive(g, block, s, alive[player])
        if new and s.played > 0:
            write_played(g, block, s)
        write_frame(g, p, block, fresh, count, alive)
        stack[U(depth)] = count
        depth += 1
        count += 1
        block += 1
    _splice(live, first, fresh, count)


@part
def _place_of(live, block):
    """Return where a block stands among those alive."""
    place = 0
    while live.order[U(place)] < block:
        size = live.size[U(place)]
        place += size if live.order[U(place + size - 1)] < block else 1
    return place


@part
def _splice(live, first, fresh, count):
    """Replace the subtree at place ``first`` by the first ``count`` blocks of ``fresh``.

    Mostly these are more than there were; but the other player may just have pruned.
    """
    total = live.length[0]
    last = first + live.size[U(first)]
    more = count - (last - first)
    place = 0
    while place < first:
        if place + live.size[U(place)] <= first:
            place += live.size[U(place)]
        else:
            live.size[U(place)] += more
            place += 1
    if more > 0:
        for k in range(total - 1, last - 1, -1):
            _move(live, k, live, k + more)
    elif more < 0:
        for k in range(last, total):
            _move(live, k, live, k + more)
    for k in range(count):
        _move(fresh, k, live, first + k)
    live.length[0] = total + more


@part
def _move(source, k, target, place):
    """Copy an entry of a list of blocks."""
    target.order[U(place)] = source.order[U(k)]
    target.size[U(place)] = source.size[U(k)]
    target.frames_at[U(place)] = source.frames_at[U(k)]
    target.factors_at[U(place)] = source.factors_at[U(k)]
