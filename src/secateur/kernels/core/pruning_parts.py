"""Pieces that the kernels of pruning share.

Cells are the unit: an action may be pruned for one lane of a block and not for another.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part, stage
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.combinations import tally_combinations
from secateur.kernels.core.matrix_kinds import DENSE
from secateur.kernels.core.parts import U, add_leaves, multiply

LONGEST_SKIP = 1e300
"""Iterations; finite, so that a minimum skip of infinity prunes nothing."""


@part
def parent_of(g, parent, lane):
    """Return the slot of a lane's parent sequence."""
    if parent >= 0:
        return parent + lane
    return g.lane_parent_slot[U(lane - parent - 1)]


@part
def place_of(numbers, count, wanted):
    """Return how many of ``count`` numbers in order are smaller than the one wanted."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if numbers[U(middle)] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@stage
def reach_of_lanes(g, p, me, block, reach, lane_reach):
    """Write the opponent's and chance's reach of a block's lanes at the block's first slots.

    To be asked when the walk leaves the block: only then has it surely seen the opponent's rows.
    """
    at = block_at(g, block)
    for lane in range(at.stride):
        lane_reach[U(at.slot + lane)] = 0.0
    for link in range(p.first_link[U(block)], p.first_link[U(block + 1)]):
        multiply(
            g,
            me,
            p.link_matrix[U(link)],
            g.factors[U(p.link_factor[U(link)])],
            reach,
            p.link_slot[U(link)],
            lane_reach,
            at.slot,
        )


@stage
def add_marked_leaves(g, me, block, reach, reached, marked, value):
    """Add the values of leaves behind marked rows that the opponent reaches."""
    add_leaves(g, me, block, reach, reached, marked, value)


@stage
def tally_histories(g, p, me, block, chosen_lane, reach, reached):
    """Count the histories between chosen own lanes and lanes that the opponent reaches."""
    you = 1 - me
    count = 0.0
    for tally in range(p.first_tally[U(block)], p.first_tally[U(block + 1)]):
        if not reached[U(p.tally_row[U(2 * tally + you)])]:
            continue
        matrix = p.tally_matrix[U(tally)]
        mine = p.tally_slot[U(2 * tally + me)]
        yours = p.tally_slot[U(2 * tally + you)]
        my_lanes = int(g.matrix_lanes[U(2 * matrix + me)])
        your_lanes = g.matrix_lanes[U(2 * matrix + you)]
        first = g.matrix_first[U(2 * matrix + me)]
        entries = 0.0
        kind = g.matrix_kind[U(matrix)]
        if kind > DENSE:
            entries = tally_combinations(g, me, matrix, chosen_lane, mine, reach, yours)
        elif kind == DENSE:
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
        count += entries * g.factors[U(p.tally_factor[U(tally)])]
    return count


@part
def skip_length(gap, lane_reach, weight, range_of_payoffs):
    """Return the iterations for which a bound will hold at the average pace, at the least."""
    pace = weight * lane_reach * range_of_payoffs
    return min(-gap / pace, LONGEST_SKIP) if pace > 0.0 else LONGEST_SKIP


@part
def may_be_below(g, me, block, stack, depth, marked):
    """Return whether anything in a block may lie behind a row that is marked.

    The gate tells if it is a row of the last own block on the way; else nobody knows.
    """
    if depth == 0:
        return False
    last = stack[U(depth - 1)]
    gate = g.gate[U(2 * block + me)]
    row = g.first_row[U(last)]
    return not (row <= gate < row + g.actions[U(last)]) or marked[U(gate)]


@stage
def sort_blocks(blocks, count):
    """Sort by insertion: sweeps leave blocks almost in order, children before parents."""
    for k in range(1, count):
        block = blocks[U(k)]
        place = k
        while place > 0 and blocks[U(place - 1)] > block:
            blocks[U(place)] = blocks[U(place - 1)]
            place -= 1
        blocks[U(place)] = block
