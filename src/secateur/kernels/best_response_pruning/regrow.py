"""Brings branches back: takes over drafts of a review, and puts blocks back among those alive."""

from __future__ import annotations

from secateur.kernels.best_response_pruning.average import share_out
from secateur.kernels.best_response_pruning.live import write_frame
from secateur.kernels.best_response_pruning.loose import BACK, LIVING, PRUNED, pack, unpack
from secateur.kernels.best_response_pruning.played import write_played
from secateur.kernels.best_response_pruning.store import (
    ITERATION,
    LEAST_REGRET,
    UPDATED,
    date_of,
    discounted,
    find_rows_alive,
    mark_live,
    number_of_bound,
)
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of, place_of
from secateur.kernels.regret_minimizers.sweep import AVERAGE, FLOOR


@kernel
def take_drafts(g, p, player, s, ids_top, numbers_top, rule, discounts, weight, scratch):
    """Store what is alive of the drafts, parents before children.

    ``rule`` is that of the iteration, ``discounts`` those of all, ``weight`` the sum of weights
    that the player's strategies have been faced with.
    """
    loose, flow, mark = scratch.loose, scratch.flows[player], scratch.mark[player]
    mark[U(0)] = True
    flow[U(0)] = weight
    while ids_top < len(s.ids):
        drafted = int(s.ids[U(ids_top)])
        block = int(s.numbers[U(numbers_top)])
        back = _has_actions_back(s, block)
        if back or _has_lanes_back(g, block, s, ids_top, mark):
            unpack(g, block, s, loose)
            _make_up(g, block, s, discounts, loose)
            if back:
                _settle(g, player, block, s, flow, loose)
                _bring_back(g, block, s, rule, loose)
            _grow(g, p, block, s, ids_top, numbers_top, rule, mark, loose)
            pack(g, p, block, loose, s)
        mark_live(g, block, s, mark)
        ids_top += 1 + drafted
        numbers_top += 1 + drafted * (1 + 2 * g.actions[U(block)])


@stage
def _has_actions_back(s, block):
    """Return whether actions of active lanes come back."""
    back = False
    attic = s.attic_at[U(block)]
    for entry in range(attic + 1, attic + 1 + s.attic_ids[U(attic)]):
        back |= s.attic_ids[U(entry)] < 0
    return back


@stage
def _has_lanes_back(g, block, s, draft_ids, mark):
    """Return whether lanes of a draft are alive."""
    parent = g.parent_slot[U(block)]
    back = False
    for i in range(s.ids[U(draft_ids)]):
        back |= mark[U(parent_of(g, parent, s.ids[U(draft_ids + 1 + i)]))]
    return back


@stage
def _settle(g, player, begin, s, flow, loose):
    """Share out what has come to a block whose strategy is about to change."""
    block = 1
    while block < begin:
        if g.subtree_end[U(block)] <= begin:
            block = g.subtree_end[U(block)]
            continue
        if g.player[U(block)] == player:
            share_out(g, block, s, False, flow)
        block += 1
    share_out(g, begin, s, False, flow)
    first_slot = g.first_slot[U(begin)]
    for cell in range(g.actions[U(begin)] * padded(g.lanes[U(begin)])):
        if loose.state[U(cell)] == LIVING:
            loose.total[U(cell)] = flow[U(first_slot + cell)]


@stage
def _make_up(g, block, s, discounts, loose):
    """Discount regrets as far as the clock has come; what was predicted before has lapsed."""
    updated, now = int(loose.past[UPDATED]), int(s.clock[ITERATION])
    if s.past > 0 and updated < now:
        at = block_at(g, block)
        for cell in range(at.actions * at.stride):
            if loose.state[U(cell)] == LIVING:
                regret = discounted(loose.regret[U(cell)], discounts, updated + 1, now + 1)
                loose.regret[U(cell)] = regret
                loose.claim[U(cell)] = regret
        loose.past[UPDATED] = now


@part
def _returning(s, gap, rule):
    """Return the regret of an action that comes back, ``gap`` ahead of its information set.

    Where regrets are sums of what was observed, the gap is what they would be. Other minimizers
    begin anew: what is ahead in the weights of the average counts as seen in this iteration.
    """
    if s.summed:
        return max(rule[U(FLOOR)], gap)
    return max(0.0, gap) / rule[U(AVERAGE)]


@stage
def _bring_back(g, block, s, rule, loose):
    """Let actions that come back take part again."""
    at = block_at(g, block)
    for cell in range(at.actions * at.stride):
        if loose.state[U(cell)] == BACK:
            loose.state[U(cell)] = LIVING
            loose.regret[U(cell)] = _returning(s, loose.regret[U(cell)], rule)
            loose.claim[U(cell)] = loose.regret[U(cell)]
            loose.played[U(cell)] = 0.0


@stage
def _grow(g, p, block, s, draft_ids, draft_numbers, rule, mark, loose):
    """Activate the lanes of a draft that are alive.

    Where regrets are no sums, and none is positive, the first of the best actions is played.
    """
    at = block_at(g, block)
    now = date_of(s)
    for i in range(s.ids[U(draft_ids)]):
        lane = s.ids[U(draft_ids + 1 + i)]
        if not mark[U(parent_of(g, at.parent, lane))]:
            continue
        draft = draft_numbers + 1 + i * (1 + 2 * at.actions)
        loose.active[U(lane)] = True
        value_sum = s.numbers[U(draft)]
        loose.value_sum[U(lane)] = value_sum
        loose.reach[U(lane)] = 0.0
        unplayed = not s.summed
        for a in range(at.actions):
            unplayed &= s.numbers[U(draft + 1 + a)] <= 0.0
        for a in range(at.actions):
            cell = a * at.stride + lane
            gap = s.numbers[U(draft + 1 + a)]
            stays = s.numbers[U(draft + 1 + at.actions + a)] > 0.0
            loose.state[U(cell)] = PRUNED if stays else LIVING
            loose.date[U(cell)] = now
            if stays:
                number = number_of_bound(g, p, block, s, lane, a, gap, 0.0, value_sum)
                loose.regret[U(cell)] = number
            elif unplayed and gap == 0.0:
                loose.regret[U(cell)] = LEAST_REGRET
                unplayed = False
            else:
                loose.regret[U(cell)] = _returning(s, gap, rule)
            loose.claim[U(cell)] = loose.regret[U(cell)]
            loose.played[U(cell)] = 0.0


@kernel
def relink(g, p, s, live, fresh, begin, weights, discounts, scratch):
    """Find anew which blocks of the subtree ``begin`` are alive; bring their averages up to date.

    ``weights`` are the sums of weights that each player's strategies have been faced with;
    ``fresh`` is room for another list of the same frames. Where the other player does not come,
    nothing is to be done.
    """
    flows, alive, stack = scratch.flows, scratch.alive, scratch.stack
    end = g.subtree_end[U(begin)]
    first = place_of(live.order, live.length[0], begin)
    if first == live.length[0] or live.order[U(first)] != begin:
        return
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
            write_played(block, s, discounts)
        write_frame(g, p, block, s, fresh, count, alive)
        stack[U(depth)] = count
        depth += 1
        count += 1
        block += 1
    _splice(live, first, fresh, count)


@stage
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
    target.ids_at[U(place)] = source.ids_at[U(k)]
    target.numbers_at[U(place)] = source.numbers_at[U(k)]
