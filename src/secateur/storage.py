"""How a solver's numbers are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from secateur.errors import ParameterError


@dataclass(frozen=True)
class Storage:
    """Precision of regrets, strategies and their sums; all arithmetic is done in float64.

    Parameters
    ----------
    precision : {"float64", "float32"}
        With ``float32`` a solver's state takes half the memory. Regrets and sums are rounded to
        24 bits after each update: expect exploitability to level off near 1e-6 of the payoffs.
    """

    precision: str = "float64"

    def __post_init__(self) -> None:
        if self.precision not in ("float64", "float32"):
            raise ParameterError(
                f"Storage(precision={self.precision!r}): use 'float64' or 'float32'."
            )

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the arrays."""
        return np.dtype(self.precision)
