"""The exponential function that kernels use."""

from __future__ import annotations

import numpy as np
import pytest

from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.core.exponential import exponentiate


@kernel
def _exponentiate(numbers, first, end):
    exponentiate(numbers, first, end)


def exponentials(numbers: np.ndarray) -> np.ndarray:
    found = np.concatenate([[2.0], numbers, [3.0]])
    _exponentiate(found, 1, 1 + len(numbers))
    assert (found[0], found[-1]) == (2.0, 3.0)
    return found[1:-1]


@pytest.mark.parametrize("least", [1e-12, 1.0, 30.0, 707.0])
@pytest.mark.parametrize("count", [1, 7, 100_000])
def test_it_is_that_of_numpy_to_the_last_bits(least: float, count: int):
    numbers = -least * np.random.default_rng(0).random(count)
    np.testing.assert_allclose(exponentials(numbers), np.exp(numbers), rtol=1e-15)


def test_one_is_exact_and_hardly_anything_is_nothing():
    found = exponentials(np.array([0.0, -0.0, -1e-300, -709.0, -1e300, -np.inf, np.nan]))
    assert found.tolist() == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
