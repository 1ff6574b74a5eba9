"""Numbers of histories behind cells, each list of which is stored once.

A row's numbers are a *list*, one number for each lane, times a whole number. Behind every card that
may come there are the same rows, and rows of one block differ by how many histories follow an
action, whatever the hand: few lists serve many rows. Blocks whose rows are the same share these.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays
from secateur.compiled.ranges import gathered

Long = npt.NDArray[np.int64]


class CountCollector:
    """Gathers the numbers of histories of blocks while a game is compiled."""

    def __init__(self) -> None:
        self._numbers = array("q")
        self._lists: dict[bytes, int] = {}
        self._first = array("q")
        self._factor = array("q")
        self._blocks: dict[tuple[int, ...], int] = {}

    def add(self, counts: Long) -> int:
        """Note the numbers of a block, [action, lane]; return where its rows are told of."""
        factors = np.maximum(np.gcd.reduce(counts, axis=1), 1)
        lists = (counts // factors[:, None]).tobytes()
        size = len(lists) // len(counts)
        rows = (
            *(self._list(lists[k : k + size]) for k in range(0, len(lists), size)),
            *factors.tolist(),
        )
        place = self._blocks.setdefault(rows, len(self._first))
        if place == len(self._first):
            self._first.extend(rows[: len(counts)])
            self._factor.extend(rows[len(counts) :])
        return place

    def _list(self, text: bytes) -> int:
        """Return where a list stands."""
        place = self._lists.setdefault(text, len(self._numbers))
        if place == len(self._numbers):
            self._numbers.frombytes(text)
        return place

    def arrays(self) -> dict[str, Long]:
        """Return what was gathered, called as in the compiled game."""
        return {
            "count_first": np.asarray(self._first, np.int64),
            "count_factor": np.asarray(self._factor, np.int64),
            "counts": np.asarray(self._numbers, np.int64),
        }


def count_arrays(histories: Long, actions: Long, lanes: Long) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that tell numbers of histories, which are given cell by cell.

    Parameters
    ----------
    histories : array
        The cells of all blocks, one block after the other.
    actions, lanes : array
        How many each block has.
    """
    collector = CountCollector()
    ends = np.cumsum(actions * lanes).tolist()
    begin, block_counts = 0, []
    for end, width in zip(ends, lanes.tolist(), strict=True):
        block_counts.append(
            collector.add(histories[begin:end].reshape(-1, width)) if end > begin else 0
        )
        begin = end
    return {"block_counts": np.array(block_counts, np.int64), **collector.arrays()}


def histories_of_cells(a: Arrays) -> Long:
    """Return for each cell how many histories have it as its player's last sequence."""
    rows, first, width = _lists(a)
    return a.counts[gathered(first, first + width)] * np.repeat(a.count_factor[rows], width)


def histories_of_blocks(a: Arrays) -> Long:
    """Return for each block how many histories have one of its cells as such a sequence."""
    # blocks that share their rows have as many actions and lanes; the root and stubs have none
    told = a.actions > 0
    actions, lanes = np.zeros((2, len(a.count_first)), np.int64)
    actions[a.block_counts[told]], lanes[a.block_counts[told]] = a.actions[told], a.lanes[told]
    width = np.repeat(lanes[actions > 0], actions[actions > 0])
    before = np.append(0, np.cumsum(a.counts))
    of_rows = (before[a.count_first + width] - before[a.count_first]) * a.count_factor
    before = np.append(0, np.cumsum(of_rows))
    found: Long = before[a.block_counts + a.actions] - before[a.block_counts]
    return found


def _lists(a: Arrays) -> tuple[Long, Long, Long]:
    """Return for each row of the game where it is told of, and its list: where, and how long."""
    actions = a.actions.astype(np.int64)
    first = a.block_counts.astype(np.int64)
    rows = gathered(first, first + actions)
    width = np.repeat(a.lanes.astype(np.int64), actions)
    return rows, a.count_first[rows].astype(np.int64), width
