"""Sweeps that skip pruned actions, and what best-response pruning does between them.

Cells are the unit: an action may be pruned for one lane of a block and not for another. A subtree
is skipped where no lane of the own gate is alive; below it, only the opponent's average goes on.

In each kernel, *review* means: evaluate pruned branches by a counterfactual best response against
the opponent's average.
"""

from __future__ import annotations

from secateur.kernels.decorator import kernel, part
from secateur.kernels.parts import (
    U,
    add_leaves,
    clear_values,
    load_reach,
    multiply,
    padded,
    pass_reach,
)
from secateur.kernels.sweep import AVERAGE, FLOOR, WEIGHT

ALIVE, PRUNED, UNDER_REVIEW = 0, 1, 2


@part
def _parent_of(g, parent, lane):
    """Return the slot of a lane's parent sequence."""
    if parent >= 0:
        return parent + lane
    return g.lane_parent_slot[U(lane - parent - 1)]


@part
def _reach_of_lanes(g, p, me, block, reach, lane_reach):
    """Write the opponent's and chance's reach of a block's lanes at the block's first slots.

    To be asked when the walk leaves the block: only then has it surely seen the opponent's rows.
    """
    first = g.first_slot[U(block)]
    for lane in range(padded(g.lanes[U(block)])):
        lane_reach[U(first + lane)] = 0.0
    for link in range(p.first_link[U(block)], p.first_link[U(block + 1)]):
        multiply(
            g,
            me,
            p.link_matrix[U(link)],
            p.link_factor[U(link)],
            reach,
            p.link_slot[U(link)],
            lane_reach,
            first,
        )


@part
def _fold_pruned(g, block, b, value, lane_reach, rule, expired, expired_block, count):
    """Update an own block's regrets and bounds; note bounds that no longer hold.

    Returns how many bounds have expired so far.
    """
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    weight = rule[WEIGHT]
    floor = rule[FLOOR]
    regret, plain, pruned, upper = b.regret, b.plain, b.pruned, b.upper
    strategy, chosen = b.strategy, b.chosen
    value_sum, active = b.value_sum, b.active
    for lane in range(lanes):
        if not active[U(first_infoset + lane)]:
            continue
        expected = 0.0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == ALIVE:
                expected += strategy[U(cell)] * value[U(slot)]
            cell += lanes
            slot += stride
        value[U(_parent_of(g, parent, lane))] += expected
        value_sum[U(first_infoset + lane)] += weight * expected
        norm = 0.0
        open_actions = 0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == ALIVE:
                instant = weight * (value[U(slot)] - expected)
                plain[U(cell)] += instant
                # for regret matching, plain and regret are one array, updated once
                new = max(floor, regret[U(cell)] + instant) if floor == 0.0 else plain[U(cell)]
                regret[U(cell)] = new
                claim = max(0.0, new)
                norm += claim
                open_actions += 1
            else:
                claim = 0.0
                best = lane_reach[U(first_slot + lane)] * upper[U(cell)]
                regret[U(cell)] += weight * (best - expected)
                if regret[U(cell)] > 0.0:
                    expired[U(count)] = cell
                    expired_block[U(count)] = block
                    count += 1
            value[U(slot)] = claim
            cell += lanes
            slot += stride
        cell = first_cell + lane
        slot = first_slot + lane
        scale = 1.0 / norm if norm > 0.0 else 0.0
        for _ in range(actions):
            if norm > 0.0:
                chosen[U(cell)] = scale * value[U(slot)]
            else:
                chosen[U(cell)] = 1.0 / open_actions if pruned[U(cell)] == ALIVE else 0.0
            cell += lanes
            slot += stride
    return count


@part
def _tally(g, p, me, block, chosen_lane, reach):
    """Count the histories between chosen own lanes and lanes that the opponent reaches."""
    you = 1 - me
    count = 0.0
    for tally in range(p.first_tally[U(block)], p.first_tally[U(block + 1)]):
        matrix = p.tally_matrix[U(tally)]
        mine = p.tally_slot[U(2 * tally + me)]
        yours = p.tally_slot[U(2 * tally + you)]
        my_lanes = g.matrix_lanes[U(2 * matrix + me)]
        your_lanes = g.matrix_lanes[U(2 * matrix + you)]
        first = g.matrix_first[U(2 * matrix + me)]
        entries = 0.0
        if g.matrix_dense[U(matrix)]:
            stride = padded(my_lanes)
            for k in range(your_lanes):
                if reach[U(yours + k)] > 0.0:
                    for lane in range(my_lanes):
                        if chosen_lane[U(mine + lane)]:
                            entries += g.entries[U(first + k * stride + lane)]
        else:
            pointer = g.sparse_first[U(2 * matrix + me)]
            for k in range(your_lanes):
                if reach[U(yours + k)] > 0.0:
                    begin = first + g.sparse_pointer[U(pointer + k)]
                    end = first + g.sparse_pointer[U(pointer + k + 1)]
                    for entry in range(begin, end):
                        if chosen_lane[U(mine + g.sparse_lane[U(entry)])]:
                            entries += g.entries[U(entry)]
        count += entries * p.tally_factor[U(tally)]
    return count


@part
def _mark_alive(g, block, b, mark):
    """Mark the slots of own cells that are active and not pruned."""
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_infoset = g.first_infoset[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        for lane in range(lanes):
            mark[U(slot + lane)] = b.active[U(first_infoset + lane)] and (
                b.pruned[U(cell + lane)] == ALIVE
            )
        cell += lanes
        slot += stride


@kernel
def sweep_pruned(g, p, me, b, rule, count, w, lane_reach, mark, expired, expired_block):
    """Update ``me``'s regrets and bounds; add the strategy that ``me`` faces to its total.

    Returns the number of bounds that have expired (their cells are in ``expired``) and, if
    ``count``, the number of histories touched.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    mark[U(0)] = True
    blocks = len(g.player)
    depth = 0
    expirations = 0
    nodes = 0.0
    block = 0
    dead_end = 0  # up to here, nothing of mine is alive
    while block < blocks:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            if b.pruned_count[U(stack[U(depth)])] > 0:
                _reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            expirations = _fold_pruned(
                g, stack[U(depth)], b, value, lane_reach, rule, expired, expired_block, expirations
            )
        if not reached[U(g.gate[U(2 * block + you)])]:
            block = g.subtree_end[U(block)]
            continue
        if block >= dead_end:
            gate = p.gate_number[U(2 * block + me)]
            if gate > 0 and b.alive[U(gate)] == 0:
                dead_end = g.subtree_end[U(block)]
        owner = g.player[U(block)]
        if owner == you:
            pass_reach(g, block, b.strategy, b.total, rule[AVERAGE], reach, reached)
        if block >= dead_end:
            if owner == me:
                clear_values(g, block, value)
                stack[U(depth)] = block
                depth += 1
                if count:
                    _mark_alive(g, block, b, mark)
            add_leaves(g, me, block, reach, reached, value)
            if count:
                nodes += _tally(g, p, me, block, mark, reach)
        block += 1
    while depth > 0:
        depth -= 1
        if b.pruned_count[U(stack[U(depth)])] > 0:
            _reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
        expirations = _fold_pruned(
            g, stack[U(depth)], b, value, lane_reach, rule, expired, expired_block, expirations
        )
    return expirations, nodes


@part
def _skip_length(gap, lane_reach, weight, range_of_payoffs):
    """Return the iterations for which a bound will hold at the average pace, at the least."""
    pace = weight * lane_reach * range_of_payoffs
    return -gap / pace if pace > 0.0 else 1e300


@kernel
def find_prunable(g, p, me, b, weight, total_weight, tolerance, minimum_skip, w, lane_reach):
    """Prune what cannot catch up; return how many cells.

    One pass from the ends up computes, for every active cell, its best-response value minus the
    sum of values so far, from regrets alone: ``gap(I, a) = R(I, a) + sum of Gap(I')`` over the
    information sets that follow, ``Gap(I) = max gap(I, a)``; of a pruned action the bound is taken.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = total_weight
    reached[U(0)] = True
    value[U(0)] = 0.0
    pace = weight / total_weight
    blocks = len(g.player)
    depth = 0
    found = 0
    block = 0
    while block < blocks:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
            found += _fold_gaps(
                g,
                stack[U(depth)],
                b,
                pace,
                tolerance,
                minimum_skip,
                value,
                lane_reach,
            )
        gate = p.gate_number[U(2 * block + me)]
        if gate > 0 and b.alive[U(gate)] == 0:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == you:
            load_reach(g, block, b.total, 1.0, reach, reached)
        elif owner == me:
            clear_values(g, block, value)
            stack[U(depth)] = block
            depth += 1
        block += 1
    while depth > 0:
        depth -= 1
        _reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
        found += _fold_gaps(
            g,
            stack[U(depth)],
            b,
            pace,
            tolerance,
            minimum_skip,
            value,
            lane_reach,
        )
    return found


@part
def _fold_gaps(g, block, b, pace, tolerance, minimum_skip, value, lane_reach):
    """Fold a block's gaps into its parents and prune; return how many cells."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    first_infoset = g.first_infoset[U(block)]
    parent = g.parent_slot[U(block)]
    found = 0
    for lane in range(lanes):
        infoset = first_infoset + lane
        if not b.active[U(infoset)]:
            continue
        best = -1e300
        best_open = -1e300
        keep = -1  # the best action that is not pruned stays so
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if b.pruned[U(cell)] == ALIVE:
                value[U(slot)] += b.plain[U(cell)]
                if value[U(slot)] > best_open:
                    best_open = value[U(slot)]
                    keep = cell
            else:
                value[U(slot)] = b.regret[U(cell)]
            best = max(best, value[U(slot)])
            cell += lanes
            slot += stride
        value[U(_parent_of(g, parent, lane))] += best
        cell = first_cell + lane
        slot = first_slot + lane
        changed = False
        for _ in range(actions):
            gap = value[U(slot)]
            if (
                b.pruned[U(cell)] == ALIVE
                and cell != keep
                and gap < min(0.0, best) - tolerance
                and _skip_length(
                    gap,
                    lane_reach[U(first_slot + lane)],
                    pace,
                    b.upper[U(cell)] - b.lower[U(infoset)],
                )
                >= minimum_skip
            ):
                b.pruned[U(cell)] = PRUNED
                b.regret[U(cell)] = gap
                found += 1
                changed = True
            cell += lanes
            slot += stride
        if changed:
            _choose(g, block, lane, b)
    return found


@part
def _choose(g, block, lane, b):
    """Set the next strategy of one information set from its regrets."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    first = g.first_cell[U(block)] + lane
    norm = 0.0
    open_actions = 0
    cell = first
    for _ in range(actions):
        if b.pruned[U(cell)] == ALIVE:
            norm += max(0.0, b.regret[U(cell)])
            open_actions += 1
        cell += lanes
    cell = first
    for _ in range(actions):
        if b.pruned[U(cell)] != ALIVE:
            b.chosen[U(cell)] = 0.0
        elif norm > 0.0:
            b.chosen[U(cell)] = max(0.0, b.regret[U(cell)]) / norm
        else:
            b.chosen[U(cell)] = 1.0 / open_actions
        cell += lanes


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
            _mark_alive(g, block, b, mark)
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
                b.active[U(infoset + lane)] = mark[U(_parent_of(g, parent, lane))]
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
            below = mark[U(_parent_of(g, parent, lane))]
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
        below = mark[U(_parent_of(g, parent, lane))]
        best = -1e300
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            best = max(best, value[U(slot)])
            cell += lanes
            slot += stride
        if below:
            value[U(_parent_of(g, parent, lane))] += best
            b.value_sum[U(infoset)] = best
        reference = b.value_sum[U(infoset)]
        changed = False
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if below or b.pruned[U(cell)] == UNDER_REVIEW:
                gap = value[U(slot)] - reference
                skip = _skip_length(
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
            _choose(g, block, lane, b)


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
    while block < len(g.player):
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
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
            nodes += _tally(g, p, me, block, mark, reach)
        block += 1
    while depth > 0:
        depth -= 1
        _reach_of_lanes(g, p, me, stack[U(depth)], reach, lane_reach)
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
    refreshed = 0
    for k in range(expirations):
        block = expired_block[U(k)]
        if block >= refreshed and b.pruned[U(expired[U(k)])] == ALIVE:
            refresh(g, p, me, b, block, g.subtree_end[U(block)], mark)
            refreshed = g.subtree_end[U(block)]
    return nodes


@kernel
def iterate_pruned(
    g,
    p,
    b,
    schedule,
    first_iteration,
    total_weight,
    payoff_range,
    simultaneous,
    check_every,
    minimum_skip,
    again,
    count,
    w,
    scratch,
    nodes,
):
    """Run one iteration of best-response pruning per row of ``schedule``.

    Adds to ``nodes``: histories touched by regret updates, and by reviews. Returns the sum of
    weights.
    """
    lane_reach, mark, marked, expired, expired_block = scratch
    for t in range(len(schedule)):
        rule = schedule[t]
        iteration = first_iteration + t
        total_weight += rule[WEIGHT]
        tolerance = 1e-12 * (1.0 + total_weight * payoff_range)
        for me in range(2):
            expirations, touched = sweep_pruned(
                g, p, me, b, rule, count, w, lane_reach, mark, expired, expired_block
            )
            nodes[0] += touched
            if expirations > 0:
                nodes[1] += review(
                    g,
                    p,
                    me,
                    b,
                    expired,
                    expired_block,
                    expirations,
                    rule[WEIGHT],
                    total_weight,
                    tolerance,
                    rule[FLOOR],
                    minimum_skip,
                    again,
                    count,
                    w,
                    lane_reach,
                    mark,
                    marked,
                )
            if iteration % check_every == 0:
                found = find_prunable(
                    g, p, me, b, rule[WEIGHT], total_weight, tolerance, minimum_skip, w, lane_reach
                )
                if found > 0:
                    refresh(g, p, me, b, 0, len(g.player), mark)
        if simultaneous:
            for cell in range(len(b.strategy)):
                b.strategy[U(cell)] = b.chosen[U(cell)]
    return total_weight


@kernel
def spread_bounds(g, p, me, upper, lower, w, low):
    """Extend the bounds of ends right after each sequence to all ends below it.

    ``upper`` holds the bounds per cell, ``lower`` receives them per information set; ``low`` is a
    stack like those of the workspace.
    """
    value, stack = w.value, w.stack
    depth = 0
    for block in range(len(g.player)):
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _fold_bounds(g, stack[U(depth)], upper, lower, value, low)
        if g.player[U(block)] == me:
            lanes = g.lanes[U(block)]
            cell = g.first_cell[U(block)]
            slot = g.first_slot[U(block)]
            for _ in range(g.actions[U(block)]):
                for lane in range(lanes):
                    value[U(slot + lane)] = p.upper[U(cell + lane)]
                    low[U(slot + lane)] = p.lower[U(cell + lane)]
                cell += lanes
                slot += padded(lanes)
            stack[U(depth)] = block
            depth += 1
    while depth > 0:
        depth -= 1
        _fold_bounds(g, stack[U(depth)], upper, lower, value, low)


@part
def _fold_bounds(g, block, upper, lower, value, low):
    """Write a block's bounds and fold them into its parents."""
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    parent = g.parent_slot[U(block)]
    for lane in range(lanes):
        most = -1e300
        least = 1e300
        cell = g.first_cell[U(block)] + lane
        slot = g.first_slot[U(block)] + lane
        for _ in range(g.actions[U(block)]):
            upper[U(cell)] = value[U(slot)]
            most = max(most, value[U(slot)])
            least = min(least, low[U(slot)])
            cell += lanes
            slot += stride
        lower[U(g.first_infoset[U(block)] + lane)] = least
        above = _parent_of(g, parent, lane)
        value[U(above)] = max(value[U(above)], most)
        low[U(above)] = min(low[U(above)], least)
