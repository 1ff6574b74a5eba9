"""What a run of best-response pruning has cut, since when, and what could be won there.

NashConv is what both players win by best responses to an average. If they may use only what the run
has not cut, they win less; the difference can be won behind cuts alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from secateur import CompiledGame, Strategy
    from secateur.solvers.pruned import PrunedState

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


def cut_actions(state: PrunedState) -> Flags:
    """Return which sequences are cut; what lies behind them is not marked."""
    found = np.zeros(state.game.cells, np.bool_)
    if state.last_search == 0:
        return found
    arrays, store = state.game.arrays, state.store
    attics = store.attic_at[1:].astype(np.int64)
    counts = store.attic_ids[attics].astype(np.int64)
    blocks = np.repeat(np.arange(1, len(arrays.player)), counts)
    entries = np.arange(len(blocks)) - np.repeat(np.cumsum(counts) - counts, counts)
    ids = store.attic_ids[entries + attics[blocks - 1] + 1].astype(np.int64)
    lanes, actions = np.divmod(ids, arrays.actions[blocks])
    found[arrays.first_cell[blocks] + actions * arrays.lanes[blocks] + lanes] = True
    return found


class Responses:
    """Best responses in a game, of players who may do everything or only some of it."""

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self._owner, self._parent = _structure(game)
        depth = np.zeros(len(self._parent), np.int64)
        for infoset, cell in enumerate(self._parent):
            if cell >= 0:
                depth[infoset] = depth[self._owner[cell]] + 1
        of_cells = depth[self._owner]
        self._levels = [
            (np.flatnonzero(of_cells == level), np.flatnonzero(depth == level))
            for level in range(depth.max() + 1)
        ]

    def behind(self, strategy: Strategy, cut: Flags) -> tuple[float, Floats]:
        """Return what only cut actions can win against a strategy, and what each contributes.

        Best responses go down from the beginning until they take an action that is cut; it
        contributes what its information set loses if nothing is allowed that is cut.
        """
        import secateur

        game, cells = self.game, self.game.cells
        values = np.zeros(cells)
        for player in (0, 1):
            values += secateur.counterfactual_best_response_values(game, strategy, player)
        best = np.full(len(self._parent), -np.inf)
        np.maximum.at(best, self._owner, values)
        inner = self._parent >= 0
        # what a sequence wins before its player moves again, and then with allowed actions only
        limited = values - np.bincount(self._parent[inner], best[inner], cells)
        allowed = np.full(len(best), -np.inf)
        for sequences, infosets in reversed(self._levels):
            usable = sequences[~cut[sequences]]
            np.maximum.at(allowed, self._owner[usable], limited[usable])
            deep = infosets[inner[infosets]]
            np.add.at(limited, self._parent[deep], allowed[deep])
        lost = best - allowed
        return float(lost[~inner].sum()), self._first_cuts(values >= best[self._owner], cut, lost)

    def _first_cuts(self, best: Flags, cut: Flags, lost: Floats) -> Floats:
        """Return what is lost where a best response first takes an action that is cut."""
        contributions = np.zeros(len(cut))
        visited = self._parent < 0
        taken = np.zeros(len(cut), np.bool_)
        open_too = np.zeros(len(lost), np.bool_)  # an equal that is not cut is taken instead
        for sequences, infosets in self._levels:
            deep = infosets[self._parent[infosets] >= 0]
            visited[deep] = taken[self._parent[deep]]
            wins = sequences[best[sequences] & visited[self._owner[sequences]]]
            alive, barred = wins[~cut[wins]], wins[cut[wins]]
            taken[alive] = True
            open_too[self._owner[alive]] = True
            barred = barred[~open_too[self._owner[barred]]]
            contributions[barred] = lost[self._owner[barred]]
        return contributions


def _structure(game: CompiledGame) -> tuple[Integers, Integers]:
    """Return the information set of each sequence, and the own sequence before each set, or -1."""
    a = game.arrays
    owner = np.zeros(game.cells, np.int64)
    parent = np.full(game.size.information_sets, -1, np.int64)
    at_slot = np.full((2, game.stack[0]), -1, np.int64)  # slots are shared by what never meets
    for block in range(1, len(a.player)):
        player, actions, lanes = (int(part[block]) for part in (a.player, a.actions, a.lanes))
        first, before = int(a.first_infoset[block]), int(a.parent_slot[block])
        own = np.arange(lanes)
        slots = before + own if before >= 0 else a.lane_parent_slot[own - before - 1]
        parent[first + own] = np.where(slots == 0, -1, at_slot[player, slots])
        cells = int(a.first_cell[block]) + np.arange(actions)[:, None] * lanes + own
        stride = (lanes + 3) & ~3
        at_slot[player, int(a.first_slot[block]) + np.arange(actions)[:, None] * stride + own] = (
            cells
        )
        owner[cells] = first + own
    return owner, parent
