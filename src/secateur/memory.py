"""Memory: what is free and taken, in words, and arrays that take it only where they are written."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_UNKNOWN_MEMORY = 16 << 30
"""Taken where the system does not tell how much there is."""

_FLAGS = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if sys.platform != "win32" else {}


class Reserve:
    """An array of zeros whose pages come into memory when they are first written."""

    def __init__(self, length: int, dtype: npt.DTypeLike) -> None:
        self._itemsize = np.dtype(dtype).itemsize
        self._map = mmap.mmap(-1, max(1, length * self._itemsize), **_FLAGS)
        self.array: Array = np.frombuffer(self._map, dtype, length)

    def release(self, begin: int, end: int) -> None:
        """Give back the memory of the entries from ``begin`` to ``end``; they become zeros."""
        page = mmap.PAGESIZE
        first = -(-begin * self._itemsize // page) * page
        last = end * self._itemsize // page * page
        if last > first and hasattr(self._map, "madvise"):
            self._map.madvise(mmap.MADV_DONTNEED, first, last - first)


def release_pages(array: Array, end: int) -> None:
    """Give back the memory of a large array's entries before ``end``.

    What was in memory alone means nothing from then on; what is mapped from a file is read again.
    Entries on the last page stay.
    """
    begin = array.ctypes.data
    first = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
    last = (begin + end * array.itemsize) // mmap.PAGESIZE * mmap.PAGESIZE
    if sys.platform == "linux" and last > first:
        advise = ctypes.CDLL(None).madvise
        advise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), mmap.MADV_DONTNEED)


def in_units(size: int) -> str:
    """Return an amount of memory in a unit that gives few digits."""
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000.0:
            return f"{amount:.4g} {unit}"
        amount /= 1000.0
    return f"{amount:.4g} TB"


class Resident(NamedTuple):
    """The bytes of memory that a process takes."""

    total: int
    without_files: int
    """Less pages of mapped files, which the system can take back and read again."""


def resident_parts() -> Resident | None:
    """Return what this process takes now, with and without files; None where nobody tells."""
    if sys.platform != "linux":
        return None
    pages = map(int, Path("/proc/self/statm").read_text().split()[1:3])
    total, files = (count * mmap.PAGESIZE for count in pages)
    return Resident(total, total - files)


def resident_memory() -> int | None:
    """Return the bytes of memory that this process takes now; None where nobody tells."""
    parts = resident_parts()
    return None if parts is None else parts.total


def free_memory() -> int:
    """Return the bytes of memory that this process can still take without disk or other harm.

    Where the system does not tell, that is the memory of the machine; else a guess.
    """
    found = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError):  # a limit that a container has; "max" is none
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        cached = re.search(r"^inactive_file (\d+)$", (group / "memory.stat").read_text(), re.M)
        taken = int((group / "memory.current").read_text()) - (int(cached[1]) if cached else 0)
        found.append(max(0, limit - taken))
    if not found:
        with suppress(AttributeError, ValueError, OSError):
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(found, default=_UNKNOWN_MEMORY)


def return_free_memory() -> None:
    """Ask the C library to return what was freed; glibc keeps even large arrays for later."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
