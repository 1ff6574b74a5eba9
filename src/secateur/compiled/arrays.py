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
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]
Flag = npt.NDArray[np.int8]


class Arrays(NamedTuple):
    """Everything that kernels read; nothing that they write."""

    # per block
    player: Flag  # 0 or 1; 2 for the root
    actions: Int
    lanes: Int
    subtree_end: Int
    first_cell: Long
    first_infoset: Int
    first_slot: Int
    first_row: Int
    parent_slot: Int  # of lane 0, if the others follow it; else -1 - place in lane_parent_slot
    gate: Int  # [2 * block + player]: row that must be reached for anything below to be reached
    first_leaf: Long  # one more than there are blocks

    # slots of parent sequences, lane by lane, for blocks whose parents do not stand in a row
    lane_parent_slot: Int

    # per cell
    histories: Long  # histories whose last sequence of the cell's player is this one

    # per leaf: [2 * leaf + player]
    leaf_slot: Int
    leaf_row: Int
    leaf_matrix: Int  # per leaf
    leaf_factor: Float  # per leaf

    # per matrix
    matrix_lanes: Int  # [2 * matrix + player]
    matrix_dense: Flag
    matrix_first: Long  # [2 * matrix + player whose values are computed]
    # entries of all matrices; for sparse ones, lists of own lanes with ends per opponent lane
    entries: Float
    sparse_first: Long  # [2 * matrix + player]: where its (opponent lanes + 1) pointers begin
    sparse_pointer: Long
    sparse_lane: Int  # parallel to entries from matrix_first on; unused for dense matrices


class PruningArrays(NamedTuple):
    """What kernels read in addition when they prune."""

    # per block
    first_row_number: Int  # rows of the whole game, counted through; 0 is the empty sequence
    gate_number: Int  # [2 * block + player]: number of the gate's row
    first_link: Long  # one more than there are blocks
    first_tally: Long

    upper: Float  # per cell: the most that its player may win after it
    lower: Float  # per information set: the least

    # per link: a row of the other player, and chance's weights between a block's lanes and it
    link_slot: Int
    link_row: Int
    link_matrix: Int
    link_factor: Float

    # per tally: two rows and the number of histories between their lanes, in the form of leaves
    tally_slot: Int
    tally_row: Int
    tally_matrix: Int
    tally_factor: Float


class BranchArrays(NamedTuple):
    """What kernels read in addition when they leave out what is unlikely."""

    block_chance: Float  # per block: chance's probability of its likeliest history

    # per end: like leaves, of ends that chance brings about with one probability for each pair of
    # lanes, which is a matrix times a factor
    first_end: Long  # one more than there are blocks
    end_slot: Int
    end_row: Int
    end_matrix: Int
    end_factor: Float
    end_chances: Int
    end_chance: Float

    # per branch: like tallies, of histories that chance brings about with one probability
    first_branch: Long  # one more than there are blocks
    branch_slot: Int
    branch_row: Int
    branch_matrix: Int
    branch_factor: Float
    branch_chance: Float


More = TypeVar("More", PruningArrays, BranchArrays)


def empty(kind: type[More]) -> More:
    """Return what a game has instead of arrays that it was not compiled with."""
    # hints are such as ndarray[shape, dtype[int32]]
    numbers = [get_args(get_args(hint)[1])[0] for hint in get_type_hints(kind).values()]
    return kind(*(np.zeros(0, number) for number in numbers))
