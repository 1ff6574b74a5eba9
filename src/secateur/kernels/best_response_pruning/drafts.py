"""What (near) best responses win behind a cell, and drafts of what comes back there.

*Drafts* are written from the far end of the store, children before parents;
:mod:`secateur.kernels.best_response_pruning.regrow` takes over what is alive of them.
"""

from __future__ import annotations

from secateur.kernels.best_response_pruning.store import best_payoff, expected_skip
from secateur.kernels.compilation.decorator import stage
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of


@stage
def _near_best(value, slot, stride, actions, best, allowance):
    """Return how little a response may win and still count as nearly best.

    That is the least x, but at least the worst value, with ``sum of max(0, value - x)^2`` at most
    ``allowance``.
    """
    least = best
    for a in range(actions):
        least = min(least, value[U(slot + a * stride)])
    low, high = 0.0, allowance**0.5
    for _ in range(60):
        middle = 0.5 * (low + high)
        total = 0.0
        for a in range(actions):
            total += max(0.0, value[U(slot + a * stride)] - best + middle) ** 2
        if total <= allowance:
            low = middle
        else:
            high = middle
    return max(least, best - low)


@stage
def _best_of_lane(g, p, block, lane, allowance, value, lane_reach):
    """Return what a (near) best response wins at an information set."""
    at = block_at(g, block)
    first = at.slot + lane
    best = value[U(first)]
    for a in range(1, at.actions):
        best = max(best, value[U(first + a * at.stride)])
    if allowance > 0.0:
        least = p.payoffs[U(p.lower[U(at.infoset + lane)])]
        most = least
        for a in range(at.actions):
            most = max(most, best_payoff(g, p, block, lane, a))
        scale = lane_reach[U(first)] * (most - least)
        best = _near_best(
            value, first, at.stride, at.actions, best, allowance * scale**2 * at.actions
        )
    return best


@stage
def fold_best(g, p, block, allowance, value, lane_reach, mark):
    """Add what (near) best responses win at a block's marked lanes to their parents."""
    at = block_at(g, block)
    for lane in range(at.lanes):
        above = parent_of(g, at.parent, lane)
        if mark[U(above)]:
            value[U(above)] += _best_of_lane(g, p, block, lane, allowance, value, lane_reach)


@stage
def write_draft(
    g,
    p,
    block,
    s,
    pace,
    tolerance,
    minimum_skip,
    allowance,
    value,
    lane_reach,
    mark,
    ids_top,
    numbers_top,
):
    """Write lanes below a reviewed cell as if their (near) best response had been played all along.

    A draft is the lanes below, and, among numbers, the block, and for each lane the sum of values,
    gaps, and whether actions stay pruned. Returns where it begins.
    """
    at = block_at(g, block)
    drafted = 0
    for lane in range(at.lanes):
        if mark[U(parent_of(g, at.parent, lane))]:
            drafted += 1
    ids_top -= 1 + drafted
    numbers_top -= 1 + drafted * (1 + 2 * at.actions)
    s.ids[U(ids_top)] = drafted
    s.numbers[U(numbers_top)] = block
    i = 0
    for lane in range(at.lanes):
        if not mark[U(parent_of(g, at.parent, lane))]:
            continue
        best = _best_of_lane(g, p, block, lane, allowance, value, lane_reach)
        reach = lane_reach[U(at.slot + lane)]
        s.ids[U(ids_top + 1 + i)] = lane
        draft = numbers_top + 1 + i * (1 + 2 * at.actions)
        s.numbers[U(draft)] = best
        for a in range(at.actions):
            gap = value[U(at.slot + a * at.stride + lane)] - best
            skip = expected_skip(g, p, block, s, lane, a, gap, reach, pace)
            s.numbers[U(draft + 1 + a)] = gap
            stays = gap < -tolerance and skip >= minimum_skip
            s.numbers[U(draft + 1 + at.actions + a)] = stays
        i += 1
    return ids_top, numbers_top
