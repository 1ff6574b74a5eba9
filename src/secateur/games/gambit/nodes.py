"""Goes through a game node by node in the order of an ``.efg`` file, whatever its rules are."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from secateur.games.gambit.game import GambitGame
from secateur.games.gambit.labels import distinct, tidy
from secateur.games.gambit.numbers import Number
from secateur.games.gambit.tree import NONE
from secateur.games.public import PublicGame
from secateur.games.rules import CHANCE, END, Game


@dataclass(slots=True)
class Node:
    """One node: a history of the game."""

    turn: int
    """Player 0, player 1, CHANCE or END."""

    name: str = ""
    information_set: int = 0
    """Number among those of the player or of chance, from 1 in order of first visit."""

    label: str = ""
    """Of the information set; as the file has it, if the game comes from one."""

    known_as: str = ""
    """What the compiled game calls the information set."""

    actions: tuple[str, ...] = ()
    probabilities: tuple[Number, ...] = ()
    outcome: int = 0
    """Number of the payoffs, from 1; 0 for none."""

    outcome_label: str = ""
    payoffs: tuple[Number, Number] = (0.0, 0.0)


def nodes(game: Game) -> Iterator[Node]:
    """Yield every node in depth-first order, children in order of action."""
    return _of_file(game) if isinstance(game, GambitGame) else _of_rules(game)


def _of_file(game: GambitGame) -> Iterator[Node]:
    tree = game.tree
    numbers: dict[int, int] = {}
    counts = {CHANCE: 0, 0: 0, 1: 0}
    for number, each in enumerate(tree.information_sets):
        counts[each.player] += 1
        numbers[number] = counts[each.player]
    for state, turn in enumerate(tree.turn):
        node = Node(turn, tidy(tree.names.get(state, "")))
        number = tree.information_set[state]
        if number != NONE:
            known = tree.information_sets[number]
            node.information_set = numbers[number]
            node.label = known.label if known.name else ""
            node.known_as = known.label
            node.actions = tuple(known.actions)
            node.probabilities = known.probabilities
        if tree.outcome[state] != NONE:
            outcome = tree.outcomes[tree.outcome[state]]
            node.outcome = tree.outcome[state] + 1
            node.outcome_label = tidy(outcome.name)
            node.payoffs = outcome.payoffs
        yield node


def _of_rules(game: Game) -> Iterator[Node]:
    known: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    outcomes: dict[Number, int] = {}
    events = 0
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        node = Node(game.turn(state))
        edges: list[Any] = []
        if node.turn == END:
            # exact opposites: the compiler allows for rounding, Gambit does not
            win = game.payoffs(state)[0]
            win = win if isinstance(win, Fraction) else float(win) + 0.0
            node.payoffs = win, 0 - win
            node.outcome = outcomes.setdefault(win, len(outcomes) + 1)
        elif node.turn == CHANCE:
            chances = list(game.chance(state))
            edges = [outcome for outcome, _ in chances]
            events += 1
            node.information_set = events
            node.actions = tuple(distinct(tidy(_outcome_label(game, each)) for each in edges))
            node.probabilities = tuple(p for _, p in chances)
        else:
            information = game.information(state)
            mine = known[node.turn]
            node.information_set = mine.setdefault(information, len(mine)) + 1
            node.known_as = str(information)
            node.label = tidy(node.known_as)
            edges = list(game.actions(state))
            node.actions = tuple(map(str, edges))
        waiting += [game.after(state, edge) for edge in reversed(edges)]
        yield node


def _outcome_label(game: Game, outcome: Any) -> str:
    """Return an outcome of chance in words; in public games, the hands and what all have seen."""
    if not isinstance(game, PublicGame):
        return str(outcome)
    public, *hand = outcome
    hands = game.hands(public).labels
    return f"{hands[0][hand[0]]} {hands[1][hand[1]]} {game.public_label(public)}"
