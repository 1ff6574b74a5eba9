"""The sequence form of a compiled game, as rounds of pruning use it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import DENSE, SPARSE
from secateur.compiled.game import CompiledGame
from secateur.kernels.pruning_rounds.form import (
    Entries,
    Order,
    Products,
    write_entries,
    write_rows,
    write_tree,
)
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
    """Return how many entries all rows have at the most; None if hands are combinations."""
    a, more = game.arrays, game.pruning
    assert more is not None
    if (a.matrix_kind > DENSE).any():
        return None
    sizes = _sizes(game)
    leaves, links = (
        np.bincount(each, minlength=len(sizes)) for each in (a.leaf_matrix, more.link_matrix)
    )
    return int((2 * leaves + links) @ sizes)


def _sizes(game: CompiledGame) -> Long:
    """Return how many entries matrices have at the most."""
    a = game.arrays
    lanes = a.matrix_lanes.reshape(-1, 2).astype(np.int64)
    sizes: Long = lanes.prod(axis=1)
    sparse = np.flatnonzero(a.matrix_kind == SPARSE)
    first = a.sparse_first[2 * sparse].astype(np.int64)
    sizes[sparse] = a.sparse_pointer[first + lanes[sparse, 1]] - a.sparse_pointer[first]
    return sizes


def most_numbers(game: CompiledGame) -> int:
    """Return how many numbers there are at the most that entries of a player's rows can be."""
    products, _, _ = _products(game)
    return int(_sizes(game)[products % max(1, len(game.arrays.matrix_kind))].sum())


def _entries(game: CompiledGame) -> Entries:
    """Return the entries of all matrices, one after the other."""
    most = int(_sizes(game).sum()) + 1  # zeros are written over by what comes next
    entries = Entries(
        first=np.zeros(len(game.arrays.matrix_kind) + 1, np.int64),
        row=np.zeros(most, np.int32),
        column=np.zeros(most, np.int32),
        value=np.zeros(most),
    )
    write_entries(game.arrays, entries)
    return entries


def _products(game: CompiledGame) -> tuple[Long, Int, Int]:
    """Return all products of a factor and a matrix, and which of them leaves and links have.

    A product is a number; factors of links, which are probabilities, come behind those of leaves.
    """
    a, more = game.arrays, game.pruning
    assert more is not None
    of_links = len(a.factors) + more.link_factor.astype(np.int64)
    leaves = a.leaf_factor.astype(np.int64) * len(a.matrix_kind) + a.leaf_matrix
    links = of_links * len(a.matrix_kind) + more.link_matrix
    most = 2 * len(a.factors) * len(a.matrix_kind)
    if most > len(leaves) + len(links):
        found, where = np.unique(np.concatenate([leaves, links]), return_inverse=True)
        return found, where[: len(leaves)].astype(np.int32), where[len(leaves) :].astype(np.int32)
    occurs = np.zeros(most, np.bool_)
    occurs[leaves] = occurs[links] = True
    place = np.cumsum(occurs, dtype=np.int32) - 1
    return np.flatnonzero(occurs), place[leaves], place[links]


def _worths(game: CompiledGame, entries: Entries) -> tuple[Products, Float, Float]:
    """Return products of matrices and factors, and what their entries come to for each player.

    Games have few: 6,078 entries in Leduc poker with 12 bet sizes, where rows have ten million.
    """
    found, leaf, link = _products(game)
    factor, matrix = np.divmod(found, max(1, len(game.arrays.matrix_kind)))
    lengths = np.diff(entries.first)[matrix]
    first = np.cumsum(lengths) - lengths
    place = np.repeat(entries.first[matrix] - first, lengths) + np.arange(lengths.sum())
    value, factors = entries.value[place], game.arrays.factors
    ours, theirs = (
        np.repeat(np.concatenate([sign * factors, factors])[factor], lengths) * value
        for sign in (1.0, -1.0)
    )
    return Products(leaf, link, first), ours, theirs


def room_for_tree(infosets: int) -> Side:
    """Return a side to be written, without rows."""
    return Side(
        first=np.zeros(infosets + 1, np.int32),
        parent=np.zeros(infosets, np.int32),
        end=np.zeros(infosets, np.int32),
        pointer=np.zeros(0, np.int32),
        other=np.zeros(0, np.int32),
        code=np.zeros(0, np.uint16),
        worth=np.zeros(0),
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
    products, *worths = _worths(game, entries)
    for player, (tree, worth) in enumerate(zip(trees, worths, strict=True)):
        sequences = len(tree.cell)
        pointer = np.zeros(sequences + len(tree.infoset) + 1, np.int32)
        given = (a, more, player, entries, products, order, standing, sequences)
        write_rows(*given, pointer, np.zeros(0, np.int32), np.zeros(0, np.uint16))
        pointer = np.cumsum(pointer, dtype=np.int32)
        size = int(pointer[-1])
        rows = np.zeros(size, np.int32), np.zeros(size, np.uint16)
        if size:
            write_rows(*given, pointer.copy(), *rows)
        side = tree.side._replace(pointer=pointer, other=rows[0], code=rows[1], worth=worth)
        found.append(tree._replace(side=side))
    return found[0], found[1]


def _tree(game: CompiledGame, player: int, order: Order, standing: Int) -> GameSide:
    """Return a side without rows; note where what it holds stands in it."""
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
