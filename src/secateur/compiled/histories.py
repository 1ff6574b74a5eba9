"""All histories of a game in flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

NO_INFOSET = -1
OVER = -2

Int = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]
Bool = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Infosets:
    """The information sets of both players in order of first encounter."""

    player: Int
    label: list[str]
    actions: Int
    """How many there are."""

    action_names: Int
    """Their names, as a number of ``names``."""

    names: list[tuple[str, ...]]
    parent: Int
    """Last sequence of the player before: 0 for the empty one."""

    first_sequence: Int


@dataclass(frozen=True)
class Histories:
    """All histories of a game, parents before children (in preorder), one array per property.

    Sequences count from 1 over both players (0 is the empty one): action ``a`` of information set
    ``i`` is ``infosets.first_sequence[i] + a``.
    """

    parent: Int
    depth: Int
    infoset: Int
    """Information set, NO_INFOSET for chance, OVER for ends."""

    sequences: tuple[Int, Int]
    """Each player's last sequence before the history."""

    chance: Float
    """Product of the chance probabilities on the way."""

    payoff: Float
    """To player 0 at each end, in their order."""

    infosets: Infosets

    @property
    def is_end(self) -> Bool:
        """Which histories are ends."""
        found: Bool = self.infoset == OVER
        return found
