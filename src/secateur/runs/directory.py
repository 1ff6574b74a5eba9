"""A run directory: where its files are, and that only one process writes them.

::

    run.json        the configuration
    metrics.jsonl   one line for each snapshot
    checkpoint-N    all that the run needs to go on after iteration N; the last two. Of a run on a
                    cluster, shard K keeps its part in checkpoint-N.part-K
    shards.json     of a run on a cluster, how its shards were at the last checkpoint
    start.bin       the strategy that the run began with, if it was given one
    strategy.json   the average strategy at the end
    lock            held by the process that runs
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from secateur.atomic import cannot_write
from secateur.errors import FileError, SecateurError
from secateur.runs.checkpoints import Checkpoints
from secateur.runs.configuration import Configuration

try:
    import fcntl
except ImportError:  # not everywhere; there, nobody watches over two processes in one directory
    fcntl = None  # type: ignore[assignment]

_WRITTEN = (
    *("run.json.", "metrics.jsonl.", "checkpoint-", "shards.json.", "start.bin."),
    "strategy.json.",
)
"""How the names of files begin that are written as drafts first."""

_PATIENCE = 1.0
"""Seconds to wait for a lock: whoever asks whether a run is going on holds it for a moment."""


class RunDirectory:
    """The files of a run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.configuration_path = self.path / "run.json"
        self.metrics_path = self.path / "metrics.jsonl"
        self.strategy_path = self.path / "strategy.json"
        self.shards_path = self.path / "shards.json"
        self.start_path = self.path / "start.bin"
        self.checkpoints = Checkpoints(self.path)
        self._lock = self.path / "lock"

    def __str__(self) -> str:
        return str(self.path)

    def configuration(self) -> Configuration:
        """Read what the run was told to do."""
        try:
            there = self.configuration_path.exists()
        except OSError:  # such as a name that is too long
            there = False
        if not there:
            raise FileError(f"{self} holds no run; give the directory in which one is kept.")
        return Configuration.read(self.configuration_path)

    @contextmanager
    def created(self, configuration: Configuration) -> Iterator[None]:
        """Make the directory, and hold it for this process.

        If the run is refused before it has begun, the directory may be used again.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise self._not_a_directory() from error
        except (OSError, ValueError) as error:
            raise cannot_write(self.path, error) from error
        self._check_empty()
        with self.held():
            self._check_empty()  # another process may have been faster
            configuration.write(self.configuration_path)
            try:
                yield
            except SecateurError:
                if not self.checkpoints.iterations() and not self.metrics_path.exists():
                    self.configuration_path.unlink()
                    self.start_path.unlink(missing_ok=True)
                raise

    def check_free(self) -> None:
        """Raise FileError if a run cannot be begun here, because something else is."""
        try:
            there = self.path.exists()
        except (OSError, ValueError) as error:
            raise cannot_write(self.path, error) from error
        if there and not self.path.is_dir():
            raise self._not_a_directory()
        if there:
            self._check_empty()

    def _not_a_directory(self) -> FileError:
        return FileError(f"cannot write {self}: not a directory; choose another path.")

    def _check_empty(self) -> None:
        if self.configuration_path.exists():
            raise FileError(
                f"{self} holds a run already; go on with secateur.resume({str(self)!r}), or choose "
                "another path."
            )
        known = {self._lock, *self._drafts()}
        try:
            strangers = sorted(each.name for each in self.path.iterdir() if each not in known)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        if strangers:
            raise FileError(f"{self} is not empty (it holds {strangers[0]}); choose another path.")

    def _drafts(self) -> list[Path]:
        """Return what a killed process has left half-written."""
        return [draft for name in _WRITTEN for draft in self.path.glob(f".{name}*")]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the directory for this process, and clear away drafts of one that was killed.

        Raises
        ------
        FileError
            If another process holds it.
        """
        try:
            file = self._opened_lock()
        except (OSError, ValueError) as error:
            raise cannot_write(self._lock, error) from error
        with file:
            deadline = time.monotonic() + _PATIENCE
            while not _locked(file):
                if time.monotonic() > deadline:
                    raise FileError(
                        f"another process is running {self}; wait for it or stop it first."
                    )
                time.sleep(0.02)
            for draft in self._drafts():
                draft.unlink()
            yield

    @property
    def is_running(self) -> bool:
        """Whether a process holds the directory."""
        try:
            with self._opened_lock() as file:
                return not _locked(file)
        except OSError:  # never run, or somebody else's
            return False

    def _opened_lock(self) -> BinaryIO:
        """Open the lock; anything but a file in its place is an OSError, not a long wait."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
        return os.fdopen(os.open(self._lock, flags, 0o666), "ab")


def _locked(file: BinaryIO) -> bool:
    """Lock a file until it is closed; return whether that was possible."""
    if fcntl is None or os.name != "posix":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
