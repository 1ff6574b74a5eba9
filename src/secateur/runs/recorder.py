"""Keeps a run in its directory while it goes on."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from typing import Any

from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, RecordError
from secateur.runs.checkpoints import Checkpoint, Identity
from secateur.runs.directory import RunDirectory
from secateur.runs.metrics_log import MetricsLog
from secateur.solvers.iterative import Iterative, State
from secateur.stopping import Snapshot

_LEAST_REST = 50.0
"""How many times as long as a checkpoint takes must pass before the next: it may take minutes to
write a large one, and they must not take more than a fiftieth of the time."""


class Recorder:
    """Appends metrics, writes checkpoints, and begins from the last of these.

    Parameters
    ----------
    directory : RunDirectory
        Held by this process.
    game, solver
        What is run.
    every : float
        Seconds between checkpoints; more if they take long.
    warn : callable
        Gets a sentence for each checkpoint that cannot be used.
    """

    def __init__(
        self,
        directory: RunDirectory,
        game: CompiledGame,
        solver: Iterative,
        every: float,
        warn: Callable[[str], Any],
    ) -> None:
        self._directory = directory
        self._identity = Identity.of(game, solver)
        self._every = every
        self._metrics = MetricsLog(directory.metrics_path, directory.configuration().fingerprint)
        self._latest = directory.checkpoints.latest(self._identity, warn)
        self._next = time.monotonic() + every

    def begin(self, state: State) -> tuple[list[Snapshot], float]:
        """Bring a new state to where the run is; return snapshots and seconds up to there."""
        if self._latest is None:
            self._metrics.begin([])
            return [], 0.0
        saved, history, seconds = self._latest
        self._metrics.begin(history)
        state.restore(saved)
        self._latest = None  # the memory of the mapped file
        return history, seconds

    def look(self, snapshot: Snapshot) -> None:
        """Append a line to the metrics."""
        try:
            self._metrics.append(snapshot)
        except FileError as error:
            raise self._full(error) from error

    def is_due(self) -> bool:
        """Return whether it is time for a checkpoint."""
        return time.monotonic() >= self._next

    def keep(self, state: State, history: list[Snapshot], seconds: float) -> None:
        """Write a checkpoint."""
        begin = time.monotonic()
        checkpoint = Checkpoint(state.saved(), history, seconds)
        try:
            self._directory.checkpoints.write(self._identity, checkpoint, state.iteration)
        except FileError as error:
            raise self._full(error) from error
        end = time.monotonic()
        self._next = end + max(self._every, _LEAST_REST * (end - begin))

    def _full(self, error: FileError) -> RecordError:
        kept = self._directory.checkpoints.iterations()
        where = f"iteration {kept[0]:,}" if kept else "the beginning"
        return RecordError(
            f"{error} The run can go on from {where}: secateur resume "
            f"{shlex.quote(str(self._directory))}"
        )
