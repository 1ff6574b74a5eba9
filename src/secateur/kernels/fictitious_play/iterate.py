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
from typing import NamedTuple

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import (
    U,
    add_leaves,
    clear_values,
    count_histories,
    pass_reach,
)
from secateur.kernels.core.pruning_parts import parent_of, reach_of_lanes, tally_histories
from secateur.kernels.core.walk import EVERYTHING, SKIP, begin, visitor, walk
from secateur.kernels.fictitious_play.books import EXPIRED, OPEN, FictitiousBooks
from secateur.kernels.fictitious_play.parts import choose_first_best, mark_alive
from secateur.kernels.fictitious_play.pruning import evaluate_expired, prune_losing
from secateur.kernels.gradients.books import Visits


@part
def _leave(visit, tally, g, me, block, w):
    """Add what an own block has earned; list it, and again if a bound has expired there."""
    listed, expired, nodes = tally
    p, margin = visit.p, visit.margin
    worth, pruned = visit.books.worth, visit.books.pruned
    value, alive, lane_reach = w.value, w.alive, w.lane_reach
    at = block_at(g, block)
    bounded = False
    for cell in range(at.cell, at.cell + at.actions * at.lanes):
        bounded |= pruned[U(cell)] != OPEN
    if bounded:
        reach_of_lanes(g, p, me, block, w.reach, lane_reach)
    some_expired = False
    for lane in range(at.lanes):
        above = parent_of(g, at.parent, lane)
        if not alive[U(above)]:
            continue
        before = after = highest = -inf
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            if pruned[U(cell)] == OPEN:
                before = max(before, worth[U(cell)])
                worth[U(cell)] += value[U(slot)]
                after = max(after, worth[U(cell)])
            else:
                worth[U(cell)] += lane_reach[U(at.slot + lane)] * p.payoffs[U(p.upper[U(cell)])]
                highest = max(highest, worth[U(cell)])
            cell += at.lanes
            slot += at.stride
        value[U(above)] += after - before
        # values that have left the range of numbers compare as they like where nothing is pruned
        if bounded and highest >= after - margin:
            some_expired = True
            cell = at.cell + lane
            for _ in range(at.actions):
                if pruned[U(cell)] != OPEN and worth[U(cell)] >= after - margin:
                    pruned[U(cell)] = EXPIRED
                cell += at.lanes
    w.touched[U(listed)] = block
    if some_expired:
        w.expired[U(expired)] = block
        expired += 1
    return listed + 1, expired, nodes


@part
def _choose(visit, tally, g, me, block, _depth, w):
    """Leave out what the opponent does not reach, and what is behind pruned rows."""
    left_out = (visit.how.skip and not w.reached[U(g.gate[U(2 * block + 1 - me)])]) or (
        visit.pruning and not w.alive_row[U(g.gate[U(2 * block + me)])]
    )
    return SKIP if left_out else EVERYTHING, tally


@part
def _open(visit, tally, g, _me, block, w):
    """Let values begin at zero; see what is alive."""
    clear_values(g, block, w.value)
    if visit.pruning:
        mark_alive(g, block, visit.books.pruned, w.alive, w.alive_row)
    return tally


@part
def _face(visit, tally, g, _me, block, w):
    """Put the opponent's strategy on the stack of reach, and add it to its counts."""
    listed, expired, nodes = tally
    books = visit.books
    pass_reach(g, block, books.behavior, books.counts, visit.weight, w.reach, w.reached)
    if visit.how.counted and not visit.pruning:
        nodes += count_histories(g, block, w.reach)
    return listed, expired, nodes


@part
def _ends(visit, tally, g, me, block, w):
    """Add values of ends; count histories."""
    listed, expired, nodes = tally
    add_leaves(g, me, block, w.reach, w.reached, None, w.value)
    if visit.how.counted and visit.pruning:
        nodes += tally_histories(g, visit.p, me, block, w.alive, w.reach, w.reached)
    return listed, expired, nodes


@visitor(choose=_choose, open=_open, face=_face, ends=_ends, leave=_leave)
class _Earn(NamedTuple):
    """A sweep; its tally: own blocks listed, blocks with expired bounds, and histories."""

    p: PruningArrays
    pruning: bool
    weight: float
    margin: float
    how: Visits
    books: FictitiousBooks


@kernel
def _sweep(g, p, me, pruning, weight, margin, how, listed, books, room):
    """Add what ``me`` earns now to its values, and ``weight`` times the opponent's plan to counts.

    Lists own blocks that are visited after the ``listed`` ones. Returns the length of that list,
    the number of blocks with expired bounds, and histories touched if they are counted.
    """
    begin(room, 1.0)
    room.alive[U(0)] = True
    room.alive_row[U(0)] = True
    nodes = 0.0 if pruning else float(how.roots[1 - me])
    earn = _Earn(p, pruning, weight, margin, how, books)
    return walk(g, me, earn, (listed, 0, nodes), room)


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
