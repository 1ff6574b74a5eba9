"""Keeps a run in its directory while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from secateur.compiled.game import CompiledGame
from secateur.conditions import Snapshot
from secateur.errors import FileError, ParameterError, RecordError
from secateur.runs.assembling import in_one
from secateur.runs.checkpoints import Checkpoint, Identity
from secateur.runs.directory import RunDirectory
from secateur.runs.metrics_log import MetricsLog
from secateur.runs.shard_reports import write_reports
from secateur.solvers.protocols import Scattered, Solver, State

_LEAST_REST = 50.0
"""How many times as long as a checkpoint takes must pass before the next: it may take minutes to
write a large one, and they must not take more than a fiftieth of the time."""


class _LogDamagedError(Exception):
    """The metrics are damaged or cannot be read, so no checkpoint can be compared with them."""


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
        solver: Solver,
        every: float,
        warn: Callable[[str], Any],
    ) -> None:
        self._directory = directory
        self._identity = Identity.of(game, solver)
        self._every = every
        self._metrics = MetricsLog(directory.metrics_path, directory.configuration().fingerprint)
        self._warn = warn
        self._next = time.monotonic() + every

    def begin(self, state: State) -> tuple[list[Snapshot], float]:
        """Bring a new state to where the run is; return snapshots and seconds up to there."""
        checkpoints = self._directory.checkpoints
        try:
            found = checkpoints.latest(self._identity, self._warn, partial(self._use, state))
        except _LogDamagedError as error:
            raise FileError(str(error)) from error
        history = [] if found is None else found.history
        self._metrics.begin(history)
        return history, 0.0 if found is None else found.seconds

    def _use(self, state: State, checkpoint: Checkpoint) -> None:
        """Bring a state to a checkpoint, or raise FileError; then the state is what it was.

        A checkpoint and the metrics may tell of different runs. The checksums of the metrics say
        which of them is wrong.
        """
        try:
            agrees = self._metrics.agrees(checkpoint.history)
            if not agrees:
                self._metrics.check()
        except FileError as error:
            raise _LogDamagedError(str(error)) from error
        if not agrees:
            raise FileError("its history is not that of the metrics")
        try:
            if isinstance(state, Scattered):
                origin = self._identity.origin
                state.go_on_from(checkpoint.saved, checkpoint.parts, origin)
            else:
                state.restore(in_one(state.game, checkpoint, self._identity))
        except ParameterError as error:
            raise FileError(str(error)) from error

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
        checkpoints, iteration = self._directory.checkpoints, state.iteration
        origin, parts = self._identity.origin, {}
        try:
            if isinstance(state, Scattered):
                parts = state.save_parts(checkpoints.path(iteration), origin)
            checkpoint = Checkpoint(state.saved(), history, seconds, parts)
            checkpoints.write(self._identity, checkpoint, iteration)
        except FileError as error:
            raise self._full(error) from error
        if isinstance(state, Scattered):
            state.keep(checkpoint.saved, parts, origin)
            write_reports(self._directory.shards_path, state.report())
        else:
            self._directory.shards_path.unlink(missing_ok=True)  # it was on a cluster before
        end = time.monotonic()
        self._next = end + max(self._every, _LEAST_REST * (end - begin))

    def _full(self, error: FileError) -> RecordError:
        kept = self._directory.checkpoints.iterations()
        where = f"iteration {kept[0]:,}" if kept else "the beginning"
        return RecordError(
            f"{error} The run can go on from {where}: secateur.resume({str(self._directory)!r})"
        )
