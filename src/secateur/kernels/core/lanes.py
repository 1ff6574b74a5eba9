"""Numbers of one lane, or of three side by side, as tuples.

Three at a time keep the processor busy, and poker games like the number. What is written with these
parts is compiled for both, and gives the same bits: each lane is computed as if it were alone.
"""

from __future__ import annotations

from secateur.kernels.compilation.decorator import part
from secateur.kernels.core.parts import U

ONE = (0.0,)
THREE = (0.0, 0.0, 0.0)


@part
def take(numbers, place, like):
    """Return numbers from a place on, as many as another tuple has."""
    if len(like) == 3:
        return numbers[U(place)], numbers[U(place + 1)], numbers[U(place + 2)]
    return (numbers[U(place)],)


@part
def put(numbers, place, lanes):
    """Write lanes to a place."""
    numbers[U(place)] = lanes[0]
    if len(lanes) == 3:
        numbers[U(place + 1)] = lanes[1]
        numbers[U(place + 2)] = lanes[2]


@part
def add(numbers, place, lanes):
    """Add lanes to what is in a place."""
    put(numbers, place, plus(take(numbers, place, lanes), lanes))


@part
def plus(a, b):
    """Return sums."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2]) if len(a) == 3 else (a[0] + b[0],)


@part
def minus(a, b):
    """Return differences."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2]) if len(a) == 3 else (a[0] - b[0],)


@part
def times(a, b):
    """Return products."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2]) if len(a) == 3 else (a[0] * b[0],)


@part
def each(find, a, b, rest):
    """Return what a part finds for each lane; ``rest`` is the same for all."""
    if len(a) == 3:
        return find(a[0], b[0], rest), find(a[1], b[1], rest), find(a[2], b[2], rest)
    return (find(a[0], b[0], rest),)
