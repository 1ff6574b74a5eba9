"""When a dense run begins to prune, and what it knows then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from secateur.compiled.cut import cut_for_links
from secateur.compiled.game import CompiledGame
from secateur.kernels.best_response_pruning.dense import Dense, Terms, blocks_alive, find_losing
from secateur.kernels.best_response_pruning.stacks import LiveStacks
from secateur.kernels.best_response_pruning.value_sums import (
    recover_value_sums,
    values_of_averages,
)
from secateur.kernels.core.pieces import BOTH
from secateur.solvers.stores import Layout
from secateur.sweeping import Sweeps

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFRState

Float = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_MOST_ALIVE = 0.75
"""Pruning pays if at most that share of the blocks is left to visit."""


def losing_cells(
    dense: CFRState, layout: Layout, terms: Terms, *, for_good: bool
) -> tuple[Dense, int]:
    """Return a dense run with the cells that can be pruned, and how many histories were touched.

    If they are cut ``for_good``, their regrets give way to bounds.
    """
    game = dense.game
    sweeps = _sweeps(game)
    sums, touched = _value_sums(dense, sweeps, summed=layout.summed)
    found = Dense(dense.regret, dense.strategy_sum, sums, np.zeros(game.cells, np.bool_))
    given = game.arrays, game.pruning, found, terms._replace(for_good=for_good), dense.weight
    touched += sweeps.run(
        BOTH, lambda turn, stacks: find_losing(*given, sweeps.pieces, turn, stacks)
    )
    return found, int(touched) + (0 if layout.summed else sum(game.root_histories))


def value_sums(dense: CFRState, layout: Layout) -> Float:
    """Return what information sets have earned so far."""
    return _value_sums(dense, _sweeps(dense.game), summed=layout.summed)[0]


def _sweeps(game: CompiledGame) -> Sweeps[LiveStacks]:
    """Return sweeps that know of links."""
    assert game.pruning is not None
    return Sweeps(game, LiveStacks.of, cut_for_links(game.cut, game.arrays, game.pruning))


def _value_sums(
    dense: CFRState, sweeps: Sweeps[LiveStacks], *, summed: bool
) -> tuple[Float, float]:
    """Return what information sets have earned so far, and how many histories were touched.

    Regrets that are sums tell. Else it is what average strategies earn against each other.
    """
    game, total, weight = dense.game, dense.strategy_sum, dense.weight
    sums = np.zeros(game.size.information_sets)
    more = total, weight, sums, sweeps.pieces
    if summed:
        given = game.arrays, dense.regret, *more
        sweeps.run(BOTH, lambda turn, stacks: recover_value_sums(*given, turn, stacks))
        return sums, 0.0
    touched = sweeps.run(
        BOTH, lambda turn, stacks: values_of_averages(game.arrays, *more, turn, stacks)
    )
    return sums, touched + sum(game.root_histories)


def pruning_pays(game: CompiledGame, cut: Flags) -> bool:
    """Return whether pruning would save time now.

    Sweeps visit a block as long as both players may come there, whatever their information: only
    where one of them cannot, time is saved.
    """
    slots, rows, _ = game.stack
    marks, alive = (tuple(np.zeros(size, np.bool_) for _ in range(2)) for size in (slots, rows))
    left = blocks_alive(game.arrays, cut, marks, alive)
    return bool(left <= _MOST_ALIVE * len(game.arrays.player))
