"""How a game is written down: plain Python, one small method per question.

A game is an object that answers questions about *states*. A state is any value you like (a tuple
serves well); secateur never looks inside and never changes it. Everything a solver needs follows
from seven answers::

    class Coin(Game):
        '''Player 0 sees a coin and bets on heads or passes; player 1 calls or folds.'''

        name = "coin"

        def start(self):
            return ""

        def turn(self, state):
            return (CHANCE, 0, 1, END)[len(state)] if state[1:] != "p" else END

        def chance(self, state):
            return [("H", 0.5), ("T", 0.5)]

        def actions(self, state):
            return ["b", "p"] if len(state) == 1 else ["c", "f"]

        def after(self, state, action):
            return state + action

        def information(self, state):
            return state if len(state) == 1 else "bet"

        def payoffs(self, state):
            win = {"p": -1, "bf": 1, "bc": 2 if state[0] == "H" else -2}[state[1:]]
            return win, -win

The rules may be slow: they are read once, by :func:`secateur.compile`, which also checks them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from secateur.checks import settings
from secateur.games.questions import Questions

CHANCE = -1
"""The value of :meth:`Game.turn` where chance moves."""

END = -2
"""The value of :meth:`Game.turn` where the game is over."""

PLAYERS = ("player 0", "player 1")
"""What players are called who have no other names."""


class Game(ABC):
    """Rules of a two-player zero-sum game with perfect recall."""

    name: str = "game"
    """A short name, used in reports and to recognize strategy files."""

    immutable_states: bool = False
    """Whether nothing that the methods do can change a state they have given before.

    If not, :func:`secateur.compile` asks some questions twice to make sure of it.
    """

    @property
    def parameters(self) -> dict[str, Any]:
        """What distinguishes this game from others of the same name.

        Files remember it, so values must be numbers, words, or tuples of these. The fields of a
        dataclass that are such values need not be listed.
        """
        fields: Iterable[str] = getattr(self, "__dataclass_fields__", ())
        values = {name: getattr(self, name) for name in fields}
        return {name: value for name, value in values.items() if _is_plain(value)}

    pot: float | None = None
    """What is in the pot when the game begins, if there is one: reports tell exploitability as a
    share of it, too."""

    @property
    def players(self) -> tuple[str, str]:
        """What the players are called in reports."""
        return PLAYERS

    @property
    def identity(self) -> str | None:
        """What tells these rules from all others, for games that are cached when compiled.

        If None, the content of the object and the source of its class do.
        """
        return None

    @abstractmethod
    def start(self) -> Any:
        """Return the state in which the game begins."""

    @abstractmethod
    def turn(self, state: Any) -> int:
        """Return who moves: player 0, player 1, :data:`CHANCE`, or :data:`END`."""

    @abstractmethod
    def actions(self, state: Any) -> Sequence[Any]:
        """Return the actions of the player to move; asked only where a player moves.

        All states with the same :meth:`information` must offer the same actions in the same
        order. ``str`` of an action is its label.
        """

    def chance(self, state: Any) -> Iterable[tuple[Any, float | Fraction]]:
        """Return outcomes and their probabilities; asked only where chance moves."""
        raise NotImplementedError(f"{type(self).__name__} has chance moves but no chance()")

    @abstractmethod
    def after(self, state: Any, action: Any) -> Any:
        """Return the state after an action or an outcome of chance."""

    @abstractmethod
    def information(self, state: Any) -> Hashable:
        """Return all that the player to move knows; ``str`` of it labels the information set.

        Perfect recall is required: whoever knows the same must have known and done the same before.
        """

    @abstractmethod
    def payoffs(self, state: Any) -> tuple[float | Fraction, float | Fraction]:
        """Return what player 0 and player 1 win; asked only at the end. They sum to zero."""

    def in_coarser(self, coarser: Mapping[str, Any]) -> Callable[[str], str]:
        """Return where information sets of this game are in a coarser game of the same kind.

        That is a function from labels here to labels there; ``coarser`` are the parameters of that
        game. Runs that begin with a strategy of the coarser game ask for it
        (:func:`secateur.translate_strategy`). By default labels are the same.

        Raises
        ------
        ParameterError
            If that game is none that strategies can be taken from.
        """
        del coarser
        return str

    def questions(self) -> Questions:
        """Return how a compiler asks these rules; adapters may have something faster."""
        return Questions(
            self.start,
            self.turn,
            self.chance,
            self.actions,
            self.after,
            self.information,
            self.payoffs,
        )

    def __str__(self) -> str:
        given = settings(self.parameters)
        return f"{self.name}({given})" if given else self.name


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str))
