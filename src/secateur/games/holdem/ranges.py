"""Ranges as poker players type them: ``AA,KQs,A5s-A2s,22+,JTo:0.5``.

A range gives each of the 1,326 combinations a weight from 0 to 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from secateur.checks import shown
from secateur.errors import ParameterError
from secateur.games.holdem.cards import CARDS, COMBINATIONS, NUMBER_OF, RANKS

Float = npt.NDArray[np.float64]

_ALL = ("any", "random", "100%")
_KIND = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)", re.IGNORECASE)
_HOW = "write hands such as AA, AKs, AKo, AK, AsKd, 22+, A5s-A2s, with weights such as AKo:0.5"

Kind = tuple[int, int, str]
"""High rank, low rank, and ``s`` for suited, ``o`` for offsuit, nothing for pairs and both."""


def range_of(name: str, given: str | Sequence[float]) -> Float:
    """Return the weight of each combination; raise ParameterError if something is misspelt."""
    if isinstance(given, str):
        return _typed(name, given)
    weights = np.array([*given], np.float64)
    if weights.shape != (len(COMBINATIONS),):
        raise ParameterError(
            f"holdem: {name} has {weights.size:,} weights; give {len(COMBINATIONS):,}, one for "
            "each combination, or text such as 'AA,AKs'"
        )
    for number in np.flatnonzero(~((weights >= 0.0) & (weights <= 1.0))).tolist():
        raise ParameterError(
            f"holdem: {name}[{number}] is {weights[number]:g}; weights are numbers from 0 to 1"
        )
    return weights


def _typed(name: str, text: str) -> Float:
    weights = np.zeros(len(COMBINATIONS))
    for match in re.finditer(r"[^\s,;]+", text):
        word, place = match.group(), match.start() + 1
        hands, colon, weight = word.partition(":")
        share = _weight(name, word, place, weight) if colon else 1.0
        try:
            numbers = list(_combinations(hands))
        except ValueError:
            raise ParameterError(
                f"holdem: {name}: {shown(word)} at character {place} is no hand; {_HOW}"
            ) from None
        weights[numbers] = share
    return weights


def _weight(name: str, word: str, place: int, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= 1.0:
        raise ParameterError(
            f"holdem: {name}: {shown(word)} at character {place} has the weight {shown(text)}; "
            "weights are numbers from 0 to 1"
        )
    return weight


def _combinations(hands: str) -> Iterator[int]:
    """Go through the combinations of one word without its weight; ValueError if it is none."""
    if hands.lower() in _ALL:
        yield from range(len(COMBINATIONS))
        return
    if re.fullmatch(r"(?:[2-9TJQKA][cdhs]){2}", hands, re.IGNORECASE):
        yield _exact(hands)
        return
    first, dash, last = hands.partition("-")
    if dash:
        kinds: Iterable[Kind] = _between(_kind(first), _kind(last))
    elif hands.endswith("+"):
        kinds = _and_better(_kind(hands[:-1]))
    else:
        kinds = [_kind(hands)]
    for kind in kinds:
        yield from _of_kind(kind)


def _exact(hand: str) -> int:
    cards = [CARDS.index(hand[k].upper() + hand[k + 1].lower()) for k in range(0, len(hand), 2)]
    if cards[0] == cards[1]:
        raise ValueError
    return int(NUMBER_OF[cards[0], cards[1]])


def _kind(text: str) -> Kind:
    match = _KIND.fullmatch(text)
    if match is None:
        raise ValueError
    one, two = (RANKS.index(rank.upper()) for rank in match.group(1, 2))
    suits = match.group(3).lower()
    if one == two and suits:
        raise ValueError
    return max(one, two), min(one, two), suits


def _and_better(kind: Kind) -> list[Kind]:
    """Return ``22+``, all pairs from there on, or ``A9s+``, all kickers up to the high card."""
    high, low, suits = kind
    if high == low:
        return [(rank, rank, "") for rank in range(low, len(RANKS))]
    return [(high, rank, suits) for rank in range(low, high)]


def _between(one: Kind, two: Kind) -> list[Kind]:
    """Return ``88-55``, ``A5s-A2s`` (the same high card) or ``JTs-54s`` (the same gap)."""
    if one[2] != two[2] or (one[0] == one[1]) != (two[0] == two[1]):
        raise ValueError
    (top, upper, suits), (bottom, lower, _) = max(one, two), min(one, two)
    if top == bottom:
        return [(top, rank, suits) for rank in range(lower, upper + 1)]
    if top - upper != bottom - lower:
        raise ValueError
    return [(bottom + k, lower + k, suits) for k in range(top - bottom + 1)]


def _of_kind(kind: Kind) -> Iterator[int]:
    high, low, suits = kind
    for one in range(4):
        for two in range(4):
            if high == low and two <= one:
                continue
            if (suits == "s" and one != two) or (suits == "o" and one == two):
                continue
            yield int(NUMBER_OF[4 * low + one, 4 * high + two])
