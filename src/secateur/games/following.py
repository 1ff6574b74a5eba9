"""Finds the information sets that lie at the end of a history given in words.

Words are the labels of actions, one after the other. Outcomes of chance may be named, too; where
they are not, all of them are followed. So the end of a history is a set of nodes: one for each way
that the cards may lie.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from secateur.errors import ParameterError
from secateur.games.public import PublicGame
from secateur.games.rules import CHANCE, END, Game

_MOST_SHOWN = 12


class Place(NamedTuple):
    """An information set: its player and its label."""

    player: int
    label: str


class _Edge(NamedTuple):
    names: frozenset[str]
    """All that it may be called; the first word of a history decides."""

    node: Any


class _Walk(ABC):
    """A game as a tree whose edges have names."""

    @abstractmethod
    def start(self) -> Any: ...

    @abstractmethod
    def turn(self, node: Any) -> int: ...

    @abstractmethod
    def edges(self, node: Any) -> Iterator[_Edge]: ...

    @abstractmethod
    def places(self, node: Any) -> Iterator[Place]: ...


def information_sets_after(game: Game, history: str) -> list[Place]:
    """Return the information sets of the players who move after a history.

    Parameters
    ----------
    game : Game
        The rules.
    history : str
        Labels of actions with spaces between them, such as ``check bet2``; nothing for the start.

    Raises
    ------
    ParameterError
        If that cannot happen; the message says what could have happened instead.
    """
    walk = _PublicWalk(game) if isinstance(game, PublicGame) else _HistoryWalk(game)
    nodes = _Follower(walk, game, " ".join(history.split())).run()
    return list(dict.fromkeys(place for node in nodes for place in walk.places(node)))


class _Follower:
    def __init__(self, walk: _Walk, game: Game, words: str) -> None:
        self.walk = walk
        self.game = game
        self.done = ""
        self.rest = words
        self.dealt: list[str] = []
        """What chance could have done last, if the words have not told."""

    def run(self) -> list[Any]:
        nodes = [self.walk.start()]
        while True:
            chances = [node for node in nodes if self.walk.turn(node) == CHANCE]
            if chances:
                nodes = self.deal(nodes, chances)
            elif self.rest:
                nodes = self.move(nodes)
            else:
                break
        decided = [node for node in nodes if self.walk.turn(node) != END]
        if not decided:
            raise ParameterError(f"{self.where()} the game is over; give a shorter history.")
        return decided

    def deal(self, nodes: list[Any], chances: list[Any]) -> list[Any]:
        edges = [edge for node in chances for edge in self.walk.edges(node)]
        named = self.take(edges)
        if named:
            self.dealt = []
            return named
        self.dealt = _names(edges)
        players = [node for node in nodes if self.walk.turn(node) != CHANCE]
        return [*players, *(edge.node for edge in edges)]

    def move(self, nodes: list[Any]) -> list[Any]:
        movers = [node for node in nodes if self.walk.turn(node) != END]
        edges = [edge for node in movers for edge in self.walk.edges(node)]
        if not edges:
            raise ParameterError(
                f"{self.where()} the game is over, so {self.rest!r} is too much; leave it out."
            )
        following = self.take(edges)
        if not following:
            player = self.walk.turn(movers[0])
            unnamed = f", or name what chance did: {_listed(self.dealt)}"
            dealt = unnamed if len(self.dealt) > 1 else ""
            raise ParameterError(
                f"{self.where()} {self.rest.split()[0]!r} is not possible; "
                f"{self.game.players[player]} can {_listed(_names(edges))}{dealt}."
            )
        self.dealt = []
        return following

    def take(self, edges: list[_Edge]) -> list[Any]:
        """Follow the edges with the longest name that comes next, if there is one."""
        known = {name for edge in edges for name in edge.names}
        found = [name for name in known if f"{self.rest} ".startswith(f"{name} ")]
        if not found:
            return []
        name = max(found, key=len)
        self.done = f"{self.done} {name}".strip()
        self.rest = self.rest[len(name) :].strip()
        return [edge.node for edge in edges if name in edge.names]

    def where(self) -> str:
        return f"{self.game.name}: {f'after {self.done!r},' if self.done else 'at the start'}"


def _names(edges: Iterable[_Edge]) -> list[str]:
    return list(dict.fromkeys(min(edge.names, key=len) for edge in edges if edge.names))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return ", ".join(names[:_MOST_SHOWN]) + more


def _named(*names: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in names) - {""}


class _HistoryWalk(_Walk):
    """Nodes are states of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def start(self) -> Any:
        return self.game.start()

    def turn(self, node: Any) -> int:
        return self.game.turn(node)

    def edges(self, node: Any) -> Iterator[_Edge]:
        if self.game.turn(node) == CHANCE:
            moves = [outcome for outcome, chance in self.game.chance(node) if chance > 0.0]
        else:
            moves = list(self.game.actions(node))
        for move in moves:
            yield _Edge(_named(str(move)), self.game.after(node, move))

    def places(self, node: Any) -> Iterator[Place]:
        yield Place(self.game.turn(node), str(self.game.information(node)))


class _PublicWalk(_Walk):
    """Nodes are public states: hands need not be told apart on the way.

    What follows is called by its own label or by what it adds to the label of the public state.
    """

    def __init__(self, game: PublicGame) -> None:
        self.game = game

    def start(self) -> Any:
        return self.game.public_start()

    def turn(self, node: Any) -> int:
        return self.game.public_turn(node)

    def edges(self, node: Any) -> Iterator[_Edge]:
        if self.game.public_turn(node) == CHANCE:
            following = [(deal.label, deal.state) for deal in self.game.deals(node)]
        else:
            following = [
                (action, self.game.public_after(node, action))
                for action in self.game.public_actions(node)
            ]
        before = self.game.public_label(node)
        for label, after in following:
            seen = self.game.public_label(after)
            added = seen[len(before) :] if seen.startswith(before) else ""
            yield _Edge(_named(label, added), after)

    def places(self, node: Any) -> Iterator[Place]:
        player, label = self.game.public_turn(node), self.game.public_label(node)
        for hand in self.game.hands(node).labels[player]:
            yield Place(player, hand + label)
