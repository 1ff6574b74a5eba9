"""How much each iteration counts in the average strategy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Averaging:
    """omega_t = max(t - delay, 0)^power, where a delayed iteration counts nothing at any power."""

    power: float = 0.0
    delay: int = 0

    def weight(self, t: int) -> float:
        """Return omega_t."""
        return 0.0 if t <= self.delay else float(t - self.delay) ** self.power


@cache
def total_weight(averaging: Averaging, t: int) -> float:
    """Return sum_{s <= t} omega_s; it is asked for at every step of every pruned action."""
    return sum(averaging.weight(s) for s in range(1, t + 1))


AVERAGINGS: dict[str, Averaging] = {
    "uniform": Averaging(0),
    "linear": Averaging(1),
    "quadratic": Averaging(2),
    "quartic": Averaging(4),
    "quintic": Averaging(5),
}
