"""Makes players remember: information sets are split by what their player knew and did before."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from secateur import checks
from secateur.games.rules import CHANCE, Game

_NOTHING = 0


class _Remembering(NamedTuple):
    """A state, and the number of what each player has known and done."""

    state: Any
    pasts: tuple[int, int]


class _Memory(NamedTuple):
    """What a player knows now, and the number of its past."""

    information: Hashable
    past: int
    label: str

    def __hash__(self) -> int:
        return hash((self.information, self.past))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Memory):
            return NotImplemented
        return self.past == other.past and self.information == other.information

    def __str__(self) -> str:
        return self.label


class PerfectRecall(Game):
    """Another game, whose players forget, with players who do not.

    Histories, actions, chance and payoffs are those of the game. An information set is labeled
    with what the player knew and did at each earlier move, and with what it knows now:
    ``J: bet > J bet raise``.

    Parameters
    ----------
    game : Game
        The rules.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = game.name
        self.immutable_states = game.immutable_states
        self._pasts: dict[tuple[int, Hashable, str], int] = {}
        self._told = [""]

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the game, and that players remember."""
        return {**self.game.parameters, "perfect_recall": True}

    @property
    def players(self) -> tuple[str, str]:
        """The names of the game's players."""
        return self.game.players

    @property
    def identity(self) -> str | None:
        """What tells the game from others, if it says so itself."""
        return self.game.identity

    def __reduce__(self) -> tuple[type[PerfectRecall], tuple[Game]]:
        return PerfectRecall, (self.game,)

    def start(self) -> _Remembering:
        """Begin without a past."""
        return _Remembering(self.game.start(), (_NOTHING, _NOTHING))

    def turn(self, state: _Remembering) -> int:
        """Return who moves."""
        return self.game.turn(state.state)

    def actions(self, state: _Remembering) -> Sequence[Any]:
        """Return the actions of the player to move."""
        return self.game.actions(state.state)

    def chance(self, state: _Remembering) -> Iterable[tuple[Any, float | Fraction]]:
        """Return outcomes and their probabilities."""
        return self.game.chance(state.state)

    def after(self, state: _Remembering, action: Any) -> _Remembering:
        """Make a move; who made it will remember it, and what it was made upon."""
        inner, pasts = state
        player = self.game.turn(inner)
        if player != CHANCE:
            known = self.game.information(inner)
            own = self._past(pasts[player], known, str(action))
            pasts = (own, pasts[1]) if player == 0 else (pasts[0], own)
        return _Remembering(self.game.after(inner, action), pasts)

    def information(self, state: _Remembering) -> _Memory:
        """Return what the player to move knows and has known and done."""
        information = self.game.information(state.state)
        past = state.pasts[self.game.turn(state.state)]
        return _Memory(information, past, f"{self._told[past]}{information}")

    def payoffs(self, state: _Remembering) -> tuple[float | Fraction, float | Fraction]:
        """Return what the players win."""
        return self.game.payoffs(state.state)

    def _past(self, before: int, known: Hashable, action: str) -> int:
        number = self._pasts.setdefault((before, known, action), len(self._told))
        if number == len(self._told):
            self._told.append(f"{self._told[before]}{known}: {action} > ")
        return number


def with_perfect_recall(game: Game) -> Game:
    """Return a game in which players remember all that they have known and done.

    Rules whose players forget cannot be solved; these are the same with information sets that are
    split by their player's earlier information sets and actions.
    """
    checks.instance_of(Game, "pass the rules of a game, such as secateur.load('leduc')")(
        f"with_perfect_recall({checks.shown(game)})", game
    )
    return game if isinstance(game, PerfectRecall) else PerfectRecall(game)
