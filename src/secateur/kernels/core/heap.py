"""A heap of things to do, which several threads take from.

One thread *opens* a heap, again and again, each time with a higher number, and waits each time
until all is done. Helpers come to a heap with a certain number: they wait until it is opened, and
if a later one is open already, they leave it alone. So a helper that is late, however late, never
takes part in what it has not prepared for, and nobody waits for it.

Number and place of the next thing stand in one word, which is changed as a whole.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from secateur.kernels.compilation.atomic import (
    add_number,
    give_way,
    load_number,
    store_number,
    swap_number,
)
from secateur.kernels.compilation.decorator import stage

Long = npt.NDArray[np.int64]

_NEXT, _DONE, _LENGTH = 0, 8, 16
"""Where the number of the heap and of the next thing stand, and how many are done: far apart, so
that who waits for one does not slow down who changes the other."""

_PLACES = 32
"""Bits of the place."""

_OVER = 1 << 30
"""The number of a heap that is never opened again."""


def new_heap() -> Long:
    """Return a heap that has not been opened."""
    return np.zeros(_LENGTH, np.int64)


def clear(heap: Long) -> None:
    """Let a heap begin again, while nobody is there."""
    heap[:] = 0


def close(heap: Long) -> None:
    """Send away who waits at a heap."""
    heap[_NEXT] = _OVER << _PLACES


@stage
def following(heap):
    """Return the number after that of the last opening, for who does not count them."""
    return (load_number(heap, _NEXT) >> _PLACES) + 1


@stage
def open_heap(heap, number):
    """Open a heap, whose last things have all been done."""
    store_number(heap, _DONE, 0)
    store_number(heap, _NEXT, number << _PLACES)


@stage
def await_heap(heap, number):
    """Wait until a heap is opened with this number or a later one; return which, 0 if over."""
    times = 0
    found = load_number(heap, _NEXT) >> _PLACES
    while found < number:
        give_way(times)
        times += 1
        found = load_number(heap, _NEXT) >> _PLACES
    return found if found < _OVER else 0


@stage
def take(heap, number, size):
    """Take the next of ``size`` things from an open heap; return ``size`` if there is none."""
    while True:
        now = load_number(heap, _NEXT)
        place = now - (number << _PLACES)
        if place < 0 or place >= size:
            return size
        if swap_number(heap, _NEXT, now, now + 1):
            return place


@stage
def note_done(heap):
    """Note that something has been done which was taken."""
    add_number(heap, _DONE, 1)


@stage
def await_done(heap, size):
    """Wait until all things have been done."""
    times = 0
    while load_number(heap, _DONE) < size:
        give_way(times)
        times += 1
