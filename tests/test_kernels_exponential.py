"""The exponential function that kernels use."""

from __future__ import annotations

import numpy as np
import pytest

from secateur.kernels.decorator import kernel
from secateur.kernels.inline_exponential import exponential


@kernel
def _exponentials(numbers, found):
    for k in range(len(numbers)):
        found[k] = exponential(numbers[k])


def exponentials(numbers: np.ndarray) -> np.ndarray:
    found = np.zeros_like(numbers)
    _exponentials(numbers, found)
    return found


@pytest.mark.parametrize("least", [1e-12, 1.0, 30.0, 699.0])
def test_it_is_that_of_numpy_to_the_last_bits(least: float):
    numbers = -least * np.random.default_rng(0).random(100_000)
    np.testing.assert_allclose(exponentials(numbers), np.exp(numbers), rtol=1e-15)


def test_one_is_exact_and_hardly_anything_is_nothing():
    found = exponentials(np.array([0.0, -0.0, -1e-300, -701.0, -1e300, -np.inf, np.nan]))
    assert found.tolist() == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
