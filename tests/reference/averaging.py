"""How much each iteration counts in the average strategy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Averaging:
    """omega_t = max(t - delay, 0)^power, where a delayed iteration counts nothing at any power."""

    power: float = 0.0
    delay: int = 0

    def weight(self, t: int) -> float:
        """Return omega_t."""
        return 0.0 if t <= self.delay else float(t - self.delay) ** self.power


AVERAGINGS: dict[str, Averaging] = {
    "uniform": Averaging(0),
    "linear": Averaging(1),
    "quadratic": Averaging(2),
    "quartic": Averaging(4),
    "quintic": Averaging(5),
}
