"""What is measured inside a process: processor time and memory."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_STATUS = Path("/proc/self/status")


@dataclass
class Time:
    """Seconds of one stretch of work."""

    processor: float = 0.0
    """Processor time of the process, user and system, all threads together."""

    wall: float = 0.0
    """Time that passed; more than processor time where others use the core too."""


@contextmanager
def timed() -> Iterator[Time]:
    """Time the body of a ``with`` statement."""
    time_taken = Time()
    wall, processor = time.perf_counter(), time.process_time()
    yield time_taken
    time_taken.processor = time.process_time() - processor
    time_taken.wall = time.perf_counter() - wall


def forget_peak_memory() -> None:
    """Let the peak start again from what is resident now (Linux only)."""
    if _STATUS.exists():
        Path("/proc/self/clear_refs").write_text("5")


def resident_memory() -> int | None:
    """Return the bytes that are resident now, None where the system does not tell."""
    return _read("VmRSS")


def peak_memory() -> int | None:
    """Return the largest number of resident bytes since :func:`forget_peak_memory`."""
    return _read("VmHWM")


def _read(field: str) -> int | None:
    if not _STATUS.exists():
        return None
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    return None
