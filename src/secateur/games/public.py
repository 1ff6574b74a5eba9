"""Games that name their public states, as poker does.

Between public events a player knows the public state and a private *hand*. Naming both lets the
compiler walk public states instead of histories: a public state with 1,326 hands a side stands
for more than a million histories, and none of them is ever enumerated.

A :class:`PublicGame` is also an ordinary :class:`~secateur.games.rules.Game`: its histories are
the pairs of hands with positive weight at each public state. Both readings compile to the same
game, which the tests check.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.games.combinations import Disjoint, Fixed, Showdown
from secateur.games.rules import CHANCE, END, Game

Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


class Hands(NamedTuple):
    """The private hands that are possible at a public state, and their joint chances."""

    labels: tuple[tuple[str, ...], tuple[str, ...]]
    """Each player's hands."""

    weights: Matrix | Disjoint
    """``weights[i, j]``: probability that chance made all its moves so far as the public state
    says and dealt hand ``i`` to player 0 and hand ``j`` to player 1. Of hands that are independent
    but for cards that both would hold, no matrix is needed."""

    def written_out(self) -> Hands:
        """Return the same with a matrix of weights."""
        if isinstance(self.weights, Disjoint):
            return self._replace(weights=self.weights.matrix)
        return self

    def pairs(self, player: int) -> npt.NDArray[np.int64]:
        """Return in how many pairs with positive weight each hand of a player is."""
        if isinstance(self.weights, Disjoint):
            return self.weights.pairs[player].astype(np.int64)
        found: npt.NDArray[np.int64] = np.count_nonzero(self.weights, axis=1 - player)
        return found


@dataclass(frozen=True)
class Deal:
    """One public outcome of a chance move."""

    label: str
    """The outcome as the players see it."""

    state: Any
    """The public state that follows."""

    origins: tuple[Indices, Indices]
    """For each player: the earlier hand from which each hand of the new state comes."""


class Payoff(NamedTuple):
    """Payoffs to player 0 at the end of the game: ``factor * matrix[hand 0, hand 1]``.

    Return the *same* matrix object wherever the payoffs differ only by a factor: the compiler
    then stores it once.
    """

    matrix: Matrix | Showdown | Fixed
    factor: float

    def written_out(self) -> Payoff:
        """Return the same with a matrix."""
        if isinstance(self.matrix, Showdown | Fixed):
            return self._replace(matrix=self.matrix.matrix)
        return self


class PublicGame(Game):
    """Rules of a game by public state; player's actions are public, hands are private.

    The methods are those of :class:`Game` with a public state in the place of a history. Public
    states must be hashable only if you use them as keys yourself.
    """

    @abstractmethod
    def public_start(self) -> Any:
        """Return the public state in which the game begins."""

    @abstractmethod
    def public_turn(self, public: Any) -> int:
        """Return who moves: player 0, player 1, CHANCE, or END."""

    @abstractmethod
    def hands(self, public: Any) -> Hands:
        """Return the possible hands; the same object wherever they are the same."""

    @abstractmethod
    def public_actions(self, public: Any) -> Sequence[str]:
        """Return the labels of the actions of the player to move; every hand has the same."""

    @abstractmethod
    def public_after(self, public: Any, action: str) -> Any:
        """Return the public state after a player's action; the hands stay as they are."""

    @abstractmethod
    def deals(self, public: Any) -> Iterable[Deal]:
        """Return the public outcomes of a chance move.

        For each pair of hands, the weights of the pairs that come from it must add up to its own.
        """

    @abstractmethod
    def public_label(self, public: Any) -> str:
        """Return what both players have seen; with the hand in front it labels information."""

    @abstractmethod
    def payoff(self, public: Any) -> Payoff:
        """Return the payoffs at the end of the game."""

    def estimated_sequences(self) -> float | None:
        """Return about how many sequences the game has, if that is known before it is compiled.

        Games that surely do not fit into memory are then refused at once.
        """
        return None

    # -- the same game, history by history: a state is (public state, hand 0, hand 1)

    def start(self) -> tuple[Any, int, int]:
        """Return the first history."""
        return self.public_start(), 0, 0

    def turn(self, state: Any) -> int:
        """Return who moves."""
        return self.public_turn(state[0])

    def actions(self, state: Any) -> Sequence[str]:
        """Return the actions of the player to move."""
        return self.public_actions(state[0])

    def chance(self, state: Any) -> Iterable[tuple[Any, float]]:
        """Return each pair of hands that can follow, with its probability."""
        public, i, j = state
        before = _matrix(self.hands(public))[i, j]
        outcomes = []
        for deal in self.deals(public):
            weights = _matrix(self.hands(deal.state))
            rows = np.flatnonzero(deal.origins[0] == i)
            columns = np.flatnonzero(deal.origins[1] == j)
            outcomes += [
                ((deal.state, int(row), int(column)), float(weights[row, column] / before))
                for row in rows
                for column in columns
                if weights[row, column] > 0
            ]
        return outcomes

    def after(self, state: Any, action: Any) -> Any:
        """Return the history after an action, or the outcome of chance itself."""
        public, i, j = state
        if self.public_turn(public) == CHANCE:
            return action
        return self.public_after(public, action), i, j

    def information(self, state: Any) -> str:
        """Return the hand of the player to move and what both have seen."""
        public, *hand = state
        player = self.public_turn(public)
        label: str = self.hands(public).labels[player][hand[player]]
        return label + self.public_label(public)

    def payoffs(self, state: Any) -> tuple[float, float]:
        """Return what each player wins."""
        public, i, j = state
        assert self.public_turn(public) == END
        matrix, factor = self.payoff(public).written_out()
        assert isinstance(matrix, np.ndarray)
        win = float(matrix[i, j]) * factor
        return win, -win


def _matrix(hands: Hands) -> Matrix:
    weights = hands.written_out().weights
    assert isinstance(weights, np.ndarray)
    return weights
