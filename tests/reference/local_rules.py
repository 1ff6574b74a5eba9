"""Local rules: how one information set turns what it saw into its next strategy.

A rule answers two questions. ``update``: the new regrets, from the old ones R, the instantaneous
regrets r^t and the iteration t. ``scores``: non-negative numbers to which the strategy of iteration
t + 1 is proportional, from the new regrets and r^t. Rules keep no state of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class LocalRule(Protocol):
    """What the solver asks of a rule."""

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        """Return the regrets after iteration t, in which ``seen`` = r^t(I, .)."""

    def scores(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        """Return numbers to which the strategy of iteration t + 1 is proportional."""


def positive_parts(numbers: list[float]) -> list[float]:
    """Return max(0, x) for each x."""
    return [max(0.0, number) for number in numbers]


def normalized(scores: list[float]) -> list[float]:
    """Return scores / sum(scores); uniform if all are zero."""
    total = sum(scores)
    if total == 0.0:
        return [1 / len(scores)] * len(scores)
    return [score / total for score in scores]


class RegretMatching:
    """R += r; strategy proportional to max(0, R)."""

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        return [regret + r for regret, r in zip(regrets, seen, strict=True)]

    def scores(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        return positive_parts(regrets)


class RegretMatchingPlus(RegretMatching):
    """R = max(0, R + r); strategy proportional to R."""

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        return positive_parts(super().update(regrets, seen, t))


class Linear(RegretMatching):
    """R += t r; strategy proportional to max(0, R)."""

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        return [regret + t * r for regret, r in zip(regrets, seen, strict=True)]


@dataclass(frozen=True)
class Discounted(RegretMatching):
    """R = d R + r; strategy proportional to max(0, R).

    The discount is d = (t-1)^alpha / ((t-1)^alpha + 1) where R > 0, and the same with beta
    where R <= 0.
    """

    alpha: float = 1.5
    beta: float = 0.0

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        if t == 1:  # nothing to discount yet, and 0^beta may not exist
            return list(seen)
        discounted = []
        for regret in regrets:
            power = (t - 1) ** (self.alpha if regret > 0 else self.beta)
            discounted.append(regret * power / (power + 1))
        return super().update(discounted, seen, t)


@dataclass(frozen=True)
class DiscountedPlus(RegretMatching):
    """R = max(0, d_t R + r); strategy proportional to R.

    The discount is d_t = (t-1)^alpha / ((t-1)^alpha + 1).
    """

    alpha: float = 1.5

    def discount(self, t: int) -> float:
        """Return d_t."""
        power = (t - 1) ** self.alpha
        return power / (power + 1)

    def update(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        discounted = [self.discount(t) * regret for regret in regrets]
        return positive_parts(super().update(discounted, seen, t))


@dataclass(frozen=True)
class PredictiveDiscountedPlus(DiscountedPlus):
    """R = max(0, d_t R + r); strategy proportional to max(0, d_{t+1} R + r) with the new R.

    The discount is that of the next iteration, because the last instantaneous regret stands for
    the next.
    """

    alpha: float = 2.3

    def scores(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        discount = self.discount(t + 1)
        return positive_parts(
            [discount * regret + r for regret, r in zip(regrets, seen, strict=True)]
        )


class PredictivePlus(RegretMatchingPlus):
    """R = max(0, R + r); strategy proportional to max(0, R + r) with the new R.

    The prediction of the next instantaneous regret is the last one, added once more.
    """

    def scores(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        return positive_parts([regret + r for regret, r in zip(regrets, seen, strict=True)])


@dataclass(frozen=True)
class AsymmetricPredictivePlus(RegretMatchingPlus):
    """R = max(0, R + r); strategy proportional to max(0, R + r / (1 + alpha)) with the new R."""

    alpha: float = 2.0

    def scores(self, regrets: list[float], seen: list[float], t: int) -> list[float]:
        step = 1 / (1 + self.alpha)
        return positive_parts([regret + step * r for regret, r in zip(regrets, seen, strict=True)])


RULES: dict[str, LocalRule] = {
    "rm": RegretMatching(),
    "rm+": RegretMatchingPlus(),
    "linear": Linear(),
    "dcfr": Discounted(),
    "dcfr+": DiscountedPlus(),
    "pcfr+": PredictivePlus(),
    "pdcfr+": PredictiveDiscountedPlus(),
    "sapcfr+": AsymmetricPredictivePlus(),
}
