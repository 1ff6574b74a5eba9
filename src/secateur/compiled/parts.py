"""Takes a compiled game apart where it is cut: into a trunk, and games that hold some pieces each.

Parts are compiled games themselves, swept by the same kernels. Slots, rows and gates stay what they
are in the whole game, so stacks go from one part to another. Blocks, cells, leaves, matrices and
places in tables are counted anew. In the trunk an empty block, a *stub*, stands for each piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays, PruningArrays
from secateur.compiled.cut import Cut
from secateur.compiled.game import CompiledGame
from secateur.compiled.labels import LabelArrays
from secateur.compiled.packing import TABLES
from secateur.compiled.ranges import gathered

Array = npt.NDArray[Any]
Int = npt.NDArray[np.int64]

_JOINTS = ("leaf", "tally")
"""What joins rows of both players; each block has some."""


class Part(NamedTuple):
    """A part of a game, and where its pieces are in it: all that it holds, or stubs."""

    game: CompiledGame
    cut: Cut


class Extent(NamedTuple):
    """How much of a game something is."""

    cells: Int
    infosets: Int


def trunk_of(game: CompiledGame, cut: Cut) -> Part:
    """Return what is above the pieces."""
    kept = np.ones(len(game.arrays.player), np.bool_)
    for first, end in zip(cut.first.tolist(), cut.end.tolist(), strict=True):
        kept[first + 1 : end] = False
    blocks = np.flatnonzero(kept)
    stubs = np.searchsorted(blocks, cut.first)
    found = _selected(game, blocks, stubs)
    return Part(found, cut._replace(first=stubs, end=stubs + 1))


def pieces_of(game: CompiledGame, cut: Cut, numbers: Sequence[int]) -> Part:
    """Return a game of some pieces, in the order of their blocks."""
    chosen = np.sort(np.asarray(numbers, np.int64))
    blocks = np.append(0, gathered(cut.first[chosen], cut.end[chosen]))
    found = _selected(game, blocks, np.zeros(1, np.int64))
    return Part(found, restricted(cut, chosen))


def restricted(cut: Cut, chosen: Int) -> Cut:
    """Return where pieces are in a game that holds nothing else, but for a root."""
    size = cut.end[chosen] - cut.first[chosen]
    end = 1 + np.cumsum(size)
    both = gathered(2 * chosen, 2 * chosen + 2)
    order = cut.order[np.isin(cut.order, chosen)]
    return Cut(
        first=end - size,
        end=end,
        slots=cut.slots[both],
        rows=cut.rows[both],
        order=np.searchsorted(chosen, order),
    )


def extents(arrays: Arrays, cut: Cut) -> Extent:
    """Return how many cells and information sets each piece has that a game holds."""
    cells = np.append(0, np.cumsum(arrays.actions.astype(np.int64) * arrays.lanes))
    infosets = np.append(0, np.cumsum(arrays.lanes.astype(np.int64)))
    return Extent(cells[cut.end] - cells[cut.first], infosets[cut.end] - infosets[cut.first])


def owned(part: Part) -> Part:
    """Return a part with arrays of its own: kernels are compiled for arrays that can be written."""
    game = part.game
    arrays = Arrays(**{name: np.array(each) for name, each in game.arrays._asdict().items()})
    labels = LabelArrays(**{name: np.array(each) for name, each in game.labels._asdict().items()})
    pruning = None
    if game.pruning is not None:
        more = {name: np.array(each) for name, each in game.pruning._asdict().items()}
        pruning = PruningArrays(**more)
    return part._replace(game=replace(game, arrays=arrays, pruning=pruning, labels=labels))


def _selected(game: CompiledGame, blocks: Int, stubs: Int) -> CompiledGame:
    """Return a game of some blocks, some of which are empty."""
    whole = game.arrays._asdict() | ({} if game.pruning is None else game.pruning._asdict())
    found = _blocks(whole, blocks, stubs)
    for name in ("player", "actions", "lanes"):
        found[name] = found[name].copy()
        found[name][stubs] = 2 if name == "player" else 0
    full = np.delete(blocks, stubs)
    found |= _per_cell(whole, found, full)
    found |= _lane_parents(whole, found, full, np.delete(np.arange(len(blocks)), stubs))
    for kind in (*_JOINTS, "link"):
        if f"first_{kind}" in whole:
            found |= _joints(kind, whole, blocks, stubs)
    found |= _matrices(whole, found)
    for table, names in TABLES.items():
        if table in whole:
            found |= _table(table, whole[table], {n: found[n] for n in names if n in found})
    types = {name: part.dtype for name, part in whole.items()}
    typed = {name: found[name].astype(types[name], copy=False) for name in whole}
    more = None if game.pruning is None else {name: typed[name] for name in game.pruning._fields}
    return replace(
        game,
        arrays=Arrays(**{name: typed[name] for name in game.arrays._fields}),
        pruning=None if more is None else PruningArrays(**more),
        branches=None,
        labels=_labels(game.labels, game.arrays, blocks, full),
        mapping=None,
    )


def _blocks(whole: dict[str, Array], blocks: Int, stubs: Int) -> dict[str, Array]:
    """Return what is told of each block; at stubs nothing is below."""
    names = ("player", "actions", "lanes", "first_slot", "first_row", "parent_slot")
    found = {name: whole[name][blocks] for name in names}
    found["parent_slot"] = found["parent_slot"].copy()
    found["parent_slot"][stubs] = 0
    found["subtree_end"] = np.searchsorted(blocks, whole["subtree_end"][blocks])
    both = gathered(2 * blocks, 2 * blocks + 2)
    for name in ("gate", "gate_number"):
        if name in whole:
            found[name] = whole[name][both]
    if "first_row_number" in whole:
        found["first_row_number"] = whole["first_row_number"][blocks]
    return found


def _per_cell(whole: dict[str, Array], found: dict[str, Array], full: Int) -> dict[str, Array]:
    """Return what is told of each cell and information set, and where those of blocks begin."""
    sizes = whole["actions"][full].astype(np.int64) * whole["lanes"][full]
    cells = gathered(whole["first_cell"][full], whole["first_cell"][full] + sizes)
    more: dict[str, Array] = {
        name: whole[name][cells] for name in ("histories", "upper") if name in whole
    }
    if "lower" in whole:
        first = whole["first_infoset"][full].astype(np.int64)
        more["lower"] = whole["lower"][gathered(first, first + whole["lanes"][full])]
    lanes = found["lanes"].astype(np.int64)
    sizes = found["actions"] * lanes
    return {
        **more,
        "first_cell": np.cumsum(sizes) - sizes,
        "first_infoset": np.cumsum(lanes) - lanes,
    }


def _lane_parents(
    whole: dict[str, Array], found: dict[str, Array], full: Int, places: Int
) -> dict[str, Array]:
    """Return the parents of blocks whose lanes do not follow each other there."""
    apart = whole["parent_slot"][full] < 0
    first = -1 - whole["parent_slot"][full][apart].astype(np.int64)
    lanes = whole["lanes"][full][apart].astype(np.int64)
    parent_slot = found["parent_slot"].astype(np.int64)
    parent_slot[places[apart]] = -1 - (np.cumsum(lanes) - lanes)
    return {
        "parent_slot": parent_slot,
        "lane_parent_slot": whole["lane_parent_slot"][gathered(first, first + lanes)],
    }


def _joints(kind: str, whole: dict[str, Array], blocks: Int, stubs: Int) -> dict[str, Array]:
    """Return what joins rows in some blocks, or links them; stubs have none."""
    first = whole[f"first_{kind}"][blocks].astype(np.int64)
    end = whole[f"first_{kind}"][blocks + 1].astype(np.int64)
    end[stubs] = first[stubs]
    chosen = gathered(first, end)
    both = chosen if kind == "link" else gathered(2 * chosen, 2 * chosen + 2)
    return {
        f"first_{kind}": np.append(0, np.cumsum(end - first)),
        **{f"{kind}_{name}": whole[f"{kind}_{name}"][both] for name in ("slot", "row")},
        **{f"{kind}_{name}": whole[f"{kind}_{name}"][chosen] for name in ("matrix", "factor")},
    }


def _matrices(whole: dict[str, Array], found: dict[str, Array]) -> dict[str, Array]:
    """Return the matrices that are used, in the order in which they are met."""
    users = [name for name in ("leaf_matrix", "link_matrix", "tally_matrix") if name in found]
    met = np.concatenate([found[name] for name in users]).astype(np.int64)
    numbers, first = np.unique(met, return_index=True)
    chosen = numbers[np.argsort(first)]
    rank = np.zeros(len(whole["matrix_dense"]), np.int64)
    rank[chosen] = np.arange(len(chosen))
    both = gathered(2 * chosen, 2 * chosen + 2)
    result: dict[str, Array] = {name: rank[found[name]] for name in users}
    result["matrix_lanes"] = whole["matrix_lanes"][both]
    result["matrix_dense"] = whole["matrix_dense"][chosen]
    for place, parts in (
        ("matrix_first", ("entries", "sparse_lane")),
        ("sparse_first", ("sparse_pointer",)),
    ):
        ends = np.append(whole[place].astype(np.int64), len(whole[parts[0]]))
        sizes = ends[both + 1] - ends[both]
        where = gathered(ends[both], ends[both + 1])
        result[place] = np.cumsum(sizes) - sizes
        result |= {name: whole[name][where] for name in parts}
    return result


def _table(table: str, numbers: Array, columns: dict[str, Array]) -> dict[str, Array]:
    """Return the numbers of a table that are used, and their places."""
    used = np.zeros(len(numbers), np.bool_)
    for column in columns.values():
        used[column] = True
    rank = np.cumsum(used) - 1
    return {table: numbers[used], **{name: rank[column] for name, column in columns.items()}}


def _labels(labels: LabelArrays, arrays: Arrays, blocks: Int, full: Int) -> LabelArrays:
    """Return the names of some blocks; stubs keep theirs."""
    suffixes = _texts(labels.suffix_text, labels.suffix_end, blocks)
    sets, block_prefixes = np.unique(labels.block_prefixes[blocks], return_inverse=True)
    ends = np.append(labels.prefix_first, len(labels.prefix_end))
    sizes = ends[sets + 1] - ends[sets]
    prefixes = _texts(labels.prefix_text, labels.prefix_end, gathered(ends[sets], ends[sets + 1]))
    first = arrays.first_infoset[full].astype(np.int64)
    return labels._replace(
        suffix_text=suffixes[0],
        suffix_end=suffixes[1],
        block_prefixes=block_prefixes.astype(np.int32),
        prefix_text=prefixes[0],
        prefix_end=prefixes[1],
        prefix_first=np.cumsum(sizes) - sizes,
        infoset_actions=labels.infoset_actions[
            gathered(first, first + arrays.lanes[full].astype(np.int64))
        ],
    )


def _texts(text: Array, ends: Array, chosen: Int) -> tuple[Array, Int]:
    """Return some of the strings that stand one after the other."""
    begins = np.append(0, ends)[chosen].astype(np.int64)
    sizes = ends[chosen] - begins
    return text[gathered(begins, begins + sizes)], np.cumsum(sizes)
