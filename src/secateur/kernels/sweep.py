"""One sweep over the public tree: down with reach probabilities, up with values.

A sweep serves one player, ``me``. It walks the blocks in preorder. At the opponent's blocks it
multiplies reach through the strategy; at leaves it turns the opponent's reach into counterfactual
values of own sequences; when the walk leaves an own block, the block's values are complete and are
folded into its parents. Everything on the way lives on two small stacks (see
:mod:`secateur.compiled.arrays`), so a sweep touches memory once and in order.

Regret updates and best responses share this walk; so do the plainer evaluations at the end.

Two habits keep these loops as fast as the same ones in C. Indices are cast to unsigned, because
Numba must otherwise provide for negative ones at every access. Arrays of the game are taken before
an inner loop, because Numba counts references where it cannot see that nothing happens between.
"""

from __future__ import annotations

import numpy as np

from secateur.kernels.decorator import kernel, part

U = np.uintp

# Columns of a schedule: what one iteration does to regrets and averages.
POSITIVE, NEGATIVE, WEIGHT, FLOOR, PREDICTION, AVERAGE = range(6)


_NARROW = 16
"""Lanes up to which sums stay in registers; wider rows are better added one after the other."""


@part
def _padded(lanes):
    """Return the room that a row takes in slots and matrices: a multiple of four lanes."""
    return (lanes + 3) & ~3


@part
def _add_leaves(g, me, block, reach, reached, value):
    """Add the values of the leaves of ``block`` to ``value``."""
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
        if not reached[U(g.leaf_row[U(2 * leaf + you)])]:
            continue
        matrix = g.leaf_matrix[U(leaf)]
        factor = sign * g.leaf_factor[U(leaf)]
        mine = g.leaf_slot[U(2 * leaf + me)]
        yours = g.leaf_slot[U(2 * leaf + you)]
        my_lanes = g.matrix_lanes[U(2 * matrix + me)]
        your_lanes = g.matrix_lanes[U(2 * matrix + you)]
        first = g.matrix_first[U(2 * matrix + me)]
        stride = _padded(my_lanes)
        if not g.matrix_dense[U(matrix)]:
            pointer = g.sparse_first[U(2 * matrix + me)]
            for k in range(your_lanes):
                weight = factor * reach[U(yours + k)]
                if weight != 0.0:
                    begin = first + g.sparse_pointer[U(pointer + k)]
                    end = first + g.sparse_pointer[U(pointer + k + 1)]
                    for entry in range(begin, end):
                        value[U(mine + g.sparse_lane[U(entry)])] += weight * g.entries[U(entry)]
        elif stride <= _NARROW:
            for lane in range(0, stride, 4):
                v0 = value[U(mine + lane)]
                v1 = value[U(mine + lane + 1)]
                v2 = value[U(mine + lane + 2)]
                v3 = value[U(mine + lane + 3)]
                for k in range(your_lanes):
                    weight = factor * reach[U(yours + k)]
                    entry = first + k * stride + lane
                    v0 += weight * g.entries[U(entry)]
                    v1 += weight * g.entries[U(entry + 1)]
                    v2 += weight * g.entries[U(entry + 2)]
                    v3 += weight * g.entries[U(entry + 3)]
                value[U(mine + lane)] = v0
                value[U(mine + lane + 1)] = v1
                value[U(mine + lane + 2)] = v2
                value[U(mine + lane + 3)] = v3
        else:
            for k in range(your_lanes):
                weight = factor * reach[U(yours + k)]
                if weight != 0.0:
                    entry = first + k * stride
                    for lane in range(my_lanes):
                        value[U(mine + lane)] += weight * g.entries[U(entry + lane)]


@part
def _pass_reach(g, block, strategy, total, omega, reach, reached):
    """Multiply the reach of ``block``'s owner through its strategy; add it to ``total``."""
    lanes = g.lanes[U(block)]
    stride = _padded(lanes)
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    row = g.first_row[U(block)]
    parent = g.parent_slot[U(block)]
    for a in range(g.actions[U(block)]):
        some = 0.0
        for lane in range(lanes):
            if parent >= 0:
                before = reach[U(parent + lane)]
            else:
                before = reach[U(g.lane_parent_slot[U(lane - parent - 1)])]
            after = before * strategy[U(cell + lane)]
            reach[U(slot + lane)] = after
            total[U(cell + lane)] += omega * after
            some += after
        reached[U(row + a)] = some > 0.0
        cell += lanes
        slot += stride


@part
def _count_histories(g, block, reach):
    """Count the histories whose last sequence of the block's owner is reached and in it."""
    count = 0
    lanes = g.lanes[U(block)]
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    for _ in range(g.actions[U(block)]):
        for lane in range(lanes):
            if reach[U(slot + lane)] > 0.0:
                count += g.histories[U(cell + lane)]
        cell += lanes
        slot += _padded(lanes)
    return count


@part
def _fold_regrets(g, block, regret, strategy, chosen, value, rule):
    """Fold the values of an own block into its parents; update its regrets; choose anew."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = _padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    positive = rule[U(POSITIVE)]
    negative = rule[U(NEGATIVE)]
    weight = rule[U(WEIGHT)]
    floor = rule[U(FLOOR)]
    prediction = rule[U(PREDICTION)]
    for lane in range(lanes):
        expected = 0.0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            expected += strategy[U(cell)] * value[U(slot)]
            cell += lanes
            slot += stride
        if parent >= 0:
            value[U(parent + lane)] += expected
        else:
            value[U(g.lane_parent_slot[U(lane - parent - 1)])] += expected
        norm = 0.0
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            instant = value[U(slot)] - expected
            old = regret[U(cell)]
            old *= positive if old > 0.0 else negative
            new = max(floor, old + weight * instant)
            regret[U(cell)] = new
            claim = max(0.0, new + prediction * instant)
            value[U(slot)] = claim
            norm += claim
            cell += lanes
            slot += stride
        cell = first_cell + lane
        if norm > 0.0:
            slot = first_slot + lane
            scale = 1.0 / norm
            for _ in range(actions):
                chosen[U(cell)] = scale * value[U(slot)]
                cell += lanes
                slot += stride
        else:
            for _ in range(actions):
                chosen[U(cell)] = 1.0 / actions
                cell += lanes


@kernel
def sweep_regrets(g, me, regret, strategy, chosen, total, rule, skip, idle, count, w):
    """Update ``me``'s regrets and add the strategy that ``me`` faces to ``total``.

    The next strategy goes to ``chosen``. ``skip`` leaves out subtrees that the opponent does not
    reach. Where ``idle``, regrets change even there (they are discounted, or predictions lapse):
    then own blocks are still visited, but no opponent's block and no leaf. Returns the number of
    histories touched, if ``count``.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    nodes = 0
    block = 0
    unreached_end = 0
    while block < blocks:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _fold_regrets(g, stack[U(depth)], regret, strategy, chosen, value, rule)
        if skip and block >= unreached_end and not reached[U(g.gate[U(2 * block + you)])]:
            if not idle:
                block = g.subtree_end[U(block)]
                continue
            unreached_end = g.subtree_end[U(block)]
        owner = g.player[U(block)]
        if owner == me:
            slot = g.first_slot[U(block)]
            for k in range(slot, slot + g.actions[U(block)] * _padded(g.lanes[U(block)])):
                value[U(k)] = 0.0
            stack[U(depth)] = block
            depth += 1
        if block >= unreached_end:
            if owner == you:
                _pass_reach(g, block, strategy, total, rule[U(AVERAGE)], reach, reached)
                if count:
                    nodes += _count_histories(g, block, reach)
            _add_leaves(g, me, block, reach, reached, value)
        block += 1
    while depth > 0:
        depth -= 1
        _fold_regrets(g, stack[U(depth)], regret, strategy, chosen, value, rule)
    return nodes


@kernel
def iterate(g, regret, strategy, chosen, total, schedule, simultaneous, skip, idle, count, w):
    """Run one iteration per row of ``schedule``, player 0 first; return histories touched.

    ``chosen`` is ``strategy`` itself, or, for simultaneous updates, a second array that receives
    the next strategies until both players are done.
    """
    nodes = 0
    for t in range(len(schedule)):
        rule = schedule[t]
        for me in range(2):
            nodes += sweep_regrets(
                g, me, regret, strategy, chosen, total, rule, skip, idle, count, w
            )
        if simultaneous:
            for cell in range(len(strategy)):
                strategy[U(cell)] = chosen[U(cell)]
    return nodes


@part
def _load_reach(g, block, plan, scale, reach, reached):
    """Put the realization plan of ``block``'s owner, times ``scale``, on the stack."""
    lanes = g.lanes[U(block)]
    stride = _padded(lanes)
    cell = g.first_cell[U(block)]
    slot = g.first_slot[U(block)]
    row = g.first_row[U(block)]
    for a in range(g.actions[U(block)]):
        some = 0.0
        for lane in range(lanes):
            after = scale * plan[U(cell + lane)]
            reach[U(slot + lane)] = after
            some += after
        reached[U(row + a)] = some > 0.0
        cell += lanes
        slot += stride


@part
def _fold_maximum(g, block, value, kept):
    """Fold the best value of each lane into its parent; keep all values if ``kept`` has room."""
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = _padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    keep = len(kept) > 0
    for lane in range(lanes):
        cell = first_cell + lane
        slot = first_slot + lane
        best = value[U(slot)]
        for _ in range(actions):
            best = max(best, value[U(slot)])
            if keep:
                kept[U(cell)] = value[U(slot)]
            cell += lanes
            slot += stride
        if parent >= 0:
            value[U(parent + lane)] += best
        else:
            value[U(g.lane_parent_slot[U(lane - parent - 1)])] += best


@kernel
def best_response_value(g, me, plan, scale, kept, w):
    """Return the value to ``me`` of a best response to the opponent's ``scale * plan``.

    ``kept``, if not empty, receives the counterfactual best-response value of every own sequence;
    subtrees that the opponent does not reach have value zero and are then visited too.
    """
    reach, reached, value, stack = w
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    blocks = len(g.player)
    depth = 0
    block = 0
    while block < blocks:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            _fold_maximum(g, stack[U(depth)], value, kept)
        if len(kept) == 0 and not reached[U(g.gate[U(2 * block + you)])]:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == me:
            slot = g.first_slot[U(block)]
            for k in range(slot, slot + g.actions[U(block)] * _padded(g.lanes[U(block)])):
                value[U(k)] = 0.0
            stack[U(depth)] = block
            depth += 1
        elif owner == you:
            _load_reach(g, block, plan, scale, reach, reached)
        _add_leaves(g, me, block, reach, reached, value)
        block += 1
    while depth > 0:
        depth -= 1
        _fold_maximum(g, stack[U(depth)], value, kept)
    return value[U(0)]


@kernel
def expected_value(g, plan, w, other):
    """Return the value to player 0 when both players follow their realization plans."""
    total = 0.0
    w.reach[0] = 1.0
    other.reach[0] = 1.0
    for block in range(len(g.player)):
        if g.player[U(block)] == 0:
            _load_reach(g, block, plan, 1.0, w.reach, w.reached)
        elif g.player[U(block)] == 1:
            _load_reach(g, block, plan, 1.0, other.reach, other.reached)
        for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
            total += _leaf_value(g, leaf, w.reach, other.reach)
    return total


@part
def _leaf_value(g, leaf, mine, yours):
    """Return the payoff to player 0 at one leaf, given both players' reach."""
    matrix = g.leaf_matrix[U(leaf)]
    first = g.matrix_first[U(2 * matrix)]
    my_slot = g.leaf_slot[U(2 * leaf)]
    your_slot = g.leaf_slot[U(2 * leaf + 1)]
    my_lanes = g.matrix_lanes[U(2 * matrix)]
    stride = _padded(my_lanes)
    pointer = g.sparse_first[U(2 * matrix)]
    total = 0.0
    for k in range(g.matrix_lanes[U(2 * matrix + 1)]):
        inner = 0.0
        if g.matrix_dense[U(matrix)]:
            for lane in range(my_lanes):
                inner += mine[U(my_slot + lane)] * g.entries[U(first + k * stride + lane)]
        else:
            begin = first + g.sparse_pointer[U(pointer + k)]
            end = first + g.sparse_pointer[U(pointer + k + 1)]
            for entry in range(begin, end):
                inner += mine[U(my_slot + g.sparse_lane[U(entry)])] * g.entries[U(entry)]
        total += inner * yours[U(your_slot + k)]
    return total * g.leaf_factor[U(leaf)]


@kernel
def realization_plan(g, behaviour, plan, w, other):
    """Write the product of each player's own probabilities along the way to every sequence."""
    w.reach[0] = 1.0
    other.reach[0] = 1.0
    for cell in range(len(plan)):
        plan[U(cell)] = 0.0
    for block in range(len(g.player)):
        if g.player[U(block)] == 0:
            _pass_reach(g, block, behaviour, plan, 1.0, w.reach, w.reached)
        elif g.player[U(block)] == 1:
            _pass_reach(g, block, behaviour, plan, 1.0, other.reach, other.reached)


@kernel
def behaviour(g, plan, strategy):
    """Normalise a realization plan (or a sum of some) per information set; uniform where zero."""
    for block in range(1, len(g.player)):
        actions = g.actions[U(block)]
        lanes = g.lanes[U(block)]
        cell = g.first_cell[U(block)]
        for lane in range(lanes):
            norm = 0.0
            for a in range(actions):
                norm += plan[U(cell + a * lanes + lane)]
            for a in range(actions):
                k = cell + a * lanes + lane
                strategy[U(k)] = plan[U(k)] / norm if norm > 0.0 else 1.0 / actions


@kernel
def nash_conv(g, plan, scale, kept, w):
    """Return the sum of both players' best-response values to ``scale * plan``."""
    total = 0.0
    for me in range(2):
        total += best_response_value(g, me, plan, scale, kept, w)
    return total
