"""Betting without limit: which bets and raises there are, and what they stake."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from secateur.checks import shown
from secateur.errors import ParameterError

STREETS = ("flop", "turn", "river")
ALL_IN = "all-in"

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(%?)")
_HOW = "write sizes such as 50% (of the pot), 40 (chips) or all-in, with commas between"
_DIGITS = 2
"""Bets are rounded to hundredths of a chip."""


class Size(NamedTuple):
    """How much is bet, or raised by."""

    amount: float
    of_pot: bool

    def chips(self, pot: float) -> float:
        """Return it in chips."""
        return round(self.amount * pot if self.of_pot else self.amount, _DIGITS)


Sizes = tuple[tuple[tuple[Size, ...], tuple[Size, ...]], ...]
"""For each street, for each player."""


def sizes_of(name: str, text: str) -> Sizes:
    """Return sizes by street and player; raise ParameterError if something is misspelt.

    ``50%, all-in`` is for every street and both players. Clauses with semicolons between say more:
    ``50%; river: 75%, all-in; turn 1: 40%``; the last one that fits decides.
    """
    found: list[list[tuple[Size, ...]]] = [[(), ()] for _ in STREETS]
    for clause in text.split(";"):
        about, colon, sizes = clause.rpartition(":")
        streets, players = _about(name, clause, about.split()) if colon else (STREETS, (0, 1))
        parts = [part.strip() for part in sizes.split(",") if part.strip()]
        parsed = tuple(_size(name, clause, part) for part in parts)
        for street in streets:
            for player in players:
                found[STREETS.index(street)][player] = parsed
    return tuple((first, second) for first, second in found)


def _about(name: str, clause: str, words: list[str]) -> tuple[Sequence[str], Sequence[int]]:
    streets = [word.lower() for word in words if word.lower() in STREETS]
    players = [int(word) for word in words if word in ("0", "1")]
    if len(streets) + len(players) < len(words) or not words:
        raise ParameterError(
            f"holdem: {name}: {shown(clause.strip())} is for no street and no player; begin with "
            "flop, turn, river, 0 or 1, such as river 1: 50%"
        )
    return streets or STREETS, players or (0, 1)


def _size(name: str, clause: str, text: str) -> Size:
    if text.lower().replace(" ", "-") in (ALL_IN, "allin"):
        return Size(math.inf, of_pot=False)
    match = _SIZE.fullmatch(text)
    if match is None or float(match.group(1)) == 0.0:
        where = "" if clause.strip() == text else f" in {shown(clause.strip())}"
        raise ParameterError(f"holdem: {name}: {shown(text)}{where} is no size; {_HOW}")
    number = float(match.group(1))
    return Size(number / 100, of_pot=True) if match.group(2) else Size(number, of_pot=False)


class Bets(NamedTuple):
    """What has been bet."""

    street: int
    turn: int
    """Who acts next."""

    staked: tuple[float, float]
    """By either player since the game began; the pot is not counted."""

    before: float
    """What both had staked when the street began."""

    raises: int
    """Raises in this street; -1 if there was no bet."""

    least: float
    """By how much the next bet or raise must be higher at least."""


@dataclass(frozen=True)
class Rules:
    """What players may bet."""

    pot: float
    stack: float
    bets: Sizes
    raises: Sizes
    max_raises: int
    minimum_bet: float
    all_in_threshold: float
    first: int

    def begin(self, street: int, staked: float) -> Bets:
        """Return a street on which nobody has acted."""
        return Bets(street, self.first, (staked, staked), staked, -1, self.minimum_bet)

    def is_all_in(self, bets: Bets) -> bool:
        """Whether a player has nothing left."""
        return max(bets.staked) >= self.stack

    def moves(self, bets: Bets) -> dict[str, float]:
        """Return the actions of who is next, with what that player will have staked."""
        mine, theirs = bets.staked[bets.turn], bets.staked[1 - bets.turn]
        facing = theirs > mine
        found = {"fold": mine, "call": theirs} if facing else {"check": mine}
        if self.is_all_in(bets) or bets.raises >= self.max_raises:
            return found
        sizes = (self.raises if facing else self.bets)[bets.street][bets.turn]
        pot = self.pot + 2 * theirs
        for stake in sorted({self._stake(bets, size.chips(pot)) for size in sizes}):
            if stake >= self.stack:
                found[ALL_IN] = self.stack
            else:
                found[f"{'raise' if facing else 'bet'}{stake - bets.before:g}"] = stake
        return found

    def _stake(self, bets: Bets, more: float) -> float:
        """Return what a bet of a size stakes in the end."""
        mine, theirs = bets.staked[bets.turn], bets.staked[1 - bets.turn]
        stake = theirs + max(more, bets.least)
        if stake - mine >= self.all_in_threshold * (self.stack - mine):
            return self.stack
        return stake

    def after_bet(self, bets: Bets, stake: float) -> Bets:
        """Return what has been bet after a bet or raise."""
        player = bets.turn
        least = max(bets.least, stake - bets.staked[1 - player])
        staked = (stake, bets.staked[1]) if player == 0 else (bets.staked[0], stake)
        return bets._replace(turn=1 - player, staked=staked, raises=bets.raises + 1, least=least)

    def reaches_all_in(self, street: int) -> bool:
        """Whether somebody can be all in if both bet as much as they can from a street on."""
        staked = 0.0
        for number in range(street, len(STREETS)):
            bets = self.begin(number, staked)
            if not self.bets[number][bets.turn]:
                bets = bets._replace(turn=1 - bets.turn)
            while True:
                name, stake = list(self.moves(bets).items())[-1]
                if name in ("fold", "call", "check"):
                    break
                bets = self.after_bet(bets, stake)
                if self.is_all_in(bets):
                    return True
            staked = max(bets.staked)
        return False
