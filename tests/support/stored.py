"""What a store of pruning holds, spread out over arrays for the whole game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from secateur.kernels.store import (
    ACTIONS,
    ALIVE,
    CEILING,
    CELLS,
    HEAD,
    LANE,
    LANES,
    REGRET,
    SUM,
)
from secateur.solvers.pruned import PrunedState


@dataclass
class Unpacked:
    """Per cell: regret, plain, pruned; per information set: value_sum, active."""

    regret: npt.NDArray[np.float64]
    plain: npt.NDArray[np.float64]
    strategy: npt.NDArray[np.float64]
    total: npt.NDArray[np.float64]
    pruned: npt.NDArray[np.bool_]
    value_sum: npt.NDArray[np.float64]
    active: npt.NDArray[np.bool_]


def unpacked(state: PrunedState) -> Unpacked:
    """Spread out a store."""
    game, s = state.game, state.store
    cells, infosets = game.cells, game.size.information_sets
    found = Unpacked(
        regret=np.zeros(cells),
        plain=np.zeros(cells),
        strategy=state.current_strategy().probabilities,
        total=state.strategy_sums(),
        pruned=np.zeros(cells, np.bool_),
        value_sum=np.zeros(infosets),
        active=np.zeros(infosets, np.bool_),
    )
    a = game.arrays
    for block in range(1, len(a.player)):
        record, start = int(s.ids_at[block]), int(s.numbers_at[block])
        active, actions = int(s.ids[record + LANES]), int(a.actions[block])
        names = s.ids[record + HEAD :][: active * (ACTIONS + actions)]
        numbers = s.numbers[start:][: active * (CELLS + s.sections * actions)]
        for ids, values in zip(
            names.reshape(active, ACTIONS + actions),
            numbers.reshape(active, CELLS + s.sections * actions),
            strict=True,
        ):
            infoset = a.first_infoset[block] + ids[LANE]
            found.active[infoset] = True
            found.value_sum[infoset] = values[SUM]
            places = a.first_cell[block] + ids[ACTIONS:] * a.lanes[block] + ids[LANE]
            sections = values[CELLS:].reshape(s.sections, actions)
            found.regret[places] = sections[REGRET]
            found.plain[places] = sections[s.plain]
            found.pruned[places] = np.isfinite(sections[CEILING])
            assert (np.isfinite(sections[CEILING]) == (np.arange(actions) >= ids[ALIVE])).all()
    return found
