"""Matrices between hands of cards: lists of combinations, which many matrices share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.games.combinations import MOST_CARDS, Combinations, Disjoint, Showdown, twins

Float = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


def packed_hands(lane: Indices, cards: Indices) -> npt.NDArray[np.int32]:
    """Return lanes and two cards each in one number."""
    hands = (lane * MOST_CARDS + cards[:, 0]) * MOST_CARDS + cards[:, 1]
    return hands.astype(np.int32)


def lanes_of(hands: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the lanes that are packed in numbers."""
    return hands.astype(np.int64) // MOST_CARDS**2


def cards_of(hands: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the two cards that are packed in each number."""
    return np.column_stack(np.divmod(hands.astype(np.int64) % MOST_CARDS**2, MOST_CARDS))


class Listed(NamedTuple):
    """The combinations of a player that have a lane, in the order of a matrix."""

    cards: Indices
    weight: Float
    lane: Indices
    hand: Indices


class HandMatrix(NamedTuple):
    """A matrix between hands: who meets whom, and in which class of strength everybody is."""

    kind: int
    shape: tuple[int, int]
    players: tuple[Listed, Listed]
    classes: tuple[Indices, Indices]
    """For either player, where classes of equal strength end; first a zero."""

    def content(self) -> tuple[Any, ...]:
        """Return by what matrices are told apart."""
        return self.kind, self.shape, *(part.tobytes() for part in self.classes), *self.lists()

    def lists(self) -> tuple[bytes, bytes]:
        """Return by what lists of combinations are told apart."""
        first, second = (b"".join(part.tobytes() for part in each[:3]) for each in self.players)
        return first + b"|" + second, second + b"|" + first


def hand_matrix(
    kind: int,
    weights: Disjoint,
    payoff: Showdown | None,
    lanes: tuple[Indices, Indices],
    shape: tuple[int, int],
) -> HandMatrix:
    """Return the matrix between two rows; ``lanes`` are those of hands, -1 where there is none."""
    strengths = None if payoff is None else payoff.strength
    first, second = (
        _listed(each, lane, None if strengths is None else strengths[player])
        for player, (each, lane) in enumerate(zip(weights.players, lanes, strict=True))
    )
    if strengths is None:
        ends = np.array([0, len(first.lane)]), np.array([0, len(second.lane)])
        return HandMatrix(kind, shape, (first, second), ends)
    strong = strengths[0][first.hand], strengths[1][second.hand]
    kinds = np.unique(np.concatenate(strong))
    ends = (
        np.append(0, np.searchsorted(strong[0], kinds, side="right")),
        np.append(0, np.searchsorted(strong[1], kinds, side="right")),
    )
    return HandMatrix(kind, shape, (first, second), ends)


def _listed(each: Combinations, lane: Indices, strength: Indices | None) -> Listed:
    some = (lane[each.hand] >= 0) & (each.weight > 0.0)
    order = np.flatnonzero(some)
    if strength is not None:
        order = order[np.argsort(strength[each.hand[order]], kind="stable")]
    hand = each.hand[order]
    return Listed(each.cards[order], each.weight[order], lane[hand], hand)


def extremes(
    weights: Disjoint, payoff: Showdown, player: int, lane: Indices, lanes: int, sign: int
) -> tuple[Float, Float]:
    """Return the most and the least of ``sign`` times a payoff that lanes of a player may win."""
    own, others = weights.players[player], weights.players[1 - player]
    mine = payoff.strength[player][own.hand]
    order = np.argsort(payoff.strength[1 - player][others.hand], kind="stable")
    theirs = payoff.strength[1 - player][others.hand][order]
    below = np.searchsorted(theirs, mine, side="left")
    until = np.searchsorted(theirs, mine, side="right")
    met = _met_before(own.cards, others.cards[order])
    weaker, upto = met(below), met(until)
    every = met(np.full(len(mine), len(theirs)))
    found = {1: weaker > 0, 0: upto > weaker, -1: every > upto}
    direction = sign if player == 0 else -sign
    most, least = np.full(lanes, -np.inf), np.full(lanes, np.inf)
    for outcome, some in found.items():
        # in terms of player 0, a stronger hand of player 1 is worth -1
        paid = float(direction * outcome)
        places = lane[own.hand[some]]
        most[places] = np.maximum(most[places], paid)
        least[places] = np.minimum(least[places], paid)
    return most, least


def _met_before(cards: Indices, others: Indices) -> Any:
    """Return a function that counts, of the first so many others, those that share no card."""
    held = np.zeros((len(others) + 1, int(max(cards.max(), others.max())) + 1), np.int32)
    places = np.arange(1, len(others) + 1)
    held[places, others[:, 0]] = 1
    held[places, others[:, 1]] = 1
    held = np.cumsum(held, axis=0)
    twin = twins(cards, others)

    def counted(first: Indices) -> Indices:
        with_card = held[first, cards[:, 0]] + held[first, cards[:, 1]]
        found: Indices = first - with_card + ((twin >= 0) & (twin < first))
        return found

    return counted


def arrays_of(matrices: list[HandMatrix | None]) -> dict[str, Any]:
    """Return the arrays of :class:`~secateur.compiled.arrays.Arrays` that describe combinations.

    For matrices with entries there is None.
    """
    known: dict[bytes, int] = {}
    lists: list[tuple[Listed, Indices]] = []
    first: list[int] = []
    pointer_first: list[int] = []
    pointers: list[Indices] = [np.zeros(0, np.intp)]
    room = ends = 0
    for each in matrices:
        for player in range(2):
            pointer_first.append(ends)
            if each is None:
                first.append(0)
                continue
            key = each.lists()[player]
            if key not in known:
                known[key] = room
                mine, other = each.players[player], each.players[1 - player]
                lists.append((mine, twins(mine.cards, other.cards)))
                room += len(mine.lane)
            first.append(known[key])
            pointers.append(each.classes[player])
            ends += len(each.classes[player])

    def joined(parts: list[Any], kind: Any) -> Any:
        return np.concatenate([np.zeros(0, kind), *parts])

    return {
        "matrix_classes": np.array(
            [0 if each is None else len(each.classes[0]) - 1 for each in matrices], np.int32
        ),
        "combination_first": np.array(first, np.int64),
        "class_first": np.array(pointer_first, np.int64),
        "class_pointer": np.concatenate(pointers).astype(np.int32),
        "combination_twin": joined([twin for _, twin in lists], np.int64),
        "combination_hand": joined(
            [packed_hands(each.lane, each.cards) for each, _ in lists], np.int32
        ),
        "combination_weight": joined([each.weight for each, _ in lists], np.float64),
    }
