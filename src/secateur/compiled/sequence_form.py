"""The sequence form of a compiled game, for those who need it as sparse matrices.

Sequences are numbered by cell, plus one: 0 is the empty sequence of either player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import DENSE, SHOWDOWN, Arrays
from secateur.compiled.combinations import cards_of, lanes_of
from secateur.compiled.game import CompiledGame
from secateur.compiled.matrices import padded

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int = npt.NDArray[np.int64]


class SequenceForm(NamedTuple):
    """Parents of information sets and the payoffs that sequences earn together."""

    infoset_player: Int
    infoset_parent: Int
    """Per information set: the player's last sequence before it."""

    cell_infoset: Int
    """Per cell: its information set."""

    payoff: csr_array
    """``payoff[s, t]``: chance times payoff to player 0 of the sequences ``s`` and ``t``."""


def sequence_form(game: CompiledGame) -> SequenceForm:
    """Return the sequence form; costs time in proportion to the size of the game."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - takes a quarter of a second to load

    a = game.arrays
    # which sequence stands at each player's slots on the current path
    standing = (np.zeros(game.stack.slots, np.int64), np.zeros(game.stack.slots, np.int64))
    infoset_player: list[Int] = []
    infoset_parent: list[Int] = []
    cell_infoset: list[Int] = []
    rows: list[Int] = []
    columns: list[Int] = []
    values: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    for block in range(len(a.player)):
        lanes, actions = int(a.lanes[block]), int(a.actions[block])
        slot, cell, first = (
            int(a.first_slot[block]),
            int(a.first_cell[block]),
            int(a.first_infoset[block]),
        )
        if lanes:
            player = int(a.player[block])
            parent = int(a.parent_slot[block])
            if parent >= 0:
                slots = np.arange(parent, parent + lanes)
            else:
                slots = a.lane_parent_slot[-1 - parent :][:lanes].astype(np.int64)
            infoset_parent.append(standing[player][slots].copy())
            infoset_player.append(np.full(lanes, player, np.int64))
            cell_infoset.append(np.tile(np.arange(first, first + lanes, dtype=np.int64), actions))
            for action in range(actions):
                begin = slot + action * padded(lanes)
                standing[player][begin : begin + lanes] = (
                    cell + 1 + action * lanes + np.arange(lanes)
                )
        for leaf in range(int(a.first_leaf[block]), int(a.first_leaf[block + 1])):
            row, column, value = matrix_entries(a, int(a.leaf_matrix[leaf]))
            value = value * a.factors[a.leaf_factor[leaf]]
            pair = 2 * int(a.leaf_pair[leaf])
            rows.append(standing[0][int(a.pair_slot[pair]) + row])
            columns.append(standing[1][int(a.pair_slot[pair + 1]) + column])
            values.append(value)
    size = game.cells + 1
    payoff = coo_array(
        (np.concatenate(values), (_joined(rows), _joined(columns))), shape=(size, size)
    )
    return SequenceForm(
        infoset_player=_joined(infoset_player),
        infoset_parent=_joined(infoset_parent),
        cell_infoset=_joined(cell_infoset),
        payoff=payoff.tocsr(),
    )


def matrix_entries(a: Arrays, matrix: int) -> tuple[Int, Int, npt.NDArray[np.float64]]:
    """Return player 0's lanes, player 1's lanes and values of the entries of a matrix."""
    mine, theirs = int(a.matrix_lanes[2 * matrix]), int(a.matrix_lanes[2 * matrix + 1])
    first = int(a.matrix_first[2 * matrix])
    kind = a.matrix_kind[matrix]
    if kind > DENSE:
        row, column, value = _met(a, matrix)
    elif kind == DENSE:
        stride = padded(mine)
        entries = a.entries[first : first + theirs * stride].reshape(theirs, stride)[:, :mine]
        column, row = np.nonzero(entries)
        value = entries[column, row]
    else:
        pointer = int(a.sparse_first[2 * matrix])
        ends = a.sparse_pointer[pointer : pointer + theirs + 1]
        column = np.repeat(np.arange(theirs), np.diff(ends))
        row = a.sparse_lane[first : first + len(column)].astype(np.int64)
        value = a.entries[first : first + len(column)]
    return row, column, value


def _met(a: Arrays, matrix: int) -> tuple[Int, Int, npt.NDArray[np.float64]]:
    """Return the entries of a matrix between hands; those of one place are to be added up."""
    pointers = int(a.matrix_classes[matrix]) + 1
    lane, card, weight, strength = [], [], [], []
    for player in range(2):
        place = 2 * matrix + player
        ends = a.class_pointer[int(a.class_first[place]) :][:pointers].astype(np.int64)
        begin = int(a.combination_first[place])
        here = slice(begin, begin + int(ends[-1]))
        lane.append(lanes_of(a.combination_hand[here]))
        weight.append(a.combination_weight[here])
        card.append(cards_of(a.combination_hand[here]))
        strength.append(np.repeat(np.arange(len(ends) - 1), np.diff(ends)))
    shared = (card[0][:, None, :, None] == card[1][None, :, None, :]).any(axis=(2, 3))
    worth = np.where(shared, 0.0, weight[0][:, None] * weight[1][None, :])
    if a.matrix_kind[matrix] == SHOWDOWN:
        worth *= np.sign(strength[0][:, None] - strength[1][None, :])
    first, second = np.nonzero(worth)
    return lane[0][first], lane[1][second], worth[first, second]


def _joined(parts: list[Int]) -> Int:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
