"""How long curves run, and where they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_GROWTH = 1.25


@dataclass(frozen=True)
class Budget:
    """Runs until ``nodes`` are touched, with a snapshot every ``every`` nodes.

    Before the first of these the snapshots grow by a quarter each, from the first iteration on.
    """

    nodes: int
    every: int

    def milestones(self, first: int) -> Iterator[int]:
        """Yield the nodes at which to look; ``first`` is what an iteration visits at most."""
        early = float(first)
        while early < min(self.every, self.nodes):
            yield int(early)
            early *= _GROWTH
        yield from range(self.every, self.nodes, self.every)
        yield self.nodes


Budgets = Mapping[str, Budget]
"""By the name of the game."""

_LEDUC = Budget(nodes=300_000_000, every=1_000_000)
_LEDUC_5 = Budget(nodes=3_000_000_000, every=10_000_000)
_LEDUC_12 = Budget(nodes=4_000_000_000, every=100_000_000)
_SHORT_LEDUC = Budget(nodes=2_000_000, every=200_000)
_SHORT_LEDUC_5 = Budget(nodes=50_000_000, every=10_000_000)
_SHORT_LEDUC_12 = Budget(nodes=200_000_000, every=50_000_000)

FULL: Budgets = {
    "leduc": _LEDUC,
    "leduc-dt": _LEDUC,
    "leduc5": _LEDUC_5,
    "leduc5-dt": _LEDUC_5,
    "leduc12": _LEDUC_12,
}
QUICK: Budgets = {
    "leduc": _SHORT_LEDUC,
    "leduc-dt": _SHORT_LEDUC,
    "leduc5": _SHORT_LEDUC_5,
    "leduc5-dt": _SHORT_LEDUC_5,
    "leduc12": _SHORT_LEDUC_12,
}
