"""Where shards get their pieces from."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame, Size
from secateur.compiled.parts import Extent, Part, extents, pieces_of, trunk_of

Int = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScatteredGame(CompiledGame):
    """The trunk of a game whose pieces are elsewhere, with what is known of the whole."""

    whole: Size | None = None
    whole_bytes: int = 0
    mark: str = ""

    @property
    def fingerprint(self) -> str:
        """That of the whole game."""
        return self.mark

    @property
    def nbytes(self) -> int:
        """The bytes of the whole game."""
        return self.whole_bytes

    @property
    def cells(self) -> int:
        """The number of sequences of the whole game."""
        return self.size.sequences

    @property
    def size(self) -> Size:
        """How large the whole game is."""
        assert self.whole is not None, "somebody must know"
        return self.whole


class Slices:
    """Pieces of a game that the driver has compiled."""

    def __init__(self, game: CompiledGame) -> None:
        self._game = game
        self._cut = game.cut
        self.trunk = trunk_of(game, self._cut)
        self.extents: Extent = extents(game.arrays, self._cut)

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return len(self._cut.first)

    def part(self, numbers: list[int]) -> Part:
        """Return some pieces."""
        return pieces_of(self._game, self._cut, numbers)

    def scattered(self) -> ScatteredGame:
        """Return what the driver knows of the game."""
        game, trunk = self._game, self.trunk.game
        fields: dict[str, Any] = {
            name: getattr(trunk, name) for name in CompiledGame.__dataclass_fields__
        }
        return ScatteredGame(
            **fields, whole=game.size, whole_bytes=game.nbytes, mark=game.fingerprint
        )

    def cells_of(self, piece: int) -> tuple[int, int]:
        """Return where the sequences of a piece are in the whole game."""
        first = int(self._game.arrays.first_cell[self._cut.first[piece]])
        return first, first + int(self.extents.cells[piece])

    def infosets_of(self, piece: int) -> tuple[int, int]:
        """Return where the information sets of a piece are in the whole game."""
        first = int(self._game.arrays.first_infoset[self._cut.first[piece]])
        return first, first + int(self.extents.infosets[piece])


def shared_out(work: Int, count: int) -> list[list[int]]:
    """Share pieces out among so many shards, the largest first, each to whom has least to do."""
    shards: list[list[int]] = [[] for _ in range(count)]
    heap = [(0, number) for number in range(count)]
    for piece in np.argsort(-work, kind="stable").tolist():
        load, number = heapq.heappop(heap)
        shards[number].append(piece)
        heapq.heappush(heap, (load + int(work[piece]), number))
    return [sorted(each) for each in shards]
