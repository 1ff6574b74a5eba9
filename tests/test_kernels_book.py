"""Named tuples of arrays that kernels are given by address, and parts that are compiled once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba.core import types

from secateur.kernels.compilation.book import book
from secateur.kernels.compilation.decorator import kernel, part, stage


@book
class Page(NamedTuple):
    """Something of each kind that a book may hold."""

    small: np.ndarray
    flags: np.ndarray
    factor: float
    number: int
    chosen: bool
    numbers: np.ndarray


def page(length: int = 3, **changes: object) -> Page:
    new = Page(
        small=np.arange(length, dtype=np.int8),
        flags=np.zeros(length, np.bool_),
        factor=0.5,
        number=-(2**40),
        chosen=True,
        numbers=np.linspace(1.0, 2.0, length),
    )
    return new._replace(**changes)


@part
def _plus(x, y):
    return x + y


@stage
def _sum(b, least):
    total = 0.0
    for k in range(len(b.numbers)):
        total = _plus(total, b.numbers[k] if k >= least else 0.0)
    return total


@kernel
def read(b, other, swap):
    """Return something of all that two books hold; write to one of them."""
    if swap:
        b, other = other, b
    total = _sum(b, 0) + _sum(b, b.small[1]) + _sum(other, np.int32(0))
    b.flags[0] = True
    return total, b.number + _plus(b.small[2], 1), b.factor if b.chosen else 0.0


@kernel
def read_twice(b, other):
    """Return what another kernel returns."""
    return read(b, other, False)[0] + read(b, other, True)[0]


def expected(one: Page, two: Page) -> tuple[float, int, float]:
    total = one.numbers.sum() + one.numbers[int(one.small[1]) :].sum() + two.numbers.sum()
    return total, one.number + int(one.small[2]) + 1, one.factor if one.chosen else 0.0


def test_kernels_read_and_write_what_is_in_a_book():
    one, two = page(4), page(7, factor=0.25, number=5, chosen=False)
    assert read(one, two, False) == pytest.approx(expected(one, two))
    assert one.flags.tolist() == [True, False, False, False]
    assert not two.flags.any()
    assert read(one, two, True) == pytest.approx(expected(two, one))
    assert two.flags[0]


def test_kernels_that_kernels_call_get_the_same_books():
    one, two = page(4), page(5)
    assert read_twice(one, two) == pytest.approx(expected(one, two)[0] + expected(two, one)[0])


def test_arrays_are_read_anew_with_every_call():
    one, two = page(4), page(5)
    read(one, two, False)
    one.numbers[:] = 7.0
    assert read(one, two, False) == pytest.approx(expected(one, two))
    assert read(two, page(6), False) == pytest.approx(expected(two, page(6)))


@pytest.mark.parametrize("piece", [part, stage, kernel])
def test_pieces_of_kernels_are_compiled_once_for_all_integers(piece):
    asked = []

    def plus(x, y):
        return x + y

    compiled = piece(plus)
    for kind in (types.int8, types.int32, types.int64, types.literal(1)):
        *_, args, _ = compiled.get_call_template((kind, types.float64), {})
        asked.append(args)
    assert asked == [(types.int64, types.float64)] * 4


def test_books_hold_rows_and_numbers_only():
    with pytest.raises(AssertionError, match=r"Page\.numbers is array\(float64, 2d, C\)"):
        read(page(numbers=np.zeros((2, 2))), page(), False)
