"""A sweep over what is alive.

Averages are lazy: below a row that is pruned for all lanes, the opponent's strategy stays as it is,
and its sum there can be told from the sum above (:mod:`secateur.kernels.average`).
"""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.live import (
    ACTION_COUNT,
    BODY,
    GATES,
    LANE_COUNT,
    LEAF_SIZE,
    LEAVES,
    LINK_SIZE,
    LINKS,
    PARENT,
    PLAYER,
    ROW,
    SLOT,
)
from secateur.kernels.parts import U, multiply, padded
from secateur.kernels.pruning_parts import parent_of, tally_histories
from secateur.kernels.store import (
    ACTIONS,
    ALIVE,
    BOUNDS,
    CEILING,
    CELLS,
    HEAD,
    LANE,
    LANES,
    SCALE,
    SUM,
    TOTAL,
    active_lanes,
    lane_ids,
    lane_numbers,
    mark_live,
    probability,
)
from secateur.kernels.sweep import AVERAGE, FLOOR, WEIGHT


@part
def _pass_reach(g, frames, frame, s, record, values, omega, reach, reached):
    """Multiply the reach of a block's owner through its strategy; add it to the sums."""
    actions = frames[U(frame + ACTION_COUNT)]
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    first_row = frames[U(frame + ROW)]
    parent = frames[U(frame + PARENT)]
    ids, numbers = s.ids, s.numbers
    for a in range(actions):
        reached[U(first_row + a)] = False
    for slot in range(first_slot, first_slot + actions * stride):
        reach[U(slot)] = 0.0
    names = record + HEAD
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        before = reach[U(parent_of(g, parent, lane))]
        scale = numbers[U(values + SCALE)]
        cell = values + CELLS
        played = cell + s.played * actions
        choices = ids[U(names + ALIVE)] if s.played == 0 else actions
        for k in range(choices):
            if s.played == 0:
                after = before * probability(numbers[U(cell + k)], scale)
            else:
                after = before * numbers[U(played + k)]
            a = ids[U(names + ACTIONS + k)]
            # no branches: whether an action is played is hard to predict
            reach[U(first_slot + a * stride + lane)] = after
            reached[U(first_row + a)] |= after > 0.0
            numbers[U(cell + TOTAL * actions + k)] += omega * after
        names += ACTIONS + actions
        values += CELLS + s.sections * actions


@part
def _clear_values(frames, frame, value):
    """Set the values of a block's sequences to zero."""
    first = frames[U(frame + SLOT)]
    rows = frames[U(frame + ACTION_COUNT)] * padded(frames[U(frame + LANE_COUNT)])
    for slot in range(first, first + rows):
        value[U(slot)] = 0.0


@part
def _add_leaves(g, me, frames, frame, factors, factor, reach, reached, value):
    """Add the values of leaves that the opponent reaches."""
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    leaf = frame + BODY
    for _ in range(frames[U(frame + LEAVES)]):
        if reached[U(frames[U(leaf + you)])]:
            multiply(
                g,
                me,
                frames[U(leaf + 4)],
                sign * factors[U(factor)],
                reach,
                frames[U(leaf + 2 + you)],
                value,
                frames[U(leaf + 2 + me)],
            )
        leaf += LEAF_SIZE
        factor += 1


@part
def _reach_of_lanes(g, me, frames, frame, factors, factor, reach, lane_reach):
    """Write the opponent's and chance's reach of a block's lanes at the block's first slots."""
    first = frames[U(frame + SLOT)]
    for lane in range(padded(frames[U(frame + LANE_COUNT)])):
        lane_reach[U(first + lane)] = 0.0
    leaves = frames[U(frame + LEAVES)]
    link = frame + BODY + leaves * LEAF_SIZE
    factor += leaves
    for _ in range(frames[U(frame + LINKS)]):
        multiply(
            g,
            me,
            frames[U(link + 1)],
            factors[U(factor)],
            reach,
            frames[U(link)],
            lane_reach,
            first,
        )
        link += LINK_SIZE
        factor += 1


@part
def _fold(g, frames, frame, s, record, values, value, lane_reach, weight, floor):
    """Update an own block's regrets and bounds; return whether a bound no longer holds."""
    actions = frames[U(frame + ACTION_COUNT)]
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    parent = frames[U(frame + PARENT)]
    ids, numbers = s.ids, s.numbers
    plain = s.plain * actions
    expired = False
    names = record + HEAD
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        alive = ids[U(names + ALIVE)]
        slot = first_slot + lane
        cells = values + CELLS
        scale = numbers[U(values + SCALE)]
        expected = 0.0
        for k in range(alive):
            a = ids[U(names + ACTIONS + k)]
            expected += probability(numbers[U(cells + k)], scale) * value[U(slot + a * stride)]
        value[U(parent_of(g, parent, lane))] += expected
        numbers[U(values + SUM)] += weight * expected
        norm = 0.0
        for k in range(alive):
            a = ids[U(names + ACTIONS + k)]
            instant = weight * (value[U(slot + a * stride)] - expected)
            new = numbers[U(cells + k)] + instant
            if plain > 0:
                numbers[U(cells + plain + k)] += instant
                new = max(floor, new)
            numbers[U(cells + k)] = new
            norm += max(0.0, new)
        numbers[U(values + SCALE)] = 1.0 / norm if norm > 0.0 else -1.0 / alive
        for k in range(alive, actions):
            best = lane_reach[U(slot)] * numbers[U(cells + CEILING * actions + k)]
            bound = numbers[U(cells + k)] + weight * (best - expected)
            numbers[U(cells + k)] = bound
            expired |= bound > 0.0
        names += ACTIONS + actions
        values += CELLS + s.sections * actions
    return expired


@kernel
def sweep_live(g, p, me, s, live, rule, count, w, ends, lane_reach, mark, expired):
    """Update ``me``'s regrets and bounds; add the strategy that ``me`` faces to its sums.

    Returns the number of blocks with bounds that have expired (they are in ``expired``), the number
    of own blocks, and, if ``count``, the number of histories touched.
    """
    reach, reached, value, stack = w
    frames, factors = live.frames, live.factors
    you = 1 - me
    weight = rule[U(WEIGHT)]
    floor = rule[U(FLOOR)]
    omega = rule[U(AVERAGE)]
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    mark[U(0)] = True
    depth = 0
    expirations = 0
    updated = 0
    nodes = 0.0
    place = 0
    while True:
        while depth > 0 and ends[U(depth - 1)] <= place:
            depth -= 1
            updated += 1
            opened = stack[U(depth)]
            block = live.order[U(opened)]
            frame = live.frames_at[U(opened)]
            record = s.ids_at[U(block)]
            if s.ids[U(record + BOUNDS)] > 0:
                _reach_of_lanes(
                    g,
                    me,
                    frames,
                    frame,
                    factors,
                    live.factors_at[U(opened)],
                    reach,
                    lane_reach,
                )
            if _fold(
                g,
                frames,
                frame,
                s,
                record,
                s.numbers_at[U(block)],
                value,
                lane_reach,
                weight,
                floor,
            ):
                expired[U(expirations)] = block
                expirations += 1
        if place == live.length[0]:
            break
        frame = live.frames_at[U(place)]
        if not reached[U(frames[U(frame + GATES + you)])]:
            place += live.size[U(place)]
            continue
        block = live.order[U(place)]
        owner = frames[U(frame + PLAYER)]
        if owner == you:
            _pass_reach(
                g,
                frames,
                frame,
                s,
                s.ids_at[U(block)],
                s.numbers_at[U(block)],
                omega,
                reach,
                reached,
            )
        elif owner == me:
            _clear_values(frames, frame, value)
            stack[U(depth)] = place
            ends[U(depth)] = place + live.size[U(place)]
            depth += 1
            if count:
                mark_live(g, block, s, mark)
        _add_leaves(
            g,
            me,
            frames,
            frame,
            factors,
            live.factors_at[U(place)],
            reach,
            reached,
            value,
        )
        if count:
            nodes += tally_histories(g, p, me, block, mark, reach, reached)
        place += 1
    return expirations, updated, nodes


@kernel
def set_played(g, s, live):
    """Write the strategies that both players will play in the next iteration."""
    for place in range(live.length[0]):
        write_played(g, live.order[U(place)], s)


@part
def write_played(g, block, s):
    """Write the strategy of a block to the section of what is played."""
    actions = g.actions[U(block)]
    for i in range(active_lanes(s, block)):
        alive = s.ids[U(lane_ids(s, block, actions, i) + ALIVE)]
        values = lane_numbers(s, block, actions, i)
        cell = values + CELLS
        for k in range(actions):
            share = probability(s.numbers[U(cell)], s.numbers[U(values + SCALE)])
            s.numbers[U(cell + s.played * actions)] = share if k < alive else 0.0
            cell += 1
