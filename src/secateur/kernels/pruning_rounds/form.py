"""Writes the sequence form of a compiled game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part
from secateur.kernels.core.block import block_at, padded
from secateur.kernels.core.matrix_kinds import DENSE
from secateur.kernels.core.parts import U
from secateur.kernels.core.pruning_parts import parent_of

Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]


@book
class Entries(NamedTuple):
    """The entries of all matrices of a game, one after the other."""

    first: Long  # per matrix; one more than there are
    row: Int  # lane of player 0
    column: Int  # lane of player 1
    value: Float


@book
class Products(NamedTuple):
    """Matrices times the factors that they occur with."""

    leaf: Int  # per leaf: which product it has
    link: Int  # the same per link
    first: Long  # per product: where what its entries come to begins


@book
class Order(NamedTuple):
    """Where the cells and information sets of a game stand on its owner's side."""

    sequence: Int  # per cell
    number: Int  # per information set


@kernel
def write_entries(g, entries):
    """Write the entries of all matrices but zeros; there is room for all."""
    count = 0
    for matrix in range(len(g.matrix_kind)):
        entries.first[U(matrix)] = count
        begin = g.matrix_first[U(2 * matrix)]
        lanes = int(g.matrix_lanes[U(2 * matrix)])
        dense = g.matrix_kind[U(matrix)] == DENSE
        pointer = -1 if dense else int(g.sparse_first[U(2 * matrix)])
        for column in range(g.matrix_lanes[U(2 * matrix + 1)]):
            first, end = begin + column * padded(lanes), begin + column * padded(lanes) + lanes
            if not dense:
                end = begin + g.sparse_pointer[U(pointer + column + 1)]
                first = begin + g.sparse_pointer[U(pointer + column)]
            for e in range(first, end):
                entries.row[U(count)] = e - first if dense else g.sparse_lane[U(e)]
                entries.column[U(count)] = column
                entries.value[U(count)] = g.entries[U(e)]
                count += int(g.entries[U(e)] != 0.0)
    entries.first[U(len(g.matrix_kind))] = count


@kernel
def write_tree(g, me, standing, before, size, following, order, side, cell, infoset):
    """Bring a player's information sets in order, and number its sequences.

    ``before``, ``size`` and ``following`` are room for a number per information set of the game,
    ``standing`` for one per slot. ``cell`` and ``infoset`` tell what sequences and information sets
    of the side are in the game.
    """
    _find_parents(g, me, standing, before)
    # those of a block follow no other of it: sizes are complete when all later blocks are done
    for block in range(len(g.player) - 1, 0, -1):
        if g.player[U(block)] == me:
            at = block_at(g, block)
            for k in range(at.infoset, at.infoset + at.lanes):
                size[U(k)] += 1
                if before[U(k)] >= 0:
                    size[U(before[U(k)])] += size[U(k)]
    top = 0
    for block in range(1, len(g.player)):
        if g.player[U(block)] == me:
            at = block_at(g, block)
            for lane in range(at.lanes):
                k = at.infoset + lane
                if before[U(k)] < 0:
                    place = top
                    top += size[U(k)]
                else:
                    place = following[U(before[U(k)])]
                    following[U(before[U(k)])] += size[U(k)]
                following[U(k)] = place + 1
                order.number[U(k)] = place
                infoset[U(place)] = k
                side.end[U(place)] = place + size[U(k)]
                side.first[U(place + 1)] = at.actions
    side.first[0] = 1
    for k in range(len(side.parent)):
        side.first[U(k + 1)] += side.first[U(k)]
    _number_sequences(g, me, standing, order, side, cell)


@part
def _find_parents(g, me, standing, before):
    """Write the own information set before each; -1 if there is none."""
    standing[U(0)] = -1
    for block in range(1, len(g.player)):
        if g.player[U(block)] == me:
            at = block_at(g, block)
            for lane in range(at.lanes):
                before[U(at.infoset + lane)] = standing[U(parent_of(g, at.parent, lane))]
            for a in range(at.actions):
                for lane in range(at.lanes):
                    standing[U(at.slot + a * at.stride + lane)] = at.infoset + lane


@part
def _number_sequences(g, me, standing, order, side, cell):
    """Write the numbers of a player's sequences, and those before its information sets."""
    standing[U(0)] = 0
    for block in range(1, len(g.player)):
        if g.player[U(block)] == me:
            at = block_at(g, block)
            for lane in range(at.lanes):
                k = order.number[U(at.infoset + lane)]
                side.parent[U(k)] = standing[U(parent_of(g, at.parent, lane))]
            for a in range(at.actions):
                for lane in range(at.lanes):
                    k = order.number[U(at.infoset + lane)]
                    sequence = int(side.first[U(k)]) + a
                    here = at.cell + a * at.lanes + lane
                    order.sequence[U(here)] = sequence
                    cell[U(sequence)] = here
                    standing[U(at.slot + a * at.stride + lane)] = sequence


@kernel
def write_rows(g, p, me, entries, products, order, standing, sequences, pointer, other, code):
    """Write the rows of player ``me``, who has so many ``sequences``.

    Without room for entries it counts: ``pointer`` then holds, behind each row, how many it has.
    With room ``pointer`` holds where each begins, and then where it ends.
    """
    for player in range(2):
        standing[player][U(0)] = 0
    for block in range(len(g.player)):
        at = block_at(g, block)
        if block > 0:
            _stand(at, order, standing[g.player[U(block)]])
        for leaf in range(g.first_leaf[U(block)], g.first_leaf[U(block + 1)]):
            matrix = g.leaf_matrix[U(leaf)]
            shift = products.first[U(products.leaf[U(leaf)])] - entries.first[U(matrix)]
            pair = g.leaf_pair[U(leaf)]
            mine = int(g.pair_slot[U(2 * pair + me)])
            yours = int(g.pair_slot[U(2 * pair + 1 - me)])
            for e in range(entries.first[U(matrix)], entries.first[U(matrix + 1)]):
                lane, lane_of_other = _lanes(entries, e, me)
                row = standing[me][U(mine + lane)]
                hit = standing[1 - me][U(yours + lane_of_other)]
                _add(pointer, other, code, row, hit, shift + e)
        if g.player[U(block)] != me:
            continue
        for link in range(p.first_link[U(block)], p.first_link[U(block + 1)]):
            matrix = p.link_matrix[U(link)]
            shift = products.first[U(products.link[U(link)])] - entries.first[U(matrix)]
            yours = int(p.link_slot[U(link)])
            for e in range(entries.first[U(matrix)], entries.first[U(matrix + 1)]):
                lane, lane_of_other = _lanes(entries, e, me)
                row = sequences + order.number[U(at.infoset + lane)]
                hit = standing[1 - me][U(yours + lane_of_other)]
                _add(pointer, other, code, row, hit, shift + e)


@part
def _stand(at, order, standing):
    """Note which sequences stand at the slots of a block."""
    for a in range(at.actions):
        for lane in range(at.lanes):
            cell = at.cell + a * at.lanes + lane
            standing[U(at.slot + a * at.stride + lane)] = order.sequence[U(cell)]


@part
def _lanes(entries, e, me):
    """Return the lanes of an entry, that of ``me`` first."""
    row, column = int(entries.row[U(e)]), int(entries.column[U(e)])
    return (row, column) if me == 0 else (column, row)


@part
def _add(pointer, other, code, row, hit, found):
    """Count an entry, or write it."""
    if len(other) == 0:
        pointer[U(row + 1)] += 1
        return
    place = pointer[U(row)]
    other[U(place)] = hit
    code[U(place)] = found
    pointer[U(row)] = place + 1
