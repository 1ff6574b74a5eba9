"""The sequence form of a compiled game, as rounds of pruning use it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import DENSE, SPARSE
from secateur.compiled.game import CompiledGame
from secateur.compiled.sequence_form import matrix_entries
from secateur.kernels.pruning_rounds.form import Entries, Order, write_columns, write_tree
from secateur.kernels.pruning_rounds.side import Side

Array = npt.NDArray[Any]
Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]


class GameSide(NamedTuple):
    """A player's side of the whole game."""

    side: Side
    cell: Int
    """Per sequence: where it stands in arrays of the game; the empty one stands nowhere."""

    infoset: Int
    """The same per information set."""

    spread: Float
    """Per sequence: how much more may be won with it than at its information set at the least."""


def most_entries(game: CompiledGame) -> int | None:
    """Return how many entries all columns have at the most; None if hands are combinations."""
    a, more = game.arrays, game.pruning
    assert more is not None
    if (a.matrix_kind > DENSE).any():
        return None
    lanes = a.matrix_lanes.reshape(-1, 2).astype(np.int64)
    sizes = lanes.prod(axis=1)
    sparse = np.flatnonzero(a.matrix_kind == SPARSE)
    first = a.sparse_first[2 * sparse].astype(np.int64)
    sizes[sparse] = a.sparse_pointer[first + lanes[sparse, 1]] - a.sparse_pointer[first]
    leaves, links = (
        np.bincount(each, minlength=len(sizes)) for each in (a.leaf_matrix, more.link_matrix)
    )
    return int((2 * leaves + links) @ sizes)


def _entries(game: CompiledGame) -> Entries:
    """Return the entries of all matrices, one after the other."""
    a = game.arrays
    parts = [matrix_entries(a, matrix) for matrix in range(len(a.matrix_kind))]
    rows, columns, values = ([part[k] for part in parts] for k in range(3))
    return Entries(
        first=np.concatenate([[0], np.cumsum([len(part) for part in values])]).astype(np.int64),
        row=_joined(rows).astype(np.int32),
        column=_joined(columns).astype(np.int32),
        value=_joined(values).astype(np.float64),
    )


def _joined(parts: list[Any]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0)


def room_for_tree(infosets: int) -> Side:
    """Return a side to be written, without columns."""
    return Side(
        first=np.zeros(infosets + 1, np.int32),
        parent=np.zeros(infosets, np.int32),
        end=np.zeros(infosets, np.int32),
        pointer=np.zeros(0, np.int32),
        target=np.zeros(0, np.int32),
        entry=np.zeros(0),
    )


def both_sides(game: CompiledGame) -> tuple[GameSide, GameSide]:
    """Return the sides of both players."""
    a, more = game.arrays, game.pruning
    assert more is not None
    infosets = game.size.information_sets
    order = Order(np.zeros(game.cells, np.int32), np.zeros(infosets, np.int32))
    standing = tuple(np.zeros(game.stack.slots, np.int32) for _ in range(2))
    trees = [_tree(game, player, order, standing[player]) for player in range(2)]
    entries = _entries(game)
    found = []
    for player, tree in enumerate(trees):
        sequences, others = len(tree.cell), len(trees[1 - player].cell)
        pointer = np.zeros(sequences + 1, np.int32)
        nothing: tuple[Int, Float] = (np.zeros(0, np.int32), np.zeros(0))
        given = (a, more, player, entries, order, standing, others)
        write_columns(*given, pointer, *nothing)
        pointer = np.cumsum(pointer, dtype=np.int32)
        size = int(pointer[-1])
        columns = (np.zeros(size, np.int32), np.zeros(size))
        if size:
            write_columns(*given, pointer.copy(), *columns)
        side = tree.side._replace(pointer=pointer, target=columns[0], entry=columns[1])
        found.append(tree._replace(side=side))
    return found[0], found[1]


def _tree(game: CompiledGame, player: int, order: Order, standing: Int) -> GameSide:
    """Return a side without columns; note where what it holds stands in it."""
    a, more = game.arrays, game.pruning
    assert more is not None
    own = a.player == player
    lanes, actions = (part[own].astype(np.int64) for part in (a.lanes, a.actions))
    infosets, sequences = int(lanes.sum()), 1 + int((lanes * actions).sum())
    side = room_for_tree(infosets)
    cell, infoset = np.full(sequences, -1, np.int32), np.zeros(infosets, np.int32)
    room = [np.zeros(game.size.information_sets, np.int32) for _ in range(3)]
    write_tree(a, player, standing, *room, order, side, cell, infoset)
    spread = np.zeros(sequences)
    least = more.payoffs[more.lower[infoset]]
    spread[1:] = more.payoffs[more.upper[cell[1:]]] - np.repeat(least, np.diff(side.first))
    return GameSide(side, cell, infoset, spread)
