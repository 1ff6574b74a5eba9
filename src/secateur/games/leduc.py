"""Leduc poker, and the family of small poker games around it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from secateur.errors import ParameterError
from secateur.games.public import Deal, Hands, Indices, Matrix, Payoff, PublicGame
from secateur.games.rules import CHANCE, END

RANKS = "A23456789TJQK"
SUITS = "cdhs"
NOBODY = -1


class Betting(NamedTuple):
    """What both players have seen; small, because large games have millions of these."""

    turn: int
    round: int  # -1 before the private deal
    board: tuple[int, ...]  # kinds of card, sorted: the order of dealing is in the label
    bets: int  # bets and raises made in this round
    staked: tuple[float, float]
    folded: int
    label: str


class Table(NamedTuple):
    """What depends on the board alone, and so is made once and shared by all its states."""

    kinds: tuple[int, ...]
    hands: Hands
    fold: Matrix
    showdown: Matrix


@dataclass(frozen=True)
class Leduc(PublicGame):
    """Leduc poker with any deck and any bet sizes.

    Both players ante and get one private card. Each betting round but the first begins with one
    more public board card. Player 0 acts first in every round. Who faces no bet checks or bets;
    who faces a bet folds, calls, or, while bets are left in the round, raises: a raise of x is a
    call and x more. Any size may follow any size, and there are no stacks. Who folds loses the own
    contribution. At the showdown the winner gets the contribution of the other; ties split.

    The hand at the showdown is the private card with the whole board: the rank that occurs most
    often decides, then the higher rank, then the next most frequent rank, and so on. With one
    board card that is Leduc's rule: a pair with the board wins, else the higher private card.

    An information set is labeled with the hand and all public events: ``Q check bet2 call | K``
    is a queen after the first round was checked, bet 2 and called and the board card was a king.
    Ranks up to 13 are the highest of A23456789TJQK (the ace is low), more ranks are numbered.

    =====================================================  =========  ================
    parameters                                             histories  information sets
    =====================================================  =========  ================
    the defaults                                               1,936               288
    merge_suits=False                                          9,451               936
    bet_sizes=((1,), (2,), (4,))                              22,186             3,888
    bet_sizes=((0.5, 1, 2, 4, 8), (1, 2, 4, 8, 16))          269,560            34,224
    =====================================================  =========  ================

    Parameters
    ----------
    ranks : int
        Number of different ranks.
    suits : int
        Number of cards of each rank.
    bet_sizes : tuple of tuples of float
        The sizes of bets and raises, one tuple for each betting round.
    max_bets : int
        Largest number of bets and raises in a round.
    ante : float
        What each player pays before the deal.
    merge_suits : bool
        Whether cards of one rank are one hand, dealt with their common probability. Suits never
        matter, so this changes the size of the game but not its value.
    """

    ranks: int = 3
    suits: int = 2
    bet_sizes: tuple[tuple[float, ...], ...] = ((2.0,), (4.0,))
    max_bets: int = 2
    ante: float = 1.0
    merge_suits: bool = True
    name = "leduc"

    def __post_init__(self) -> None:
        for field in ("ranks", "suits", "max_bets"):
            value = getattr(self, field)
            if value not in range(1, 1000):
                raise ParameterError(f"leduc: {field}={value!r} is not possible; choose 1 to 999")
        if not _is_positive(self.ante):
            raise ParameterError(
                f"leduc: ante={self.ante!r} is not possible; choose a number above 0"
            )
        object.__setattr__(self, "bet_sizes", _checked_sizes(self.bet_sizes))
        cards, needed = self.ranks * self.suits, 1 + len(self.bet_sizes)
        if cards < needed:
            raise ParameterError(
                f"leduc: ranks={self.ranks}, suits={self.suits} make {cards} cards but "
                f"{len(self.bet_sizes)} rounds deal {needed}; raise ranks or suits"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass."""
        return asdict(self)

    # -- the deck: kinds of cards that the players tell apart, and how many there are of each

    @cached_property
    def _copies(self) -> int:
        return self.suits if self.merge_suits else 1

    @cached_property
    def _kinds(self) -> range:
        return range(self.ranks * self.suits // self._copies)

    def _rank(self, kind: int) -> int:
        return kind * self._copies // self.suits

    @cached_property
    def _card_labels(self) -> tuple[str, ...]:
        ranks = RANKS[-self.ranks :] if self.ranks <= 13 else range(1, self.ranks + 1)
        if self.merge_suits:
            return tuple(map(str, ranks))
        suits = SUITS[: self.suits] if self.suits <= 4 else [f".{n + 1}" for n in range(self.suits)]
        return tuple(f"{rank}{suit}" for rank in ranks for suit in suits)

    def _chance(self, cards: Sequence[int]) -> float:
        """Return the probability to draw these kinds of card in this order."""
        ways = math.prod(math.perm(self._copies, n) for n in Counter(cards).values())
        return ways / math.perm(self.ranks * self.suits, len(cards))

    def _strength(self, cards: Sequence[int]) -> list[tuple[int, int]]:
        """Return the ranks with how often they occur; greater lists beat smaller lists."""
        counts = Counter(map(self._rank, cards))
        return sorted(((n, rank) for rank, n in counts.items()), reverse=True)

    # -- shared by all public states with the same board

    @cached_property
    def _tables(self) -> dict[tuple[int, ...], Table]:
        return {}

    @cached_property
    def _fold_matrices(self) -> dict[int, Matrix]:
        return {}

    def _table(self, board: tuple[int, ...]) -> Table:
        table = self._tables.get(board)
        if table is None:
            table = self._tables[board] = self._make_table(board)
        return table

    def _make_table(self, board: tuple[int, ...]) -> Table:
        joint = np.array(
            [[self._chance((mine, other, *board)) for other in self._kinds] for mine in self._kinds]
        )
        possible = np.flatnonzero(joint.any(axis=1))
        kinds = tuple(possible.tolist())
        labels = tuple(self._card_labels[kind] for kind in kinds)
        strengths = [self._strength((kind, *board)) for kind in kinds]
        order = np.array([sorted(strengths).index(strength) for strength in strengths])
        showdown = np.sign(order[:, None] - order[None, :]).astype(np.float64)
        fold = self._fold_matrices.setdefault(len(kinds), np.ones((len(kinds), len(kinds))))
        hands = Hands((labels, labels), joint[np.ix_(possible, possible)])
        return Table(kinds, hands, fold, showdown)

    @cached_property
    def _undealt(self) -> Hands:
        return Hands((("",), ("",)), np.ones((1, 1)))

    @cached_property
    def _origins(self) -> dict[tuple[tuple[int, ...], int], tuple[Indices, Indices]]:
        return {}

    def _board_origins(self, board: tuple[int, ...], card: int) -> tuple[Indices, Indices]:
        origins = self._origins.get((board, card))
        if origins is None:
            before = self._table(board).kinds
            now = self._table(_add_card(board, card)).kinds
            index = np.array([before.index(kind) for kind in now], dtype=np.intp)
            origins = self._origins[board, card] = index, index
        return origins

    # -- the betting

    @cached_property
    def _menus(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """For each round and number of bets so far: the actions."""
        menus = []
        for sizes in self.bet_sizes:
            first = ("check", *(f"bet{size:g}" for size in sizes))
            later = ("fold", "call", *(f"raise{size:g}" for size in sizes))
            menus.append((first, *[later] * (self.max_bets - 1), ("fold", "call")))
        return tuple(menus)

    @cached_property
    def _amounts(self) -> tuple[dict[str, float], ...]:
        """For each round: how much more than the opponent has staked each action stakes."""
        return tuple(
            {f"{verb}{size:g}": size for verb in ("bet", "raise") for size in sizes}
            for sizes in self.bet_sizes
        )

    def public_start(self) -> Betting:
        """Begin before the private deal, antes paid."""
        return Betting(CHANCE, -1, (), 0, (self.ante, self.ante), NOBODY, "")

    def public_turn(self, public: Betting) -> int:
        """Return who moves."""
        return public.turn

    def hands(self, public: Betting) -> Hands:
        """Return the private cards that the board leaves possible."""
        return self._undealt if public.round < 0 else self._table(public.board).hands

    def public_actions(self, public: Betting) -> tuple[str, ...]:
        """Return check and bets, or fold, call and raises."""
        return self._menus[public.round][public.bets]

    def public_after(self, public: Betting, action: str) -> Betting:
        """Return the betting after one more action."""
        player, number, board, bets, staked, _, label = public
        label = f"{label} {action}"
        if action == "fold":
            return Betting(END, number, board, bets, staked, player, label)
        if action == "check" and player == 0:
            return Betting(1, number, board, bets, staked, NOBODY, label)
        if action in ("check", "call"):
            last = number + 1 == len(self.bet_sizes)
            level = max(staked)
            turn = END if last else CHANCE
            return Betting(turn, number, board, 0, (level, level), NOBODY, label)
        stake = staked[1 - player] + self._amounts[number][action]
        staked = (stake, staked[1]) if player == 0 else (staked[0], stake)
        return Betting(1 - player, number, board, bets + 1, staked, NOBODY, label)

    def deals(self, public: Betting) -> list[Deal]:
        """Deal both private cards at once, and later one board card at a time."""
        if public.round < 0:
            hidden = np.zeros(len(self._table(()).kinds), dtype=np.intp)
            return [Deal("deal", public._replace(turn=0, round=0), (hidden, hidden))]
        deals = []
        for card in self._kinds:
            if public.board.count(card) < self._copies:
                board = _add_card(public.board, card)
                label = f"{public.label} | {self._card_labels[card]}"
                state = Betting(0, public.round + 1, board, 0, public.staked, NOBODY, label)
                origins = self._board_origins(public.board, card)
                deals.append(Deal(self._card_labels[card], state, origins))
        return deals

    def public_label(self, public: Betting) -> str:
        """Return all actions and board cards, such as `` check bet2 call | K check``."""
        return public.label

    def in_coarser(self, coarser: Mapping[str, Any]) -> Callable[[str], str]:
        """Return where information sets are in a game with other bet sizes.

        All bets and raises become those of the nearest size in the same round, by their ratio.
        """
        rounds = coarser.get("bet_sizes", ())
        same = ("ranks", "suits", "max_bets", "merge_suits")
        if len(rounds) != len(self.bet_sizes) or any(
            coarser.get(name) != getattr(self, name) for name in same
        ):
            raise ParameterError(
                f"{self}: strategies can be taken from games with the same {', '.join(same)} and "
                f"number of rounds, not from one with {dict(coarser)}; give another strategy."
            )
        names = [_nearest_names(*each) for each in zip(self.bet_sizes, rounds, strict=True)]

        @lru_cache(maxsize=1)  # hands of one public state stand together
        def renamed(public: str) -> str:
            parts = zip(public.split(" | "), names, strict=False)
            return " | ".join(
                " ".join([known.get(word, word) for word in part.split(" ")])
                for part, known in parts
            )

        def found_at(label: str) -> str:
            hand, space, public = label.partition(" ")
            return hand + space + renamed(public)

        return found_at

    def payoff(self, public: Betting) -> Payoff:
        """Return the contribution that changes hands."""
        table = self._table(public.board)
        if public.folded == NOBODY:
            return Payoff(table.showdown, public.staked[0])
        lost = public.staked[public.folded]
        return Payoff(table.fold, -lost if public.folded == 0 else lost)


def _add_card(board: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(sorted((*board, card)))


def _nearest_names(sizes: Sequence[float], theirs: Sequence[float]) -> dict[str, str]:
    """Return for each bet and raise of a round the one of the nearest size in another game."""
    nearest = {size: min(theirs, key=lambda each: abs(math.log(each / size))) for size in sizes}
    return {
        f"{verb}{mine:g}": f"{verb}{other:g}"
        for verb in ("bet", "raise")
        for mine, other in nearest.items()
    }


def _is_positive(number: object) -> bool:
    return isinstance(number, int | float) and 0 < number < math.inf


def _checked_sizes(bet_sizes: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    """Return the sizes as tuples of float, or say why they cannot be used."""
    asked = f"leduc: bet_sizes={bet_sizes!r}"
    remedy = "give one tuple of sizes for each round, such as ((2,), (4,))"
    if not isinstance(bet_sizes, list | tuple) or not bet_sizes:
        raise ParameterError(f"{asked} has no betting round; {remedy}")
    for sizes in bet_sizes:
        if not isinstance(sizes, list | tuple) or not sizes:
            raise ParameterError(f"{asked} has a round without sizes, {sizes!r}; {remedy}")
        for size in sizes:
            if not _is_positive(size):
                raise ParameterError(f"{asked} has the size {size!r}; choose numbers above 0")
        if len({f"{size:g}" for size in sizes}) < len(sizes):
            raise ParameterError(
                f"{asked} has sizes in {sizes!r} that agree in six digits; give each size once"
            )
    return tuple(tuple(float(size) for size in sizes) for sizes in bet_sizes)
