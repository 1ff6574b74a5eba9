"""A strategy that somebody looks at, and what is computed of it when they do."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    """A strategy, with what its run has cut if it comes from one."""

    strategy: Strategy
    iteration: int | None = None
    """Of the run; None if there is no run."""

    state: State | None = field(default=None, repr=False)
    note: str | None = None
    """What somebody should know who looks at it."""

    @cached_property
    def tree(self) -> PublicTree:
        """The public tree of the game."""
        return PublicTree(self.strategy.game)

    @cached_property
    def values(self) -> ActionValues | None:
        """What actions are worth; None if the game was compiled without chance's probabilities."""
        game = self.strategy.game
        return None if game.pruning is None else action_values(game, self.strategy)

    @property
    def prunes(self) -> bool:
        """Whether its run may cut actions."""
        return self.state is not None and self.state.solver.pruning.needs_bounds

    @cached_property
    def cuts(self) -> Cuts | None:
        """What the run has cut; None if it does not prune."""
        if self.state is None or not self.prunes:
            return None
        return cuts(self.state, None if self.values is None else self.values.reach)

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

    def prepare(self) -> None:
        """Compute what the first page needs."""
        _ = self.tree, self.strategy.own_plan, self.values
        if self.cuts is not None:
            _ = self.behind_cuts, self.cut_of_cell
