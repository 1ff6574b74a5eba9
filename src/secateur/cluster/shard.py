"""A shard: some pieces of a game, with the numbers of a run on them."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from secateur import __version__
from secateur.cluster.letters import Down, Errand, opened, sealed
from secateur.cluster.sources import Delivery, Summary
from secateur.cluster.sweeps import PieceSweeps
from secateur.cluster.uses import Uses, uses_of
from secateur.compiled.parts import Extent, extents
from secateur.crew import threads
from secateur.kernels.compilation.decorator import STAMP
from secateur.memory import resident_memory, return_free_memory
from secateur.metrics import best_response_value_of, value_of
from secateur.runs.part_files import Origin, Pieces, read_pieces, write_part
from secateur.solvers.cfr import CFR, PER_INFOSET, CFRState
from secateur.solvers.resumable import Array
from secateur.strategy import Strategy
from secateur.strategy_files.readable import entries


class Condition(NamedTuple):
    """How a shard is."""

    nan: bool
    strategy_entries: int
    bytes_resident: int
    """Of its arrays, without those of the compiled pieces."""

    memory: int
    """That its process takes."""

    node: str
    process: int


class Hired(NamedTuple):
    """What a shard says when it begins."""

    versions: dict[str, str]
    sees: bool
    """Whether it sees the run directory."""


def versions() -> dict[str, str]:
    """Return what must be the same everywhere for the same bits."""
    return {
        "Python": platform.python_version(),
        "secateur": __version__,
        "kernels": STAMP,
        "numba": version("numba"),
        "numpy": version("numpy"),
    }


class Held(NamedTuple):
    """What a shard says of the pieces that it has taken over."""

    extent: Extent
    uses: Uses


class Shard:
    """Sweeps its pieces when it gets a letter, and keeps what it finds there.

    Parameters
    ----------
    count : int
        Threads that it may use.
    """

    def __init__(self, count: int) -> None:
        self._threads = count

    def begin(self, token: Path) -> Hired:
        """Say what runs here, and whether a file can be seen that the driver has written."""
        return Hired(versions(), token.exists())

    def hold(self, delivery: Delivery, numbers: list[int], solver: CFR) -> Held:
        """Take over some pieces, by their numbers in the whole game."""
        self._holding = delivery.unpacked()
        self._part = self._holding.part
        self._numbers = numbers
        self._solver = solver
        self._extents = extents(self._part.game.arrays, self._part.cut)
        self._uses = uses_of(self._part)
        return_free_memory()
        self._start()
        return Held(self._extents, self._uses)

    def summary(self) -> Summary:
        """Return what there is to tell of the pieces."""
        return self._holding.summary()

    def _start(self) -> None:
        self._sweeps = PieceSweeps(self._part, self._uses)
        self._state = CFRState(self._solver, self._part.game, self._sweeps)
        self._schedule = np.zeros((0, 0))
        self._strategy: Strategy | None = None

    def sweep(self, sent: bytes) -> bytes:
        """Do what a letter says; return the answer."""
        letter = opened(Down, sent)
        with threads(self._threads):
            self._sweeps.accept(letter)
            self._run(letter)
            return sealed(self._sweeps.answer())

    def _run(self, letter: Down) -> None:
        state, game = self._state, self._part.game
        if letter.errand is Errand.ITERATE:
            self._strategy = None
            if letter.is_first:
                self._schedule = state.schedule(letter.iterations)
            state.sweep(self._schedule)
            if letter.is_last:
                state.advance(self._schedule)
        elif letter.errand is Errand.NASH_CONV:
            state.nash_conv()
        elif letter.errand is Errand.VALUE:
            value_of(game, self._average().own_probabilities, self._sweeps)
        else:
            behavior = self._average().own_probabilities
            best_response_value_of(game, behavior, letter.player, self._sweeps)

    def _average(self) -> Strategy:
        """Return the average strategy at the end, which is asked for several times."""
        if self._strategy is None:
            self._strategy = self._state.average_strategy()
        return self._strategy

    def condition(self) -> Condition:
        """Return how the shard is."""
        found = Condition(
            nan=self._state.has_nan(),
            strategy_entries=self._state.strategy_entries_live,
            bytes_resident=self._state.bytes_resident,
            memory=0,
            node=platform.node(),
            process=os.getpid(),
        )
        return_free_memory()  # such as what it took to look at all numbers
        return found._replace(memory=resident_memory() or 0)

    def save(self, path: Path, origin: Origin) -> None:
        """Write the numbers of all pieces to a file."""
        saved = self._state.saved()
        pieces: Pieces = {}
        for name, part in saved.arrays.items():
            for number, (begin, end) in zip(self._numbers, self._places(name), strict=True):
                pieces.setdefault(number, {})[name] = part[begin:end]
        write_part(path, origin, saved.numbers, pieces)

    def _places(self, name: str) -> list[tuple[int, int]]:
        """Return where each piece stands in an array of the state."""
        sizes = self._extents.infosets if name in PER_INFOSET else self._extents.cells
        ends = np.cumsum(sizes)
        return list(zip((ends - sizes).tolist(), ends.tolist(), strict=True))

    def begin_anew(self) -> None:
        """Go back to the beginning of the run."""
        self._start()

    def restore(self, files: dict[int, Path], origin: Origin) -> None:
        """Go on from the files that pieces are kept in."""
        mine = {number: files[number] for number in self._numbers}
        self.take(*read_pieces(mine, origin))

    def take(self, numbers: dict[str, float], pieces: Pieces) -> None:
        """Go on from what was kept of all pieces."""
        self._start()
        fresh = self._state.saved()
        arrays: dict[str, Array] = {
            name: np.concatenate([pieces[number][name] for number in self._numbers])
            for name in fresh.arrays
        }
        self._state.restore(fresh._replace(numbers=numbers, arrays=arrays))

    def entries(self, piece: int) -> Iterator[str]:
        """Go through the average strategy of a piece as it stands in a strategy file."""
        place = self._numbers.index(piece)
        blocks = range(int(self._part.cut.first[place]), int(self._part.cut.end[place]))
        found = entries(self._part.game, self._average().own_probabilities, blocks)
        while lines := list(islice(found, _AT_ONCE)):
            yield ",\n".join(lines)


_AT_ONCE = 4096
"""Information sets of a strategy that are sent at a time."""
