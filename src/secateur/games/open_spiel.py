"""Any two-player zero-sum game of OpenSpiel, by the string that OpenSpiel itself understands."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

from secateur.errors import ParameterError
from secateur.extras import how_to_install
from secateur.games.questions import Questions
from secateur.games.rules import END, Game

_PREFIX = "openspiel: "
_WRITTEN_IN_PYTHON = "python_"
_OVER = -4
"""OpenSpiel's player to move when the game is over; chance is -1 there and here."""


@dataclass(frozen=True)
class OpenSpielGame(Game):
    """A game of OpenSpiel with two players whose payoffs sum to zero, or to a constant.

    A state is a state of OpenSpiel, cloned once per edge of the game tree. Information sets are
    called like OpenSpiel's information states, actions like its actions. Where players move at
    once, OpenSpiel's own wrapper lets player 1 move after player 0, unseen. Payoffs that sum to a
    constant are lowered by half of it, for both players: equilibria and exploitability stay.

    With the default, 58 histories and 12 information sets.

    Parameters
    ----------
    game : str
        The game with its parameters as OpenSpiel writes them, such as kuhn_poker or
        liars_dice(numdice=1,dice_sides=4).
    """

    game: str = "kuhn_poker"
    name = "openspiel"
    immutable_states = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", _loaded(self.game).string)

    @property
    def parameters(self) -> dict[str, Any]:
        """The string, as OpenSpiel writes it."""
        return {"game": self.game}

    @property
    def identity(self) -> str:
        """The string, and the version of OpenSpiel."""
        return f"{self.game} {version('open_spiel')}"

    @property
    def open_spiel(self) -> Any:
        """OpenSpiel's game: the one that policies of this game are for, in turns."""
        return _loaded(self.game).game

    def start(self) -> Any:
        """Return OpenSpiel's first state."""
        return self.open_spiel.new_initial_state()

    def turn(self, state: Any) -> int:
        """Return who moves."""
        player: int = state.current_player()
        return END if player == _OVER else player

    def chance(self, state: Any) -> list[tuple[Move, float]]:
        """Return the outcomes of chance."""
        return [
            (Move(number, state.action_to_string(number)), probability)
            for number, probability in state.chance_outcomes()
        ]

    def actions(self, state: Any) -> list[Move]:
        """Return the legal actions in OpenSpiel's order."""
        numbers = state.legal_actions()
        names = tuple(state.action_to_string(number) for number in numbers)
        return list(map(Move, numbers, _distinct(names, numbers)))

    def after(self, state: Any, action: Move) -> Any:
        """Return the state that follows."""
        return state.child(action.number)

    def information(self, state: Any) -> str:
        """Return the information state of the player to move."""
        text: str = state.information_state_string()
        return text

    def payoffs(self, state: Any) -> tuple[float, float]:
        """Return what OpenSpiel pays, less half of what both always get together."""
        half = 0.5 * _loaded(self.game).total
        first, second = state.returns()
        return first - half, second - half

    def questions(self) -> Questions:
        """Ask OpenSpiel directly; moves are its numbers."""
        kind = pyspiel_module().State
        if self.game.startswith(_WRITTEN_IN_PYTHON):  # methods of Python, not of the base class
            return super().questions()
        to_string = kind.action_to_string
        known: dict[tuple[str, ...], tuple[str, ...]] = {}

        def names(state: Any, numbers: Sequence[int]) -> tuple[str, ...]:
            told = tuple([to_string(state, number) for number in numbers])
            found = known.get(told)
            if found is None:
                found = _distinct(told, numbers)
                if found is told:
                    known[told] = told
            return found

        return Questions(
            start=self.start,
            turn=kind.current_player,
            chance=kind.chance_outcomes,
            actions=kind.legal_actions,
            after=kind.child,
            information=kind.information_state_string,
            payoffs=kind.returns if _loaded(self.game).total == 0.0 else self.payoffs,
            names=names,
            over=_OVER,
        )


class Move(NamedTuple):
    """An action, or an outcome of chance."""

    number: int
    name: str

    def __str__(self) -> str:
        return self.name


def _distinct(names: tuple[str, ...], numbers: Sequence[int]) -> tuple[str, ...]:
    """Return names of actions, with their numbers where two have the same."""
    if len(set(names)) < len(names):
        return tuple(f"{name} ({number})" for name, number in zip(names, numbers, strict=True))
    return names


class _Loaded(NamedTuple):
    string: str
    game: Any
    """In turns, if the game of that string is not."""

    total: float
    """The sum of payoffs at every end."""


@lru_cache(maxsize=64)
def _loaded(string: str) -> _Loaded:
    """Return a game of OpenSpiel, or say why it cannot be solved."""
    pyspiel = pyspiel_module()
    asked = f"{_PREFIX}{string!r}"
    game = _game(pyspiel, string)
    kind = game.get_type()
    found = _spelling(pyspiel, string, game)
    if game.num_players() != 2:
        raise ParameterError(
            f"{asked} is a game of {game.num_players()}; only games of two players can be solved."
        )
    if kind.utility not in (kind.Utility.ZERO_SUM, kind.Utility.CONSTANT_SUM):
        raise ParameterError(
            f"{asked} is not a zero-sum game but {_words(kind.utility)}; "
            "only games in which one player wins what the other loses can be solved."
        )
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        raise ParameterError(
            f"{asked} only samples its chance events; choose a game that lists them."
        )
    if not kind.provides_information_state_string:
        raise ParameterError(
            f"{asked} has no information state strings, which tell what players know; "
            "choose another game."
        )
    if kind.dynamics == kind.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    _try_out(game, asked)
    return _Loaded(found, game, float(game.utility_sum()))


def pyspiel_module() -> Any:
    """Return OpenSpiel's module, or say how to install it."""
    try:
        return import_module("pyspiel")
    except ImportError as error:
        raise ParameterError(
            f"{_PREFIX}OpenSpiel is not installed; run: {how_to_install('openspiel')}"
        ) from error


def _game(pyspiel: Any, string: str) -> Any:
    if string.startswith(_WRITTEN_IN_PYTHON):
        import_module("open_spiel.python.games")  # registers the games written in Python
    known = [kind.short_name for kind in pyspiel.registered_games()]
    asked = string.partition("(")[0].strip()
    if asked not in known:
        close = get_close_matches(asked, known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ParameterError(
            f"{_PREFIX}unknown game {asked!r}; {hint}"
            "write it as OpenSpiel does, such as openspiel:kuhn_poker"
        )
    try:
        with _silence():
            game = pyspiel.load_game(string)
            game.new_initial_state()  # may fail where the wrapper for turns would crash
            return game
    except (RuntimeError, LookupError, ValueError, MemoryError) as error:
        raise ParameterError(
            f"{_PREFIX}{string!r} cannot be loaded: {_reason(error)}; check it."
        ) from error


def _spelling(pyspiel: Any, asked: str, game: Any) -> str:
    """Return a game as OpenSpiel writes it, or as asked where it could not read that itself.

    Games that are made from another one may write that one's name, or leave it out.
    """
    told = str(game).removesuffix("()")
    if told.partition("(")[0] == asked.partition("(")[0].strip():
        with suppress(RuntimeError, LookupError, ValueError), _silence():
            pyspiel.load_game(told)
            return told
    return asked.strip()


def _try_out(game: Any, asked: str) -> None:
    """Play the first of all actions to the end: games may be loaded that cannot be played."""
    try:
        with _silence():
            state = game.new_initial_state()
            for _ in range(game.max_game_length() + game.max_chance_nodes_in_history()):
                if state.is_terminal():
                    break
                if not state.is_chance_node():
                    state.information_state_string()
                state.apply_action(state.legal_actions()[0])
    except (RuntimeError, LookupError, ValueError, MemoryError) as error:
        raise ParameterError(f"{asked} cannot be played: {_reason(error)}; check it.") from error


def _reason(error: BaseException) -> str:
    """Return OpenSpiel's words without the place in its source."""
    words = " ".join(str(error).split())
    return words if not words.startswith("/") else f"it fails its check {words.partition(' ')[2]}"


def _words(value: Any) -> str:
    return str(value.name).lower().replace("_", "-")


@contextmanager
def _silence() -> Iterator[None]:
    """Keep OpenSpiel from printing errors, which it also raises, to standard error."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # nobody listens
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
