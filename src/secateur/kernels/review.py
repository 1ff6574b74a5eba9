"""Evaluates pruned branches whose bounds have expired, against the opponent's average."""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import U, add_leaves, clear_values, load_reach, padded
from secateur.kernels.pruning_parts import (
    ALIVE,
    PRUNED,
    UNDER_REVIEW,
    choose,
    mark_alive,
    parent_of,
    reach_of_lanes,
    skip_length,
    tally_histories,
)


@kernel
def refresh(g, p, me, b, begin, end, mark):
    """Bring the flags of own blocks from ``begin`` to ``end`` (a subtree) up to date.

    The activity of the first block and of those above is taken as it is; below it follows from
    what is pruned.
    """
    mark[U(0)] = True
    block = 0
    while block < begin:
        if g.subtree_end[U(block)] <= begin:
            block = g.subtree_end[U(block)]
            continue
        if g.player[U(block)] == me:
            mark_alive(g, block, b, mark)
        block += 1
    for block in range(begin, end):
        if g.player[U(block)] != me:
            continue
        lanes = g.lanes[U(block)]
        stride = padded(lanes)
        infoset = g.first_infoset[U(block)]
        parent = g.parent_slot[U(block)]
        cell = g.first_cell[U(block)]
        slot = g.first_slot[U(block)]
        row = p.first_row_number[U(block)]
        if block > begin:
            for lane in range(lanes):
                b.active[U(infoset + lane)] = mark[U(parent_of(g, parent, lane))]
        pruned_count = 0
        for a in range(g.actions[U(block)]):
            alive = 0
            for lane in range(lanes):
                here = False
                if b.active[U(infoset + lane)]:
                    if b.pruned[U(cell + lane)] == ALIVE:
                        here = True
                        alive += 1
                    else:
                        pruned_count += 1
                else:
                    b.pruned[U(cell + lane)] = ALIVE  # forgotten with its branch
                mark[U(slot + lane)] = here
            b.alive[U(row + a)] = alive
            cell += lanes
            slot += stride
        b.pruned_count[U(block)] = pruned_count


@part
def _mark_review(g, block, b, mark, marked):
    """Mark own slots that are under review or below one that is; and their rows."""
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    row = g.first_row[U(block)]
    parent = g.parent_slot[U(block)]
    for a in range(g.actions[U(block)]):
        some = False
        for lane in range(lanes):
            below = mark[U(parent_of(g, parent, lane))]
            here = below or b.pruned[U(cell + lane)] == UNDER_REVIEW
            mark[U(slot + lane)] = here
            some = some or here
        marked[U(row + a)] = some
        cell += lanes
        slot += stride


@part
def _fold_review(g, block, b, pace, tolerance, floor, minimum_skip, again, value, lane_reach, mark):
    """Set the regrets of reviewed lanes from best-response values; decide about expired cells."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        infoset = first_infoset + lane
        below = mark[U(parent_of(g, parent, lane))]
        best = -1e300
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            best = max(best, value[U(slot)])
            cell += lanes
            slot += stride
        if below:
            value[U(parent_of(g, parent, lane))] += best
            b.value_sum[U(infoset)] = best
        reference = b.value_sum[U(infoset)]
        changed = False
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if below or b.pruned[U(cell)] == UNDER_REVIEW:
                gap = value[U(slot)] - reference
                skip = skip_length(
                    gap,
                    lane_reach[U(first_slot + lane)],
                    pace,
                    b.upper[U(cell)] - b.lower[U(infoset)],
                )
                if below:
                    stays = gap < -tolerance and skip >= minimum_skip
                else:
                    stays = gap < -tolerance and skip >= again
                b.pruned[U(cell)] = PRUNED if stays else ALIVE
                b.regret[U(cell)] = gap if stays else max(floor, gap)
                b.plain[U(cell)] = gap
                changed = changed or not stays
            cell += lanes
            slot += stride
        if changed:
            choose(g, block, lane, b)


@part
def _sort_by_block(expired, expired_block, count):
    """Sort by insertion: sweeps leave blocks almost in order, children before parents."""
    for k in range(1, count):
        cell = expired[U(k)]
        block = expired_block[U(k)]
        place = k
        while place > 0 and expired_block[U(place - 1)] > block:
            expired[U(place)] = expired[U(place - 1)]
            expired_block[U(place)] = expired_block[U(place - 1)]
            place -= 1
        expired[U(place)] = cell
        expired_block[U(place)] = block


@kernel
def review(
    g,
    p,
    me,
    b,
    expired,
    expired_block,
    expirations,
    weight,
    total_weight,
    tolerance,
    floor,
    minimum_skip,
    again,
    count,
    w,
    lane_reach,
    mark,
    marked,
):
    """Evaluate expired branches against the opponent's average; prune again or bring them back.

    A branch whose value still allows a skip of ``again`` iterations stays pruned. Of one that
    comes back, regrets are set as if its best response had been played all along, and actions in
    it that can be skipped for ``minimum_skip`` iterations are pruned at once. Returns the number of
    histories touched, if ``count``.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = total_weight
    reached[U(0)] = True
    mark[U(0)] = False
    pace = weight / total_weight
    for k in range(expirations):
        b.pruned[U(expired[U(k)])] = UNDER_REVIEW
    _sort_by_block(expired, expired_block, expirations)
    depth = 0
    nodes = 0.0
    block = 0
    following = 0  # in order: the next expired cell at or after this block
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            _fold_review(
                g,
                stack[U(depth)],
                b,
                pace,
                tolerance,
                floor,
                minimum_skip,
                again,
                value,
                lane_reach,
                mark,
            )
        if block == len(g.player):
            break
        while following < expirations and expired_block[U(following)] < block:
            following += 1
        end = g.subtree_end[U(block)]
        gate = g.gate[U(2 * block + me)]
        # Without a single gate nobody knows: look, if anything is under review on the way here.
        inside = marked[U(gate)] if gate > 0 else depth > 0
        ahead = following < expirations and expired_block[U(following)] < end
        if not (inside or ahead):
            block = end
            continue
        owner = g.player[U(block)]
        if owner == you:
            load_reach(g, block, b.total, 1.0, reach, reached)
        elif owner == me:
            clear_values(g, block, value)
            _mark_review(g, block, b, mark, marked)
            stack[U(depth)] = block
            depth += 1
        add_leaves(g, me, block, reach, reached, value)
        if count:
            nodes += tally_histories(g, p, me, block, mark, reach, reached)
        block += 1
    refreshed = 0
    for k in range(expirations):
        block = expired_block[U(k)]
        if block >= refreshed and b.pruned[U(expired[U(k)])] == ALIVE:
            refresh(g, p, me, b, block, g.subtree_end[U(block)], mark)
            refreshed = g.subtree_end[U(block)]
    return nodes
