"""Random games that name their public states, and broken ones."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from secateur.games import CHANCE, END, PublicGame
from secateur.games.public import Deal, Hands, Payoff
from support.written import drawn

ROUNDS = 2


class RandomPublicGame(PublicGame):
    """Two rounds of public actions; hands are dealt before each, and split in the second.

    A public state is a tuple of events: ``deal`` or ``*a`` from chance, other letters from the
    players. Every hand of the first round becomes one to three hands of the second, some of which
    a public outcome rules out, so that lanes neither stand in the order of their parents nor are
    all present. Payoffs have few, many or no zeros.
    """

    name = "random public"

    def __init__(self, seed: int, hands: tuple[int, int] = (3, 4)) -> None:
        self.seed = seed
        self.number_of_hands = hands
        self._hands: dict[tuple[str, ...], Hands] = {}
        self._payoffs: dict[tuple[str, ...], np.ndarray] = {}

    @property
    def parameters(self) -> dict[str, Any]:
        return {"seed": self.seed, "hands": list(self.number_of_hands)}

    def _random(self, *about: object) -> np.random.Generator:
        return np.random.default_rng(int((drawn(self.seed, *about) + 1.0) * 2**40))

    def _dealt(self, public: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(event for event in public if event == "deal" or event.startswith("*"))

    def _moves(self, public: tuple[str, ...]) -> int:
        """Return how many moves the players made in this round."""
        last_deal = max((k for k, e in enumerate(public) if e in self._dealt(public)), default=-1)
        return len(public) - 1 - last_deal

    def public_start(self) -> tuple[str, ...]:
        return ()

    def public_turn(self, public: tuple[str, ...]) -> int:
        if not public:
            return CHANCE
        moves = self._moves(public)
        if moves and drawn(self.seed, "fold", public) > 0.7:
            return END
        if moves == 2 + (drawn(self.seed, "long", public) > 0.5) or moves == 3:
            return CHANCE if len(self._dealt(public)) < ROUNDS else END
        return moves % 2 if drawn(self.seed, "first", self._dealt(public)) > 0 else 1 - moves % 2

    def public_actions(self, public: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("xyz"[: 1 + int((drawn(self.seed, "actions", public) + 1.0) * 1.5)])

    def public_after(self, public: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*public, action)

    def public_label(self, public: tuple[str, ...]) -> str:
        return "".join(f" {event}" for event in public)

    @cached_property
    def _origins(self) -> tuple[np.ndarray, np.ndarray]:
        """For each player: the first hand of every second hand, in no order."""
        parts = []
        for player, count in enumerate(self.number_of_hands):
            random = self._random("split", player)
            parts.append(
                random.permutation(np.repeat(np.arange(count), random.integers(1, 4, count)))
            )
        return parts[0], parts[1]

    def hands(self, public: tuple[str, ...]) -> Hands:
        dealt = self._dealt(public)
        if dealt not in self._hands:
            self._hands[dealt] = self._make_hands(dealt)
        return self._hands[dealt]

    def _make_hands(self, dealt: tuple[str, ...]) -> Hands:
        if not dealt:
            return Hands((("",), ("",)), np.ones((1, 1)))
        random = self._random("weights")
        weights = random.random(self.number_of_hands) * (random.random(self.number_of_hands) > 0.2)
        weights[0, 0] = 1.0
        weights /= weights.sum()
        names = tuple(tuple("abcdefgh"[:count]) for count in self.number_of_hands)
        if len(dealt) == 1:
            return Hands((names[0], names[1]), weights)
        first, second = self._origins
        shares = self._shares()
        mine = shares[dealt[1]] * weights[np.ix_(first, second)]
        labels = tuple(
            tuple(f"{names[player][origin]}{number}" for number, origin in enumerate(origins))
            for player, origins in enumerate(self._origins)
        )
        return Hands((labels[0], labels[1]), mine)

    def _shares(self) -> dict[str, np.ndarray]:
        """For each public outcome and pair of second hands: its share of the first pair."""
        first, second = self._origins
        random = self._random("shares")
        outcomes = ["*a", "*b", "*c"]
        share = random.random((len(outcomes), len(first), len(second)))
        # an outcome rules some hands out; the first rules out none, so that shares never vanish
        for k in range(1, len(outcomes)):
            share[k, random.random(len(first)) < 0.3] = 0.0
            share[k][:, random.random(len(second)) < 0.3] = 0.0
        total = np.zeros(self.number_of_hands)
        for part in share:
            np.add.at(total, np.ix_(first, second), part)
        share /= total[np.ix_(first, second)]
        return dict(zip(outcomes, share, strict=True))

    def deals(self, public: tuple[str, ...]) -> list[Deal]:
        if not public:
            nothing = tuple(np.zeros(count, np.intp) for count in self.number_of_hands)
            return [Deal("deal", ("deal",), (nothing[0], nothing[1]))]
        return [
            Deal(outcome, (*public, outcome), self._origins)
            for outcome, share in self._shares().items()
            if share.any()
        ]

    def payoff(self, public: tuple[str, ...]) -> Payoff:
        dealt = self._dealt(public)
        kind = (*dealt, str(drawn(self.seed, "kind", public) > 0.0))
        if kind not in self._payoffs:
            random = self._random("payoff", kind)
            shape = self.hands(public).weights.shape
            full = random.uniform(-1.0, 1.0, shape)
            self._payoffs[kind] = full * (random.random(shape) < random.choice([0.15, 1.0]))
        return Payoff(self._payoffs[kind], drawn(self.seed, "factor", public))


class OneRoundPublicGame(PublicGame):
    """A deal, a move of each player, and the end; every part can be replaced by a wrong one."""

    name = "one round"

    def __init__(self, **parts: Any) -> None:
        self.weights = np.asarray(parts.get("weights", np.full((2, 2), 0.25)))
        self.first_weights = np.asarray(parts.get("first_weights", np.ones((1, 1))))
        self.payoffs_to_0 = np.asarray(parts.get("payoffs", np.eye(2)))
        self.factor = parts.get("factor", 1.0)
        self.turns = parts.get("turns", (CHANCE, 0, 1, END))
        self.offered = parts.get("actions", ("x", "y"))
        self.label = parts.get("label", " ".join)

    def public_start(self) -> tuple[str, ...]:
        return ()

    def public_turn(self, public: tuple[str, ...]) -> int:
        return self.turns[min(len(public), len(self.turns) - 1)]

    def hands(self, public: tuple[str, ...]) -> Hands:
        if not public:
            size = self.first_weights.shape
            return Hands((("",) * size[0], ("",) * size[1]), self.first_weights)
        return Hands((("a", "b"), ("a", "b")), self.weights)

    def public_actions(self, public: tuple[str, ...]) -> tuple[str, ...]:
        return self.offered

    def public_after(self, public: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*public, action)

    def deals(self, public: tuple[str, ...]) -> list[Deal]:
        origins = (np.zeros(2, np.intp), np.zeros(2, np.intp))
        return [Deal("deal", (*public, "deal"), origins)]

    def public_label(self, public: tuple[str, ...]) -> str:
        return self.label(("", *public))

    def payoff(self, public: tuple[str, ...]) -> Payoff:
        return Payoff(self.payoffs_to_0, self.factor)
