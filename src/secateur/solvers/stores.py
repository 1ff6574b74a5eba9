"""The memory of a run with best-response pruning: taken where something is kept, given back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.kernels.live import BODY, LEAF_SIZE, LINK_SIZE, Live
from secateur.kernels.store import ACTIONS, CELLS, HEAD, Store
from secateur.memory import Reserve

Long = npt.NDArray[np.int64]


class StoreMemory:
    """A store and the memory that it stands in."""

    def __init__(self, game: CompiledGame, *, plus: bool, simultaneous: bool) -> None:
        blocks = len(game.arrays.player)
        sections = 3 + plus + simultaneous
        self.most = most_records(game, sections)
        # room for records that replace others, and for as many drafts
        self._ids = Reserve(4 * int(self.most[0]), ids_type(game))
        self._numbers = Reserve(4 * int(self.most[1]), np.float64)
        self.ordered = np.zeros(2, np.int64)
        """Up to where records stand in the order of blocks."""

        self.store = Store(
            ids_at=np.zeros(blocks, np.int64),
            numbers_at=np.zeros(blocks, np.int64),
            ids=self._ids.array,
            numbers=self._numbers.array,
            used=np.zeros(2, np.int64),
            sections=sections,
            plain=3 if plus else 0,
            played=3 + plus if simultaneous else 0,
        )

    @property
    def nbytes(self) -> int:
        """The bytes in use."""
        store = self.store
        used = store.ids.itemsize * int(store.used[0]) + 8 * int(store.used[1])
        return used + store.ids_at.nbytes + store.numbers_at.nbytes

    def release(self, ids: int, numbers: int) -> None:
        """Give back what stands before these places."""
        self._ids.release(0, ids)
        self._numbers.release(0, numbers)

    def clear(self) -> None:
        """Give back everything."""
        self.store.used[:] = 0
        self.release(len(self.store.ids), len(self.store.numbers))


def ids_type(game: CompiledGame) -> np.dtype[np.signedinteger]:
    """Return the smallest type that holds the ids of all records."""
    arrays = game.arrays
    largest = int(((arrays.actions + 1) * arrays.lanes).max(initial=0))
    return np.dtype(np.int16 if largest < np.iinfo(np.int16).max else np.int32)


def most_records(game: CompiledGame, sections: int) -> Long:
    """Return the most ids and numbers that records can take: those where all is active."""
    cells, infosets = game.cells, game.size.information_sets
    ids = HEAD * len(game.arrays.player) + ACTIONS * infosets + cells
    return np.array([ids, CELLS * infosets + sections * cells])


class LiveMemory:
    """The list of blocks alive and the memory that it stands in."""

    def __init__(self, game: CompiledGame) -> None:
        self._blocks = len(game.arrays.player)
        self.most = most_frames(game)
        # room for frames that replace others, once for each player
        self._frames = Reserve(4 * int(self.most[0]), np.int32)
        self._factors = Reserve(4 * int(self.most[1]), np.float64)
        self._used = np.zeros(2, np.int64)
        self.live = self._list()
        self.fresh = self._list()
        """Room for another list of the same frames."""

    def _list(self) -> Live:
        return Live(
            order=np.zeros(self._blocks, np.int32),
            size=np.zeros(self._blocks, np.int32),
            frames_at=np.zeros(self._blocks, np.int64),
            factors_at=np.zeros(self._blocks, np.int64),
            length=np.zeros(1, np.int64),
            frames=self._frames.array,
            factors=self._factors.array,
            used=self._used,
        )

    @property
    def nbytes(self) -> int:
        """The bytes in use."""
        lists = [*self.live[:4], *self.fresh[:4]]
        used = 4 * int(self._used[0]) + 8 * int(self._used[1])
        return used + sum(part.nbytes for part in lists)

    def trim(self) -> None:
        """Give back what is not in use."""
        self._frames.release(int(self._used[0]), len(self._frames.array))
        self._factors.release(int(self._used[1]), len(self._factors.array))


def most_frames(game: CompiledGame) -> Long:
    """Return the most ids and numbers that frames can take."""
    arrays, more = game.arrays, game.pruning
    assert more is not None
    leaves, links = len(arrays.leaf_matrix), len(more.link_matrix)
    return np.array(
        [BODY * len(arrays.player) + LEAF_SIZE * leaves + LINK_SIZE * links, leaves + links]
    )
