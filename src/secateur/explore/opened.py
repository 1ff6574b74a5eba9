"""A strategy that somebody looks at, and what is computed of it when they do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from secateur.cut_actions import Cuts, OwnTree, cuts, own_tree
from secateur.metrics import action_values
from secateur.public_tree import PublicTree
from secateur.solvers.protocols import State
from secateur.strategy import Strategy
from secateur.worth import ActionValues


@dataclass(frozen=True)
class Opened:
    """A strategy, with what its run has cut if it comes from one.

    At first there are probabilities alone, which is quick; :meth:`completed` goes through the
    whole game.
    """

    strategy: Strategy
    iteration: int | None = None
    """Of the run; None if there is no run."""

    state: State | None = field(default=None, repr=False)
    note: str | None = None
    """What somebody should know who looks at it."""

    complete: bool = False
    """Whether values and cuts were computed."""

    values: ActionValues | None = field(default=None, repr=False)
    """What actions are worth; None if the game was compiled without chance's probabilities."""

    cuts: Cuts | None = field(default=None, repr=False)
    """What the run has cut; None if it does not prune."""

    def completed(self) -> Opened:
        """Return this with all that the page shows."""
        game = self.strategy.game
        values = None if game.pruning is None else action_values(game, self.strategy)
        found = None
        if self.state is not None and self.state.solver.pruning.needs_bounds:
            found = cuts(self.state, None if values is None else values.reach)
        complete = replace(self, complete=True, values=values, cuts=found)
        if found is not None:
            _ = complete.behind_cuts, complete.cut_of_cell
        return complete

    @cached_property
    def tree(self) -> PublicTree:
        """The public tree of the game."""
        return PublicTree(self.strategy.game)

    @cached_property
    def own_tree(self) -> OwnTree:
        """What lies behind each sequence."""
        return own_tree(self.strategy.game)

    @cached_property
    def cut_of_cell(self) -> npt.NDArray[np.int32]:
        """Of each sequence that is cut, its place among the cuts; -1 of others."""
        found = np.full(self.strategy.game.cells, -1, np.int32)
        if self.cuts is not None:
            found[self.cuts.cell] = np.arange(len(self.cuts.cell))
        return found

    @cached_property
    def behind_cuts(self) -> npt.NDArray[np.bool_]:
        """Which information sets lie behind a cut."""
        if self.cuts is None:
            return np.zeros(self.strategy.game.size.information_sets, np.bool_)
        return self.own_tree.behind(self.cuts.cell)
