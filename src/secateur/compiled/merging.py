"""Joins sibling public states that differ only in who holds what.

Near the end of a game, only the player to move has information sets left, and each would be a
public state of its own. States that follow the same rows belong together unless somebody got there
with the same own moves and can tell them apart.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.ranges import gathered, run_starts

Int = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]


class RowSets(NamedTuple):
    """Sets of rows, told apart."""

    number: Int
    """The same for equal sets."""

    only: Int
    """The only row of a set; -1 if it has several."""


def sets_of_rows(rows: Int, ends: Int) -> RowSets:
    """Tell apart the sets of rows that stand side by side, between each two ends."""
    if len(rows) == 0:
        return RowSets(np.full(len(ends) - 1, -1), np.full(len(ends) - 1, -1))
    least, most = np.minimum.reduceat(rows, ends[:-1]), np.maximum.reduceat(rows, ends[:-1])
    only = np.where(least == most, least, -1)
    number = only.copy()
    several = np.flatnonzero(only < 0)
    if len(several):
        size = ends[several + 1] - ends[several]
        owner = np.repeat(several, size)
        row = rows[gathered(ends[several], ends[several + 1])]
        order = np.lexsort((row, owner))
        owner, row = owner[order], row[order]
        kept = run_starts(owner, row)
        owner, row = owner[kept], row[kept]
        starts = np.flatnonzero(run_starts(owner))
        known: dict[bytes, int] = {}
        content = row.tobytes()
        number[several] = [
            known.setdefault(content[row.itemsize * begin : row.itemsize * end], -2 - len(known))
            for begin, end in pairwise([*starts.tolist(), len(row)])
        ]
    return RowSets(number, only)


def begins_place(group: Int, state: Int, parent: Int) -> Bool:
    """Return which states, in their order, begin a place; others are joined to the latest one.

    Parameters
    ----------
    group : array
        Of each state: the same for those that follow the same rows. Numbers from 0 on.
    state, parent : array
        Of each information set: its state, and the player's last sequence before it.
    """
    fresh = np.zeros(len(group), np.bool_)
    first = np.zeros(int(group.max()) + 1, np.int64)
    first[group[::-1]] = np.arange(len(group))[::-1]
    fresh[first] = True
    if len(first) == len(group):
        return fresh
    # the last state of the same group with an information set after the same sequence
    crowded = np.flatnonzero((np.bincount(group) > 1)[group[state]])
    state, parent = state[crowded], parent[crowded]
    order = np.lexsort((state, parent, group[state]))
    state, parent = state[order], parent[order]
    again = (np.diff(parent) == 0) & (np.diff(group[state]) == 0) & (np.diff(state) != 0)
    conflict = np.full(len(group), -1)
    np.maximum.at(conflict, state[1:][again], state[:-1][again])
    latest = first.tolist()
    contested = np.flatnonzero(conflict >= 0)
    for here, of, before in zip(
        contested.tolist(), group[contested].tolist(), conflict[contested].tolist(), strict=True
    ):
        if before >= latest[of]:
            latest[of] = here
            fresh[here] = True
    return fresh
