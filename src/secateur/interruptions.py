"""Collects requests to stop instead of letting them cut through a computation.

Inside somebody else's program, the first Ctrl-C ends a run with its result, and the second raises
KeyboardInterrupt. A program of our own goes further (:class:`Patience`): an exception that may
come up anywhere, in a library that is being loaded or in the middle of a report, cannot be told
in one line.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from secateur.sudden_end import end_at_once

_HURRY = 3
_PAUSE = 1.0
"""The Ctrl-C that ends the program at once is the third or a later one, so many seconds after the
first: who presses the key again and again wants the run to stop, not to lose its result."""

_USUAL: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
"""What signals do if nobody has decided otherwise."""


class Patience:
    """What Ctrl-C does to a program of our own, from its first line to its last.

    Before there is a run, it ends the program with a line. From then on the first one is left to
    the run, which ends with its result, and others change nothing; but whoever insists ends the
    program at once, silently.

    Parameters
    ----------
    status : int
        The exit code then.
    """

    def __init__(self, status: int) -> None:
        self._status = status
        self._run: list[int] | None = None
        self._received = 0
        self._since = 0.0

    def begin(self) -> None:
        """Take care of Ctrl-C."""
        signal.signal(signal.SIGINT, self.receive)

    def leave_to(self, run: list[int]) -> None:
        """Collect signals for a run, and for what becomes of its result."""
        self._run = run

    def receive(self, number: int, _: FrameType | None) -> None:
        """Handle a signal."""
        self._received += 1
        if self._received == 1:
            self._since = time.monotonic()
        if self._run is None:
            with suppress(OSError):
                os.write(2, b"secateur: interrupted\n")
            end_at_once(self._status)
        self._run.append(number)
        if self._received >= _HURRY and time.monotonic() - self._since >= _PAUSE:
            end_at_once(self._status)


@contextmanager
def interruptions(*numbers: signal.Signals) -> Iterator[list[int]]:
    """Collect signals, so that they never part a chunk of iterations from its counters.

    A kernel cannot be interrupted; Python would raise right after it, before the iterations are
    counted. The second Ctrl-C raises: somebody is in a hurry. Signals that somebody else takes care
    of are left alone, but a program of our own shares what it gets.
    """
    received: list[int] = []
    ours = [
        number
        for number in numbers
        if threading.current_thread() is threading.main_thread()
        and signal.getsignal(number) is _USUAL[number]
    ]

    def receive(number: int, frame: FrameType | None) -> None:
        if received and number == signal.SIGINT:
            signal.default_int_handler(number, frame)
        received.append(number)

    patience = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    if isinstance(patience, Patience) and signal.SIGINT in numbers:
        patience.leave_to(received)
    for number in ours:
        signal.signal(number, receive)
    try:
        yield received
    finally:
        for number in ours:
            signal.signal(number, _USUAL[number])
