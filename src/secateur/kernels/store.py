"""Where a run that prunes keeps its numbers: only those of what is alive, block by block.

Every block has a *record*, found by ``ids_at`` and ``numbers_at``: a head, its active lanes, in
order, and the *rest*. A lane has ids (which one it is, how many actions are alive, and the actions:
those alive first, then those pruned, each in order) and numbers (the sum of values, the scale of
its strategy, how much of its strategy sums was discarded, and sections of one number per action,
in the order of the ids). The rest are strategy sums of cells of other lanes, each with the number
of the cell in its block, and what other lanes have lost by discards, for lane ``l`` under the
number ``actions * lanes + l``. A block without anything has the empty record, which stands at the
beginning.

New records are written at ``used``; records that they replace stay behind until the store is
compacted. Both arrays are much longer than what is used, but memory is taken only where something
was written.

The strategy is not stored: it follows from regrets. Where the scale is positive, an action is
played with its positive regret times the scale; else all actions that are alive with minus the
scale.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.kernels.decorator import part
from secateur.kernels.parts import U, padded

Float = npt.NDArray[np.float64]
Int = npt.NDArray[np.int16] | npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]

LANES, REST, BOUNDS, HEAD = range(4)
"""The head of a record: active lanes, entries of the rest, pruned cells; and its length."""

LANE, ALIVE, ACTIONS = range(3)
"""The ids of a lane: its number, how many actions are alive, and where the actions begin."""

SUM, SCALE, LOST, CELLS = range(4)
"""The numbers of a lane: the sum of values, the scale, what was discarded; then the sections."""

REGRET, TOTAL, CEILING = range(3)
"""Sections of every lane. The regret of a pruned cell is the bound on its best-response value
minus the sum of values; its ceiling is the best payoff behind it, and infinite if not pruned."""


class Store(NamedTuple):
    """The records of all blocks."""

    ids_at: Long
    numbers_at: Long
    ids: Int
    numbers: Float
    used: Long  # of ids, of numbers
    sections: int
    plain: int  # section of regrets that are never floored: REGRET itself for regret matching
    played: int  # section of the strategies of this iteration, for simultaneous updates; else 0


@part
def lane_ids(s, block, actions, i):
    """Return where the ids of a block's active lane ``i`` begin."""
    return s.ids_at[U(block)] + HEAD + i * (ACTIONS + actions)


@part
def lane_numbers(s, block, actions, i):
    """Return where the numbers of a block's active lane ``i`` begin."""
    return s.numbers_at[U(block)] + i * (CELLS + s.sections * actions)


@part
def active_lanes(s, block):
    """Return how many lanes of a block are active."""
    return s.ids[U(s.ids_at[U(block)] + LANES)]


@part
def probability(regret, scale):
    """Return the probability of an action that is alive."""
    return max(0.0, regret) * scale if scale > 0.0 else -scale


@part
def settle(s, names, numbers, actions):
    """Put a lane in order after actions were pruned or came back; choose its strategy anew."""
    ids, values = s.ids, s.numbers
    first = names + ACTIONS
    cells = numbers + CELLS
    ceilings = cells + CEILING * actions
    for k in range(1, actions):
        place = k
        while place > 0:
            mine = values[U(ceilings + place)] < np.inf
            before = values[U(ceilings + place - 1)] < np.inf
            if mine > before or (
                mine == before and ids[U(first + place)] > ids[U(first + place - 1)]
            ):
                break
            ids[U(first + place)], ids[U(first + place - 1)] = (
                ids[U(first + place - 1)],
                ids[U(first + place)],
            )
            for section in range(s.sections):
                cell = cells + section * actions + place
                values[U(cell)], values[U(cell - 1)] = values[U(cell - 1)], values[U(cell)]
            place -= 1
    norm = 0.0
    alive = 0
    while alive < actions and values[U(ceilings + alive)] == np.inf:
        norm += max(0.0, values[U(cells + alive)])
        alive += 1
    ids[U(names + ALIVE)] = alive
    values[U(numbers + SCALE)] = 1.0 / norm if norm > 0.0 else -1.0 / alive


@part
def mark_live(g, block, s, mark):
    """Mark the slots of a block's cells that are alive."""
    actions = g.actions[U(block)]
    stride = padded(g.lanes[U(block)])
    first_slot = g.first_slot[U(block)]
    for slot in range(first_slot, first_slot + actions * stride):
        mark[U(slot)] = False
    for i in range(active_lanes(s, block)):
        names = lane_ids(s, block, actions, i)
        slot = first_slot + s.ids[U(names + LANE)]
        for k in range(s.ids[U(names + ALIVE)]):
            mark[U(slot + s.ids[U(names + ACTIONS + k)] * stride)] = True


@part
def find_rows_alive(g, block, s, alive):
    """Note which rows have a cell that is alive."""
    actions = g.actions[U(block)]
    row = g.first_row[U(block)]
    for a in range(actions):
        alive[U(row + a)] = False
    for i in range(active_lanes(s, block)):
        names = lane_ids(s, block, actions, i)
        for k in range(s.ids[U(names + ALIVE)]):
            alive[U(row + s.ids[U(names + ACTIONS + k)])] = True
