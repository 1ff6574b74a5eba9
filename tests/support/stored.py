"""What a store of pruning holds, spread out over arrays for the whole game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from secateur.kernels.best_response_pruning.store import (
    ACTIONS,
    ALIVE,
    HEAD,
    ITERATION,
    LANE,
    LANES,
    REACH,
    SCALE,
    VALUE_SUM,
)
from secateur.solvers.pruned import PrunedState


@dataclass
class Unpacked:
    """Per cell: regret, strategy, total, pruned; per information set: value_sum, active."""

    regret: npt.NDArray[np.float64]
    strategy: npt.NDArray[np.float64]
    total: npt.NDArray[np.float64]
    pruned: npt.NDArray[np.bool_]
    value_sum: npt.NDArray[np.float64]
    active: npt.NDArray[np.bool_]


def unpacked(state: PrunedState) -> Unpacked:
    """Spread out a store; before there is one, the dense run has no sums of values."""
    game = state.game
    cells, infosets = game.cells, game.size.information_sets
    found = Unpacked(
        regret=np.zeros(cells),
        strategy=state.current_strategy().probabilities,
        total=state.strategy_sums(),
        pruned=np.zeros(cells, np.bool_),
        value_sum=np.zeros(infosets),
        active=np.zeros(infosets, np.bool_),
    )
    if state._dense:
        found.regret[:] = state._dense.regret
        found.active[:] = True
        found.value_sum[:] = np.nan
        return found
    a, s, payoffs = game.arrays, state.store, game.pruning.payoffs
    upper, lower = payoffs[game.pruning.upper], payoffs[game.pruning.lower]
    # lists: NumPy takes long to give out numbers one by one
    ids, attic_ids = s.ids[: s.used[0]].tolist(), s.attic_ids[: s.used[2]].tolist()
    numbers, attic_numbers = s.numbers[: s.used[1]].tolist(), s.attic_numbers[: s.used[2]].tolist()
    now = int(s.clock[ITERATION])
    discounts = state._discounts(now).reshape(-1, 2)
    for block in range(1, len(a.player)):
        actions, lanes = int(a.actions[block]), int(a.lanes[block])
        first_cell, first_infoset = int(a.first_cell[block]), int(a.first_infoset[block])
        record, start = int(s.ids_at[block]), int(s.numbers_at[block])
        # discounts that a block has missed because nobody came are made up for later
        positive = negative = 1.0
        if s.past:
            missed = discounts[int(numbers[start]) + 1 : now + 1]
            positive, negative = missed.prod(axis=0).tolist()
        names, start = record + HEAD, start + s.past
        value_sum, reach = [0.0] * lanes, [0.0] * lanes
        for _ in range(ids[record + LANES]):
            lane, alive = ids[names + LANE], ids[names + ALIVE]
            found.active[first_infoset + lane] = True
            found.value_sum[first_infoset + lane] = value_sum[lane] = numbers[start + VALUE_SUM]
            reach[lane] = numbers[start + REACH]
            start += SCALE if alive == 1 else SCALE + 1
            names += ACTIONS
            for action, regret in zip(
                ids[names : names + alive], numbers[start : start + alive], strict=True
            ):
                discount = positive if regret > 0 else negative
                found.regret[first_cell + action * lanes + lane] = regret * discount
            names += alive
            start += alive if alive == 1 else s.sections * alive
        attic = int(s.attic_at[block])
        for entry in range(attic + 1, attic + 1 + attic_ids[attic]):
            lane, action = divmod(attic_ids[entry], actions)
            place = first_cell + action * lanes + lane
            if s.fixed:
                growth = (upper[place] - lower[first_infoset + lane]) * s.clock[0]
            else:
                growth = upper[place] * reach[lane] - value_sum[lane]
            found.pruned[place] = True
            found.regret[place] = attic_numbers[entry] + growth
    return found
