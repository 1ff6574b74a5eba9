"""How a strategy plays hold'em hands, in grids of 13 by 13.

Pairs stand on the diagonal, suited hands above it and others below. A cell is an average over the
combinations of a hand, by how often each of them comes there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from rich.table import Table
from rich.text import Text

from secateur.games.following import Place
from secateur.games.holdem.cards import CARDS, RANKS
from secateur.games.holdem.game import Holdem
from secateur.strategy import Strategy

_RANKS = RANKS[::-1]
_SHADES = ("bright_black", "white", "cyan", "green", "bold green")


class _Hand(NamedTuple):
    """One information set."""

    cell: tuple[int, int]
    weight: float
    played: dict[str, float]


def grids(game: Holdem, strategy: Strategy, places: list[Place], history: str) -> Iterator[Table]:
    """Return a grid for each action of each player who may move."""
    where = f"after {history}" if history else "at the start"
    for player in sorted({place.player for place in places}):
        mine = [place.label for place in places if place.player == player]
        hands = _hands(game, strategy, player, mine)
        total = sum(hand.weight for hand in hands)
        for action in dict.fromkeys(action for hand in hands for action in hand.played):
            share = sum(hand.weight * hand.played.get(action, 0.0) for hand in hands) / total
            title = f"{strategy.game.players[player]} {where}: {action}, {share:.1%} of all hands"
            yield _grid(title, hands, action)


def _hands(game: Holdem, strategy: Strategy, player: int, labels: list[str]) -> list[_Hand]:
    """Return hands with the probability that chance and their player bring them about."""
    plan = strategy.plan
    found, chances = [], []
    for label in labels:
        infoset = next(each for each in strategy.game.by_label[label] if each.player == player)
        chance = _chance(game, player, label)
        played = strategy.probabilities[infoset.cells].tolist()
        reach = float(plan[infoset.cells].sum())
        found.append(
            _Hand(_cell(label), chance * reach, dict(zip(infoset.actions, played, strict=True)))
        )
        chances.append(chance)
    if not any(hand.weight for hand in found):  # the player never gets here
        found = [hand._replace(weight=each) for hand, each in zip(found, chances, strict=True)]
    return found


def _chance(game: Holdem, player: int, label: str) -> float:
    """Return the probability that chance deals the hand and the cards of a label."""
    hand, *streets = label.split(" | ")
    dealt = tuple(CARDS.index(street.split()[0]) for street in streets)
    hands = game.table(dealt).hands
    number = hands.labels[player].index(hand.split()[0])
    return float(game.chances(dealt)[player][number])


def _cell(label: str) -> tuple[int, int]:
    high, low = _RANKS.index(label[0]), _RANKS.index(label[2])
    suited = label[1] == label[3]
    return (high, low) if suited else (low, high)


def _grid(title: str, hands: list[_Hand], action: str) -> Table:
    weight, played = np.zeros((13, 13)), np.zeros((13, 13))
    for hand in hands:
        weight[hand.cell] += hand.weight
        played[hand.cell] += hand.weight * hand.played.get(action, 0.0)
    table = Table(title=title, title_justify="left", padding=0, show_header=False)
    for _ in range(13):
        table.add_column(justify="right", no_wrap=True, min_width=5)
    for row in range(13):
        table.add_row(*(_shown(row, column, weight, played) for column in range(13)))
    return table


def _shown(row: int, column: int, weight: np.ndarray, played: np.ndarray) -> Text:
    """Return a hand and how often it takes the action in percent; nothing if it does not come."""
    if weight[row, column] == 0.0:
        return Text("")
    high, low = min(row, column), max(row, column)
    suits = "" if row == column else "s" if row < column else "o"
    share = played[row, column] / weight[row, column]
    shade = _SHADES[min(int(share * len(_SHADES)), len(_SHADES) - 1)]
    return Text(f"{_RANKS[high]}{_RANKS[low]}{suits:1}\n{100 * share:.0f}", shade)
