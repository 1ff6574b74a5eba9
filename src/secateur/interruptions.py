"""Collects requests to stop instead of letting them cut through a computation."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_USUAL: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
"""What signals do if nobody has decided otherwise."""


@contextmanager
def interruptions(*numbers: signal.Signals) -> Iterator[list[int]]:
    """Collect signals, so that they never part a chunk of iterations from its counters.

    A kernel cannot be interrupted; Python would raise right after it, before the iterations are
    counted. The second Ctrl-C raises: somebody is in a hurry. Signals that somebody else takes care
    of are left alone.
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

    for number in ours:
        signal.signal(number, receive)
    try:
        yield received
    finally:
        for number in ours:
            signal.signal(number, _USUAL[number])
