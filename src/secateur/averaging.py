"""How much each iteration counts in the average strategy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from secateur import checks

Float = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Averaging:
    r"""Weight ``(t - delay) ** power`` for iteration t, nothing up to the delay.

    With weights :math:`\omega_t` the average strategy of player i at information set I is

    .. math:: \bar\sigma(I) =
        \frac{\sum_t \omega_t\, \pi_i^t(I)\, \sigma^t(I)}{\sum_t \omega_t\, \pi_i^t(I)},

    equation (1) of Brown, Kroer and Sandholm (2017) if all weights are 1.

    Parameters
    ----------
    power : float
        0 weights all iterations alike, 1 linearly, 2 quadratically.
    delay : int
        Iterations at the beginning that do not count.
    """

    power: float = 0.0
    delay: int = 0

    def __post_init__(self) -> None:
        checks.check_fields(
            self,
            power=checks.number("use a number from 0 to 16", least=0.0, most=16.0),
            delay=checks.whole("use 0 or more iterations", least=0),
        )

    def weights(self, iterations: Float) -> Float:
        """Return the weight of each iteration (counted from 1)."""
        late = np.maximum(iterations - self.delay, 0.0)
        weights: Float = np.where(late > 0.0, late**self.power, 0.0)
        return weights

    def in_words(self) -> list[str]:
        """Return what was chosen."""
        delay = [] if self.delay == 0 else [f"delayed by {self.delay:,}"]
        return [f"average of power {self.power:g}", *delay]

    @staticmethod
    def total(before: float, weights: Float) -> float:
        """Add weights to those before, one by one: the sum is the same in any number of steps."""
        return float(np.add.accumulate(np.append(before, weights))[-1])


UNIFORM = Averaging(0.0)
LINEAR = Averaging(1.0)
QUADRATIC = Averaging(2.0)
