r"""Local regret minimizers: what an iteration does to the regrets of one information set.

All members of the CFR family are one update with different numbers. With instantaneous regret
:math:`r_t(a) = v_t(a) - v_t` (Brown, Kroer and Sandholm, 2017, equation (4)), iteration :math:`t`
does

.. math::

    R(a) &\leftarrow \max(\text{floor},\; d_t \cdot R(a) + w_t \cdot r_t(a)),
      \quad d_t = \text{positive}_t \text{ if } R(a) > 0 \text{ else } \text{negative}_t \\
    \sigma_{t+1}(a) &\propto \max(0,\; R(a) + \text{prediction}_t \cdot r_t(a))

and uniform where nothing is positive. A minimizer says what the numbers are at each iteration;
the kernel does the rest, so a new member of the family needs no new kernel. Hedge updates regrets
in the same way, but turns them into strategies by a kernel of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Literal, final

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.averaging import LINEAR, QUADRATIC, UNIFORM, Averaging

Float = npt.NDArray[np.float64]

_LARGE = 1e300
"""A power beside which 1 is nothing."""


class Minimizer(ABC):
    """Describes a member of the family; see the module for the update.

    A frozen dataclass of its settings, which all have defaults. One that the package has is named
    in ``ALGORITHMS`` of :mod:`secateur.algorithms`, and nowhere else.
    """

    pruned_as: ClassVar[Literal["matching", "matching+", "hedge"] | None] = None
    """The rule that turns regrets into strategies, if regrets are plain sums of what was observed:
    then kernels of pruning can make up for what an action has missed. None if they are not."""

    needs_bounds: ClassVar[bool] = False
    """Whether games must be compiled for pruning, because it must know the range of payoffs."""

    bytes_per_information_set: ClassVar[int] = 0
    """What it remembers besides regrets and strategies."""

    @property
    def regret_power(self) -> float:
        """The weight of iteration t in regrets is t to this power."""
        return 0.0

    @property
    def usual_averaging(self) -> Averaging:
        """How iterations are averaged if it is asked for by the name of its algorithm."""
        return UNIFORM

    def in_words(self) -> list[str]:
        """Return what was chosen, one short phrase for each choice that a report should name."""
        return []

    @abstractmethod
    def schedule(self, iterations: Float) -> Float:
        """Return a row ``positive, negative, weight, floor, prediction`` per iteration."""

    @property
    def changes_when_idle(self) -> bool:
        """Whether the update changes regrets or strategies where the opponent does not reach.

        Discounts apply everywhere; and where nothing was observed, nothing is predicted.
        """
        positive, negative = self.schedule(np.array([2.0]))[0, :2]
        return bool(positive != 1.0 or negative != 1.0) or self.predicts

    @property
    def predicts(self) -> bool:
        """Whether strategies match regrets with what is predicted, and not regrets alone."""
        return bool(self.schedule(np.array([2.0]))[0, 4] != 0.0)

    def thresholds(self, factor: float, actions: Float) -> Float:
        r"""Return dynamic thresholds of the first iteration, for numbers of actions.

        That of iteration t is smaller by the root of t. With threshold
        :math:`(C^2 - 1) / (2 C |A|^2 \sqrt t)` the regret bound of regret matching grows by no
        more than the factor C (Brown, Kroer and Sandholm, 2017, theorem 2).
        """
        first: Float = (factor**2 - 1.0) / (2.0 * factor * actions**2)
        return first


def rows_of(
    iterations: Float,
    positive: Float | float = 1.0,
    negative: Float | float = 1.0,
    weight: Float | float = 1.0,
    floor: float = -inf,
    prediction: Float | float = 0.0,
) -> Float:
    """Return rows of a schedule; numbers that are not given are those of regret matching."""
    rows = np.empty((len(iterations), 5))
    for column, numbers in enumerate((positive, negative, weight, floor, prediction)):
        rows[:, column] = numbers
    return rows


@final
@dataclass(frozen=True)
class RegretMatching(Minimizer):
    r"""Regret matching (Hart and Mas-Colell, 2000): play in proportion to positive regret.

    .. math:: R(a) \leftarrow R(a) + r_t(a), \qquad
        \sigma_{t+1}(a) = \frac{\max(0, R(a))}{\sum_b \max(0, R(b))}

    and uniform where no regret is positive: equation (3) of Brown and Sandholm (2017), (7) of
    Brown, Kroer and Sandholm (2017).

    Parameters
    ----------
    linear : bool
        Weight iteration t by t, as linear CFR does (Brown and Sandholm, 2019).
    """

    pruned_as = "matching"

    linear: bool = False

    def __post_init__(self) -> None:
        checks.check_fields(self, linear=checks.flag)

    def schedule(self, iterations: Float) -> Float:
        """Return ``R += w r`` with weight 1 or t."""
        return rows_of(iterations, weight=iterations if self.linear else 1.0)

    @property
    def regret_power(self) -> float:
        """1 for linear CFR."""
        return 1.0 if self.linear else 0.0

    @property
    def usual_averaging(self) -> Averaging:
        """Iterations weigh as much as in regrets."""
        return LINEAR if self.linear else UNIFORM


@final
@dataclass(frozen=True)
class RegretMatchingPlus(Minimizer):
    r"""Regret matching+ (Tammelin, 2014): regrets never fall below zero.

    .. math:: R(a) \leftarrow \max(0, R(a) + r_t(a)), \qquad \sigma_{t+1}(a) \propto R(a)
    """

    pruned_as = "matching+"

    def schedule(self, iterations: Float) -> Float:
        """Return ``R = max(0, R + r)``."""
        return rows_of(iterations, floor=0.0)

    @property
    def usual_averaging(self) -> Averaging:
        """Linear, as in CFR+."""
        return LINEAR


@final
@dataclass(frozen=True)
class PredictiveRegretMatchingPlus(Minimizer):
    r"""Predictive regret matching+ (Farina, Kroer and Sandholm, 2021).

    The last instantaneous regret is the prediction of the next:

    .. math:: R(a) \leftarrow \max(0, R(a) + r_t(a)), \qquad
        \sigma_{t+1}(a) \propto \max(0, R(a) + r_t(a))
    """

    def schedule(self, iterations: Float) -> Float:
        """Return ``R = max(0, R + r)``, played as if ``r`` came once more."""
        return rows_of(iterations, floor=0.0, prediction=1.0)

    @property
    def usual_averaging(self) -> Averaging:
        """Quadratic, as in the paper."""
        return QUADRATIC


@final
@dataclass(frozen=True)
class DiscountedRegretMatching(Minimizer):
    r"""Discounted regret matching (Brown and Sandholm, 2019).

    Before iteration t, positive regrets are multiplied by
    :math:`(t-1)^\alpha / ((t-1)^\alpha + 1)` and the others by the same with :math:`\beta`.

    Parameters
    ----------
    alpha, beta : float
        Exponents of the discounts of positive and negative regrets.
    """

    alpha: float = 1.5
    beta: float = 0.0

    def __post_init__(self) -> None:
        exponent = checks.number("use a finite number")
        checks.check_fields(self, alpha=exponent, beta=exponent)

    def schedule(self, iterations: Float) -> Float:
        """Return ``R = d R + r``."""
        return rows_of(
            iterations,
            positive=discounts(iterations - 1.0, self.alpha),
            negative=discounts(iterations - 1.0, self.beta),
        )

    @property
    def usual_averaging(self) -> Averaging:
        """Quadratic, as in the paper."""
        return QUADRATIC

    def in_words(self) -> list[str]:
        """Return the exponents."""
        return [f"exponents {self.alpha:g} and {self.beta:g}"]


def discounts(base: Float, exponent: float) -> Float:
    """Return ``x / (x + 1)`` for powers x of each base."""
    # The first iteration discounts regrets that are all zero: any finite factor is right. Powers
    # may be too large for a number, and then discount nothing.
    with np.errstate(over="ignore", under="ignore"):
        power = np.minimum(np.maximum(base, 1.0) ** exponent, _LARGE)
    discount: Float = power / (power + 1.0)
    return discount


@final
@dataclass(frozen=True)
class Hedge(Minimizer):
    r"""Hedge (Freund and Schapire, 1997): probabilities are exponential in regret.

    With regrets :math:`R(a) = \sum_t r_t(a)`,

    .. math:: \sigma_{t+1}(a) \propto \exp(\eta_t R(a)),

    which is equation (8) of Brown, Kroer and Sandholm (2017).

    Parameters
    ----------
    learning_rate : {"variance", "theory"}
        "variance" is :math:`\eta_t = \sqrt{\ln |A|} / (3 \sqrt{\mathrm{VAR}_t \, t})` with the
        variance of the information set's values so far, iterations that did not come there
        included (they saw 0). It is that of the experiments in section 5 of that paper.
        "theory" is :math:`\eta_t = \sqrt{8 \ln |A| / t} / \Delta` with the range of payoffs
        behind the information set, which has the better guarantee and is slower. It also serves
        where the variance is zero.
    """

    pruned_as = "hedge"
    needs_bounds = True
    bytes_per_information_set = 24

    learning_rate: str = "variance"

    def __post_init__(self) -> None:
        checks.check_fields(self, learning_rate=checks.one_of("variance", "theory"))

    def schedule(self, iterations: Float) -> Float:
        """Return ``R += r``."""
        return rows_of(iterations)

    def thresholds(self, factor: float, actions: Float) -> Float:
        r"""Return dynamic thresholds of the first iteration, for numbers of actions.

        With threshold :math:`(C - 1) \sqrt{\ln |A|} / (\sqrt 2 |A|^2 \sqrt t)` the regret bound
        of Hedge grows by no more than the factor C (the same paper, theorem 1).
        """
        first: Float = (factor - 1.0) * np.sqrt(0.5 * np.log(actions)) / actions**2
        return first

    def in_words(self) -> list[str]:
        """Return what learning rates go by."""
        return [f"learning rate by {self.learning_rate}"]
