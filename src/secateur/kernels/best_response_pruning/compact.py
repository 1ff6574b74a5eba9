"""Copies what is alive to a new store, and finds the blocks that both players may still reach."""

from __future__ import annotations

from secateur.kernels.best_response_pruning.average import share_out
from secateur.kernels.best_response_pruning.live import write_frame
from secateur.kernels.best_response_pruning.loose import GONE, LIVING, PRUNED, pack, unpack
from secateur.kernels.best_response_pruning.store import (
    HEAD,
    ITERATION,
    NO_ATTIC,
    UPDATED,
    date_of,
    find_rows_alive,
    mark_live,
)
from secateur.kernels.compilation.decorator import kernel, part, stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of

BLOCK, DEPTH, DEAD_END, OLD_IDS, OLD_NUMBERS, OLD_ATTIC, PROGRESS = range(7)
"""How far a copy has come: the next block, the open ones, the end of a subtree that is dead, and
what is no longer needed of the old store; and the length of such a report."""


@part
def _clear(s):
    """Begin a store with an empty record and an empty attic."""
    s.used[0] = HEAD
    s.used[1] = s.past
    s.used[2] = NO_ATTIC


@stage
def _load(g, block, s, dense, loose, flow):
    """Lay out a block of a run that has not pruned anything yet; put its sums on the stack."""
    at = block_at(g, block)
    loose.past[UPDATED] = s.clock[ITERATION]
    now = date_of(s)
    for cell in range(at.actions * at.stride):
        loose.state[U(cell)] = GONE
        loose.total[U(cell)] = 0.0
        flow[U(at.slot + cell)] = 0.0
    for lane in range(at.lanes):
        loose.active[U(lane)] = True
        loose.value_sum[U(lane)] = dense.value_sums[U(at.infoset + lane)]
        loose.reach[U(lane)] = 0.0
        loose.lost[U(lane)] = 0.0
        for a in range(at.actions):
            place = at.cell + a * at.lanes + lane
            cell = a * at.stride + lane
            loose.state[U(cell)] = PRUNED if dense.cut[U(place)] else LIVING
            loose.regret[U(cell)] = dense.regret[U(place)]
            loose.date[U(cell)] = now
            loose.claim[U(cell)] = max(0.0, dense.regret[U(place)])
            loose.total[U(cell)] = dense.total[U(place)]
            flow[U(at.slot + cell)] = dense.total[U(place)]


@part
def _lay_out(g, block, old, dense, new, loose, flow):
    """Lay out a block, if anything is known of it, and put its sums on the stack.

    Returns whether there is anything.
    """
    if dense is None:
        share_out(g, block, old, False, flow)
        if old.ids_at[U(block)] == 0 and old.attic_at[U(block)] == 0:
            return False
        unpack(g, block, old, loose)
    else:
        _load(g, block, new, dense, loose, flow)
    return True


@kernel
def compact(g, p, old, dense, new, ordered, live, limit, progress, weight, least, scratch):
    """Copy blocks to ``new`` until it holds ``limit`` numbers or all are done.

    They come from the store ``old`` or, unless that is None, from ``dense`` arrays. Before
    ``ordered``, the old records stand in the order of the blocks. ``weight`` is that of all
    iterations. Strategy sums of pruned cells are discarded if they are at most ``least``, and all
    sums behind those.
    """
    mark, alive, flow = scratch.mark, scratch.alive, scratch.flows
    loose, stack = scratch.loose, scratch.stack
    blocks = len(g.player)
    block = progress[BLOCK]
    depth = progress[DEPTH]
    dead_end = progress[DEAD_END]
    if block == 0:
        _clear(new)
        live.length[0] = 0
        live.used[0] = 0
        for player in range(2):
            mark[player][U(0)] = True
            alive[player][U(0)] = True
            flow[player][U(0)] = weight
    while True:
        while depth > 0 and g.subtree_end[U(live.order[U(stack[U(depth - 1)])])] <= block:
            depth -= 1
            live.size[U(stack[U(depth)])] = live.length[0] - stack[U(depth)]
        if block == blocks or new.used[1] >= limit:
            break
        if block >= dead_end and not (
            alive[0][U(g.gate[U(2 * block)])] and alive[1][U(g.gate[U(2 * block + 1)])]
        ):
            dead_end = g.subtree_end[U(block)]
        if block > 0:
            player = g.player[U(block)]
            if dense is None:
                if old.ids_at[U(block)] < ordered[0]:
                    progress[OLD_IDS] = max(progress[OLD_IDS], old.ids_at[U(block)])
                    progress[OLD_NUMBERS] = max(progress[OLD_NUMBERS], old.numbers_at[U(block)])
                if old.attic_at[U(block)] < ordered[2]:
                    progress[OLD_ATTIC] = max(progress[OLD_ATTIC], old.attic_at[U(block)])
            if _lay_out(g, block, old, dense, new, loose, flow[player]):
                _drop_lanes(g, block, loose, mark[player], flow[player])
                if least > 0.0:
                    _discard(g, block, loose, least, flow[player])
                pack(g, p, block, loose, new)
            mark_live(g, block, new, mark[player])
            find_rows_alive(g, block, new, alive[player])
        if block >= dead_end:
            write_frame(g, p, block, new, live, live.length[0], alive)
            stack[U(depth)] = live.length[0]
            depth += 1
            live.length[0] += 1
        block += 1
    progress[BLOCK] = block
    progress[DEPTH] = depth
    progress[DEAD_END] = dead_end


@stage
def _drop_lanes(g, block, loose, mark, flow):
    """Forget regrets behind what is pruned, and strategy sums behind what was discarded."""
    at = block_at(g, block)
    cells = at.actions * at.stride
    for lane in range(at.lanes):
        above = parent_of(g, at.parent, lane)
        if not mark[U(above)]:
            loose.active[U(lane)] = False
            if flow[U(above)] == 0.0:
                loose.lost[U(lane)] = 0.0
                for cell in range(lane, cells, at.stride):
                    flow[U(at.slot + cell)] = 0.0
            for cell in range(lane, cells, at.stride):
                loose.state[U(cell)] = GONE
                loose.total[U(cell)] = flow[U(at.slot + cell)]


@stage
def _discard(g, block, loose, least, flow):
    """Discard small sums of pruned actions, as long as others of the lane remain."""
    at = block_at(g, block)
    cells = at.actions * at.stride
    for lane in range(at.lanes):
        for cell in range(lane, cells, at.stride):
            others = 0.0
            for other in range(lane, cells, at.stride):
                if other != cell:
                    others += flow[U(at.slot + other)]
            total = loose.total[U(cell)]
            if (
                loose.state[U(cell)] == PRUNED
                and others > 0.0
                and total + loose.lost[U(lane)] <= least
            ):
                loose.lost[U(lane)] += total
                loose.total[U(cell)] = 0.0
                flow[U(at.slot + cell)] = 0.0
