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
    ACTIONS,
    ALIVE,
    BOUNDS,
    HEAD,
    ITERATION,
    LANE,
    LANES,
    LIMIT,
    LINE,
    REACH,
    SCALE,
    SLOPE,
    UPDATED,
    VALUE_SUM,
    after_lane,
    catch_up,
    has_expired,
    mark_live,
    sections_at,
    watch,
)
from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import padded
from secateur.kernels.core.heap import note_done
from secateur.kernels.core.parts import U, multiply
from secateur.kernels.core.pieces import (
    DONE,
    DOWN,
    UP,
    WITHIN,
    begin_pieces,
    begin_trunk,
    first_kind,
    is_in,
    keep_down,
    keep_slots,
    keep_up,
    next_kind,
    next_piece,
    next_stop,
    piece_at,
    take_down,
    take_slots,
    take_up,
)
from secateur.kernels.core.pruning_parts import parent_of, place_of, tally_histories
from secateur.kernels.core.walk import begin
from secateur.kernels.regret_minimizers.matching import probability, scale_of
from secateur.kernels.regret_minimizers.sweep import AVERAGE, PREDICTION, updated


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
def _pass_reach(g, frames, frame, s, record, numbers_at, discounts, last, omega, reach, reached):
    """Multiply the reach of a block's owner through its strategy; add it to the sums.

    ``last`` is the last iteration in which the owner has chosen a strategy.
    """
    catch_up(s, record, numbers_at, discounts, last)
    values = numbers_at + s.past
    actions = frames[U(frame + ACTION_COUNT)]
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    first_row = frames[U(frame + ROW)]
    parent = frames[U(frame + PARENT)]
    ids, numbers = s.ids, s.numbers
    _clear_rows(frames, frame, reach)
    for row in range(first_row, first_row + actions):
        reached[U(row)] = False
    names = record + HEAD
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        alive = ids[U(names + ALIVE)]
        before = reach[U(parent_of(g, parent, lane))]
        if alive == 1:
            a = ids[U(names + ACTIONS)]
            reach[U(first_slot + a * stride + lane)] = before
            reached[U(first_row + a)] |= before > 0.0
        else:
            scale = numbers[U(values + SCALE)]
            cells = sections_at(values, alive)
            claims = cells + s.claims * alive
            for k in range(alive):
                if s.played == 0:
                    after = before * probability(numbers[U(claims + k)], scale)
                else:
                    after = before * numbers[U(cells + s.played * alive + k)]
                a = ids[U(names + ACTIONS + k)]
                # no branches: whether an action is played is hard to predict
                reach[U(first_slot + a * stride + lane)] = after
                reached[U(first_row + a)] |= after > 0.0
                numbers[U(cells + s.total * alive + k)] += omega * after
        names += ACTIONS + alive
        values = after_lane(s, values, alive)


@part
def _add_leaves(g, me, frames, frame, factors, reach, reached, value):
    """Add the values of leaves that the opponent reaches."""
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    leaf = frame + BODY + frames[U(frame + ROWS)]
    for _ in range(frames[U(frame + LEAVES)]):
        pair = frames[U(leaf)]
        if reached[U(g.pair_row[U(2 * pair + you)])]:
            multiply(
                g,
                me,
                frames[U(leaf + 1)],
                sign * factors[U(frames[U(leaf + 2)])],
                reach,
                g.pair_slot[U(2 * pair + you)],
                value,
                g.pair_slot[U(2 * pair + me)],
            )
        leaf += LEAF_SIZE


@part
def _reach_of_lanes(g, me, frames, frame, factors, reach, reached, lane_reach):
    """Write the opponent's and chance's reach of a block's lanes at the block's first slots."""
    first = frames[U(frame + SLOT)]
    for lane in range(padded(frames[U(frame + LANE_COUNT)])):
        lane_reach[U(first + lane)] = 0.0
    link = frame + BODY + frames[U(frame + ROWS)] + LEAF_SIZE * int(frames[U(frame + LEAVES)])
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
def _fold(
    g,
    p,
    block,
    frames,
    frame,
    s,
    record,
    numbers_at,
    value,
    lane_reach,
    rule,
    discounts,
    tolerance,
):
    """Update an own block's regrets; return whether a bound no longer holds."""
    iteration = int(s.clock[U(ITERATION)])
    catch_up(s, record, numbers_at, discounts, iteration - 1)
    if s.past > 0:
        s.numbers[U(numbers_at + UPDATED)] = iteration
    # a tuple of numbers stays in registers; an array might change with every store
    update = rule[0], rule[1], rule[2], rule[3], rule[4]
    values = numbers_at + s.past
    weight = rule[U(AVERAGE)]
    actions = frames[U(frame + ACTION_COUNT)]
    stride = padded(frames[U(frame + LANE_COUNT)])
    first_slot = frames[U(frame + SLOT)]
    parent = frames[U(frame + PARENT)]
    ids, numbers = s.ids, s.numbers
    expired = False
    names = record + HEAD
    for _ in range(ids[U(record + LANES)]):
        lane = ids[U(names + LANE)]
        alive = ids[U(names + ALIVE)]
        slot = first_slot + lane
        if alive == 1:
            expected = value[U(slot + ids[U(names + ACTIONS)] * stride)]
            if s.past > 0:
                cell = sections_at(values, alive)
                numbers[U(cell)] = updated(numbers[U(cell)], 0.0, update)
        else:
            expected = _fold_lane(s, names, values, alive, value, slot, stride, update)
        value[U(parent_of(g, parent, lane))] += expected
        value_sum = numbers[U(values + VALUE_SUM)] + weight * expected
        numbers[U(values + VALUE_SUM)] = value_sum
        if alive < actions:
            reach = numbers[U(values + REACH)] + weight * lane_reach[U(slot)]
            numbers[U(values + REACH)] = reach
            line = 2 * (values + LINE)
            most = s.lines[U(line + LIMIT)] + s.lines[U(line + SLOPE)] * reach
            # twice, so that rounding never hides what the bounds themselves would show; and where
            # a line beyond single precision says nothing, they must be asked
            if not most - value_sum <= -2.0 * tolerance:
                expired |= _is_one_expired(g, p, block, s, lane, values, tolerance)
        names += ACTIONS + alive
        values = after_lane(s, values, alive)
    return expired


@part
def _fold_lane(s, names, values, alive, value, slot, stride, update):
    """Update the regrets of a lane; return its expected value."""
    ids, numbers = s.ids, s.numbers
    cells = sections_at(values, alive)
    claims = cells + s.claims * alive
    scale = numbers[U(values + SCALE)]
    expected = 0.0
    for k in range(alive):
        a = ids[U(names + ACTIONS + k)]
        expected += probability(numbers[U(claims + k)], scale) * value[U(slot + a * stride)]
    norm = 0.0
    for k in range(alive):
        a = ids[U(names + ACTIONS + k)]
        instant = value[U(slot + a * stride)] - expected
        new = updated(numbers[U(cells + k)], instant, update)
        claim = max(0.0, new + update[PREDICTION] * instant)
        if s.claims > 0:
            numbers[U(claims + k)] = claim
        numbers[U(cells + k)] = new
        norm += claim
    numbers[U(values + SCALE)] = scale_of(norm, alive)
    return expected


@stage
def _is_one_expired(g, p, block, s, lane, values, tolerance):
    """Return whether a bound of a lane no longer holds; if all do, draw a new line above them."""
    actions = g.actions[U(block)]
    attic = s.attic_at[U(block)]
    end = attic + 1 + s.attic_ids[U(attic)]
    for entry in range(attic + 1, end):
        if lane * actions <= s.attic_ids[U(entry)] < (lane + 1) * actions and has_expired(
            g, p, block, s, entry, lane, values, tolerance
        ):
            return True
    watch(g, p, block, s, attic + 1, end, lane, values)
    return False


@part
def sweep_live(g, p, me, s, live, rule, discounts, limits, pieces, there, turn, number, w, expired):
    """Update ``me``'s regrets; add the strategy that ``me`` faces to its sums.

    ``discounts`` are two numbers for each iteration so far; ``there`` is about ``pieces`` of what
    is alive, and ``turn`` may ask for a part of the sweep, which has this ``number``.

    Returns the number of blocks with bounds that no longer hold (they are in ``expired``), the
    number of own blocks, and, if they are counted, the number of histories touched.
    """
    given = (rule, discounts, limits)
    found = (0, 0, 0.0)
    kind = first_kind(turn, pieces)
    if kind == WITHIN:
        begin_pieces(turn, pieces, number)
    while kind != DONE:
        piece = next_piece(turn, pieces, number) if kind == WITHIN else -1
        if piece == len(pieces.first):
            kind = UP if turn.up else DONE
            continue
        first, end = 0, live.length[0]
        if kind == WITHIN:
            take_down(me, pieces, piece, w)
            take_slots(there.mark, pieces, piece, me, w.mark)
            first, end = there.first[U(piece)], there.end[U(piece)]
        else:
            begin(w, 1.0)
            w.mark[U(0)] = True
            begin_trunk(pieces, kind)
        found = _sweep_places(g, p, me, s, live, given, pieces, there, kind, first, end, w, expired)
        if kind == WITHIN:
            there.expirations[U(piece)] = found[0]
            there.updates[U(piece)] = found[1]
            there.nodes[U(piece)] = found[2]
            keep_up(me, pieces, piece, w)
            note_done(pieces.heap)
        else:
            kind = next_kind(turn, pieces, kind)
            if kind == WITHIN:
                begin_pieces(turn, pieces, number)
    return found


@part
def _join(me, pieces, there, piece, expirations, w, expired):
    """Add what a piece is worth; return its expirations, updates and histories.

    Blocks with expired bounds stand where the numbers of its blocks would, and are moved up.
    """
    take_up(me, pieces, piece, w)
    count = there.expirations[U(piece)]
    first = there.first[U(piece)]
    for k in range(count):
        expired[U(expirations + k)] = expired[U(first + k)]
    return count, there.updates[U(piece)], there.nodes[U(piece)]


@part
def _sweep_places(g, p, me, s, live, given, pieces, there, kind, place, end, w, expired):
    """Sweep over places of the list: those of a piece, or of the trunk on the way down or up."""
    rule, discounts, limits = given
    reach, reached, value, stack, ends = w.reach, w.reached, w.value, w.stack, w.ends
    frames, factors = live.frames, g.factors
    you = 1 - me
    # player 1 faces what player 0 has just chosen
    last = int(s.clock[U(ITERATION)]) - (1 if me == 0 else 0)
    # on the way down nothing changes
    omega = 0.0 if kind == DOWN else rule[U(AVERAGE)]
    counted = limits.counted
    first = place
    depth = 0
    expirations = 0
    updated = 0
    nodes = 0.0
    piece, stop = 0, len(g.player)
    if kind != WITHIN:
        stop = next_stop(pieces, 0, stop)
    while True:
        while depth > 0 and ends[U(depth - 1)] <= place:
            depth -= 1
            updated += 1
            opened = stack[U(depth)]
            if _leave(g, p, me, s, live, opened, given, w):
                expired[U(first + expirations)] = live.order[U(opened)]
                expirations += 1
        if place == end:
            break
        if live.order[U(place)] >= stop:
            piece = piece_at(pieces, piece, live.order[U(place)])
            if is_in(pieces, piece, live.order[U(place)]):
                if kind == DOWN:
                    there.first[U(piece)] = place
                    there.end[U(piece)] = place_of(live.order, end, pieces.end[U(piece)])
                    keep_down(me, pieces, piece, w)
                    keep_slots(there.mark, pieces, piece, me, w.mark)
                elif pieces.visited[U(piece)]:
                    found = _join(me, pieces, there, piece, expirations, w, expired)
                    expirations += found[0]
                    updated += found[1]
                    nodes += found[2]
                place = there.end[U(piece)]
                continue
            stop = next_stop(pieces, piece, len(g.player))
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
                discounts,
                last,
                omega,
                reach,
                reached,
            )
        elif owner == me:
            if counted:
                mark_live(g, live.order[U(place)], s, w.mark)
            if kind != DOWN:
                _clear_rows(frames, frame, value)
                stack[U(depth)] = place
                ends[U(depth)] = place + live.size[U(place)]
                depth += 1
        if kind != DOWN:
            _add_leaves(g, me, frames, frame, factors, reach, reached, value)
            if counted:
                block = live.order[U(place)]
                nodes += tally_histories(g, p, me, block, w.mark, reach, reached)
        place += 1
    return expirations, updated, nodes


@part
def _leave(g, p, me, s, live, place, given, w):
    """Update the block at a place; return whether a bound no longer holds."""
    rule, discounts, limits = given
    frames, frame, record = live.frames, live.frames_at[U(place)], live.ids_at[U(place)]
    if s.ids[U(record + BOUNDS)] > 0:
        _reach_of_lanes(g, me, frames, frame, g.factors, w.reach, w.reached, w.lane_reach)
    return _fold(
        g,
        p,
        live.order[U(place)],
        frames,
        frame,
        s,
        record,
        live.numbers_at[U(place)],
        w.value,
        w.lane_reach,
        rule,
        discounts,
        limits.tolerance,
    )
