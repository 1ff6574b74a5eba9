"""Pieces of sweeps that leave out histories which chance and opponent hardly ever bring about.

Probabilities only fall along a history, so what is behind an unlikely history is unlikely, too.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.parts import U


@part
def forget_unlikely_rows(g, b, block, reach, reached, threshold):
    """Call rows of a block unreached if no history after them is as likely as ``threshold``."""
    at = block_at(g, block)
    chance = b.chances[U(b.block_chance[U(block)])]
    slot = at.slot
    for a in range(at.actions):
        most = 0.0
        for lane in range(at.lanes):
            most = max(most, reach[U(slot + lane)])
        reached[U(at.row + a)] = most * chance >= threshold
        slot += at.stride


@part
def add_likely_ends(g, b, me, block, reach, reached, threshold, value):
    """Add the values of the ends that are as likely as ``threshold``."""
    you = 1 - me
    sign = 1.0 if me == 0 else -1.0
    for end in range(b.first_end[U(block)], b.first_end[U(block + 1)]):
        if reached[U(b.end_row[U(2 * end + you)])]:
            _multiply_likely(
                g,
                me,
                b.end_matrix[U(end)],
                sign * g.factors[U(b.end_factor[U(end)])],
                b.end_chances[U(end)],
                b.chances[U(b.end_chance[U(end)])],
                threshold,
                reach,
                b.end_slot[U(2 * end + you)],
                value,
                b.end_slot[U(2 * end + me)],
            )


@part
def _multiply_likely(g, me, matrix, factor, chances, chance, threshold, reach, yours, value, mine):
    """Multiply as for a leaf, without pairs of lanes that are less likely than ``threshold``.

    Chance's probabilities are ``chance``, the largest, times the matrix ``chances``, which has
    entries where the other has.
    """
    you = 1 - me
    first = g.matrix_first[U(2 * matrix + me)]
    other = g.matrix_first[U(2 * chances + me)] - first
    stride = padded(int(g.matrix_lanes[U(2 * matrix + me)]))
    dense = g.matrix_kind[U(matrix)]
    pointer = g.sparse_first[U(2 * matrix + me)]
    for k in range(g.matrix_lanes[U(2 * matrix + you)]):
        likely = chance * reach[U(yours + k)]
        weight = factor * reach[U(yours + k)]
        if likely < threshold:
            continue
        if dense:
            entry = first + k * stride
            here = entry + other
            for lane in range(stride):
                worth = weight * g.entries[U(entry + lane)]
                enough = likely * g.entries[U(here + lane)] >= threshold
                value[U(mine + lane)] += worth if enough else 0.0
        else:
            begin = first + g.sparse_pointer[U(pointer + k)]
            end = first + g.sparse_pointer[U(pointer + k + 1)]
            for entry in range(begin, end):
                if likely * g.entries[U(entry + other)] >= threshold:
                    value[U(mine + g.sparse_lane[U(entry)])] += weight * g.entries[U(entry)]


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
        dense = g.matrix_kind[U(matrix)]
        stride = padded(int(g.matrix_lanes[U(2 * matrix + me)]))
        chance = b.chances[U(b.branch_chance[U(branch)])]
        pointer = g.sparse_first[U(2 * matrix + me)]
        entries = 0.0
        for k in range(g.matrix_lanes[U(2 * matrix + you)]):
            if reach[U(yours + k)] * chance >= threshold:
                if dense:
                    begin = first + k * stride
                    end = begin + stride
                else:
                    begin = first + g.sparse_pointer[U(pointer + k)]
                    end = first + g.sparse_pointer[U(pointer + k + 1)]
                for entry in range(begin, end):
                    entries += g.entries[U(entry)]
        count += entries * g.factors[U(b.branch_factor[U(branch)])]
    return round(count)
