"""Walk a game history by history: what every file format and every peer is made from."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from secateur.games.rules import CHANCE, END, Game


@dataclass(slots=True)
class Node:
    """One history of the game."""

    number: int
    """A number of its own; the root has 0."""

    turn: int
    """Player 0, player 1, CHANCE or END."""

    children: range = range(0)
    """Numbers of the histories that follow, in order of action."""

    information_set: int = -1
    """Number of the information set among those of its player, in order of first visit."""

    label: str = ""
    """Label of the information set."""

    actions: tuple[str, ...] = ()
    """Labels of a player's actions."""

    probabilities: tuple[float, ...] = ()
    """Probabilities of the outcomes of chance."""

    payoffs: tuple[float, float] = (0.0, 0.0)
    """What the players win at the end."""


def walk(game: Game) -> Iterator[Node]:
    """Yield every history in depth-first order, children in order of action.

    Only the histories that wait for their visit are held, never the whole game.
    """
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    waiting = [(0, game.start())]
    discovered = 1
    while waiting:
        number, state = waiting.pop()
        node = Node(number, game.turn(state))
        edges = []
        if node.turn == END:
            first, second = game.payoffs(state)
            node.payoffs = first + 0.0, second + 0.0  # no negative zero: it spoils text formats
        elif node.turn == CHANCE:
            outcomes = list(game.chance(state))
            edges = [outcome for outcome, _ in outcomes]
            node.probabilities = tuple(float(probability) for _, probability in outcomes)
        else:
            information = game.information(state)
            known = numbers[node.turn]
            node.information_set = known.setdefault(information, len(known))
            node.label = str(information)
            edges = list(game.actions(state))
            node.actions = tuple(map(str, edges))
        node.children = range(discovered, discovered + len(edges))
        discovered += len(edges)
        following = [
            (child, game.after(state, edge))
            for child, edge in zip(node.children, edges, strict=True)
        ]
        waiting.extend(reversed(following))
        yield node
