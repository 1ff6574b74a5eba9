"""Runs what cannot be interrupted where it does not block Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def in_background(work: Callable[[], T]) -> T:
    """Return what ``work`` returns, or raise what it raises; Ctrl-C abandons it.

    A library that computes for minutes in one call does not see Ctrl-C. So it gets a thread of its
    own, which ends with the process, while the main thread waits in steps.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def outcome() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=outcome, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if errors:
        raise errors[0]
    return results[0]
