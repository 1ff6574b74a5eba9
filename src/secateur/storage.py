"""How a solver's numbers are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from secateur import checks


@dataclass(frozen=True)
class Storage:
    """Precision of regrets and strategies; all arithmetic is done in float64.

    Parameters
    ----------
    precision : {"float64", "float32", "int16"}
        With ``float32`` regrets, and strategies where they are stored, take half of the memory.
        They are rounded to 24 bits after each update: expect exploitability to level off near 1e-6
        of the payoffs. Sums of strategies stay in float64: in the long run they grow so large that
        a rounded one would no longer change.

        With ``int16`` everything, sums too, takes 2 bytes a sequence: whole numbers times a power
        of two that the information sets of a player at one public state share. Expect
        exploitability to level off near 1e-4 of the payoffs (docs/measurements/precision.md).
        What is between two whole numbers is rounded up or down by turns, so that sums go on growing
        however small the parts become. The turns depend on the place and the iteration alone: runs
        are the same to the bit, with and without partial pruning.
    """

    precision: str = "float64"

    def __post_init__(self) -> None:
        checks.check_fields(self, precision=checks.one_of("float64", "float32", "int16"))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of regrets."""
        return np.dtype(self.precision)
