"""The memory of a run with best-response pruning: taken where something is kept, given back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import config

from secateur.compiled.game import CompiledGame
from secateur.kernels.best_response_pruning.live import BODY, LEAF_SIZE, LINK_SIZE, Live
from secateur.kernels.best_response_pruning.store import ACTIONS, CLOCK, HEAD, PAST, SCALE, Store
from secateur.memory import Reserve

Array = npt.NDArray[Any]
Long = npt.NDArray[np.int64]


class Layout(NamedTuple):
    """What a store must have room for."""

    summed: bool
    """Whether regrets are sums of what was observed, with the weights of the average."""

    idle: bool
    """Whether regrets or strategies change even where nobody comes."""

    predictive: bool
    simultaneous: bool
    fixed: bool

    @property
    def sections(self) -> int:
        """Of regrets, strategy sums, and more."""
        return 2 + self.predictive + self.simultaneous

    @property
    def past(self) -> int:
        """The length of each record's past."""
        return PAST if self.idle else 0


class StoreMemory:
    """A store and the memory that it stands in."""

    def __init__(self, game: CompiledGame, layout: Layout) -> None:
        blocks = len(game.arrays.player)
        self.most = most_records(game, layout)
        # room for records that replace others, and for as many drafts
        self._ids = Reserve(4 * int(self.most[0]), ids_type(game))
        self._numbers = Reserve(4 * int(self.most[1]), np.float64)
        self._attic_ids = Reserve(4 * int(self.most[2]), ids_type(game))
        self._attic_numbers = Reserve(4 * int(self.most[2]), np.float64)
        self._attic_dates = Reserve(4 * int(self.most[2]), np.uint16)
        self.ordered = np.zeros(3, np.int64)
        """Up to where records and attics stand in the order of blocks."""

        self.lengths = len(self._ids.array), len(self._numbers.array), len(self._attic_ids.array)
        place = place_type(max(self.lengths))
        self.store = Store(
            ids_at=np.zeros(blocks, place),
            numbers_at=np.zeros(blocks, place),
            attic_at=np.zeros(blocks, place),
            ids=self._ids.array,
            numbers=self._numbers.array,
            attic_ids=self._attic_ids.array,
            attic_numbers=self._attic_numbers.array,
            attic_dates=self._attic_dates.array,
            lines=self._numbers.array.view(np.float32),
            used=np.zeros(3, np.int64),
            summed=layout.summed,
            past=layout.past,
            claims=int(layout.predictive),
            total=1 + layout.predictive,
            played=2 + layout.predictive if layout.simultaneous else 0,
            sections=layout.sections,
            fixed=layout.fixed,
            clock=np.zeros(CLOCK),
            deadlines=np.full(blocks if layout.fixed else 0, np.inf),
        )

    def arrays(self) -> dict[str, Array]:
        """Return all arrays by name, each once: not what is only another view of a reserve."""
        parts = {name: part for name, part in self.store._asdict().items() if np.ndim(part)}
        reserves = {name: parts.pop(name) for name in self.used()}
        for name in [*parts]:
            if any(np.may_share_memory(parts[name], reserve) for reserve in reserves.values()):
                del parts[name]
        return {**parts, **reserves, "ordered": self.ordered}

    def used(self) -> dict[str, int]:
        """Return how much of each array is in use, for those that are longer."""
        ids, numbers, attic = (int(used) for used in self.store.used)
        return {
            "ids": ids,
            "numbers": numbers,
            "attic_ids": attic,
            "attic_numbers": attic,
            "attic_dates": attic,
        }

    def release(self, ids: int, numbers: int, attic: int) -> None:
        """Give back what stands before these places."""
        self._ids.release(0, ids)
        self._numbers.release(0, numbers)
        self._attic_ids.release(0, attic)
        self._attic_numbers.release(0, attic)
        self._attic_dates.release(0, attic)


def ids_type(game: CompiledGame) -> np.dtype[np.signedinteger]:
    """Return the smallest type that holds the ids of all records."""
    largest = most_slots(game) + int(game.arrays.lanes.max(initial=0))
    return _smallest_type(largest, (np.int8, np.int16, np.int32))


def widths(game: CompiledGame) -> tuple[np.dtype[np.signedinteger], np.dtype[np.signedinteger]]:
    """Return the types of a store's ids and of a game's small numbers: others are other kernels."""
    return ids_type(game), frames_type(game)


def most_slots(game: CompiledGame) -> int:
    """Return how many slots the largest block has."""
    lanes = (game.arrays.lanes.astype(np.int64) + 3) // 4 * 4  # padded
    return int((game.arrays.actions * lanes).max(initial=0))


def most_records(game: CompiledGame, layout: Layout) -> Long:
    """Return the most ids, numbers, and entries of attics that a store can hold."""
    cells, infosets, blocks = game.cells, game.size.information_sets, len(game.arrays.player)
    ids = HEAD * blocks + ACTIONS * infosets + cells
    numbers = layout.past * (blocks + 1) + (SCALE + 1) * infosets + layout.sections * cells
    return np.array([ids, numbers, blocks + infosets + 2 * cells])


class LiveMemory:
    """The list of blocks alive and the memory that it stands in."""

    def __init__(self, game: CompiledGame, store: StoreMemory) -> None:
        self._blocks = len(game.arrays.player)
        self.most = most_frames(game)
        # room for frames that replace others, once for each player
        self._frames = Reserve(4 * self.most, frames_type(game))
        self._place = place_type(max(len(self._frames.array), *store.lengths))
        self._used = np.zeros(1, np.int64)
        self._lists: list[list[Reserve]] = []
        self.live = self._list()
        self.fresh = self._list()
        """Room for another list of the same frames, while a branch comes back."""

    def _list(self) -> Live:
        order, size = (Reserve(self._blocks, np.int32) for _ in range(2))
        frames_at, ids_at, numbers_at = (Reserve(self._blocks, self._place) for _ in range(3))
        self._lists.append([order, size, frames_at, ids_at, numbers_at])
        return Live(
            order=order.array,
            size=size.array,
            frames_at=frames_at.array,
            ids_at=ids_at.array,
            numbers_at=numbers_at.array,
            length=np.zeros(1, np.int64),
            frames=self._frames.array,
            used=self._used,
        )

    def arrays(self) -> dict[str, Array]:
        """Return all arrays by name."""
        return {f"live_{name}": part for name, part in self.live._asdict().items()}

    def used(self) -> dict[str, int]:
        """Return how much of each array is in use, for those that are longer."""
        lists = {f"live_{name}": int(self.live.length[0]) for name in Live._fields[:5]}
        return lists | {"live_frames": int(self._used[0])}

    def trim(self) -> None:
        """Give back what is not in use."""
        self._frames.release(int(self._used[0]), len(self._frames.array))
        for parts, length in zip(self._lists, (int(self.live.length[0]), 0), strict=True):
            for part in parts:
                part.release(length, self._blocks)


def frames_type(game: CompiledGame) -> np.dtype[np.int16 | np.int32]:
    """Return the type of the numbers of frames: that of what the game tells of blocks."""
    return game.arrays.first_slot.dtype


def place_type(length: int) -> np.dtype[np.signedinteger]:
    """Return the smallest type that tells places in arrays of that length."""
    return _smallest_type(length, (np.int32, np.int64))


def _smallest_type(
    largest: int, types: tuple[type[np.signedinteger], ...]
) -> np.dtype[np.signedinteger]:
    """Return the first of some types that holds numbers up to ``largest``.

    Without compilation it is the widest: NumPy's sums and products are no wider than what goes into
    them, and those of small ids would overflow.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return np.dtype(np.int64)
    return np.dtype(next(each for each in types if largest <= np.iinfo(each).max))


def most_frames(game: CompiledGame) -> int:
    """Return the most numbers that frames can take."""
    arrays, more = game.arrays, game.pruning
    assert more is not None
    leaves, links = len(arrays.leaf_matrix), len(more.link_matrix)
    rows = int(arrays.actions.sum())
    return BODY * len(arrays.player) + rows + LEAF_SIZE * leaves + LINK_SIZE * links
