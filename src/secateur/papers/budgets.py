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

FULL: Budgets = {
    "leduc": Budget(nodes=300_000_000, every=1_000_000),
    "leduc5": Budget(nodes=3_000_000_000, every=10_000_000),
    "leduc-dt": Budget(nodes=300_000_000, every=1_000_000),
    "leduc5-dt": Budget(nodes=3_000_000_000, every=10_000_000),
}
QUICK: Budgets = {
    "leduc": Budget(nodes=2_000_000, every=200_000),
    "leduc5": Budget(nodes=50_000_000, every=10_000_000),
    "leduc-dt": Budget(nodes=2_000_000, every=200_000),
    "leduc5-dt": Budget(nodes=50_000_000, every=10_000_000),
}
