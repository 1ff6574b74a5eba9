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
    for block in range(1, len(a.player)):
        actions, lanes = int(a.actions[block]), int(a.lanes[block])
        names, start = int(s.ids_at[block]) + HEAD, int(s.numbers_at[block]) + s.past
        # discounts that a block has missed because nobody came are made up for later
        positive = negative = 1.0
        if s.past:
            last, now = int(s.numbers[start - s.past]), int(s.clock[ITERATION])
            positive, negative = (
                state._discounts(now).reshape(-1, 2)[last + 1 : now + 1].prod(axis=0)
            )
        value_sum, reach = np.zeros(lanes), np.zeros(lanes)
        for _ in range(s.ids[s.ids_at[block] + LANES]):
            lane, alive = int(s.ids[names + LANE]), int(s.ids[names + ALIVE])
            infoset = a.first_infoset[block] + lane
            found.active[infoset] = True
            found.value_sum[infoset] = value_sum[lane] = s.numbers[start + VALUE_SUM]
            reach[lane] = s.numbers[start + REACH]
            chosen = s.ids[names + ACTIONS :][:alive].astype(np.int64)
            places = a.first_cell[block] + chosen * lanes + lane
            start += SCALE if alive == 1 else SCALE + 1
            kept = 1 if alive == 1 else s.sections
            sections = s.numbers[start:][: kept * alive].reshape(kept, alive)
            found.regret[places] = sections[0] * np.where(sections[0] > 0, positive, negative)
            names += ACTIONS + alive
            start += kept * alive
        attic = int(s.attic_at[block])
        for entry in range(attic + 1, attic + 1 + int(s.attic_ids[attic])):
            lane, action = divmod(int(s.attic_ids[entry]), actions)
            place = a.first_cell[block] + action * lanes + lane
            if s.fixed:
                least = lower[a.first_infoset[block] + lane]
                bound = s.attic_numbers[entry] + (upper[place] - least) * s.clock[0]
            else:
                bound = s.attic_numbers[entry] + upper[place] * reach[lane] - value_sum[lane]
            found.pruned[place] = True
            found.regret[place] = bound
    return found
