"""What must be done even if the program ends at once, without leaving any block in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

_tasks: list[Callable[[], None]] = []


@contextmanager
def at_sudden_end(task: Callable[[], None]) -> Iterator[None]:
    """Have something done if the program ends at once inside the block."""
    _tasks.append(task)
    try:
        yield
    finally:
        _tasks.remove(task)


def end_at_once(status: int) -> NoReturn:
    """End the program with an exit code, now."""
    for task in reversed(_tasks):
        with suppress(Exception):
            task()
    os._exit(status)
