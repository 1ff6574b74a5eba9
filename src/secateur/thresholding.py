"""What happens to small probabilities."""

from __future__ import annotations

from dataclasses import dataclass

from secateur import checks


@dataclass(frozen=True)
class DynamicThresholding:
    """Small probabilities are set to zero, by a threshold that falls as the root of the iteration.

    What is never played need not be visited: this lets minimizers prune whose probabilities are
    small but never zero (Brown, Kroer and Sandholm, 2017). The threshold itself is that of the
    minimizer's theorem; see :meth:`secateur.minimizers.Minimizer.thresholds`. The rest is rescaled
    to sum to one. The most probable action is always kept.

    Parameters
    ----------
    factor : float
        The C of the theorems: the regret bound grows by no more than this factor. 1 cuts nothing.
        The experiments of the paper on Hedge speak of d = C - 1.
    """

    factor: float = 2.0

    def __post_init__(self) -> None:
        checks.check_fields(self, factor=checks.number("use 1 (cuts nothing) or more", least=1.0))
