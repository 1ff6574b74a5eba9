"""The flat arrays of a compiled game, as the kernels see them.

**Blocks.** Information sets of one player at one public state with the same number of actions
form a block; each is a *lane* of it. A block with ``A`` actions and ``L`` lanes owns ``A * L``
*cells*, one per sequence, action-major: cell ``first_cell[block] + a * L + l``. One action's cells
are a *row*. Blocks stand in preorder of the public tree; ``subtree_end`` skips what lies below.
Block 0 is the root: it has no lanes and stands for the empty sequence of both players.

**Slots.** What a sweep computes on the way (reach of the opponent, values) is needed only between
a block and its descendants. So it lives on a stack: each cell has a *slot*, its address in a small
array per player, assigned when the game is compiled; blocks that are never on one path share
slots. Slot 0 holds the empty sequence. Rows have addresses on a stack of the same kind
(``first_row``), where a sweep notes which of them are reached at all.

**Leaves.** A leaf block joins a row of player 0 with a row of player 1 through a matrix of
``chance probability * payoff to player 0``, shared between leaves that differ by ``factor`` only.
Leaves are evaluated right after the deeper one of their two blocks: ``first_leaf[block]``.

**For pruning** there are more arrays, apart from the others, because not everybody prunes. A *link*
joins a block's lanes with a row by which the other player came there, through the probabilities of
chance: times the other's reach, they give the probability that an information set is reached but
for its owner. A *tally* counts the histories between two rows; summed over the lanes that are alive
it gives the nodes touched.

**For thresholds** there are others again. Whether a history is likely enough to be visited depends
on the probability that chance brings it about. *Branches* are tallies of all histories, split by
that probability. *Ends* are the leaves again, with a matrix of probabilities beside that of values;
a leaf is split only where a pair of lanes has ends of different probability.

**Matrices.** Entries are stored twice, grouped by the lane of the opponent of either player, so
that the inner loop of both sweeps runs over contiguous own lanes. A dense matrix has all entries;
a sparse one has a list of lanes beside them.

**Combinations.** Between hands of cards a matrix has no entries at all. Two such hands meet unless
they share a card, and are then worth the product of their weights; at a showdown times the sign of
what tells the stronger one. For either player there is a list of *combinations*, each with two
cards, a weight, a lane, and its *twin*, the place of the same cards in the list of the other. Lane
and cards are packed in one number, which kernels read at once. Combinations stand in *classes* of
equal strength, from the weakest on; matrices of one board share them. Tallies count pairs of
combinations, whatever their weights.

**Tables.** Factors, payoffs and probabilities repeat: each is stored once, in order, in a table,
and other arrays hold places in it. So do the pairs of rows that leaves join
(:mod:`secateur.compiled.pairs`), and, row by row, numbers of histories
(:mod:`secateur.compiled.counts`).

**Narrow and wide.** In most games slots, rows, matrices and places in tables are small numbers, and
two bytes hold them; such games are *narrow*, others *wide*
(:mod:`secateur.compiled.packing`). Kernels are compiled for either kind.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

# in narrow games, and in wide ones
Small = npt.NDArray[np.int16 | np.int32]
Place = npt.NDArray[np.int32 | np.int64]

Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]
Flag = npt.NDArray[np.int8]

SPARSE, DENSE, DISJOINT, SHOWDOWN = range(4)
"""Kinds of matrices: the first two have entries, the others combinations."""


class Arrays(NamedTuple):
    """Everything that kernels read; nothing that they write."""

    # per block
    player: Flag  # 0 or 1; 2 for the root
    actions: Small
    lanes: Small
    subtree_end: Int
    first_cell: Place
    first_infoset: Int
    first_slot: Small
    first_row: Small
    parent_slot: Small  # of lane 0, if the others follow it; else -1 - place in lane_parent_slot
    gate: Small  # [2 * block + player]: row that must be reached for anything below to be reached
    first_leaf: Place  # one more than there are blocks

    # slots of parent sequences, lane by lane, for blocks whose parents do not stand in a row
    lane_parent_slot: Small

    # how many histories have a cell as their player's last sequence: a row has a list of one number
    # per lane, which it shares with others, times a factor
    block_counts: Place  # per block: where its rows are told of
    count_first: Place  # where the list of a row begins
    count_factor: Long
    counts: Long  # all lists

    # per leaf
    leaf_pair: Small  # which rows it joins
    leaf_matrix: Small
    leaf_factor: Small
    # a table of pairs of rows: [2 * pair + player]
    pair_slot: Small
    pair_row: Small
    factors: Float  # a table: of leaves, links, tallies, ends and branches

    # per matrix
    matrix_lanes: Small  # [2 * matrix + player]
    matrix_kind: Flag
    matrix_classes: Small  # of equal strength; 0 for matrices with entries
    matrix_first: Place  # [2 * matrix + player whose values are computed]
    # entries of all matrices; for sparse ones, lists of own lanes with ends per opponent lane
    entries: Float
    sparse_first: Place  # [2 * matrix + player]: where its (opponent lanes + 1) pointers begin
    sparse_pointer: Place
    sparse_lane: Small  # parallel to entries from matrix_first on; unused for dense matrices
    # combinations of all matrices between hands
    combination_first: Place  # [2 * matrix + player]
    class_first: Place  # [2 * matrix + player]: where its (classes + 1) pointers begin
    class_pointer: Small
    combination_twin: Small  # -1 if the other player has none
    combination_hand: Int  # lane and cards, packed: secateur.compiled.combinations
    combination_weight: Float


class PruningArrays(NamedTuple):
    """What kernels read in addition when they prune."""

    # per block
    first_row_number: Int  # rows of the whole game, counted through; 0 is the empty sequence
    gate_number: Int  # [2 * block + player]: number of the gate's row
    first_link: Place  # one more than there are blocks
    first_tally: Place

    upper: Small  # per cell: which payoff is the most that its player may win after it
    lower: Small  # per information set: which is the least
    payoffs: Float  # a table; minus infinity where nothing can be won

    # per link: a row of the other player, and chance's weights between a block's lanes and it
    link_slot: Small
    link_row: Small
    link_matrix: Small
    link_factor: Small

    # per tally: two rows and the number of histories between their lanes, in the form of leaves
    tally_slot: Small
    tally_row: Small
    tally_matrix: Small
    tally_factor: Small


class BranchArrays(NamedTuple):
    """What kernels read in addition when they leave out what is unlikely."""

    block_chance: Small  # per block: chance's probability of its likeliest history
    chances: Float  # a table: of blocks, ends and branches

    # per end: like leaves, of ends that chance brings about with one probability for each pair of
    # lanes, which is a matrix times a factor
    first_end: Place  # one more than there are blocks
    end_slot: Small
    end_row: Small
    end_matrix: Small
    end_factor: Small
    end_chances: Small
    end_chance: Small

    # per branch: like tallies, of histories that chance brings about with one probability
    first_branch: Place  # one more than there are blocks
    branch_slot: Small
    branch_row: Small
    branch_matrix: Small
    branch_factor: Small
    branch_chance: Small


More = TypeVar("More", PruningArrays, BranchArrays)


def number_types(kind: type[NamedTuple], *, narrow: bool) -> dict[str, np.dtype[Any]]:
    """Return the types of numbers that the arrays of narrow or of wide games have."""
    known: Any = kind
    return {
        name: np.dtype((get_args(each) or (each,))[0 if narrow else -1])
        for name, each in _numbers(known).items()
    }


@cache
def _numbers(kind: Any) -> dict[str, Any]:
    """Return which numbers arrays are of; hints take long to look up, and games have many parts."""
    # hints are such as ndarray[shape, dtype[int32]], or dtype[int16 | int32]
    return {name: get_args(get_args(hint)[1])[0] for name, hint in get_type_hints(kind).items()}


def empty(kind: type[More], *, narrow: bool) -> More:
    """Return what a game has instead of arrays that it was not compiled with."""
    types = number_types(kind, narrow=narrow)
    return kind(**{name: np.zeros(0, each) for name, each in types.items()})
