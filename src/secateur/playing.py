"""Plays a game by its rules, with moves drawn from a strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from secateur import checks
from secateur.errors import ParameterError
from secateur.games.public import PublicGame
from secateur.games.registry import load
from secateur.games.rules import CHANCE, END, Game
from secateur.strategy import Strategy, checked_strategy

_A_GAME = checks.instance_of(
    Game, "pass the rules of a game, such as secateur.load('leduc'), or its name"
)
_A_COUNT = checks.whole("play a whole number of games, 0 or more", least=0)
_A_SEED = checks.whole("use a whole number, 0 or more, or None", least=0)


class Move(NamedTuple):
    """One move of a play."""

    player: int
    """0, 1, or :data:`secateur.CHANCE`."""

    information_set: str | None
    """What the player knew; None for chance."""

    action: str
    probability: float
    """How likely the move was."""


class Play(NamedTuple):
    """One game from beginning to end."""

    moves: tuple[Move, ...]
    payoffs: tuple[float, float]
    """What player 0 and player 1 win."""

    @property
    def history(self) -> str:
        """All moves in words."""
        return " ".join(move.action for move in self.moves)


def sample_play(
    game: Game | str,
    strategy: Strategy,
    count: int = 1,
    seed: int | None = None,
    opponent: Strategy | None = None,
) -> list[Play]:
    """Play a game some times.

    Parameters
    ----------
    game : Game or str
        The rules, or a name for :func:`secateur.load`: compiled games have no histories.
    strategy : Strategy
        What player 0 follows.
    count : int
        How often.
    seed : int
        Of the random numbers; the same seed gives the same plays.
    opponent : Strategy
        What player 1 follows; the same strategy if not given.
    """
    if isinstance(game, str):
        game = load(game)
    _A_GAME(f"sample_play({checks.shown(game)})", game)
    players = tuple(
        checked_strategy("sample_play", each) for each in (strategy, opponent or strategy)
    )
    count = _A_COUNT(f"sample_play(count={checks.shown(count)})", count)
    if seed is not None:
        seed = _A_SEED(f"sample_play(seed={checks.shown(seed)})", seed)
    random = np.random.default_rng(seed)
    return [_play(game, players, random) for _ in range(count)]


def _play(game: Game, players: Sequence[Strategy], random: np.random.Generator) -> Play:
    state = game.start()
    moves: list[Move] = []
    while (turn := game.turn(state)) != END:
        if turn == CHANCE:
            outcomes = [(outcome, float(chance)) for outcome, chance in game.chance(state)]
            place = _drawn([chance for _, chance in outcomes], random)
            outcome, probability = outcomes[place]
            moves.append(Move(CHANCE, None, _name_of(game, state, outcome), probability))
            state = game.after(state, outcome)
        else:
            label = str(game.information(state))
            actions = list(game.actions(state))
            played = _behavior(players[turn], turn, label, [str(action) for action in actions])
            place = _drawn(played, random)
            moves.append(Move(turn, label, str(actions[place]), played[place]))
            state = game.after(state, actions[place])
    first, second = game.payoffs(state)
    return Play(tuple(moves), (float(first), float(second)))


def _behavior(strategy: Strategy, player: int, label: str, actions: list[str]) -> list[float]:
    """Return the probabilities of the actions that the rules offer."""
    try:
        played = strategy.at(player, label)
    except KeyError:
        played = {}
    if list(played) != actions:
        raise ParameterError(
            f"sample_play: the strategy is of {strategy.game}, which has no information set "
            f"{label!r} of player {player} with actions {', '.join(actions)}; pass the rules that "
            "its game was compiled from."
        )
    return list(played.values())


def _drawn(probabilities: list[float], random: np.random.Generator) -> int:
    """Return a place, drawn with these probabilities; never one that has none."""
    ends = np.cumsum(probabilities)
    place = int(np.searchsorted(ends, random.random() * ends[-1], side="right"))
    return min(place, int(np.flatnonzero(probabilities)[-1]))


def _name_of(game: Game, state: Any, outcome: Any) -> str:
    """Return what chance did, in words."""
    if not isinstance(game, PublicGame):
        return str(outcome)
    return " ".join(_new_in(game, state, outcome)) or "-"


def _new_in(game: PublicGame, state: Any, outcome: Any) -> Iterator[str]:
    """Yield what is new: what both see of it, and hands that were not known before."""
    before, *old = state
    after, *new = outcome
    seen, now = game.public_label(before), game.public_label(after)
    yield from (now[len(seen) :] if now.startswith(seen) else now).split()
    for player in range(2):
        was = game.hands(before).labels[player][old[player]]
        hand = game.hands(after).labels[player][new[player]]
        if hand != was:
            yield hand
