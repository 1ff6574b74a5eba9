"""Pieces of sweeps that leave out histories which chance and opponent hardly ever bring about.

Probabilities only fall along a history, so what is behind an unlikely history is unlikely, too.
"""

from __future__ import annotations

from secateur.kernels.decorator import part
from secateur.kernels.parts import U, multiply, padded


@part
def forget_unlikely_rows(g, b, block, reach, reached, threshold):
    """Call rows of a block unreached if no history after them is as likely as ``threshold``."""
    lanes = g.lanes[U(block)]
    slot = g.first_slot[U(block)]
    row = g.first_row[U(block)]
    chance = b.block_chance[U(block)]
    for a in range(g.actions[U(block)]):
        likely = False
        for lane in range(lanes):
            if reach[U(slot + lane)] * chance >= threshold:
                likely = True
        reached[U(row + a)] = likely
        slot += padded(lanes)


@part
def add_likely_leaves(g, b, me, block, reach, reached, threshold, value, cut):
    """Add the values of the ends that are as likely as ``threshold``; ``cut`` is room for reach."""
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
        if not reached[U(g.leaf_row[U(2 * leaf + you)])]:
            continue
        matrix = g.leaf_matrix[U(leaf)]
        yours = g.leaf_slot[U(2 * leaf + you)]
        chance = b.leaf_chance[U(leaf)]
        likely = False
        for k in range(g.matrix_lanes[U(2 * matrix + you)]):
            here = reach[U(yours + k)]
            if here * chance >= threshold:
                cut[U(k)] = here
                likely = True
            else:
                cut[U(k)] = 0.0
        if likely:
            factor = sign * g.leaf_factor[U(leaf)]
            multiply(g, me, matrix, factor, cut, 0, value, g.leaf_slot[U(2 * leaf + me)])


@part
def count_likely_histories(g, b, me, block, reach, reached, threshold):
    """Count the histories of a block's branches that are as likely as ``threshold``."""
    you = 1 - me
    count = 0.0
    for branch in range(b.first_branch[U(block)], b.first_branch[U(block + 1)]):
        if not reached[U(b.branch_row[U(2 * branch + you)])]:
            continue
        matrix = b.branch_matrix[U(branch)]
        yours = b.branch_slot[U(2 * branch + you)]
        first = g.matrix_first[U(2 * matrix + me)]
        dense = g.matrix_dense[U(matrix)]
        stride = padded(g.matrix_lanes[U(2 * matrix + me)])
        pointer = g.sparse_first[U(2 * matrix + me)]
        entries = 0.0
        for k in range(g.matrix_lanes[U(2 * matrix + you)]):
            if reach[U(yours + k)] * b.branch_chance[U(branch)] >= threshold:
                if dense:
                    begin = first + k * stride
                    end = begin + stride
                else:
                    begin = first + g.sparse_pointer[U(pointer + k)]
                    end = first + g.sparse_pointer[U(pointer + k + 1)]
                for entry in range(begin, end):
                    entries += g.entries[U(entry)]
        count += entries * b.branch_factor[U(branch)]
    return round(count)
