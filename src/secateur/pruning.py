"""What a solver may skip."""

from __future__ import annotations

from dataclasses import dataclass

from secateur.errors import ParameterError


@dataclass(frozen=True)
class Pruning:
    """A pruning policy."""


@dataclass(frozen=True)
class NoPruning(Pruning):
    """Visit the whole game for each player in every iteration."""


@dataclass(frozen=True)
class PartialPruning(Pruning):
    """Skip what the opponent does not reach; the result is the same to the last bit."""


@dataclass(frozen=True)
class BestResponsePruning(Pruning):
    """Skip actions whose best response loses (Brown and Sandholm, 2017).

    An action is skipped while the value of a best response behind it, against the opponent's
    average strategy, stays below what the information set has earned. When that bound no longer
    holds, the branch is evaluated and either skipped again or brought back as if its best response
    had been played all along.

    Parameters
    ----------
    minimum_skip : float
        Prune an action only if it can be skipped for that many iterations at the average pace.
    restart : float
        Skip again after an evaluation if that share of ``minimum_skip`` is in sight.
    check_every : int
        Iterations between two searches for actions to prune.
    """

    minimum_skip: float = 5.0
    restart: float = 0.5
    check_every: int = 10

    def __post_init__(self) -> None:
        name = type(self).__name__
        if not self.minimum_skip >= 1.0:
            raise ParameterError(f"{name}(minimum_skip={self.minimum_skip}): use 1 or more.")
        if not 0.0 <= self.restart <= 1.0:
            raise ParameterError(f"{name}(restart={self.restart}): use a share from 0 to 1.")
        if self.check_every < 1:
            raise ParameterError(f"{name}(check_every={self.check_every}): use 1 or more.")
