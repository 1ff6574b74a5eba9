"""A game written out as a tree of histories, with the table of its information sets."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from secateur.games.rules import CHANCE, END, Game

InfosetKey = tuple[int, Hashable]
"""The player who moves and what that player knows."""

Sequence = tuple[InfosetKey, Any]
"""An information set and the action taken there."""

Strategy = dict[InfosetKey, list[float]]
"""Behavioral strategy: at each information set the probabilities of its actions, in order."""


@dataclass(slots=True)
class Node:
    """One history."""

    turn: int
    """Player 0, player 1, CHANCE or END."""

    infoset: InfosetKey | None = None
    """Where a player moves: the information set."""

    actions: tuple[Any, ...] = ()
    """Actions of the player, or outcomes of chance."""

    cells: tuple[Sequence, ...] = ()
    """Where a player moves: the actions as sequences."""

    probabilities: tuple[float, ...] = ()
    """Where chance moves: the probability of each outcome."""

    children: tuple[Node, ...] = ()
    """The history after each action."""

    payoffs: tuple[float, float] | None = None
    """At the end: what each player wins."""


@dataclass(slots=True)
class Infoset:
    """One information set I."""

    key: InfosetKey
    actions: tuple[Any, ...]
    parent: Sequence | None
    """The last information set and action of the same player before I; None if I is the first."""

    histories: list[Node] = field(default_factory=list)
    cells: tuple[Sequence, ...] = field(init=False)
    """The actions as sequences: made once, for they are looked up again and again."""

    def __post_init__(self) -> None:
        self.cells = tuple((self.key, action) for action in self.actions)

    @property
    def player(self) -> int:
        """Who moves here."""
        return self.key[0]


class Tree:
    """All histories of a game and its information sets.

    ``infosets`` is ordered so that ``parent`` comes before its children: a forward loop goes
    down a player's own tree, a backward loop goes up.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.infosets: dict[InfosetKey, Infoset] = {}
        self.size = 0
        """The number of histories, those of chance and the ends of the game included."""
        self.root = self._grow(game.start(), (None, None))
        infosets = self.infosets.values()
        self._own = [[each for each in infosets if each.player == player] for player in (0, 1)]

    def of_player(self, player: int) -> list[Infoset]:
        """Return the information sets of one player, parents first."""
        return self._own[player]

    def uniform_strategy(self) -> Strategy:
        """Return the strategy in which both players choose every action equally often."""
        return {
            key: [1 / len(infoset.actions)] * len(infoset.actions)
            for key, infoset in self.infosets.items()
        }

    def _grow(self, state: Any, last: tuple[Sequence | None, Sequence | None]) -> Node:
        """Enumerate the histories from a state; ``last`` holds each player's last sequence."""
        self.size += 1
        game, turn = self.game, self.game.turn(state)
        if turn == END:
            return Node(turn, payoffs=game.payoffs(state))
        if turn == CHANCE:
            outcomes = list(game.chance(state))
            return Node(
                turn,
                actions=tuple(outcome for outcome, _ in outcomes),
                probabilities=tuple(probability for _, probability in outcomes),
                children=tuple(
                    self._grow(game.after(state, outcome), last) for outcome, _ in outcomes
                ),
            )

        key = (turn, game.information(state))
        actions = tuple(game.actions(state))
        infoset = self.infosets.setdefault(key, Infoset(key, actions, last[turn]))
        if infoset.actions != actions:
            raise ValueError(f"{key}: different actions at different histories")
        if infoset.parent != last[turn]:
            raise ValueError(f"{key}: imperfect recall")

        node = Node(turn, infoset.key, actions, infoset.cells)
        infoset.histories.append(node)
        children = []
        for action, sequence in zip(actions, infoset.cells, strict=True):
            now_last = (sequence, last[1]) if turn == 0 else (last[0], sequence)
            children.append(self._grow(game.after(state, action), now_last))
        node.children = tuple(children)
        return node


@lru_cache(maxsize=32)
def grown(game: Game) -> Tree:
    """Return the tree of a game, which many solvers share: none of them changes it."""
    return Tree(game)
