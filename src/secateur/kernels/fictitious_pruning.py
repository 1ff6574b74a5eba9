r"""Best-response pruning for fictitious play: which sequences are skipped, and until when.

With :math:`\pi_t(I)` the probability that chance and the opponent come to I in iteration t, and
:math:`U(I, a)` the most that can be won after (I, a), a best response gains at most
:math:`\pi_t(I) U(I, a)` in an iteration. So, if (I, a) was pruned after iteration :math:`t_0`,

.. math:: V_t(I, a) \le V_{t_0}(I, a) + \sum_{s = t_0 + 1}^t \pi_s(I)\, U(I, a),

and as long as that bound is below the value of another action of I, no best response plays a.
Nothing behind it need be known meanwhile, and the opponent's sum of strategies need not be complete
there: nobody disturbs the opponent. When the bound has expired, the sum is completed and the values
are computed anew against it.
"""

from __future__ import annotations

from math import inf

from secateur.kernels.decorator import kernel, part
from secateur.kernels.fictitious_books import EXPIRED, OPEN, PRUNED
from secateur.kernels.fictitious_parts import (
    begin_sums,
    best_of,
    can_be_skipped,
    choose_first_best,
    load_sums,
    mark_alive,
    settle,
)
from secateur.kernels.parts import U, clear_values, padded
from secateur.kernels.pruning_parts import (
    add_marked_leaves,
    may_be_below,
    parent_of,
    reach_of_lanes,
    sort_blocks,
    tally_histories,
)


@kernel
def prune_losing(g, p, me, iteration, limits, books, room):
    """Prune all sequences of ``me`` that will lose for long enough."""
    tie, _, minimum_skip = limits
    margin = 2.0 * iteration * tie
    stack = room.stack
    begin_sums(iteration, room)
    room.alive[U(0)] = True
    room.alive_row[U(0)] = True
    blocks = len(g.player)
    depth = 0
    block = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            done = stack[U(depth)]
            reach_of_lanes(g, p, me, done, room.reach, room.lane_reach)
            parent = g.parent_slot[U(done)]
            for lane in range(g.lanes[U(done)]):
                if room.alive[U(parent_of(g, parent, lane))]:
                    arrived = room.lane_reach[U(g.first_slot[U(done)] + lane)]
                    _prune_lane(g, p, done, lane, iteration, margin, minimum_skip, arrived, books)
        if block == blocks:
            break
        if not room.alive_row[U(g.gate[U(2 * block + me)])]:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == 1 - me:
            load_sums(g, block, books, room)
        elif owner == me:
            mark_alive(g, block, books.pruned, room.alive, room.alive_row)
            stack[U(depth)] = block
            depth += 1
        block += 1


@part
def _prune_lane(g, p, block, lane, iteration, margin, minimum_skip, arrived, books):
    """Prune the open actions of an information set that lose for long."""
    worth, behaviour, pruned = books.worth, books.behaviour, books.pruned
    best = best_of(g, block, lane, books)
    cell = g.first_cell[U(block)] + lane
    for _ in range(g.actions[U(block)]):
        if pruned[U(cell)] == OPEN and can_be_skipped(
            worth[U(cell)], best, margin, p.upper[U(cell)], arrived, iteration, minimum_skip
        ):
            pruned[U(cell)] = PRUNED
            behaviour[U(cell)] = 0.0
        cell += g.lanes[U(block)]


@part
def _mark_evaluated(g, block, books, room):
    """Mark the sequences of an own block whose bounds have expired, and those behind such."""
    lanes = g.lanes[U(block)]
    row = g.first_row[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        some = False
        for lane in range(lanes):
            above = parent_of(g, parent, lane)
            here = room.mark[U(above)] or (
                room.alive[U(above)] and books.pruned[U(cell + lane)] == EXPIRED
            )
            room.mark[U(slot + lane)] = here
            some |= here
        room.marked[U(row)] = some
        row += 1
        cell += lanes
        slot += padded(lanes)


@part
def _fold_evaluated(g, p, block, iteration, limits, books, room):
    """Decide about expired bounds; write the values of what was evaluated; pass on what changed."""
    worth, pruned = books.worth, books.pruned
    tie, again, minimum_skip = limits
    margin = 2.0 * iteration * tie
    lanes = g.lanes[U(block)]
    actions = g.actions[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        above = parent_of(g, parent, lane)
        behind = room.mark[U(above)]
        if not (behind or room.alive[U(above)]):
            continue
        arrived = room.lane_reach[U(first_slot + lane)]
        before = best = -inf
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if behind or pruned[U(cell)] == EXPIRED:
                worth[U(cell)] = room.value[U(slot)] + room.up[U(slot)]
                best = max(best, worth[U(cell)])
            elif pruned[U(cell)] == OPEN:
                before = max(before, worth[U(cell)])
                worth[U(cell)] += room.up[U(slot)]
                best = max(best, worth[U(cell)])
            cell += lanes
            slot += stride
        cell = first_cell + lane
        for _ in range(actions):
            if behind or pruned[U(cell)] == EXPIRED:
                least = minimum_skip if behind else again
                upper = p.upper[U(cell)]
                skipped = can_be_skipped(
                    worth[U(cell)], best, margin, upper, arrived, iteration, least
                )
                pruned[U(cell)] = PRUNED if skipped else OPEN
            cell += lanes
        if behind:
            choose_first_best(g, block, lane, iteration * tie, books)
        room.up[U(above)] += best if behind else best - before


@kernel
def evaluate_expired(g, p, me, iteration, count, limits, how, books, room):
    """Evaluate sequences whose bounds have expired, in ``count`` blocks of ``room.expired``.

    They stay pruned or come back, in which case what is behind them may be pruned at once. Returns
    the number of histories touched, if they are counted.
    """
    reach, reached, stack, chosen = room.reach, room.reached, room.stack, room.expired
    begin_sums(iteration, room)
    # player 0's plan of this iteration is counted in the sweep of player 1, which is to come
    room.played_here[U(0)] = iteration - 2.0 + me
    room.alive[U(0)] = True
    room.mark[U(0)] = False
    room.marked[U(0)] = False
    sort_blocks(chosen, count)
    nodes = 0.0
    depth = 0
    block = 0
    following = 0  # in order: the next chosen block at or after this one
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            done = stack[U(depth)]
            reach_of_lanes(g, p, me, done, reach, room.lane_reach)
            _fold_evaluated(g, p, done, iteration, limits, books, room)
        if block == len(g.player):
            break
        while following < count and chosen[U(following)] < block:
            following += 1
        end = g.subtree_end[U(block)]
        ahead = following < count and chosen[U(following)] < end
        if not (ahead or may_be_below(g, me, block, stack, depth, room.marked)):
            block = end
            continue
        owner = g.player[U(block)]
        if owner == 1 - me:
            load_sums(g, block, books, room)
        elif owner == me:
            settle(g, block, books, room.played_here)
            clear_values(g, block, room.value)
            clear_values(g, block, room.up)
            _mark_evaluated(g, block, books, room)
            mark_alive(g, block, books.pruned, room.alive, room.alive_row)
            stack[U(depth)] = block
            depth += 1
        add_marked_leaves(g, me, block, reach, reached, room.marked, room.value)
        if how.counted:
            nodes += tally_histories(g, p, me, block, room.mark, reach, reached)
        block += 1
    return nodes


@kernel
def settle_everything(g, me, iteration, books, room):
    """Make all counts of ``me`` complete."""
    room.played[U(0)] = iteration - 1.0
    for block in range(1, len(g.player)):
        if g.player[U(block)] == me:
            settle(g, block, books, room.played)


@kernel
def count_open(g, me, books, room):
    """Return how many sequences of ``me`` are open, and not behind a pruned one."""
    found = 0
    room.alive[U(0)] = True
    for block in range(1, len(g.player)):
        if g.player[U(block)] == me:
            mark_alive(g, block, books.pruned, room.alive, room.alive_row)
            first = g.first_slot[U(block)]
            lanes = g.lanes[U(block)]
            for a in range(g.actions[U(block)]):
                for lane in range(lanes):
                    found += room.alive[U(first + a * padded(lanes) + lane)]
    return found
