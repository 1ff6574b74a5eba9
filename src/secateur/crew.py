"""Threads that help each other with large games, and how many of them there may be.

Helpers are started when they are first needed, wait without taking time, and are shared by all
runs of a process: each takes on what is asked for next. Whoever asks works, too, and waits only for
those who have come, so that runs side by side do not hold each other up. What is computed never
depends on how many come.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from pathlib import Path
from queue import SimpleQueue

from secateur import checks

Work = Callable[[int], object]

_asked_for: ContextVar[int | None] = ContextVar("threads", default=None)


def cores() -> int:
    """Return how many threads the system lets this process run at a time."""
    try:
        found = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        found = os.cpu_count() or 1
    with suppress(OSError, ValueError):  # what a container may take; "max" is all there is
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        found = min(found, max(1, math.ceil(int(quota) / int(period))))
    return found


def thread_count() -> int:
    """Return how many threads may work on a large game."""
    return _asked_for.get() or cores()


def threads(count: int | None) -> AbstractContextManager[None]:
    """Work on large games with so many threads: ``with secateur.threads(4): ...``.

    Without, there are as many as the system lets the process run at a time. Results do not depend
    on it, to the bit. Small games are left to one.

    Parameters
    ----------
    count : int
        How many; None changes nothing.
    """
    if count is None:
        return nullcontext()
    return _asking_for(checks.THREADS(f"threads({checks.shown(count)})", count))


@contextmanager
def _asking_for(count: int) -> Iterator[None]:
    token = _asked_for.set(count)
    try:
        yield
    finally:
        _asked_for.reset(token)


def together(work: Work, helpers: int) -> None:
    """Let this thread work, and up to so many helpers: ``work(0)``, ``work(1)`` and so on.

    Raises what one of them raises, when all have ended.
    """
    job = _Job(work)
    _crew.ask(job, helpers)
    try:
        work(0)
    finally:
        job.close()
    if job.error is not None:
        raise job.error


class _Job:
    """Work that helpers may come to until it is closed."""

    def __init__(self, work: Work) -> None:
        self.error: BaseException | None = None
        self._work = work
        self._lock = threading.Lock()
        self._over = threading.Semaphore(0)
        self._came = 0
        self._here = 0
        self._closed = False

    def help(self) -> None:
        """Take part, if it is not too late."""
        with self._lock:
            if self._closed:
                return
            self._came += 1
            self._here += 1
            number = self._came
        try:
            self._work(number)
        except BaseException as error:  # raised again by who asked
            self.error = error
        self._leave()

    def _leave(self) -> None:
        with self._lock:
            self._here -= 1
            last = self._closed and self._here == 0
        if last:
            self._over.release()

    def close(self) -> None:
        """Let nobody come any more, and wait for those who have."""
        with self._lock:
            self._closed = True
            wait = self._here > 0
        if wait:
            self._over.acquire()


class _Crew:
    """All helpers of a process."""

    def __init__(self) -> None:
        self.begin_anew()

    def begin_anew(self) -> None:
        """Have no helpers."""
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._lock = threading.Lock()
        self._size = 0

    def ask(self, job: _Job, helpers: int) -> None:
        """Ask for help."""
        with self._lock:
            while self._size < helpers:
                self._size += 1
                name = f"secateur-{self._size}"
                threading.Thread(target=self._wait_for_jobs, name=name, daemon=True).start()
        for _ in range(helpers):
            self._jobs.put(job)

    def _wait_for_jobs(self) -> None:
        while True:
            self._jobs.get().help()


_crew = _Crew()

if hasattr(os, "register_at_fork"):  # helpers stay behind in the process that was forked
    os.register_at_fork(after_in_child=_crew.begin_anew)
