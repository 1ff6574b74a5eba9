"""Whether the arrays of a compiled game are such as kernels can walk.

Kernels follow slots, rows and places in these arrays without looking whether they lie outside, and
a game may come from a file that somebody else has written. So every number that is used as a place
is checked once, when the file is opened. That takes about a millisecond per megabyte, and memory
for some numbers per block and leaf, but none for the entries of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.archive import Array, is_finite
from secateur.compiled.arrays import (
    DENSE,
    SHOWDOWN,
    SPARSE,
    Arrays,
    BranchArrays,
    PruningArrays,
)
from secateur.compiled.combinations import lanes_of
from secateur.compiled.game import Stack
from secateur.compiled.labels import LabelArrays
from secateur.compiled.packing import counts_are_small
from secateur.compiled.pairs import rows_of_leaves, slots_of_leaves
from secateur.schema import LARGEST_COUNT, MalformedError

Long = npt.NDArray[np.int64]


def check_types(types: Mapping[str, np.dtype[Any]], parts: Mapping[str, Array]) -> None:
    """Raise MalformedError unless all arrays are there, with numbers of these types."""
    for name, numbers in types.items():
        if name not in parts:
            raise MalformedError(f"it has no {name}")
        _require(name, parts[name].dtype == numbers)


def checking_game(
    a: Arrays,
    stack: Stack,
    labels: LabelArrays,
    pruning: PruningArrays | None,
    branches: BranchArrays | None,
) -> Iterator[None]:
    """Raise MalformedError unless all places in the arrays of a game lie inside of them.

    It is done in steps, between which memory that was read can be given back.
    """
    _check_blocks(a, stack)
    yield
    _check_matrices(a)
    _require("factors", is_finite(a.factors))
    _check_leaves(a, stack)
    yield
    _check_labels(a, labels)
    yield
    if pruning is not None:
        _check_pruning(a, stack, pruning)
    yield
    if branches is not None:
        _check_branches(a, stack, branches)
    if a.first_slot.dtype == np.int16:
        links = {} if pruning is None else {"first_link": pruning.first_link}
        _require("stack", counts_are_small({"first_leaf": a.first_leaf, **links}, stack.slots))


def _check_blocks(a: Arrays, stack: Stack) -> None:
    blocks = len(a.player)
    per_block = ("actions", "lanes", "subtree_end", "first_cell", "first_infoset", "first_slot")
    for name in (*per_block, "first_row", "parent_slot", "block_counts"):
        _require(name, blocks > 0 and len(getattr(a, name)) == blocks)
    _require("player", a.player[0] == 2 and _within(a.player[1:], 0, 2))
    for name in ("actions", "lanes"):
        part = getattr(a, name)
        _require(name, part[0] == 0 and (part[1:] >= 1).all())
    actions, lanes = a.actions.astype(np.int64), a.lanes.astype(np.int64)
    cells = actions * lanes
    _require("lanes", actions.astype(np.float64) @ lanes <= LARGEST_COUNT)
    _check_counts(a)
    _require("first_cell", (a.first_cell == np.cumsum(cells) - cells).all())
    _require("first_infoset", (a.first_infoset == np.cumsum(lanes) - lanes).all())
    _require("subtree_end", _depth(a.subtree_end) == stack.blocks)
    room = actions * _padded(lanes)
    _check_stack("first_slot", a.first_slot, room, 4, stack.slots)
    _check_stack("first_row", a.first_row, actions, 1, stack.rows)
    follow = a.parent_slot >= 0
    parent = a.parent_slot.astype(np.int64)
    _require("parent_slot", (parent + lanes)[follow].max(initial=0) <= stack.slots)
    listed = (lanes - 1 - parent)[~follow].max(initial=0)
    _require("parent_slot", listed <= len(a.lane_parent_slot))
    _require("lane_parent_slot", _within(a.lane_parent_slot, 0, stack.slots))
    _require("gate", len(a.gate) == 2 * blocks and _within(a.gate, 0, stack.rows))


def _check_counts(a: Arrays) -> None:
    """Check the lists of numbers of histories, and where blocks and rows say that they are."""
    for name in ("counts", "count_factor"):
        _require(name, _within(getattr(a, name), 0, LARGEST_COUNT + 1))
    _require("count_factor", len(a.count_factor) == len(a.count_first))
    shown = _check_shared("block_counts", a, a.block_counts, a.actions, len(a.count_first))
    most = len(a.counts) - np.repeat(a.lanes[shown].astype(np.int64), a.actions[shown])
    _require("count_first", (a.count_first >= 0).all() and (a.count_first <= most).all())


def _check_shared(name: str, a: Arrays, place: Array, sizes: Array, room: int) -> Long:
    """Check where blocks have what they share with others of the same shape; return one of each.

    Together they fill an array, so whoever looks at them looks at no more than was read.
    """
    _require(name, place[0] == 0)
    told, first, which = np.unique(place[1:], return_index=True, return_inverse=True)
    for numbers in (a.actions[1:], a.lanes[1:]):
        _require(name, (numbers[first][which] == numbers).all())
    shown = first + 1
    size = sizes[shown].astype(np.int64)
    _require(name, size.sum() == room and (told == np.cumsum(size) - size).all())
    return shown


def _check_stack(name: str, first: Array, room: Long, least: int, size: int) -> None:
    """Check addresses on a stack against its size, which must be the smallest that serves."""
    _require(name, (first >= 0).all())
    used = max(least, int((first + room).max()))
    _require(name, used == size and size <= least + int(room.sum()))


def _depth(ends: Array) -> int:
    """Return how deeply subtrees are nested, but for the root; each must lie within another.

    Subtrees open in order, one at each place, and close at their ends: brackets. The one that
    closes belongs to the last of its level that has opened.
    """
    blocks = len(ends)
    places = np.arange(blocks)
    _require("subtree_end", ends[0] == blocks and (ends > places).all() and (ends <= blocks).all())
    closing = np.sort(ends).astype(np.int64)
    level_of_close = closing - places - 1
    level_of_open = places - np.searchsorted(closing, places, side="right")
    opened = np.argsort(level_of_open, kind="stable")
    closed = np.argsort(level_of_close, kind="stable")
    _require("subtree_end", (ends[opened] == closing[closed]).all())
    return int(level_of_open.max())


def _check_matrices(a: Arrays) -> None:
    """Check that matrices fill their arrays one after the other, once for either player."""
    count = len(a.matrix_kind)
    for name in ("matrix_lanes", "matrix_first", "sparse_first"):
        _require(name, len(getattr(a, name)) == 2 * count)
    _require("matrix_lanes", (a.matrix_lanes >= 1).all())
    _require("matrix_kind", _within(a.matrix_kind, SPARSE, SHOWDOWN + 1))
    _check_combinations(a)
    _require("sparse_lane", len(a.sparse_lane) == len(a.entries) and (a.sparse_lane >= 0).all())
    _require("entries", is_finite(a.entries))
    own = a.matrix_lanes.astype(np.int64)
    theirs = own.reshape(-1, 2)[:, ::-1].ravel()
    sparse = np.repeat(a.matrix_kind == SPARSE, 2)
    pointers = np.where(sparse, theirs + 1, 0)
    _require("sparse_pointer", pointers.sum() == len(a.sparse_pointer))
    _require("sparse_first", (a.sparse_first == np.cumsum(pointers) - pointers).all())
    begin = a.sparse_first[sparse]
    steps = np.diff(a.sparse_pointer)
    steps[begin[1:] - 1] = 0
    _require("sparse_pointer", (a.sparse_pointer[begin] == 0).all() and (steps >= 0).all())
    sizes = np.where(np.repeat(a.matrix_kind == DENSE, 2), theirs * _padded(own), 0)
    sizes[sparse] = a.sparse_pointer[begin + theirs[sparse]]
    _require("entries", sizes.max(initial=0) <= len(a.entries) == sizes.sum())
    _require("matrix_first", (a.matrix_first == np.cumsum(sizes) - sizes).all())
    some = sizes > 0
    if some.any():
        last_lane = np.maximum.reduceat(a.sparse_lane, a.matrix_first[some])
        _require("sparse_lane", (last_lane < own[some]).all())


def _check_combinations(a: Arrays) -> None:
    """Check the lists of combinations, and where matrices say that they are."""
    of_hands = a.matrix_kind > DENSE
    _require("matrix_classes", len(a.matrix_classes) == len(a.matrix_kind))
    _require("matrix_classes", ((a.matrix_classes >= 1) == of_hands).all())
    every = len(a.combination_hand)
    for name in ("twin", "weight"):
        _require(f"combination_{name}", len(getattr(a, f"combination_{name}")) == every)
    _require("combination_weight", is_finite(a.combination_weight))
    for name in ("combination_first", "class_first"):
        _require(name, len(getattr(a, name)) == 2 * len(a.matrix_kind))
    pointers = np.repeat(np.where(of_hands, a.matrix_classes.astype(np.int64) + 1, 0), 2)
    _require("class_first", (a.class_first == np.cumsum(pointers) - pointers).all())
    _require("class_pointer", pointers.sum() == len(a.class_pointer))
    for matrix in np.flatnonzero(of_hands).tolist():
        ends = [
            a.class_pointer[int(a.class_first[place]) :][: int(pointers[place])]
            for place in (2 * matrix, 2 * matrix + 1)
        ]
        for player in range(2):
            place = 2 * matrix + player
            mine, theirs = ends[player], int(ends[1 - player][-1])
            _require("class_pointer", mine[0] == 0 and (np.diff(mine) >= 0).all())
            first = int(a.combination_first[place])
            _require("combination_first", 0 <= first <= every - int(mine[-1]))
            here = slice(first, first + int(mine[-1]))
            lanes = int(a.matrix_lanes[place])
            _require("combination_hand", _within(lanes_of(a.combination_hand[here]), 0, lanes))
            _require("combination_twin", _within(a.combination_twin[here], -1, theirs))


def _check_leaves(a: Arrays, stack: Stack) -> None:
    _require("pair_slot", len(a.pair_slot) % 2 == 0)
    _require("pair_row", len(a.pair_row) == len(a.pair_slot))
    _require("leaf_pair", len(a.leaf_pair) == len(a.leaf_matrix))
    _require("leaf_pair", _within(a.leaf_pair, 0, len(a.pair_slot) // 2))
    rows = {"leaf_slot": slots_of_leaves(a).ravel(), "leaf_row": rows_of_leaves(a).ravel()}
    _check_joints("leaf", a, stack, a.first_leaf, a._asdict() | rows)


def _check_joints(
    prefix: str, a: Arrays, stack: Stack, first: Array, parts: Mapping[str, Array]
) -> None:
    """Check what joins rows of both players by matrices: leaves, tallies, ends, branches."""
    tables = {"factor": len(a.factors), "chance": len(parts.get("chances", ()))}
    matrix, slot, row = (parts[f"{prefix}_{name}"] for name in ("matrix", "slot", "row"))
    _check_shares(f"first_{prefix}", a, first, len(matrix))
    for name in ("slot", "row"):
        _require(f"{prefix}_{name}", len(parts[f"{prefix}_{name}"]) == 2 * len(matrix))
    for name, size in tables.items():
        if f"{prefix}_{name}" in parts:
            part = parts[f"{prefix}_{name}"]
            _require(f"{prefix}_{name}", len(part) == len(matrix) and _within(part, 0, size))
    _require(f"{prefix}_matrix", _within(matrix, 0, len(a.matrix_kind)))
    _require(f"{prefix}_row", _within(row, 0, stack.rows))
    lanes = a.matrix_lanes.reshape(-1, 2)[matrix].ravel().astype(np.int64)
    _require(f"{prefix}_slot", (slot >= 0).all() and (slot + _padded(lanes) <= stack.slots).all())


def _check_shares(name: str, a: Arrays, first: Array, count: int) -> None:
    """Check which of some things each block has."""
    _require(name, len(first) == len(a.player) + 1 and first[0] == 0 and first[-1] == count)
    _require(name, (np.diff(first) >= 0).all())


def _check_pruning(a: Arrays, stack: Stack, p: PruningArrays) -> None:
    rows = np.cumsum(a.actions, dtype=np.int64)
    _require("first_row_number", np.array_equal(p.first_row_number[1:], 1 + rows[:-1]))
    _require("first_row_number", p.first_row_number[0] == 0)
    _require("gate_number", len(p.gate_number) == 2 * len(a.player))
    _require("gate_number", _within(p.gate_number, 0, 1 + int(rows[-1])))
    _require("upper", len(p.upper) == (a.actions.astype(np.int64) * a.lanes).sum())
    _require("lower", len(p.lower) == a.lanes.sum(dtype=np.int64))
    for name in ("upper", "lower"):
        _require(name, _within(getattr(p, name), 0, len(p.payoffs)))
    _require("payoffs", not np.isnan(p.payoffs).any())
    _check_joints("tally", a, stack, p.first_tally, p._asdict())
    _check_shares("first_link", a, p.first_link, len(p.link_matrix))
    _require("first_link", p.first_link[1] == 0)
    for name in ("link_slot", "link_row", "link_factor"):
        _require(name, len(getattr(p, name)) == len(p.link_matrix))
    _require("link_matrix", _within(p.link_matrix, 0, len(a.matrix_kind)))
    _require("link_row", _within(p.link_row, 0, stack.rows))
    _require("link_factor", _within(p.link_factor, 0, len(a.factors)))
    owner = np.repeat(np.arange(len(a.player)), np.diff(p.first_link))
    lanes = a.matrix_lanes.reshape(-1, 2)[p.link_matrix]
    mine = a.player[owner]
    numbers = np.arange(len(owner))
    _require("link_matrix", (lanes[numbers, mine] == a.lanes[owner]).all())
    ends = p.link_slot + lanes[numbers, 1 - mine].astype(np.int64)
    _require("link_slot", (p.link_slot >= 0).all() and (ends <= stack.slots).all())


def _check_branches(a: Arrays, stack: Stack, b: BranchArrays) -> None:
    _require("chances", is_finite(b.chances))
    _require("block_chance", len(b.block_chance) == len(a.player))
    _require("block_chance", _within(b.block_chance, 0, len(b.chances)))
    _check_joints("branch", a, stack, b.first_branch, b._asdict())
    _check_joints("end", a, stack, b.first_end, b._asdict())
    _require("end_chances", len(b.end_chances) == len(b.end_matrix))
    _require("end_chances", _within(b.end_chances, 0, len(a.matrix_kind)))
    for name in ("end_matrix", "end_chances", "branch_matrix"):
        _require(name, (a.matrix_kind[getattr(b, name)] <= DENSE).all())
    # both matrices are read side by side, entry by entry
    sizes = np.diff(a.matrix_first, append=len(a.entries)).reshape(-1, 2)
    shape = np.column_stack([a.matrix_lanes.reshape(-1, 2), a.matrix_kind, sizes])
    _require("end_chances", np.array_equal(shape[b.end_chances], shape[b.end_matrix]))


def _check_labels(a: Arrays, labels: LabelArrays) -> None:
    for name in ("suffix", "prefix", "action"):
        _check_text(f"{name}_text", getattr(labels, f"{name}_text"), getattr(labels, f"{name}_end"))
    _require("suffix_end", len(labels.suffix_end) == len(a.player))
    _require("block_prefixes", len(labels.block_prefixes) == len(a.player))
    _require("block_prefixes", _within(labels.block_prefixes, 0, len(labels.prefix_first)))
    first = labels.prefix_first[labels.block_prefixes]
    _require("prefix_first", (first >= 0).all())
    lanes = a.lanes.astype(np.int64)
    _require("prefix_first", (first <= len(labels.prefix_end) - lanes).all())
    ends = labels.action_first
    _require("action_first", len(ends) > 0 and ends[0] == 0 and ends[-1] == len(labels.action_end))
    _require("action_first", (np.diff(ends) >= 0).all())
    _require("block_actions", len(labels.block_actions) == len(a.player))
    numbers = labels.lane_actions
    shown = _check_shared("block_actions", a, labels.block_actions, a.lanes, len(numbers))
    _require("lane_actions", _within(numbers, 0, len(ends) - 1))
    expected = np.repeat(a.actions[shown], a.lanes[shown])
    _require("lane_actions", (np.diff(ends)[numbers] == expected).all())


def _check_text(name: str, text: Array, ends: Array) -> None:
    """Check strings that stand one after the other in UTF-8."""
    last = ends[-1] if len(ends) else 0
    _require(name, last == len(text) and (np.diff(ends, prepend=0) >= 0).all())
    begin = ends[ends < len(text)]
    _require(name, ((text[begin] & 0xC0) != 0x80).all())  # no string begins inside a character
    try:
        text.tobytes().decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"{name} is not UTF-8") from error


def _padded(lanes: Long) -> Long:
    """Return the room that rows of lanes take: whole vectors of four."""
    return (lanes + 3) & ~3


def _within(part: Array, least: int, end: int) -> bool:
    return bool((part >= least).all() and (part < end).all())


def _require(name: str, fulfilled: Any) -> None:
    if not fulfilled:
        raise MalformedError(f"its {name} cannot belong to a game")
