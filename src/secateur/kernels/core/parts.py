"""Pieces that the sweeps are made of."""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part
from secateur.kernels.compilation.index import unsigned
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.combinations import multiply_combinations
from secateur.kernels.core.matrix_kinds import DENSE, SPARSE

U = unsigned

LEAST_NORM = 2.0**-1022
"""The smallest sum to divide by: a smaller one may have an infinite inverse. What is left of values
that have almost vanished says nothing, and counts as zero."""

_NARROW = 16
"""Lanes up to which sums stay in registers; wider rows are better added one after the other."""


@part
def multiply(g, me, matrix, factor, reach, yours, value, mine):
    """Add ``factor`` times a matrix times ``reach`` (from slot ``yours``) to ``value``."""
    you = 1 - me
    my_lanes = int(g.matrix_lanes[U(2 * matrix + me)])
    your_lanes = g.matrix_lanes[U(2 * matrix + you)]
    first = g.matrix_first[U(2 * matrix + me)]
    stride = padded(my_lanes)
    kind = g.matrix_kind[U(matrix)]
    if kind == DENSE and stride <= _NARROW:
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
    elif kind == DENSE:
        for k in range(your_lanes):
            weight = factor * reach[U(yours + k)]
            if weight != 0.0:
                entry = first + k * stride
                for lane in range(my_lanes):
                    value[U(mine + lane)] += weight * g.entries[U(entry + lane)]
    elif kind == SPARSE:
        pointer = g.sparse_first[U(2 * matrix + me)]
        for k in range(your_lanes):
            weight = factor * reach[U(yours + k)]
            if weight != 0.0:
                begin = first + g.sparse_pointer[U(pointer + k)]
                end = first + g.sparse_pointer[U(pointer + k + 1)]
                for entry in range(begin, end):
                    value[U(mine + g.sparse_lane[U(entry)])] += weight * g.entries[U(entry)]
    else:
        multiply_combinations(g, me, matrix, factor, reach, yours, value, mine)


@part
def add_leaves(g, me, block, reach, reached, marked, value):
    """Add the values of the leaves of ``block`` that the opponent reaches to ``value``.

    Only those behind own rows that are marked; or all, if that is None.
    """
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
        pair = g.leaf_pair[U(leaf)]
        if marked is not None and not marked[U(g.pair_row[U(2 * pair + me)])]:
            continue
        if reached[U(g.pair_row[U(2 * pair + you)])]:
            multiply(
                g,
                me,
                g.leaf_matrix[U(leaf)],
                sign * g.factors[U(g.leaf_factor[U(leaf)])],
                reach,
                g.pair_slot[U(2 * pair + you)],
                value,
                g.pair_slot[U(2 * pair + me)],
            )


@part
def pass_reach(g, block, strategy, total, omega, reach, reached):
    """Multiply the reach of ``block``'s owner through its strategy; add it to ``total``, if any."""
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for a in range(at.actions):
        some = 0.0
        for lane in range(at.lanes):
            if at.parent >= 0:
                before = reach[U(at.parent + lane)]
            else:
                before = reach[U(g.lane_parent_slot[U(lane - at.parent - 1)])]
            after = before * strategy[U(cell + lane)]
            reach[U(slot + lane)] = after
            if total is not None:
                total[U(cell + lane)] += omega * after
            some += after
        reached[U(at.row + a)] = some > 0.0
        cell += at.lanes
        slot += at.stride


@part
def load_reach(g, block, plan, scale, reach, reached):
    """Put the realization plan of ``block``'s owner, times ``scale``, on the stack."""
    at = block_at(g, block)
    cell = at.cell
    slot = at.slot
    for a in range(at.actions):
        some = 0.0
        for lane in range(at.lanes):
            after = scale * plan[U(cell + lane)]
            reach[U(slot + lane)] = after
            some += after
        reached[U(at.row + a)] = some > 0.0
        cell += at.lanes
        slot += at.stride


@part
def clear_values(g, block, value):
    """Set the values of a block's sequences to zero."""
    at = block_at(g, block)
    for slot in range(at.slot, at.slot + at.actions * at.stride):
        value[U(slot)] = 0.0


@part
def count_histories(g, block, reach):
    """Count the histories whose last sequence of the block's owner is reached and in it."""
    count = 0
    at = block_at(g, block)
    slot = at.slot
    first = g.block_counts[U(block)]
    for a in range(at.actions):
        row = g.count_first[U(first + a)]
        some = 0
        for lane in range(at.lanes):
            if reach[U(slot + lane)] > 0.0:
                some += g.counts[U(row + lane)]
        count += some * g.count_factor[U(first + a)]
        slot += at.stride
    return count
