"""Sees whether shards have as much to do as each other, and moves pieces if they have not."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Float = npt.NDArray[np.float64]
Int = npt.NDArray[np.int64]

_UNEVEN = 1.2
"""How many times as long as all on average a shard may take."""

_LOOKS = 3
"""How often in a row it must have taken longer."""

_LEAST_SECONDS = 1.0
"""Of sweeps that tell anything, between two looks."""

_CLOSER = 0.9
"""How far apart two shards may stay, as a share of before, for a move to be worth while."""


class Balance:
    """Compares what shards take from one look to the next."""

    def __init__(self, count: int) -> None:
        self._before = np.zeros(count)
        self._uneven = 0

    def look(self, seconds: Float, holdings: list[list[int]], work: Int) -> list[list[int]] | None:
        """Return who should hold what from now on; None if all may stay.

        Parameters
        ----------
        seconds : array
            That each shard has swept since the beginning.
        holdings : list
            The pieces of each.
        work : array
            About what each piece takes, in a unit of its own.
        """
        spent = seconds - self._before
        if spent.max() < _LEAST_SECONDS:
            return None
        self._before = seconds.copy()
        uneven = spent.max() > _UNEVEN * spent.mean()
        self._uneven = self._uneven + 1 if uneven else 0
        if self._uneven < _LOOKS:
            return None
        self._uneven = 0
        costs = np.zeros(len(work))
        for number, holding in enumerate(holdings):
            costs[holding] = work[holding] * (spent[number] / work[holding].sum())
        found = evened(holdings, costs)
        return None if found == holdings else found


def evened(holdings: list[list[int]], costs: Float) -> list[list[int]]:
    """Move pieces from who has most to who has least, as long as they come closer by that."""
    found = [list(each) for each in holdings]
    while True:
        loads = [float(costs[each].sum()) for each in found]
        most, least = int(np.argmax(loads)), int(np.argmin(loads))
        gap = loads[most] - loads[least]
        # after a move they are apart by the gap less twice the cost
        moved = min(found[most], key=lambda piece: abs(gap - 2.0 * float(costs[piece])))
        if len(found[most]) == 1 or abs(gap - 2.0 * float(costs[moved])) >= _CLOSER * gap:
            return [sorted(each) for each in found]
        found[most].remove(moved)
        found[least].append(moved)
