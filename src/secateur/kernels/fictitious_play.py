r"""Iterations of fictitious play.

What is kept of each sequence is :math:`V(I, a)`, the value of a best response after it to the *sum*
of the opponent's strategies so far. An iteration adds what is earned at ends of the game against
the opponent's current strategy, and what the best actions further down have gained:

.. math:: V(I, a) \leftarrow V(I, a) + u(I, a) + \sum_{k \text{ after } (I, a)}
    \bigl(\max_{a'} V_{\text{new}}(k, a') - \max_{a'} V_{\text{old}}(k, a')\bigr)

Where the opponent does not come, nothing changes, and nothing is visited: not even own information
sets.
"""

from __future__ import annotations

from math import inf

from secateur.kernels.decorator import kernel, part
from secateur.kernels.fictitious_books import EXPIRED, OPEN
from secateur.kernels.fictitious_parts import choose_first_best, mark_alive
from secateur.kernels.fictitious_pruning import evaluate_expired, prune_losing
from secateur.kernels.parts import (
    U,
    add_leaves,
    clear_values,
    count_histories,
    padded,
    pass_reach,
)
from secateur.kernels.pruning_parts import parent_of, reach_of_lanes, tally_histories


@part
def _fold_earnings(g, p, me, block, margin, books, room):
    """Add what an own block has earned; return whether a bound has expired there."""
    worth, pruned = books.worth, books.pruned
    value, alive, lane_reach = room.value, room.alive, room.lane_reach
    actions = g.actions[U(block)]
    lanes = g.lanes[U(block)]
    stride = padded(lanes)
    first_cell = g.first_cell[U(block)]
    first_slot = g.first_slot[U(block)]
    parent = g.parent_slot[U(block)]
    bounded = False
    for cell in range(first_cell, first_cell + actions * lanes):
        bounded |= pruned[U(cell)] != OPEN
    if bounded:
        reach_of_lanes(g, p, me, block, room.reach, lane_reach)
    expired = False
    for lane in range(lanes):
        above = parent_of(g, parent, lane)
        if not alive[U(above)]:
            continue
        before = after = highest = -inf
        cell = first_cell + lane
        slot = first_slot + lane
        for _ in range(actions):
            if pruned[U(cell)] == OPEN:
                before = max(before, worth[U(cell)])
                worth[U(cell)] += value[U(slot)]
                after = max(after, worth[U(cell)])
            else:
                worth[U(cell)] += lane_reach[U(first_slot + lane)] * p.upper[U(cell)]
                highest = max(highest, worth[U(cell)])
            cell += lanes
            slot += stride
        value[U(above)] += after - before
        if highest >= after - margin:
            expired = True
            cell = first_cell + lane
            for _ in range(actions):
                if pruned[U(cell)] != OPEN and worth[U(cell)] >= after - margin:
                    pruned[U(cell)] = EXPIRED
                cell += lanes
    return expired


@kernel
def _sweep(g, p, me, pruning, weight, margin, how, listed, books, room):
    """Add what ``me`` earns now to its values, and ``weight`` times the opponent's plan to counts.

    Lists own blocks that are visited after the ``listed`` ones. Returns the length of that list,
    the number of blocks with expired bounds, and histories touched if they are counted.
    """
    reach, reached, value, stack = room.reach, room.reached, room.value, room.stack
    alive, alive_row = room.alive, room.alive_row
    skip, counted, roots = how
    you = 1 - me
    reach[U(0)] = 1.0
    reached[U(0)] = True
    value[U(0)] = 0.0
    alive[U(0)] = True
    alive_row[U(0)] = True
    blocks = len(g.player)
    depth = 0
    expired = 0
    nodes = 0.0 if pruning else float(roots[you])
    block = 0
    while True:
        while depth > 0 and g.subtree_end[U(stack[U(depth - 1)])] <= block:
            depth -= 1
            done = stack[U(depth)]
            room.touched[U(listed)] = done
            listed += 1
            if _fold_earnings(g, p, me, done, margin, books, room):
                room.expired[U(expired)] = done
                expired += 1
        if block == blocks:
            break
        if skip and not reached[U(g.gate[U(2 * block + you)])]:
            block = g.subtree_end[U(block)]
            continue
        if pruning and not alive_row[U(g.gate[U(2 * block + me)])]:
            block = g.subtree_end[U(block)]
            continue
        owner = g.player[U(block)]
        if owner == you:
            pass_reach(g, block, books.behaviour, books.counts, weight, reach, reached)
            if counted and not pruning:
                nodes += count_histories(g, block, reach)
        elif owner == me:
            clear_values(g, block, value)
            if pruning:
                mark_alive(g, block, books.pruned, alive, alive_row)
            stack[U(depth)] = block
            depth += 1
        add_leaves(g, me, block, reach, reached, value)
        if counted and pruning:
            nodes += tally_histories(g, p, me, block, alive, reach, reached)
        block += 1
    return listed, expired, nodes


@kernel
def iterate_fictitious_play(g, p, first, last, pruning, search, limits, how, books, room, nodes):
    """Run iterations ``first`` to ``last``; if ``search``, prune what loses after the last.

    ``limits`` are what counts as equal in one iteration, and the iterations for which expired
    sequences must lose to stay pruned, and others to be pruned. Both players choose when both have
    seen the other's strategy. Adds to ``nodes`` the histories touched by sweeps, and by evaluations
    of pruned sequences.
    """
    for t in range(first, last + 1):
        tie = t * limits[0]
        weight = 0.0 if t == 1 else 1.0
        listed = 0
        for me in range(2):
            listed, expired, touched = _sweep(
                g, p, me, pruning, weight, 2.0 * tie, how, listed, books, room
            )
            nodes[0] += touched
            if expired > 0:
                nodes[1] += evaluate_expired(g, p, me, t, expired, limits, how, books, room)
        for k in range(listed):
            block = room.touched[U(k)]
            for lane in range(g.lanes[U(block)]):
                choose_first_best(g, block, lane, tie, books)
    if search:
        for me in range(2):
            prune_losing(g, p, me, last, limits, books, room)
