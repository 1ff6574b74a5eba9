"""Whether the arrays of a store and of a list of what is alive are such as kernels can walk.

Kernels follow the places and ids in these arrays without looking whether they lie outside. So what
comes from a file is checked once, for all blocks at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.best_response_pruning.live import (
    BODY,
    GATES,
    LEAF_SIZE,
    LEAVES,
    LINK_SIZE,
    LINKS,
    PLAYER,
    ROWS,
)
from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    BOUNDS,
    HEAD,
    LANE,
    LANES,
    NO_ATTIC,
    SCALE,
    Store,
)

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Long = npt.NDArray[np.int64]


def check_store(game: CompiledGame, store: Store, saved: Arrays) -> None:
    """Raise ParameterError unless records and attics are in order.

    Parameters
    ----------
    game : CompiledGame
        What is solved.
    store : Store
        Where the arrays are to go; only its layout counts here.
    saved : dict
        The arrays, as far as they are in use, of the right types.
    """
    used = [len(saved[name]) for name in ("ids", "numbers", "attic_ids")]
    _require(saved["used"].tolist() == used, "used")
    for name in ("attic_numbers", "attic_dates"):
        _require(len(saved[name]) == used[2], name)
    _require(used[0] >= HEAD and used[1] >= store.past and used[2] >= NO_ATTIC, "used")
    for name, most in zip(("ids_at", "numbers_at", "attic_at"), used, strict=True):
        _require(_within(saved[name], 0, most + 1), name)
    bounds = _check_attics(game, saved)
    ids_end, numbers_end = _check_records(game, store, saved, bounds)
    records = saved["ids_at"] > 0
    _check_apart(saved["ids_at"][records], ids_end[records], "ids_at")
    _check_apart(saved["numbers_at"][records], numbers_end[records], "numbers_at")
    _require((saved["ordered"] >= 0).all() and (saved["ordered"] <= used).all(), "ordered")


def _check_records(
    game: CompiledGame, store: Store, saved: Arrays, bounds: Long
) -> tuple[Long, Long]:
    """Walk through the records of all blocks, lane by lane; return where they end."""
    ids, room = saved["ids"], len(saved["numbers"])
    lanes, actions = (part.astype(np.int64) for part in (game.arrays.lanes, game.arrays.actions))
    begin = saved["ids_at"].astype(np.int64)
    _require(bool((begin + HEAD <= len(ids)).all()), "ids_at")
    left = ids[begin + LANES].astype(np.int64)
    _require(bool((left >= 0).all() and (left <= lanes).all()), "ids")
    _require(int(ids[LANES]) == 0 and bool((begin[1:][left[1:] > 0] > 0).all()), "ids")
    _require(np.array_equal(ids[begin + BOUNDS][left > 0], bounds[left > 0]), "ids")
    names, values = begin + HEAD, saved["numbers_at"].astype(np.int64) + store.past * (left > 0)
    last_lane = np.full(len(begin), -1)
    blocks = np.flatnonzero(left)
    while len(blocks):
        here = names[blocks]
        _require(bool((here + ACTIONS <= len(ids)).all()), "ids")
        lane, alive = ids[here + LANE], ids[here + ALIVE].astype(np.int64)
        _require(bool((lane > last_lane[blocks]).all() and (lane < lanes[blocks]).all()), "ids")
        _require(bool((alive >= 1).all() and (alive <= actions[blocks]).all()), "ids")
        _require(bool((here + ACTIONS + alive <= len(ids)).all()), "ids")
        before = np.full(len(blocks), -1)
        for k in range(int(alive.max())):
            some = alive > k
            action = ids[here[some] + ACTIONS + k]
            _require(bool((action > before[some]).all()), "ids")
            _require(bool((action < actions[blocks[some]]).all()), "ids")
            before[some] = action
        single = alive == 1
        values[blocks] += np.where(single, SCALE + 1, SCALE + 1 + store.sections * alive)
        _require(bool((values[blocks] <= room).all()), "numbers_at")
        names[blocks] += ACTIONS + alive
        last_lane[blocks] = lane
        left[blocks] -= 1
        blocks = blocks[left[blocks] > 0]
    return names, values


def _check_attics(game: CompiledGame, saved: Arrays) -> Long:
    """Check the entries of all attics; return how many of each are bounds."""
    ids, numbers = saved["attic_ids"], saved["attic_numbers"]
    begin = saved["attic_at"].astype(np.int64)
    _require(bool((begin < len(ids)).all()), "attic_at")
    bounds, count = ids[begin].astype(np.int64), numbers[begin]
    _require(
        _within(count, 0, len(ids)) and bool((count == np.floor(count)).all()), "attic_numbers"
    )
    total = count.astype(np.int64)
    _require(bool((bounds >= 0).all() and (bounds <= total).all()), "attic_ids")
    _require(int(total[begin == 0].sum()) == 0, "attic_at")
    some = begin > 0
    _check_apart(begin[some], (begin + 1 + total)[some], "attic_at")
    _require(bool((begin + 1 + total <= len(ids)).all()), "attic_at")
    blocks = np.repeat(np.arange(len(begin)), total)
    place = np.arange(len(blocks)) - np.repeat(np.cumsum(total) - total, total)
    name = ids[begin[blocks] + 1 + place].astype(np.int64)
    is_bound = place < bounds[blocks]
    lanes, actions = (part.astype(np.int64) for part in (game.arrays.lanes, game.arrays.actions))
    slots = actions * ((lanes + 3) // 4 * 4)
    most = np.where(is_bound, (lanes * actions)[blocks], (slots + lanes)[blocks])
    _require(bool((name >= 0).all() and (name < most).all()), "attic_ids")
    follows = is_bound[1:] & (place[1:] > 0)
    _require(bool((np.diff(name)[follows] > 0).all()), "attic_ids")
    return bounds


def check_live(game: CompiledGame, saved: Arrays) -> None:
    """Raise ParameterError unless the list of blocks alive and their frames are in order.

    Parameters
    ----------
    game : CompiledGame
        What is solved.
    saved : dict
        The arrays, as far as they are in use, of the right types.
    """
    a = game.arrays
    lists = [
        saved[f"live_{name}"] for name in ("order", "size", "frames_at", "ids_at", "numbers_at")
    ]
    _require(all(len(part) == saved["live_length"][0] for part in lists), "live_length")
    _require(saved["live_used"][0] == len(saved["live_frames"]), "live_used")
    order, size, frames_at, ids_at, numbers_at = lists
    _require(len(order) > 0 and order[0] == 0 and bool((np.diff(order) > 0).all()), "live_order")
    _require(_within(order, 0, len(a.player)), "live_order")
    below = np.searchsorted(order, a.subtree_end[order]) - np.arange(len(order))
    _require(np.array_equal(size, below), "live_size")
    _require(np.array_equal(ids_at, saved["ids_at"][order]), "live_ids_at")
    _require(np.array_equal(numbers_at, saved["numbers_at"][order]), "live_numbers_at")
    _require(_within(frames_at, 0, len(saved["live_frames"]) - BODY + 1), "live_frames_at")
    _check_frames(game, order, frames_at.astype(np.int64), saved["live_frames"])


def _check_frames(game: CompiledGame, order: Array, begin: Long, frames: Array) -> None:
    a, more = game.arrays, game.pruning
    assert more is not None
    copied: tuple[Array, ...] = (
        a.player,
        a.actions,
        a.lanes,
        a.first_slot,
        a.first_row,
        a.parent_slot,
    )
    for field, part in enumerate(copied, start=PLAYER):
        _require(np.array_equal(frames[begin + field], part[order]), "live_frames")
    for player in range(2):
        gates = a.gate[player::2][order]
        _require(np.array_equal(frames[begin + GATES + player], gates), "live_frames")
    rows, leaves, links = (frames[begin + part].astype(np.int64) for part in (ROWS, LEAVES, LINKS))
    _require(bool((rows >= 0).all() and (rows <= a.actions[order]).all()), "live_frames")
    _require(bool((leaves >= 0).all()), "live_frames")
    _require(bool((leaves <= np.diff(a.first_leaf)[order]).all()), "live_frames")
    _require(np.array_equal(links, np.diff(more.first_link)[order]), "live_frames")
    after_rows = begin + BODY + rows
    after_leaves = after_rows + LEAF_SIZE * leaves
    _require(bool((after_leaves + LINK_SIZE * links <= len(frames)).all()), "live_frames")
    owner, place = _expanded(rows)
    row = frames[begin[owner] + BODY + place]
    _require(bool((row >= 0).all() and (row < a.actions[order][owner]).all()), "live_frames")
    owner, place = _expanded(leaves)
    leaf = frames[(after_rows[owner] + LEAF_SIZE * place)[:, None] + np.arange(LEAF_SIZE)]
    _require(_within(leaf[:, 0], 0, len(a.pair_slot) // 2), "live_frames")
    _require(_within(leaf[:, 1], 0, len(a.matrix_kind)), "live_frames")
    _require(_within(leaf[:, 2], 0, len(a.factors)), "live_frames")
    lanes = a.matrix_lanes.reshape(-1, 2)[leaf[:, 1]].astype(np.int64)
    ends = a.pair_slot.reshape(-1, 2)[leaf[:, 0]] + (lanes + 3) // 4 * 4
    _require(bool((ends <= game.stack.slots).all()), "live_frames")
    owner, place = _expanded(links)
    link = frames[(after_leaves[owner] + LINK_SIZE * place)[:, None] + np.arange(LINK_SIZE)]
    number = more.first_link[order][owner] + place
    expected = np.column_stack([more.link_row, more.link_slot, more.link_matrix])[number]
    _require(np.array_equal(link[:, :3], expected), "live_frames")
    _require(_within(link[:, 3], 0, len(a.factors)), "live_frames")


def _expanded(counts: Long) -> tuple[Long, Long]:
    """Return for each of some things whose it is, and which of the owner's."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def _within(part: Array, least: int, end: int) -> bool:
    return bool((part >= least).all() and (part < end).all())


def _check_apart(begin: Array, end: Array, name: str) -> None:
    """Raise ParameterError if two stretches overlap."""
    order = np.argsort(begin, kind="stable")
    _require(bool((end[order][:-1] <= begin[order][1:]).all()), name)


def _require(fulfilled: Any, name: str) -> None:
    if not fulfilled:
        raise ParameterError(f"restore: {name} cannot come from a run of this game.")
