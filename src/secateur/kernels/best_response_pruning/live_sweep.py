"""A sweep over what is alive.

Averages are lazy: below a row that is pruned for all lanes, the opponent's strategy stays as it is,
and its sum there can be told from the sum above
(:mod:`secateur.kernels.best_response_pruning.average`).
"""

from __future__ import annotations

from secateur.kernels.best_response_pruning.live import (
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
    ROWS,
    SLOT,
)
from secateur.kernels.best_response_pruning.store import (
    BOUNDS,
    DEAD,
    ITERATION,
    LIMIT,
    LINE,
    NEGATIVE_NOW,
    NEGATIVE_PAST,
    POSITIVE_NOW,
    POSITIVE_PAST,
    REACH,
    SCALE,
    SLOPE,
    SUM,
    UPDATED,
    follow_claims,
    has_expired,
    mark_live,
    probability,
    record_at,
    section_of,
    watch,
)
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import padded
from secateur.kernels.core.parts import LEAST_NORM, U, multiply
from secateur.kernels.core.pruning_parts import parent_of, tally_histories
from secateur.kernels.regret_minimizers.sweep import (
    AVERAGE,
    FLOOR,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    WEIGHT,
    updated,
)


@part
def _clear_rows(frames, frame, numbers):
    """Set the numbers of a block's living rows to zero."""
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    for row in range(frame + BODY, frame + BODY + frames[U(frame + ROWS)]):
        first = first_slot + frames[U(row)] * stride
        for slot in range(first, first + stride):
            numbers[U(slot)] = 0.0


@part
def _pass_reach(g, frames, frame, s, record, numbers_at, last, omega, reach, reached):
    """Multiply the reach of a block's owner through its strategy; add it to the sums.

    ``last`` is the last iteration in which the owner has chosen a strategy.
    """
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    first_row = frames[U(frame + ROW)]
    parent = frames[U(frame + PARENT)]
    numbers = s.numbers
    r = record_at(s, record, numbers_at, frames[U(frame + LANE_COUNT)])
    follow_claims(s, r, last)
    for row in range(first_row, first_row + frames[U(frame + ACTION_COUNT)]):
        reached[U(row)] = False
    chosen = section_of(r, s.played if s.played > 0 else s.claims)
    totals = section_of(r, s.total)
    scales = r.lane + SCALE * r.lanes
    here = 0
    for k in range(r.rows):
        a = s.ids[U(r.names + k)]
        slot = first_slot + a * stride
        some = 0.0
        for lane in range(r.lanes):
            share = numbers[U(chosen + here)]
            if s.played == 0:
                scale = numbers[U(scales + lane)]
                if scale >= 0.0:
                    share = max(0.0, share) * scale
                else:
                    share = -scale if numbers[U(r.cell + here)] > DEAD else 0.0
            after = reach[U(parent_of(g, parent, lane))] * share
            reach[U(slot + lane)] = after
            numbers[U(totals + here)] += omega * after
            some += after
            here += 1
        reached[U(first_row + a)] = some > 0.0


@part
def _add_leaves(g, me, frames, frame, factors, reach, reached, value):
    """Add the values of leaves that the opponent reaches."""
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    leaf = frame + BODY + frames[U(frame + ROWS)]
    for _ in range(frames[U(frame + LEAVES)]):
        if reached[U(frames[U(leaf + you)])]:
            multiply(
                g,
                me,
                frames[U(leaf + 4)],
                sign * factors[U(frames[U(leaf + 5)])],
                reach,
                frames[U(leaf + 2 + you)],
                value,
                frames[U(leaf + 2 + me)],
            )
        leaf += LEAF_SIZE


@part
def _reach_of_lanes(g, me, frames, frame, factors, reach, reached, lane_reach):
    """Write the opponent's and chance's reach of a block's lanes at the block's first slots."""
    first = frames[U(frame + SLOT)]
    for lane in range(padded(frames[U(frame + LANE_COUNT)])):
        lane_reach[U(first + lane)] = 0.0
    link = frame + BODY + frames[U(frame + ROWS)] + frames[U(frame + LEAVES)] * LEAF_SIZE
    for _ in range(frames[U(frame + LINKS)]):
        if reached[U(frames[U(link)])]:
            multiply(
                g,
                me,
                frames[U(link + 2)],
                factors[U(frames[U(link + 3)])],
                reach,
                frames[U(link + 1)],
                lane_reach,
                first,
            )
        link += LINK_SIZE


@part
def _made_up(s, r, rule):
    """Return what one iteration does to a block's regrets, with discounts that it has missed."""
    positive, negative = rule[U(POSITIVE)], rule[U(NEGATIVE)]
    if s.past > 0:
        numbers, clock = s.numbers, s.clock
        if numbers[U(r.numbers + UPDATED)] != clock[U(ITERATION)] - 1.0:
            positive = 2.0 ** (clock[U(POSITIVE_NOW)] - numbers[U(r.numbers + POSITIVE_PAST)])
            negative = 2.0 ** (clock[U(NEGATIVE_NOW)] - numbers[U(r.numbers + NEGATIVE_PAST)])
        numbers[U(r.numbers + POSITIVE_PAST)] = clock[U(POSITIVE_NOW)]
        numbers[U(r.numbers + NEGATIVE_PAST)] = clock[U(NEGATIVE_NOW)]
        numbers[U(r.numbers + UPDATED)] = clock[U(ITERATION)]
    return positive, negative, rule[U(WEIGHT)], rule[U(FLOOR)], rule[U(PREDICTION)]


@part
def _fold(g, p, block, frames, frame, s, record, numbers_at, value, lane_reach, rule, tolerance):
    """Update an own block's regrets; return whether a bound no longer holds."""
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    parent = frames[U(frame + PARENT)]
    numbers = s.numbers
    r = record_at(s, record, numbers_at, frames[U(frame + LANE_COUNT)])
    follow_claims(s, r, s.clock[U(ITERATION)] - 1.0)
    made_up = _made_up(s, r, rule)
    weight = rule[U(AVERAGE)]
    lane = 0
    if parent >= 0:
        # three at a time keep the processor busy, as in the sweep over dense arrays
        while lane + 3 <= r.lanes:
            scales = r.lane + SCALE * r.lanes + lane
            if min(numbers[U(scales)], numbers[U(scales + 1)], numbers[U(scales + 2)]) >= 0.0:
                _fold_three_lanes(
                    s, r, lane, value, first_slot + lane, stride, parent + lane, made_up, weight
                )
            else:
                for k in range(lane, lane + 3):
                    _fold_lane(
                        s, r, k, value, first_slot + k, stride, parent + k, made_up, weight
                    )
            lane += 3
    while lane < r.lanes:
        above = parent_of(g, parent, lane)
        _fold_lane(s, r, lane, value, first_slot + lane, stride, above, made_up, weight)
        lane += 1
    expired = False
    if s.ids[U(record + BOUNDS)] > 0:
        for lane in range(r.lanes):
            earned = numbers[U(r.lane + SUM * r.lanes + lane)]
            reach = numbers[U(r.lane + REACH * r.lanes + lane)]
            reach += weight * lane_reach[U(first_slot + lane)]
            numbers[U(r.lane + REACH * r.lanes + lane)] = reach
            line = 2 * (r.lane + LINE * r.lanes + lane)
            most = s.lines[U(line + LIMIT)] + s.lines[U(line + SLOPE)] * reach
            # twice, so that rounding never hides what the bounds themselves would show; and where
            # a line beyond single precision says nothing, they must be asked
            if not most - earned <= -2.0 * tolerance:
                expired |= _is_one_expired(g, p, block, s, r, lane, tolerance)
    return expired


@part
def _fold_lane(s, r, lane, value, first_slot, stride, above, made_up, weight):
    """Update the regrets of a lane; pass its expected value on."""
    ids, numbers = s.ids, s.numbers
    claims = section_of(r, s.claims)
    scale = numbers[U(r.lane + SCALE * r.lanes + lane)]
    expected = 0.0
    here = lane
    for k in range(r.rows):
        slot = first_slot + ids[U(r.names + k)] * stride
        regret = numbers[U(r.cell + here)]
        expected += probability(numbers[U(claims + here)], regret, scale) * value[U(slot)]
        here += r.lanes
    value[U(above)] += expected
    numbers[U(r.lane + SUM * r.lanes + lane)] += weight * expected
    norm = 0.0
    here = lane
    for k in range(r.rows):
        slot = first_slot + ids[U(r.names + k)] * stride
        instant = value[U(slot)] - expected
        new = _new_regret(numbers[U(r.cell + here)], instant, made_up)
        claim = max(0.0, new + made_up[PREDICTION] * instant)
        numbers[U(r.cell + here)] = new
        if s.claims > 0:
            numbers[U(claims + here)] = claim
        norm += claim
        here += r.lanes
    _set_scale(s, r, lane, norm)


@part
def _new_regret(regret, instant, made_up):
    """Return a regret after an iteration; what is not alive stays so."""
    return updated(regret, instant, made_up) if regret > DEAD else DEAD


@part
def _set_scale(s, r, lane, norm):
    """Write the scale of a lane whose positive claims sum up to ``norm``."""
    place = r.lane + SCALE * r.lanes + lane
    if norm >= LEAST_NORM:
        s.numbers[U(place)] = 1.0 / norm
    elif s.numbers[U(place)] != 0.0:  # active
        alive = 0
        for k in range(lane, r.rows * r.lanes, r.lanes):
            alive += s.numbers[U(r.cell + k)] > DEAD
        s.numbers[U(place)] = -1.0 / alive


@part
def _fold_three_lanes(s, r, lane, value, first_slot, stride, above, made_up, weight):
    """Fold and update three lanes that have scales; the same as one after the other."""
    ids, numbers = s.ids, s.numbers
    claims = section_of(r, s.claims) + lane
    scales = r.lane + SCALE * r.lanes + lane
    scale_0 = numbers[U(scales)]
    scale_1 = numbers[U(scales + 1)]
    scale_2 = numbers[U(scales + 2)]
    expected_0 = expected_1 = expected_2 = 0.0
    here = claims
    for k in range(r.rows):
        slot = first_slot + ids[U(r.names + k)] * stride
        expected_0 += max(0.0, numbers[U(here)]) * scale_0 * value[U(slot)]
        expected_1 += max(0.0, numbers[U(here + 1)]) * scale_1 * value[U(slot + 1)]
        expected_2 += max(0.0, numbers[U(here + 2)]) * scale_2 * value[U(slot + 2)]
        here += r.lanes
    value[U(above)] += expected_0
    value[U(above + 1)] += expected_1
    value[U(above + 2)] += expected_2
    sums = r.lane + SUM * r.lanes + lane
    numbers[U(sums)] += weight * expected_0
    numbers[U(sums + 1)] += weight * expected_1
    numbers[U(sums + 2)] += weight * expected_2
    norm_0 = norm_1 = norm_2 = 0.0
    here = r.cell + lane
    for k in range(r.rows):
        slot = first_slot + ids[U(r.names + k)] * stride
        instant_0 = value[U(slot)] - expected_0
        instant_1 = value[U(slot + 1)] - expected_1
        instant_2 = value[U(slot + 2)] - expected_2
        new_0 = _new_regret(numbers[U(here)], instant_0, made_up)
        new_1 = _new_regret(numbers[U(here + 1)], instant_1, made_up)
        new_2 = _new_regret(numbers[U(here + 2)], instant_2, made_up)
        numbers[U(here)] = new_0
        numbers[U(here + 1)] = new_1
        numbers[U(here + 2)] = new_2
        claim_0 = max(0.0, new_0 + made_up[PREDICTION] * instant_0)
        claim_1 = max(0.0, new_1 + made_up[PREDICTION] * instant_1)
        claim_2 = max(0.0, new_2 + made_up[PREDICTION] * instant_2)
        if s.claims > 0:
            numbers[U(claims + k * r.lanes)] = claim_0
            numbers[U(claims + k * r.lanes + 1)] = claim_1
            numbers[U(claims + k * r.lanes + 2)] = claim_2
        norm_0 += claim_0
        norm_1 += claim_1
        norm_2 += claim_2
        here += r.lanes
    _set_scale(s, r, lane, norm_0)
    _set_scale(s, r, lane + 1, norm_1)
    _set_scale(s, r, lane + 2, norm_2)


@stage
def _is_one_expired(g, p, block, s, r, lane, tolerance):
    """Return whether a bound of a lane no longer holds; if all do, draw a new line above them."""
    actions = g.actions[U(block)]
    attic = s.attic_at[U(block)]
    end = attic + 1 + s.attic_ids[U(attic)]
    for entry in range(attic + 1, end):
        if lane * actions <= s.attic_ids[U(entry)] < (lane + 1) * actions and has_expired(
            g, p, block, s, r, entry, lane, tolerance
        ):
            return True
    watch(g, p, block, s, r, attic + 1, end, lane)
    return False


@kernel
def sweep_live(g, p, me, s, live, rule, tolerance, counted, w, scratch):
    """Update ``me``'s regrets; add the strategy that ``me`` faces to its sums.

    Returns the number of blocks with bounds that have expired (they are in ``scratch.expired``),
    the number of own blocks, and, if ``counted``, the number of histories touched.
    """
    reach, reached, value, stack = w.reach, w.reached, w.value, w.stack
    frames, factors = live.frames, live.factors
    ends, lane_reach, mark = scratch.ends, scratch.lane_reach, scratch.mark[me]
    you = 1 - me
    # player 1 faces what player 0 has just chosen
    last = s.clock[U(ITERATION)] - (1.0 if me == 0 else 0.0)
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
            frame = live.frames_at[U(opened)]
            record = live.ids_at[U(opened)]
            if s.ids[U(record + BOUNDS)] > 0:
                _reach_of_lanes(
                    g,
                    me,
                    frames,
                    frame,
                    factors,
                    reach,
                    reached,
                    lane_reach,
                )
            if _fold(
                g,
                p,
                live.order[U(opened)],
                frames,
                frame,
                s,
                record,
                live.numbers_at[U(opened)],
                value,
                lane_reach,
                rule,
                tolerance,
            ):
                scratch.expired[U(expirations)] = live.order[U(opened)]
                expirations += 1
        if place == live.length[0]:
            break
        frame = live.frames_at[U(place)]
        if not reached[U(frames[U(frame + GATES + you)])]:
            place += live.size[U(place)]
            continue
        owner = frames[U(frame + PLAYER)]
        if owner == you:
            _pass_reach(
                g,
                frames,
                frame,
                s,
                live.ids_at[U(place)],
                live.numbers_at[U(place)],
                last,
                omega,
                reach,
                reached,
            )
        elif owner == me:
            _clear_rows(frames, frame, value)
            stack[U(depth)] = place
            ends[U(depth)] = place + live.size[U(place)]
            depth += 1
            if counted:
                mark_live(g, live.order[U(place)], s, mark)
        _add_leaves(
            g,
            me,
            frames,
            frame,
            factors,
            reach,
            reached,
            value,
        )
        if counted:
            nodes += tally_histories(g, p, me, live.order[U(place)], mark, reach, reached)
        place += 1
    return expirations, updated, nodes
