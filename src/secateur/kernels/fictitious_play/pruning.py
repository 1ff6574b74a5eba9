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
from typing import NamedTuple

from secateur.compiled.arrays import PruningArrays
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.listed import is_ahead, next_listed
from secateur.kernels.core.parts import U, clear_values
from secateur.kernels.core.pruning_parts import (
    add_marked_leaves,
    may_be_below,
    parent_of,
    reach_of_lanes,
    sort_blocks,
    tally_histories,
)
from secateur.kernels.core.walk import EVERYTHING, SKIP, nothing_at, visitor, walk
from secateur.kernels.fictitious_play.books import EXPIRED, OPEN, PRUNED, FictitiousBooks
from secateur.kernels.fictitious_play.parts import (
    begin_sums,
    best_of,
    can_be_skipped,
    choose_first_best,
    load_sums,
    mark_alive,
    settle,
)


@part
def _face(visit, tally, g, _me, block, w):
    """Put the sum of the opponent's plans on the stack of reach."""
    load_sums(g, block, visit.books, w)
    return tally


@part
def _prune_lane(g, p, block, lane, iteration, margin, minimum_skip, arrived, books):
    """Prune the open actions of an information set that lose for long."""
    worth, behavior, pruned = books.worth, books.behavior, books.pruned
    best = best_of(g, block, lane, books)
    at = block_at(g, block)
    cell = at.cell + lane
    for _ in range(at.actions):
        if pruned[U(cell)] == OPEN and can_be_skipped(
            worth[U(cell)],
            best,
            margin,
            p.payoffs[U(p.upper[U(cell)])],
            arrived,
            iteration,
            minimum_skip,
        ):
            pruned[U(cell)] = PRUNED
            behavior[U(cell)] = 0.0
        cell += at.lanes


@part
def _choose_alive(_visit, tally, g, me, block, _depth, w):
    """Leave out what is behind pruned rows."""
    return EVERYTHING if w.alive_row[U(g.gate[U(2 * block + me)])] else SKIP, tally


@part
def _open_alive(visit, tally, g, _me, block, w):
    """See what is alive."""
    mark_alive(g, block, visit.books.pruned, w.alive, w.alive_row)
    return tally


@part
def _leave_pruned(visit, tally, g, me, block, w):
    """Prune what loses in a block."""
    reach_of_lanes(g, visit.p, me, block, w.reach, w.lane_reach)
    at = block_at(g, block)
    for lane in range(at.lanes):
        if w.alive[U(parent_of(g, at.parent, lane))]:
            _prune_lane(
                g,
                visit.p,
                block,
                lane,
                visit.iteration,
                visit.margin,
                visit.minimum_skip,
                w.lane_reach[U(at.slot + lane)],
                visit.books,
            )
    return tally


@visitor(choose=_choose_alive, open=_open_alive, face=_face, ends=nothing_at, leave=_leave_pruned)
class _Prune(NamedTuple):
    """A search for what loses."""

    p: PruningArrays
    iteration: int
    margin: float
    minimum_skip: float
    books: FictitiousBooks


@kernel
def prune_losing(g, p, me, iteration, limits, books, room):
    """Prune all sequences of ``me`` that will lose for long enough."""
    tie, _, minimum_skip = limits
    begin_sums(iteration, room)
    room.alive[U(0)] = True
    room.alive_row[U(0)] = True
    walk(g, me, _Prune(p, iteration, 2.0 * iteration * tie, minimum_skip, books), 0, room)


@part
def _mark_evaluated(g, block, books, room):
    """Mark the sequences of an own block whose bounds have expired, and those behind such."""
    at = block_at(g, block)
    row = at.row
    cell = at.cell
    slot = at.slot
    for _ in range(at.actions):
        some = False
        for lane in range(at.lanes):
            above = parent_of(g, at.parent, lane)
            here = room.mark[U(above)] or (
                room.alive[U(above)] and books.pruned[U(cell + lane)] == EXPIRED
            )
            room.mark[U(slot + lane)] = here
            some |= here
        room.marked[U(row)] = some
        row += 1
        cell += at.lanes
        slot += at.stride


@part
def _fold_evaluated(g, p, block, iteration, limits, books, room):
    """Decide about expired bounds; write the values of what was evaluated; pass on what changed."""
    worth, pruned = books.worth, books.pruned
    tie, again, minimum_skip = limits
    margin = 2.0 * iteration * tie
    at = block_at(g, block)
    for lane in range(at.lanes):
        above = parent_of(g, at.parent, lane)
        behind = room.mark[U(above)]
        if not (behind or room.alive[U(above)]):
            continue
        arrived = room.lane_reach[U(at.slot + lane)]
        before = best = -inf
        cell = at.cell + lane
        slot = at.slot + lane
        for _ in range(at.actions):
            if behind or pruned[U(cell)] == EXPIRED:
                worth[U(cell)] = room.value[U(slot)] + room.up[U(slot)]
                best = max(best, worth[U(cell)])
            elif pruned[U(cell)] == OPEN:
                before = max(before, worth[U(cell)])
                worth[U(cell)] += room.up[U(slot)]
                best = max(best, worth[U(cell)])
            cell += at.lanes
            slot += at.stride
        cell = at.cell + lane
        for _ in range(at.actions):
            if behind or pruned[U(cell)] == EXPIRED:
                least = minimum_skip if behind else again
                upper = p.payoffs[U(p.upper[U(cell)])]
                skipped = can_be_skipped(
                    worth[U(cell)], best, margin, upper, arrived, iteration, least
                )
                pruned[U(cell)] = PRUNED if skipped else OPEN
            cell += at.lanes
        if behind:
            choose_first_best(g, block, lane, iteration * tie, books)
        room.up[U(above)] += best if behind else best - before


@part
def _choose_expired(visit, tally, g, me, block, depth, w):
    """Go to expired bounds, and behind them."""
    following, nodes = tally
    following = next_listed(w.expired, visit.listed, following, block)
    here = is_ahead(g, w.expired, visit.listed, following, block) or may_be_below(
        g, me, block, w.stack, depth, w.marked
    )
    return EVERYTHING if here else SKIP, (following, nodes)


@part
def _open_expired(visit, tally, g, _me, block, w):
    """Complete own counts; let values begin at zero; mark what is evaluated."""
    settle(g, block, visit.books, w.played_here)
    clear_values(g, block, w.value)
    clear_values(g, block, w.up)
    _mark_evaluated(g, block, visit.books, w)
    mark_alive(g, block, visit.books.pruned, w.alive, w.alive_row)
    return tally


@part
def _ends_expired(visit, tally, g, me, block, w):
    """Add values of ends behind marked rows; count histories."""
    following, nodes = tally
    add_marked_leaves(g, me, block, w.reach, w.reached, w.marked, w.value)
    if visit.counted:
        nodes += tally_histories(g, visit.p, me, block, w.mark, w.reach, w.reached)
    return following, nodes


@part
def _leave_expired(visit, tally, g, me, block, w):
    """Decide about expired bounds."""
    reach_of_lanes(g, visit.p, me, block, w.reach, w.lane_reach)
    _fold_evaluated(g, visit.p, block, visit.iteration, visit.limits, visit.books, w)
    return tally


@visitor(
    choose=_choose_expired, open=_open_expired, face=_face, ends=_ends_expired, leave=_leave_expired
)
class _Evaluate(NamedTuple):
    """An evaluation; its tally: the next listed block, and histories."""

    p: PruningArrays
    iteration: int
    listed: int
    limits: tuple[float, float, float]
    counted: bool
    books: FictitiousBooks


@kernel
def evaluate_expired(g, p, me, iteration, count, limits, how, books, room):
    """Evaluate sequences whose bounds have expired, in ``count`` blocks of ``room.expired``.

    They stay pruned or come back, in which case what is behind them may be pruned at once. Returns
    the number of histories touched, if they are counted.
    """
    begin_sums(iteration, room)
    # player 0's plan of this iteration is counted in the sweep of player 1, which is to come
    room.played_here[U(0)] = iteration - 2.0 + me
    room.alive[U(0)] = True
    room.mark[U(0)] = False
    room.marked[U(0)] = False
    sort_blocks(room.expired, count)
    visit = _Evaluate(p, iteration, count, limits, how.counted, books)
    return walk(g, me, visit, (0, 0.0), room)[1]


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
