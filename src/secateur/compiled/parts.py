"""Takes a compiled game apart where it is cut: into a trunk, and games that hold some pieces each.

Parts are compiled games themselves, swept by the same kernels. Slots, rows and gates stay what they
are in the whole game, so stacks go from one part to another. Blocks, cells, leaves, matrices and
places in tables are counted anew, in the order in which they are met. In the trunk an empty block,
a *stub*, stands for each piece. Of what pruning needs, parts have only what lies behind sequences.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays, PruningArrays, empty
from secateur.compiled.cut import Cut
from secateur.compiled.game import CompiledGame
from secateur.compiled.labels import LabelArrays
from secateur.compiled.packing import TABLES
from secateur.compiled.ranges import gathered

Array = npt.NDArray[Any]
Int = npt.NDArray[np.int64]


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


def checksums(game: CompiledGame) -> tuple[int, list[int]]:
    """Return the checksum of the trunk of a game, and those of its pieces in their order."""
    cut = game.cut
    if len(cut.first) == 0:
        return checksum(game), []
    return checksum(trunk_of(game, cut).game), checksums_of_pieces(Part(game, cut))


def checksums_of_pieces(part: Part) -> list[int]:
    """Return a checksum of each piece that a game holds, in their order."""
    numbers = range(len(part.cut.first))
    return [checksum(pieces_of(part.game, part.cut, [number]).game) for number in numbers]


def checksum(game: CompiledGame) -> int:
    """Return a checksum of all arrays, in however many bytes they keep whole numbers."""
    found = 0
    for name, part in game.all_arrays().items():
        wide = part if part.dtype.kind == "f" else part.astype(np.int64)
        found = zlib.crc32(wide.data, zlib.crc32(name.encode(), found))
    return found


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
    whole: dict[str, Array] = game.arrays._asdict()
    if game.pruning is not None:
        whole |= {name: getattr(game.pruning, name) for name in _BEHIND}
    full = np.delete(blocks, stubs)
    found = _blocks(whole, blocks, stubs)
    found |= _per_cell(whole, found, full)
    found |= _lane_parents(whole, found, full, np.delete(np.arange(len(blocks)), stubs))
    found |= _counts(whole, blocks, stubs)
    found |= _leaves(whole, blocks, stubs)
    found |= _matrices(whole, found)
    for table, names in TABLES.items():
        if table in whole:
            found |= _table(table, whole[table], {n: found[n] for n in names if n in found})
    typed = {name: found[name].astype(part.dtype, copy=False) for name, part in whole.items()}
    pruning = None
    if game.pruning is not None:
        behind = {name: typed.pop(name) for name in _BEHIND}
        pruning = empty(PruningArrays, narrow=game.narrow)._replace(**behind)
    return replace(
        game,
        arrays=Arrays(**typed),
        pruning=pruning,
        branches=None,
        labels=_labels(game.labels, game.arrays, blocks, stubs),
        mapping=None,
    )


_BEHIND = ("upper", "lower", "payoffs")


def _blocks(whole: dict[str, Array], blocks: Int, stubs: Int) -> dict[str, Array]:
    """Return what is told of each block; of stubs, nothing."""
    names = ("player", "actions", "lanes", "first_slot", "first_row", "parent_slot")
    found = {name: whole[name][blocks].copy() for name in names}
    found["gate"] = whole["gate"][gathered(2 * blocks, 2 * blocks + 2)]
    for name in names:
        found[name][stubs] = 2 if name == "player" else 0
    found["gate"][gathered(2 * stubs, 2 * stubs + 2)] = 0
    found["subtree_end"] = np.searchsorted(blocks, whole["subtree_end"][blocks])
    return found


def _per_cell(whole: dict[str, Array], found: dict[str, Array], full: Int) -> dict[str, Array]:
    """Return what is told of each cell and information set, and where those of blocks begin."""
    sizes = whole["actions"][full].astype(np.int64) * whole["lanes"][full]
    cells = gathered(whole["first_cell"][full], whole["first_cell"][full] + sizes)
    more: dict[str, Array] = {}
    if "upper" in whole:
        more["upper"] = whole["upper"][cells]
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


def _counts(whole: dict[str, Array], blocks: Int, stubs: Int) -> dict[str, Array]:
    """Return the numbers of histories of blocks, each list of them once."""
    told, actions, block_counts = _shared(whole["block_counts"], whole["actions"], blocks, stubs)
    _, lanes, _ = _shared(whole["block_counts"], whole["lanes"], blocks, stubs)
    rows = gathered(told, told + actions)
    lists, list_rank = _as_met(whole["count_first"][rows])
    sizes = np.zeros(len(lists), np.int64)
    sizes[list_rank] = np.repeat(lanes, actions)
    return {
        "block_counts": block_counts,
        "count_first": (np.cumsum(sizes) - sizes)[list_rank],
        "count_factor": whole["count_factor"][rows],
        "counts": whole["counts"][gathered(lists, lists + sizes)],
    }


def _leaves(whole: dict[str, Array], blocks: Int, stubs: Int) -> dict[str, Array]:
    """Return the leaves of some blocks; stubs have none."""
    first = whole["first_leaf"][blocks].astype(np.int64)
    end = whole["first_leaf"][blocks + 1].astype(np.int64)
    end[stubs] = first[stubs]
    chosen = gathered(first, end)
    pairs, places = np.unique(whole["leaf_pair"][chosen], return_inverse=True)
    both = gathered(2 * pairs.astype(np.int64), 2 * pairs.astype(np.int64) + 2)
    return {
        "first_leaf": np.append(0, np.cumsum(end - first)),
        "leaf_pair": places,
        **{name: whole[name][both] for name in ("pair_slot", "pair_row")},
        **{name: whole[name][chosen] for name in ("leaf_matrix", "leaf_factor")},
    }


def _matrices(whole: dict[str, Array], found: dict[str, Array]) -> dict[str, Array]:
    """Return the matrices that are used, in the order in which they are met."""
    chosen, leaf_matrix = _as_met(found["leaf_matrix"])
    both = gathered(2 * chosen, 2 * chosen + 2)
    result: dict[str, Array] = {"leaf_matrix": leaf_matrix}
    result["matrix_lanes"] = whole["matrix_lanes"][both]
    result |= {name: whole[name][chosen] for name in ("matrix_kind", "matrix_classes")}
    for place, parts in (
        ("matrix_first", ("entries", "sparse_lane")),
        ("sparse_first", ("sparse_pointer",)),
    ):
        ends = np.append(whole[place].astype(np.int64), len(whole[parts[0]]))
        sizes = ends[both + 1] - ends[both]
        where = gathered(ends[both], ends[both + 1])
        result[place] = np.cumsum(sizes) - sizes
        result |= {name: whole[name][where] for name in parts}
    return result | _combinations(whole, result["matrix_classes"].astype(np.int64), both)


def _combinations(whole: dict[str, Array], classes: Int, both: Int) -> dict[str, Array]:
    """Return the lists of combinations that matrices between hands have, each once."""
    sizes = np.repeat(np.where(classes > 0, classes + 1, 0), 2)
    first = np.cumsum(sizes) - sizes
    pointers = whole["class_first"][both].astype(np.int64)
    pointer = whole["class_pointer"][gathered(pointers, pointers + sizes)]
    of_hands = np.flatnonzero(sizes)
    lists, rank = _as_met(whole["combination_first"][both[of_hands]])
    lengths = np.zeros(len(lists), np.int64)
    lengths[rank] = pointer[first[of_hands] + sizes[of_hands] - 1]
    where = gathered(lists, lists + lengths)
    begin = np.zeros(len(both), np.int64)
    begin[of_hands] = (np.cumsum(lengths) - lengths)[rank]
    return {
        "combination_first": begin,
        "class_first": first,
        "class_pointer": pointer,
        **{f"combination_{name}": whole[f"combination_{name}"][where] for name in _OF_COMBINATION},
    }


_OF_COMBINATION = ("hand", "twin", "weight")


def _table(table: str, numbers: Array, columns: dict[str, Array]) -> dict[str, Array]:
    """Return the numbers of a table that are used, and their places."""
    used = np.zeros(len(numbers), np.bool_)
    for column in columns.values():
        used[column] = True
    rank = np.cumsum(used) - 1
    return {table: numbers[used], **{name: rank[column] for name, column in columns.items()}}


def _shared(place: Array, sizes: Array, blocks: Int, stubs: Int) -> tuple[Int, Int, Int]:
    """Return where something is that blocks share, how long it is, and each block's new place."""
    kept = np.delete(np.arange(len(blocks)), stubs)
    kept = kept[blocks[kept] > 0]  # the root has nothing
    found, rank = _as_met(place[blocks[kept]])
    size = np.zeros(len(found), np.int64)
    size[rank] = sizes[blocks[kept]]
    places = np.zeros(len(blocks), np.int64)
    places[kept] = (np.cumsum(size) - size)[rank]
    return found, size, places


def _as_met(numbers: Array) -> tuple[Int, Int]:
    """Return which numbers there are, in the order in which they are met, and the place of each."""
    known, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return known[order].astype(np.int64), rank[inverse]


def _labels(labels: LabelArrays, arrays: Arrays, blocks: Int, stubs: Int) -> LabelArrays:
    """Return the names of some blocks; stubs are called like the root, by nothing."""
    named = blocks.copy()
    named[stubs] = 0
    suffix_text, suffix_end = _texts(labels.suffix_text, labels.suffix_end, named)
    prefix_sets, block_prefixes = _as_met(labels.block_prefixes[named])
    prefixes = _sets(prefix_sets, labels.prefix_text, labels.prefix_end, labels.prefix_first)
    lists, sizes, block_actions = _shared(labels.block_actions, arrays.lanes, blocks, stubs)
    action_sets, lane_actions = _as_met(labels.lane_actions[gathered(lists, lists + sizes)])
    actions = _sets(action_sets, labels.action_text, labels.action_end, labels.action_first[:-1])
    return LabelArrays(
        suffix_text=suffix_text,
        suffix_end=suffix_end,
        block_prefixes=block_prefixes.astype(np.int32),
        prefix_text=prefixes[0],
        prefix_end=prefixes[1],
        prefix_first=prefixes[2],
        block_actions=block_actions.astype(np.int32),
        lane_actions=lane_actions.astype(np.int32),
        action_text=actions[0],
        action_end=actions[1],
        action_first=np.append(actions[2], len(actions[1])),
    )


def _sets(chosen: Int, text: Array, ends: Array, first: Array) -> tuple[Array, Int, Int]:
    """Return some of the sets of strings, and where each begins."""
    bounds = np.append(first, len(ends)).astype(np.int64)
    sizes = bounds[chosen + 1] - bounds[chosen]
    found, found_ends = _texts(text, ends, gathered(bounds[chosen], bounds[chosen + 1]))
    return found, found_ends, np.cumsum(sizes) - sizes


def _texts(text: Array, ends: Array, chosen: Int) -> tuple[Array, Int]:
    """Return some of the strings that stand one after the other."""
    begins = np.append(0, ends)[chosen].astype(np.int64)
    sizes = ends[chosen] - begins
    return text[gathered(begins, begins + sizes)], np.cumsum(sizes)
