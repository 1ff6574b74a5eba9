"""Heads-up no-limit hold'em from a given board on, hand by hand."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.checks import shown
from secateur.errors import ParameterError
from secateur.games.combinations import Combinations, Disjoint, Fixed, Showdown
from secateur.games.holdem.betting import STREETS, Bets, Rules, sizes_of
from secateur.games.holdem.cards import CARDS, COMBINATIONS, board_of, combination_label
from secateur.games.holdem.ranges import range_of
from secateur.games.holdem.strengths import strengths
from secateur.games.holdem.suits import SAME, last_alike, renamed, symmetries, those_that_keep
from secateur.games.public import Deal, Hands, Payoff, PublicGame
from secateur.games.rules import CHANCE, END

Float = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

NOBODY = -1
_FULL_BOARD = 5
_HELD = 4
"""Cards that the players hold together."""


class Public(NamedTuple):
    """What both players have seen."""

    turn: int
    dealt: tuple[int, ...] | None
    """Cards that the board was given since the game began; None before hands are dealt."""

    bets: Bets
    folded: int
    label: str


class Table(NamedTuple):
    """What depends on the board alone, and so is made once and shared by all its states."""

    hands: Hands
    numbers: tuple[Indices, Indices]
    """Of each hand of either player: one of its combinations."""

    hand_of: tuple[Indices, Indices]
    """Of each of the 1,326 combinations: the hand that it is, or -1."""

    fixed: Fixed
    showdown: Showdown | None
    """If the board has five cards."""


@dataclass(frozen=True)
class Holdem(PublicGame):
    """No-limit hold'em between two players from a flop, turn or river on.

    Both know the board, the pot and each other's range: how often a player holds each combination
    of two cards. The pot has been paid before; each player has ``stack`` chips left. In a street
    the same player always acts first. Who faces no bet checks or bets; who faces a bet folds,
    calls or, while raises are left, raises. Sizes are shares of the pot (for a raise: of the pot
    after a call, on top of the call), chips, or all-in; a raise must be as high as the last bet or
    raise, and smaller sizes become that. When somebody is all in and called, the rest of the board
    is dealt.

    Payoffs are chips won or lost, where to split the pot is neither: who wins a showdown gets half
    of the pot and what the other has staked. Rake is not possible: the game would not be zero-sum.

    Information sets are labeled with hand and history: ``AsKd check bet50 | 7c check``. A bet or
    raise is named by what its player has staked on this street then. With the default parameters
    there are 12,223 histories and 208 information sets.

    Parameters
    ----------
    board : str
        Three to five cards, such as Ks7h4d.
    range_0 : str or 1,326 numbers
        What player 0 may hold, such as AA,KQs,A5s-A2s,22+,JTo:0.5.
    range_1 : str or 1,326 numbers
        What player 1 may hold.
    pot : float
        Chips in the pot when the game begins.
    stack : float
        Chips that each player has left; of two different stacks the smaller one.
    bets : str
        Sizes of bets, such as 50%,all-in; by street and player: 50%; river 1: 75%,all-in.
    raises : str
        Sizes of raises, written like bets.
    max_raises : int
        Largest number of raises in a street.
    minimum_bet : float
        The smallest bet in chips, usually the big blind.
    all_in_threshold : float
        Bets of at least this share of what a player has left are all-in.
    first : int
        Who acts first in every street, 0 or 1.
    merge_suits : bool
        Whether suits that board and ranges cannot tell apart are merged, which changes the size of
        the game but not its value.
    rake : float
        None: what the house takes, both players lose together, and games must be zero-sum.
    """

    board: str = "KsTh7s4d2c"
    range_0: str | tuple[float, ...] = "AA,KK,AKs,KQs,QJs,A5s,65s"
    range_1: str | tuple[float, ...] = "TT,77,AKo,KTs,QJs,98s"
    pot: float = 100.0
    stack: float = 200.0
    bets: str = "50%,all-in"
    raises: str = "all-in"
    max_raises: int = 3
    minimum_bet: float = 1.0
    all_in_threshold: float = 1.0
    first: int = 0
    merge_suits: bool = True
    rake: float = 0.0
    name = "holdem"
    deck = tuple(range(len(CARDS)))
    """The cards that may come; all of the board and of the ranges are among them."""

    def __post_init__(self) -> None:
        self._check_numbers()
        for name in ("board", "range_0", "range_1", "bets", "raises"):
            object.__setattr__(self, name, _plain(name, getattr(self, name)))
        self._check_ranges()
        if not self._rules.reaches_all_in(self._street):
            raise ParameterError(
                f"holdem: bets={shown(self.bets)}, raises={shown(self.raises)}: with at most "
                f"{self.max_raises} raises nobody can stake all {self.stack:g} chips; add all-in, "
                "or allow more raises"
            )

    def _check_numbers(self) -> None:
        def refuse(name: str, remedy: str) -> None:
            raise ParameterError(
                f"holdem: {name}={shown(getattr(self, name))} is not possible; {remedy}"
            )

        for name in ("pot", "stack", "minimum_bet", "all_in_threshold"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and 0.0 < value < math.inf):
                refuse(name, "choose a number above 0")
        if self.stack < self.minimum_bet:
            refuse("stack", f"it is less than the smallest bet, minimum_bet={self.minimum_bet:g}")
        if self.max_raises not in range(1000):
            refuse("max_raises", "choose 0 to 999")
        if self.all_in_threshold > 1.0:
            refuse("all_in_threshold", "choose a share above 0 and at most 1")
        if self.rake:
            refuse("rake", "what the house takes makes the game no zero-sum game; leave it out")
        if self.first not in (0, 1):
            refuse("first", "choose player 0 or 1")

    def _check_ranges(self) -> None:
        left = ~np.isin(COMBINATIONS, self._board).any(axis=1)
        for player, weights in enumerate(self._ranges):
            name = f"range_{player}"
            if not weights.any():
                raise ParameterError(f"holdem: {name} is empty; give a hand, such as AKs")
            if not weights[left].any():
                raise ParameterError(
                    f"holdem: {name}: the board {self.board} holds a card of every hand; give "
                    "another range or board"
                )
        if not self._total > 0.0:
            raise ParameterError(
                "holdem: range_0 and range_1 hold the same cards: no two hands are possible "
                "together; give another range"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass."""
        return asdict(self)

    # -- what parameters mean

    @cached_property
    def _board(self) -> tuple[int, ...]:
        return board_of(self.board)

    @cached_property
    def _street(self) -> int:
        return len(self._board) - 3

    @cached_property
    def _ranges(self) -> tuple[Float, Float]:
        first, second = range_of("range_0", self.range_0), range_of("range_1", self.range_1)
        return _in_proportion(first), _in_proportion(second)

    @cached_property
    def _rules(self) -> Rules:
        return Rules(
            pot=self.pot,
            stack=self.stack,
            bets=sizes_of("bets", self.bets),
            raises=sizes_of("raises", self.raises),
            max_raises=self.max_raises,
            minimum_bet=self.minimum_bet,
            all_in_threshold=self.all_in_threshold,
            first=self.first,
        )

    @cached_property
    def _symmetries(self) -> tuple[Any, ...]:
        return symmetries(self._board, self._ranges) if self.merge_suits else (SAME,)

    # -- shared by all public states with the same board

    @cached_property
    def _tables(self) -> dict[tuple[int, ...], Table]:
        return {}

    def table(self, dealt: tuple[int, ...]) -> Table:
        """Return what depends on the board alone, when it was given these cards."""
        key = tuple(sorted(dealt))
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self._make_table(key)
        return found

    def _make_table(self, dealt: tuple[int, ...]) -> Table:
        board = (*self._board, *dealt)
        group = those_that_keep(self._symmetries, dealt)
        alike = last_alike(group)
        left = ~np.isin(COMBINATIONS, board).any(axis=1)
        held = [np.flatnonzero(left & (weights > 0.0)) for weights in self._ranges]
        strength = np.zeros(len(COMBINATIONS), np.intp)
        if len(board) == _FULL_BOARD:
            some = np.union1d(*held)
            strength[some] = strengths(board, some)
        # hands from the highest cards on, combinations from the weakest hand on
        players, numbers, hand_of = [], [], []
        for mine, weights in zip(held, self._ranges, strict=True):
            hands = np.unique(alike[mine])[::-1]
            hand = np.full(len(COMBINATIONS), -1, np.intp)
            hand[mine] = len(hands) - 1 - np.searchsorted(hands[::-1], alike[mine])
            listed = mine[np.argsort(strength[mine], kind="stable")]
            players.append(Combinations(COMBINATIONS[listed], weights[listed], hand[listed]))
            numbers.append(hands)
            hand_of.append(hand)
        copies = len(self._symmetries) // len(group)
        unseen = len(self.deck) - len(self._board) - _HELD
        chance = copies / math.prod(unseen - k for k in range(len(dealt)))
        first, second = (tuple(map(combination_label, each.tolist())) for each in numbers)
        joint = Disjoint((players[0], players[1]), chance / self._total, copies)
        return Table(
            Hands((first, second), joint),
            (numbers[0], numbers[1]),
            (hand_of[0], hand_of[1]),
            Fixed((len(first), len(second))),
            Showdown((strength[numbers[0]], strength[numbers[1]]))
            if len(board) == _FULL_BOARD
            else None,
        )

    def chances(self, dealt: tuple[int, ...]) -> tuple[Float, Float]:
        """Return how likely chance deals either player's hands and these cards."""
        weights = self.table(dealt).hands.weights
        assert isinstance(weights, Disjoint)
        return weights.marginals

    @cached_property
    def _total(self) -> float:
        """The weight of all pairs of hands together."""
        left = np.flatnonzero(~np.isin(COMBINATIONS, self._board).any(axis=1))
        cards = COMBINATIONS[left]
        first, second = (Combinations(cards, each[left], left) for each in self._ranges)
        return float(Disjoint((first, second), 1.0).marginals[0].sum())

    @cached_property
    def _undealt(self) -> Hands:
        return Hands((("",), ("",)), np.ones((1, 1)))

    @cached_property
    def _origins(self) -> dict[tuple[tuple[int, ...], int], tuple[Indices, Indices]]:
        return {}

    def _origins_of(self, dealt: tuple[int, ...], card: int) -> tuple[Indices, Indices]:
        """Return which hand each one was before a card was dealt."""
        key = tuple(sorted(dealt)), card
        found = self._origins.get(key)
        if found is None:
            before, now = self.table(dealt), self.table((*dealt, card))
            found = self._origins[key] = (
                before.hand_of[0][now.numbers[0]],
                before.hand_of[1][now.numbers[1]],
            )
        return found

    def _cards_to_come(self, dealt: tuple[int, ...]) -> list[int]:
        """Return the cards that may come next; of those that nobody can tell apart, one."""
        board = (*self._board, *dealt)
        group = those_that_keep(self._symmetries, dealt)
        return [
            card
            for card in self.deck
            if card not in board
            and card == max(renamed(card, suits) for suits in group)
            and all(each.size for each in self.table((*dealt, card)).numbers)
        ]

    def estimated_sequences(self) -> float:
        """Return about how many sequences there are, by the betting and the numbers of cards."""
        left = ~np.isin(COMBINATIONS, self._board).any(axis=1)
        hands = tuple(int((left & (weights > 0.0)).sum()) for weights in self._ranges)
        known: dict[tuple[int, float], float] = {}

        def behind(public: Public) -> float:
            if public.turn == END:
                return 0.0
            bets = public.bets
            if public.turn == CHANCE:
                key = bets.street, bets.staked[0]
                if key not in known:
                    cards = len(self.deck) - len(self._board) - (bets.street - self._street)
                    after = self._after_card(public, 0)
                    # two of the cards that may come are in a hand
                    known[key] = (cards - 2) * behind(after)
                return known[key]
            actions = self.public_actions(public)
            own = len(actions) * hands[public.turn]
            return own + sum(behind(self.public_after(public, action)) for action in actions)

        start = self.public_start()._replace(turn=self.first, dealt=())
        return behind(start) / len(self._symmetries)

    # -- the game by public states

    def public_start(self) -> Public:
        """Begin before hands are dealt."""
        return Public(CHANCE, None, self._rules.begin(self._street, 0.0), NOBODY, "")

    def public_turn(self, public: Public) -> int:
        """Return who moves."""
        return public.turn

    def hands(self, public: Public) -> Hands:
        """Return the combinations that ranges and board leave possible."""
        return self._undealt if public.dealt is None else self.table(public.dealt).hands

    def public_actions(self, public: Public) -> tuple[str, ...]:
        """Return check and bets, or fold, call and raises."""
        return tuple(self._rules.moves(public.bets))

    def public_after(self, public: Public, action: str) -> Public:
        """Return what has been seen after one more action."""
        bets, label = public.bets, f"{public.label} {action}"
        if action == "fold":
            return public._replace(turn=END, folded=bets.turn, label=label)
        stake = self._rules.moves(bets)[action]
        if action == "call":
            return self._after_street(public, max(bets.staked), label)
        if action == "check":
            if bets.turn != self.first:
                return self._after_street(public, bets.staked[0], label)
            bets = bets._replace(turn=1 - bets.turn)
        else:
            bets = self._rules.after_bet(bets, stake)
        return public._replace(turn=bets.turn, bets=bets, label=label)

    def _after_street(self, public: Public, staked: float, label: str) -> Public:
        """Return what comes when a street is over: a card, or the showdown."""
        last = public.bets.street + 1 == len(STREETS)
        bets = public.bets._replace(staked=(staked, staked))
        return public._replace(turn=END if last else CHANCE, bets=bets, label=label)

    def deals(self, public: Public) -> list[Deal]:
        """Deal both hands at once, and later one card of the board at a time."""
        if public.dealt is None:
            here = self.table(())
            first, second = (np.zeros(len(each), np.intp) for each in here.numbers)
            state = public._replace(turn=self.first, dealt=())
            return [Deal("deal", state, (first, second))]
        dealt = public.dealt
        return [
            Deal(CARDS[card], self._after_card(public, card), self._origins_of(dealt, card))
            for card in self._cards_to_come(dealt)
        ]

    def _after_card(self, public: Public, card: int) -> Public:
        assert public.dealt is not None
        street, staked = public.bets.street + 1, public.bets.staked[0]
        label = f"{public.label} | {CARDS[card]}"
        bets = self._rules.begin(street, staked)
        turn = self.first
        if self._rules.is_all_in(bets):
            turn = END if street + 1 == len(STREETS) else CHANCE
        return Public(turn, (*public.dealt, card), bets, NOBODY, label)

    def public_label(self, public: Public) -> str:
        """Return all actions and cards, such as `` check bet50 call | 7c check``."""
        return public.label

    def payoff(self, public: Public) -> Payoff:
        """Return half of the pot and what the loser has staked."""
        assert public.dealt is not None
        table = self.table(public.dealt)
        if public.folded == NOBODY:
            assert table.showdown is not None
            return Payoff(table.showdown, 0.5 * self.pot + public.bets.staked[0])
        lost = 0.5 * self.pot + public.bets.staked[public.folded]
        return Payoff(table.fixed, -lost if public.folded == 0 else lost)


def _in_proportion(weights: Float) -> Float:
    """Return weights of which the largest is 1, so that products of small ones do not vanish."""
    largest = weights.max()
    return weights / largest if largest > 0.0 else weights


def _plain(name: str, value: Any) -> str | tuple[float, ...]:
    """Return text without line breaks, or the weights of a range as numbers."""
    if isinstance(value, str):
        return " ".join(value.split())
    try:
        if name.startswith("range"):
            return tuple(float(each) for each in value)
    except (TypeError, ValueError):
        pass
    raise ParameterError(f"holdem: {name}={shown(value)} is not possible; give text")
