"""Tells how far reading a game has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

_SECONDS = 0.1
"""Between two reports."""


class Reading(NamedTuple):
    """How far the rules of a game have been read."""

    histories: int
    """Read so far."""

    estimate: float
    """Of how many there are in all; exact in the last report, rough in the first ones."""


Observer = Callable[[Reading], None]


class Progress:
    """Reports to an observer, if there is one, some times in a second and at the end."""

    def __init__(self, observe: Observer | None) -> None:
        self._observe = observe
        self._due = time.monotonic() + _SECONDS

    def tell(self, histories: int, share: Callable[[], float]) -> None:
        """Report, if it is time, how many histories have been read and which share of all.

        The share is estimated as if all moves from a history led to equally much (Knuth's estimate
        along the path that is being read).
        """
        if self._observe is not None and time.monotonic() >= self._due:
            read = share()
            self._observe(Reading(histories, histories / read if read > 0.0 else float("inf")))
            self._due = time.monotonic() + _SECONDS

    def finish(self, histories: int) -> None:
        """Report that everything has been read."""
        if self._observe is not None:
            self._observe(Reading(histories, float(histories)))
