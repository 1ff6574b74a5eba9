"""The shards of a run: who holds what, and how to ask them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from secateur.cluster.balance import Balance
from secateur.cluster.engine import Cluster, LostError
from secateur.cluster.letters import Errand, Letters, Up, opened, sealed
from secateur.cluster.shard import Condition, Held, Hired, Shard, versions
from secateur.cluster.sources import Source, shared_out
from secateur.compiled.parts import Extent
from secateur.errors import FileError, ParameterError, SecateurError
from secateur.kernels.core.pieces import Pieces
from secateur.runs.shard_reports import ShardReport
from secateur.solvers.cfr import CFR

_FIRST_PATIENCE = 900.0
"""Seconds that a shard may take before anybody knows how long it takes: it compiles kernels."""

_COMPILING = 86_400.0
"""Seconds that a shard may take to compile its pieces."""

_LEAST_PATIENCE = 60.0
"""Seconds that it may always take, for machines may be busy with something else."""

_TIMES = 20.0
"""How many times as long as the longest sweep so far another may take."""


def check_count(shards: int, pieces: int) -> None:
    """Raise ParameterError if there are more shards than pieces."""
    if shards > pieces:
        raise ParameterError(
            f"{shards:,} shards: the game is cut into {pieces:,} pieces; use at most as many."
        )


class Shards:
    """Actors that hold the pieces of a game.

    Parameters
    ----------
    cluster : Cluster
        Where they are.
    source : Source
        Where they get their pieces from.
    solver : CFR
        What they run.
    count : int
        How many there are.
    directory : Path
        In which the run is kept; all of them must see it.
    """

    def __init__(
        self,
        cluster: Cluster,
        source: Source,
        solver: CFR,
        count: int,
        directory: Path,
    ) -> None:
        check_count(count, len(source.work))
        self._cluster = cluster
        self._source = source
        self._solver = solver
        self._directory = directory
        self._threads = cluster.threads_each(count)
        self._actors: list[Any] = [None] * count
        self._letters: list[Letters] = []
        self._longest = 0.0
        self._held: dict[int, Held] = {}
        self.holdings = shared_out(source.work, count)
        self.seconds = np.zeros(count)
        """That each has swept."""

        self.waited = 0.0
        """Seconds that the driver has waited for all of them."""

        self._balance = Balance(count)

        try:
            self.replace(range(count))
        except Exception:
            self.dismiss()
            raise

    def __len__(self) -> int:
        return len(self._actors)

    def replace(self, numbers: Sequence[int]) -> None:
        """Start actors in the place of those that are lost; they are at the beginning of a run."""
        for number in numbers:
            self._actors[number] = self._cluster.hire(Shard, (self._threads,), len(self._actors))
        chosen = [self._actors[number] for number in numbers]
        self._check(chosen)
        self._hold(numbers)

    def _hold(self, numbers: Sequence[int]) -> None:
        """Have some shards take over what they are to hold."""
        arguments: list[tuple[Any, ...]] = []
        for number in numbers:
            holding = self.holdings[number]
            arguments.append((self._source.delivery(holding), holding, self._solver))
        found: list[Held] = self._ask(numbers, "hold", arguments, _COMPILING)
        self._held |= dict(zip(numbers, found, strict=True))

    def _check(self, actors: list[Any]) -> None:
        """Raise an error unless actors run the same program and see the run directory."""
        token = self._directory / "lock"  # which this process has made
        hired: list[Hired] = self._cluster.wait_for(actors, "begin", token)
        mine = versions()
        for each in hired:
            for name, other in each.versions.items():
                if other != mine[name]:
                    raise SecateurError(
                        f"{name} is {mine[name]} here but {other} on a machine of the cluster; "
                        "results would differ: install the same everywhere."
                    )
            if not each.sees:
                raise FileError(
                    f"not all machines of the cluster see {self._directory}; give a directory on "
                    "storage that they share."
                )

    def extents(self) -> Extent:
        """Return how large all pieces are, in their order."""
        cells, infosets = (np.zeros(len(self._source.work), np.int64) for _ in range(2))
        for number, held in self._held.items():
            cells[self.holdings[number]] = held.extent.cells
            infosets[self.holdings[number]] = held.extent.infosets
        return Extent(cells, infosets)

    def attend(self, pieces: Pieces) -> None:
        """Exchange letters with the pieces of a trunk from now on."""
        self._letters = [
            Letters(pieces, np.array(holding), self._held[number].uses)
            for number, holding in enumerate(self.holdings)
        ]

    def sweep(self, errand: Errand, iterations: int, row: int, player: int) -> None:
        """Have all pieces swept."""
        begin = time.perf_counter()
        down = [each.down(errand, iterations, row, player) for each in self._letters]
        answers = self.tell("sweep", [(sealed(letter),) for letter in down])
        for number, sent in enumerate(answers):
            answer = opened(Up, sent)
            self._letters[number].take_up(player, answer)
            self.seconds[number] += answer.seconds
        took = time.perf_counter() - begin
        self._longest = max(self._longest, took)
        self.waited += took

    def tell(self, method: str, arguments: Sequence[Sequence[Any]] | None = None) -> list[Any]:
        """Have all shards do something."""
        numbers = range(len(self._actors))
        return self._ask(numbers, method, arguments or [()] * len(numbers), self._patience)

    @property
    def _patience(self) -> float:
        if not self._longest:
            return _FIRST_PATIENCE
        return max(_LEAST_PATIENCE, _TIMES * self._longest)

    def _ask(
        self,
        numbers: Sequence[int],
        method: str,
        arguments: Sequence[Sequence[Any]],
        patience: float,
    ) -> list[Any]:
        try:
            actors = [self._actors[number] for number in numbers]
            return self._cluster.ask(actors, method, arguments, patience)
        except LostError as error:
            raise LostError([numbers[k] for k in error.numbers], error.reason) from error

    def rebalance(self) -> bool:
        """Move pieces if some shards take longer than others for a while; return whether it did.

        Those to whom something has moved are at the beginning of the run then.
        """
        found = self._balance.look(self.seconds, self.holdings, self._source.work)
        if found is None:
            return False
        changed = [k for k, each in enumerate(found) if each != self.holdings[k]]
        self.holdings = found
        self._hold(changed)
        return True

    def report(self, conditions: Sequence[Condition]) -> list[ShardReport]:
        """Return how each shard does."""
        return [
            ShardReport(
                node=each.node,
                process=each.process,
                pieces=len(self.holdings[number]),
                memory=each.memory,
                seconds=float(self.seconds[number]),
                waiting=max(0.0, self.waited - float(self.seconds[number])),
            )
            for number, each in enumerate(conditions)
        ]

    def entries(self, piece: int) -> Iterator[str]:
        """Go through the average strategy of a piece as it stands in a strategy file."""
        number = next(k for k, holding in enumerate(self.holdings) if piece in holding)
        yield from self._cluster.stream(self._actors[number], number, "entries", piece)

    def dismiss(self) -> None:
        """End all actors."""
        self._cluster.dismiss([each for each in self._actors if each is not None])
