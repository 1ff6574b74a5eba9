"""The opponent's cumulative reach, read off the sums of the strategies that were faced.

Let S(J, b) = sum_t w_t pi^t(J) sigma^t(J, b) and W = sum_t w_t. The cumulative reach of a history
whose last opponent sequence is (J, b) can be had in two ways:

* *sequence form*: it is S(J, b) itself;
* *behavioral form*: W times the product of S(J, b) / sum_b' S(J, b') along the way.

They agree as long as S is complete. Once parts of S have been discarded only the second makes
sense: the mass that is missing at an action has moved to its siblings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from reference.tree import InfosetKey, Sequence, Tree


class FacedAverage(Protocol):
    """The opponent's side of sum_t w_t pi_{-i}^t(h)."""

    total_weight: float
    """W: the reach of histories before which the opponent did not move."""

    def onward(self, reach: float, taken: Sequence) -> float:
        """Return the opponent's cumulative reach after one more action, given that before it."""


@dataclass(frozen=True)
class SequenceForm:
    """S(J, b) itself."""

    total_weight: float
    sums: dict[Sequence, float]

    def onward(self, reach: float, taken: Sequence) -> float:
        return self.sums[taken]


@dataclass(frozen=True)
class BehavioralForm:
    """W times the product of sigma_bar(J, b) = S(J, b) / sum_b' S(J, b').

    Where the sum is 0 the opponent never came or all was discarded: the reach is 0, not uniform.
    """

    total_weight: float
    sums: dict[Sequence, float]
    tree: Tree
    _arrived: dict[InfosetKey, float] = field(default_factory=dict)

    def onward(self, reach: float, taken: Sequence) -> float:
        key, _ = taken
        if key not in self._arrived:
            self._arrived[key] = sum(self.sums[cell] for cell in self.tree.infosets[key].cells)
        arrived = self._arrived[key]
        return 0.0 if arrived == 0.0 else reach * self.sums[taken] / arrived
