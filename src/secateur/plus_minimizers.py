"""Regret matching+ with discounts and predictions: what has followed CFR+, DCFR and PCFR+.

All of these are the update of :mod:`secateur.minimizers` with other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from secateur import checks
from secateur.averaging import QUADRATIC, Averaging
from secateur.minimizers import Float, Minimizer, discounts, rows_of

_NOT_NEGATIVE = checks.number("use 0 or more", least=0.0)


@final
@dataclass(frozen=True)
class DiscountedRegretMatchingPlus(Minimizer):
    r"""Discounted regret matching+ (Xu et al., 2024).

    .. math:: R(a) \leftarrow \max(0, d_t R(a) + r_t(a)), \qquad \sigma_{t+1}(a) \propto R(a),
        \qquad d_t = \frac{(t-1)^\alpha}{(t-1)^\alpha + 1}

    Parameters
    ----------
    alpha : float
        Exponent of the discounts.

    Notes
    -----
    The update was found by a program that searches for algorithms (Xu et al., 2022). The code
    that its authors have published adds 1.5 instead of 1 in the denominator; this is as in the
    paper of 2024.
    """

    alpha: float = 1.5

    def __post_init__(self) -> None:
        checks.check_fields(self, alpha=_NOT_NEGATIVE)

    def schedule(self, iterations: Float) -> Float:
        """Return ``R = max(0, d R + r)``."""
        discount = discounts(iterations - 1.0, self.alpha)
        return rows_of(iterations, positive=discount, negative=discount, floor=0.0)

    @property
    def usual_averaging(self) -> Averaging:
        """Of power 4, as in the paper."""
        return Averaging(4.0)

    def in_words(self) -> list[str]:
        """Return the exponent."""
        return [f"exponent {self.alpha:g}"]


@final
@dataclass(frozen=True)
class PredictiveDiscountedRegretMatchingPlus(Minimizer):
    r"""Predictive discounted regret matching+ (Xu et al., 2024).

    The last instantaneous regret is the prediction of the next, before which regrets will have
    been discounted once more:

    .. math:: R(a) \leftarrow \max(0, d_t R(a) + r_t(a)), \qquad
        \sigma_{t+1}(a) \propto \max(0, d_{t+1} R(a) + r_t(a)), \qquad
        d_t = \frac{(t-1)^\alpha}{(t-1)^\alpha + 1}

    Only proportions matter, so strategies are those of :math:`R(a) + r_t(a) / d_{t+1}`.

    Parameters
    ----------
    alpha : float
        Exponent of the discounts.
    """

    alpha: float = 2.3

    def __post_init__(self) -> None:
        checks.check_fields(self, alpha=_NOT_NEGATIVE)

    def schedule(self, iterations: Float) -> Float:
        """Return ``R = max(0, d R + r)``, played as if ``R`` had faded and ``r`` came once more."""
        discount = discounts(iterations - 1.0, self.alpha)
        return rows_of(
            iterations,
            positive=discount,
            negative=discount,
            floor=0.0,
            prediction=1.0 / discounts(iterations, self.alpha),
        )

    @property
    def usual_averaging(self) -> Averaging:
        """Of power 5, as in the paper."""
        return Averaging(5.0)

    def in_words(self) -> list[str]:
        """Return the exponent."""
        return [f"exponent {self.alpha:g}"]


@final
@dataclass(frozen=True)
class AsymmetricPredictiveRegretMatchingPlus(Minimizer):
    r"""Predictive regret matching+ with a smaller step for predictions (Meng et al., 2026).

    .. math:: R(a) \leftarrow \max(0, R(a) + r_t(a)), \qquad
        \sigma_{t+1}(a) \propto \max\left(0, R(a) + \frac{r_t(a)}{1 + \alpha}\right)

    A prediction that turns out wrong does less harm. This is the simple variant of the paper
    (its section 4.2), in which the asymmetry is the same everywhere and always.

    Parameters
    ----------
    asymmetry : float
        The paper's :math:`\alpha`, which has the lowest bound of regret at 2; with 0 this is
        predictive regret matching+, and with much more almost regret matching+.
    """

    asymmetry: float = 2.0

    def __post_init__(self) -> None:
        checks.check_fields(self, asymmetry=_NOT_NEGATIVE)

    def schedule(self, iterations: Float) -> Float:
        """Return ``R = max(0, R + r)``, played as if a part of ``r`` came once more."""
        return rows_of(iterations, floor=0.0, prediction=1.0 / (1.0 + self.asymmetry))

    @property
    def usual_averaging(self) -> Averaging:
        """Quadratic, as in the paper."""
        return QUADRATIC

    def in_words(self) -> list[str]:
        """Return how small the step of predictions is."""
        return [f"asymmetry {self.asymmetry:g}"]
