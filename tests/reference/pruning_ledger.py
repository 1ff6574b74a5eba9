"""What pruning decided, and what it saves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from reference.tree import InfosetKey


@dataclass(frozen=True)
class Event:
    """One decision about the action (I, a) of a player."""

    iteration: int
    player: int
    infoset: InfosetKey
    action: Any
    kind: Literal["start", "continue", "end", "discard"]
    value: float
    """The number that decided; each solver says which."""

    estimated_skip: float | None = None
    """The estimated number of iterations to skip, where it was asked for."""


@dataclass(frozen=True)
class Space:
    """Numbers stored, of both players together. A cell is one (I, a)."""

    regret_cells: int
    """Cells with a regret."""

    strategy_cells: int
    """Cells with a positive sum of strategies."""

    total_cells: int
    """All cells of the game."""

    @property
    def fraction(self) -> float:
        """Return the share in use: (regret cells + strategy cells) / (2 cells)."""
        return (self.regret_cells + self.strategy_cells) / (2 * self.total_cells)
