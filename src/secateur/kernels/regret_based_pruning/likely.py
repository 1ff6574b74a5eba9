r"""How long Hedge does not play an action: limits of its regret.

An action is skipped while its probability is below the threshold of the next iteration. Of the
other actions b only those are counted that are not pruned, so its probability is at most

    exp(eta R) / (exp(eta R) + sum_b exp(eta R(b)))  <  threshold

which is, for the largest that its regret R can be by now,

    R  <  log(threshold / (1 - threshold) * sum_b exp(eta R(b))) / eta .

The most probable action is never cut: the limit is at most the largest regret of the others.
"""

from __future__ import annotations

import math

from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at
from secateur.kernels.core.parts import U
from secateur.kernels.regret_based_pruning.parts import OPEN, PRUNED, RETURNING
from secateur.kernels.regret_minimizers.hedge import learning_rate


@part
def limit_of_regret(g, block, lane, b, hedge, thresholds, iteration, all_open):
    """Return the regret up to which an action of an information set is not played.

    The other actions are all that are not pruned; or, unless ``all_open``, those of them which are
    played: the rest might be pruned as well. Then it is also the regret of what is just not played.
    """
    at = block_at(g, block)
    first = at.cell + lane
    threshold = thresholds[U(at.actions)] / math.sqrt(iteration + 1.0)
    rate = learning_rate(g, block, lane, hedge, iteration)
    largest = -math.inf
    cell = first
    for _ in range(at.actions):
        if b.pruned[U(cell)] == OPEN:
            largest = max(largest, b.regret[U(cell)])
        cell += at.lanes
    if rate == 0.0 or threshold == 0.0:
        return -math.inf
    if threshold >= 1.0:
        return largest
    everything = 0.0
    cell = first
    for _ in range(at.actions):
        if b.pruned[U(cell)] == OPEN:
            everything += math.exp(rate * (b.regret[U(cell)] - largest))
        cell += at.lanes
    odds = threshold / (1.0 - threshold)
    weight = odds * everything
    if not all_open:
        mass = 0.0
        cell = first
        for _ in range(at.actions):
            if b.pruned[U(cell)] == OPEN:
                share = math.exp(rate * (b.regret[U(cell)] - largest))
                if share > threshold * everything or b.regret[U(cell)] == largest:
                    mass += share
            cell += at.lanes
        weight = min(odds * mass, threshold * everything)
    return largest + min(0.0, math.log(weight) / rate)


@kernel
def find_likely(g, p, me, b, hedge, thresholds, iteration, scratch):
    """Note pruned actions that may have to be played next, and return how many there are."""
    found = 0
    block = 0
    while block < len(g.player):
        gate = p.gate_number[U(2 * block + me)]
        if gate > 0 and b.alive[U(gate)] == 0:
            block = g.subtree_end[U(block)]
            continue
        if g.player[U(block)] == me:
            for lane in range(g.lanes[U(block)]):
                if b.active[U(g.first_infoset[U(block)] + lane)]:
                    found = _find_likely_in_lane(
                        g, block, lane, b, hedge, thresholds, iteration, scratch, found
                    )
        block += 1
    return found


@part
def _find_likely_in_lane(g, block, lane, b, hedge, thresholds, iteration, scratch, found):
    """Note the actions of one information set."""
    at = block_at(g, block)
    first = at.cell + lane
    highest = -math.inf
    cell = first
    for _ in range(at.actions):
        if b.pruned[U(cell)] == PRUNED:
            highest = max(highest, b.bound[U(cell)])
        cell += at.lanes
    if highest == -math.inf:
        return found
    limit = limit_of_regret(g, block, lane, b, hedge, thresholds, iteration, True)
    if highest > limit:
        cell = first
        for _ in range(at.actions):
            if b.pruned[U(cell)] == PRUNED and b.bound[U(cell)] > limit:
                b.pruned[U(cell)] = RETURNING
                scratch.returning[U(found)] = cell
                scratch.returning_block[U(found)] = block
                found += 1
            cell += at.lanes
    return found
