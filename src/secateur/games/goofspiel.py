"""Goofspiel: players bid their cards for prizes, both at once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, get_args

from secateur.errors import ParameterError
from secateur.games.rules import CHANCE, END, Game

Prizes = Literal["descending", "ascending", "random"]
Win = Literal["points", "win"]
MOST_CARDS = 13


class Auction(NamedTuple):
    """The prizes turned up so far, and both players' bids in turn."""

    prizes: tuple[int, ...]
    bids: tuple[int, ...]


@dataclass(frozen=True)
class Goofspiel(Game):
    """Goofspiel, a game of pure strategy.

    Both players hold cards 1 to n, and there are prizes worth 1 to n. In each round a prize is
    turned up and both players bid a card in secret; the higher bid wins the prize, equal bids
    discard it. Cards that were bid are gone. In the last round both have one card left, which is
    played for them. Bids are simultaneous: player 0 moves first but player 1 does not see it.

    An information set is labeled with the player and the rounds: ``0 4:3v1 2:?`` is player 0, who
    bid 3 against 1 for the prize 4 and now bids for the prize 2. If bids are not revealed the
    result stands in the place of the other bid: ``4:3+`` won, ``4:3-`` lost, ``4:3=`` tied.

    Trees and payoffs are those of OpenSpiel's ``goofspiel`` as a turn-based game, except that its
    "point_difference" is half the difference of points.

    =================  =========  ================
    parameters         histories  information sets
    =================  =========  ================
    the defaults           1,077               322
    reveal_bids=False      1,077               162
    prizes="random"       26,773             7,304
    cards=5               26,931             8,052
    =================  =========  ================

    Parameters
    ----------
    cards : int
        Number of cards of each player and of prizes, from 1 to 13.
    prizes : {"descending", "ascending", "random"}
        The order of the prizes; a random prize is turned up by chance in each round.
    reveal_bids : bool
        Whether both bids are shown after each round; if not, only who won it.
    payoff : {"points", "win"}
        Whether player 0 wins the difference of points, or 1 for more points than the opponent.
    """

    cards: int = 4
    prizes: Prizes = "descending"
    reveal_bids: bool = True
    payoff: Win = "points"
    name = "goofspiel"
    immutable_states = True

    def __post_init__(self) -> None:
        if self.cards not in range(1, MOST_CARDS + 1):
            raise ParameterError(
                f"goofspiel: cards={self.cards!r} is not possible; choose 1 to {MOST_CARDS}"
            )
        for field, known in (("prizes", Prizes), ("payoff", Win)):
            value = getattr(self, field)
            if value not in get_args(known):
                raise ParameterError(
                    f"goofspiel: {field}={value!r} is unknown; "
                    f"choose {' or '.join(get_args(known))}"
                )

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass."""
        return asdict(self)

    def start(self) -> Auction:
        """Begin with the first prize, unless chance turns it up."""
        return self._settled(Auction((), ()))

    def _settled(self, state: Auction) -> Auction:
        """Turn up the next prize and play the last cards where nobody has a choice."""
        prizes, bids = state
        round_begins = len(bids) == 2 * len(prizes) < 2 * self.cards
        left = self._left(prizes)
        if round_begins and (self.prizes != "random" or len(left) == 1):
            prizes = (*prizes, left[-1] if self.prizes == "descending" else left[0])
        if len(prizes) == self.cards and len(bids) == 2 * self.cards - 2:
            bids += (*self._left(bids[::2]), *self._left(bids[1::2]))
        return Auction(prizes, bids)

    def _left(self, used: tuple[int, ...]) -> list[int]:
        return [card for card in range(1, self.cards + 1) if card not in used]

    def turn(self, state: Auction) -> int:
        """Let chance turn up a prize, then player 0 and player 1 bid."""
        if len(state.bids) == 2 * self.cards:
            return END
        return CHANCE if len(state.bids) == 2 * len(state.prizes) else len(state.bids) % 2

    def chance(self, state: Auction) -> list[tuple[int, float]]:
        """Turn up each prize that is left with the same probability."""
        left = self._left(state.prizes)
        return [(prize, 1 / len(left)) for prize in left]

    def actions(self, state: Auction) -> list[int]:
        """Offer the cards not bid yet."""
        return self._left(state.bids[len(state.bids) % 2 :: 2])

    def after(self, state: Auction, action: int) -> Auction:
        """Write down the prize or the bid."""
        if self.turn(state) == CHANCE:
            return Auction((*state.prizes, action), state.bids)
        return self._settled(Auction(state.prizes, (*state.bids, action)))

    def information(self, state: Auction) -> str:
        """Show the rounds as the player to move has seen them."""
        player = self.turn(state)
        own, other = state.bids[player::2], state.bids[1 - player :: 2]
        rounds = [
            f"{prize}:{mine}{self._result(mine, theirs)}"
            for prize, mine, theirs in zip(state.prizes, own, other, strict=False)
        ]
        return f"{player} {' '.join([*rounds, f'{state.prizes[-1]}:?'])}"

    def _result(self, mine: int, theirs: int) -> str:
        if self.reveal_bids:
            return f"v{theirs}"
        return "=" if mine == theirs else "+" if mine > theirs else "-"

    def payoffs(self, state: Auction) -> tuple[float, float]:
        """Add up the prizes won."""
        points = 0.0
        for prize, first, second in zip(
            state.prizes, state.bids[::2], state.bids[1::2], strict=True
        ):
            points += prize * ((first > second) - (first < second))
        if self.payoff == "win":
            points = float((points > 0) - (points < 0))
        return points, -points
