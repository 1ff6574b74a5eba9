"""How a compiler asks the rules of a game: the same questions, in the form that is fastest."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple


class Questions(NamedTuple):
    """Functions of a state that answer what the methods of :class:`~secateur.games.rules.Game` do.

    Moves may be other objects than those of the methods, if names are asked for.
    """

    start: Callable[[], Any]
    turn: Callable[[Any], int]
    chance: Callable[[Any], Iterable[tuple[Any, Any]]]
    actions: Callable[[Any], Sequence[Any]]
    after: Callable[[Any, Any], Any]
    information: Callable[[Any], Hashable]
    payoffs: Callable[[Any], Sequence[Any]]
    names: Callable[[Any, Sequence[Any]], tuple[str, ...]] | None = None
    """The labels of actions, asked once for each information set; if None, they are ``str`` of the
    actions, and compared at each history."""

    over: int = -2
    """What ``turn`` gives at the end."""

    def name(self, state: Any, move: Any) -> str:
        """Return the label of a move."""
        return str(move) if self.names is None else self.names(state, (move,))[0]
