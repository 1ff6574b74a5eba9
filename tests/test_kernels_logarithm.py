"""The logarithm that kernels use."""

from __future__ import annotations

import numpy as np
import pytest

from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.core.logarithm import take_logarithms


@kernel
def _take_logarithms(numbers, first, end):
    take_logarithms(numbers, first, end)


def logarithms(numbers: np.ndarray) -> np.ndarray:
    found = np.concatenate([[2.0], numbers, [3.0]])
    _take_logarithms(found, 1, 1 + len(numbers))
    assert (found[0], found[-1]) == (2.0, 3.0)
    return found[1:-1]


@pytest.mark.parametrize("range_of_logarithms", [1e-9, 0.3, 1.0, 30.0, 700.0])
@pytest.mark.parametrize("count", [1, 7, 100_000])
def test_it_is_that_of_numpy_to_the_last_bits(range_of_logarithms: float, count: int):
    powers = np.random.default_rng(0).uniform(-range_of_logarithms, range_of_logarithms, count)
    numbers = np.exp(powers)
    np.testing.assert_allclose(logarithms(numbers), np.log(numbers), rtol=1e-15)


def test_that_of_one_is_exact_and_those_of_fractions_are_negative():
    assert logarithms(np.ones(5)).tolist() == [0.0] * 5
    fractions = 1.0 / np.arange(2, 100)
    np.testing.assert_allclose(logarithms(fractions), np.log(fractions), rtol=1e-15)
    assert logarithms(np.array([np.nextafter(1.0, 0.0)]))[0] < 0.0
