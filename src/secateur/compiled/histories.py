"""Reads the rules of a game history by history, and checks them on the way."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from secateur.compiled.too_large import most_histories, surely_more
from secateur.errors import GameError
from secateur.games.rules import CHANCE, END, Game

NO_INFOSET = -1
_DEEPEST = 10_000
_SMALL = 10_000
"""Histories that are read before anybody asks whether there are too many."""

_TOLERANCE = 1e-9


@dataclass
class Infosets:
    """The information sets of both players in order of first encounter."""

    player: list[int] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    actions: list[tuple[str, ...]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    """Last sequence of the player before: 0 for the empty one."""

    first_sequence: list[int] = field(default_factory=list)


@dataclass
class Histories:
    """All histories of a game, parents before children, one list per property.

    Sequences count from 1 over both players (0 is the empty one): action ``a`` of information set
    ``i`` is ``infosets.first_sequence[i] + a``.
    """

    parent: list[int] = field(default_factory=list)
    infoset: list[int] = field(default_factory=list)
    """Information set, or NO_INFOSET for chance and ends."""

    depth: list[int] = field(default_factory=list)
    is_end: list[bool] = field(default_factory=list)
    sequence_0: list[int] = field(default_factory=list)
    """Player 0's last sequence before the history."""

    sequence_1: list[int] = field(default_factory=list)
    chance: list[float] = field(default_factory=list)
    """Product of the chance probabilities on the way."""

    payoff: list[float] = field(default_factory=list)
    """To player 0; zero unless the game is over."""

    infosets: Infosets = field(default_factory=Infosets)


def read_histories(game: Game) -> Histories:
    """Enumerate every history of a game; raise GameError where the rules are unsound."""
    return _Reader(game).run()


@dataclass(slots=True)
class _Todo:
    state: Any
    parent: int
    depth: int
    sequences: tuple[int, int]
    chance: float
    trail: tuple[Any, Any] | None
    """The last action and the trail before it: for error messages only."""


class _Reader:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.histories = Histories()
        self.numbers: dict[tuple[int, Hashable], int] = {}
        self.labels: dict[tuple[int, str], Hashable] = {}
        self.sequences = 1
        self.most = _SMALL

    def run(self) -> Histories:
        found = self.histories
        todo = [_Todo(self.game.start(), -1, 0, (0, 0), 1.0, None)]
        while todo:
            here = todo.pop()
            if here.depth > _DEEPEST:
                self.fail(here, f"not over after {_DEEPEST:,} moves; every game must end")
            number = len(found.parent)
            if number >= _SMALL:
                self.check_size(number)
            found.parent.append(here.parent)
            found.depth.append(here.depth)
            found.sequence_0.append(here.sequences[0])
            found.sequence_1.append(here.sequences[1])
            found.chance.append(here.chance)
            turn = self.game.turn(here.state)
            found.is_end.append(turn == END)
            found.payoff.append(self.payoff(here) if turn == END else 0.0)
            if turn in (0, 1):
                todo += reversed(self.decide(here, number, turn))
            else:
                found.infoset.append(NO_INFOSET)
                if turn == CHANCE:
                    todo += reversed(self.deal(here, number))
                elif turn != END:
                    self.fail(here, f"turn() gave {turn!r}; give 0, 1, CHANCE or END")
        return found

    def check_size(self, number: int) -> None:
        if number == _SMALL:
            self.most = most_histories()
        if number >= self.most or (number == _SMALL and surely_more(self.game, self.most)):
            raise GameError(
                f"{self.game}: too large: it has more than the {self.most:,} histories that fit "
                "into the memory of this machine; choose smaller parameters."
            )

    def payoff(self, here: _Todo) -> float:
        payoffs = self.game.payoffs(here.state)
        try:
            first, second = (float(payoff) for payoff in payoffs)
        except (TypeError, ValueError):
            self.fail(here, f"payoffs() gave {payoffs!r}; give a number for each player")
        if not (math.isfinite(first) and math.isfinite(second)):
            self.fail(here, f"payoffs {first:g} and {second:g}; payoffs must be finite numbers")
        if abs(first + second) > _TOLERANCE * max(1.0, abs(first)):
            self.fail(
                here,
                f"payoffs {first:g} and {second:g} do not sum to zero; "
                "only zero-sum games can be solved",
            )
        return first

    def deal(self, here: _Todo, number: int) -> list[_Todo]:
        outcomes = [(outcome, float(p)) for outcome, p in self.game.chance(here.state)]
        for outcome, p in outcomes:
            if not p >= 0.0:
                self.fail(here, f"chance gives {outcome} the probability {p:g}; it must be >= 0")
        total = math.fsum(p for _, p in outcomes)
        if not abs(total - 1.0) <= _TOLERANCE:
            self.fail(here, f"chance probabilities sum to {total:.12g}; they must sum to 1")
        return [
            _Todo(
                self.game.after(here.state, outcome),
                number,
                here.depth + 1,
                here.sequences,
                here.chance * p,
                (outcome, here.trail),
            )
            for outcome, p in outcomes
            if p > 0.0
        ]

    def decide(self, here: _Todo, number: int, player: int) -> list[_Todo]:
        actions = self.game.actions(here.state)
        names = tuple(map(str, actions))
        infoset = self.infoset(here, player, names)
        self.histories.infoset.append(infoset)
        first = self.histories.infosets.first_sequence[infoset]
        children = []
        for a, action in enumerate(actions):
            own = first + a
            sequences = (own, here.sequences[1]) if player == 0 else (here.sequences[0], own)
            state = self.game.after(here.state, action)
            trail = (action, here.trail)
            children.append(_Todo(state, number, here.depth + 1, sequences, here.chance, trail))
        return children

    def infoset(self, here: _Todo, player: int, names: tuple[str, ...]) -> int:
        known = self.histories.infosets
        information = self.game.information(here.state)
        key = (player, information)
        try:
            number = self.numbers.get(key)
        except TypeError:
            self.fail(here, f"information() gave {information!r}; give something hashable")
        if number is None:
            if not names:
                self.fail(here, f"player {player} has no action; offer one, or return END")
            if len(set(names)) < len(names):
                self.fail(here, f"actions {list(names)} are not all different; rename them")
            label = str(information)
            other = self.labels.setdefault((player, label), information)
            if other != information:
                self.fail(here, f"two information sets of player {player} are called '{label}'")
            number = self.numbers[key] = len(known.player)
            known.player.append(player)
            known.label.append(label)
            known.actions.append(names)
            known.parent.append(here.sequences[player])
            known.first_sequence.append(self.sequences)
            self.sequences += len(names)
        elif known.actions[number] != names:
            self.fail(
                here,
                f"information set '{known.label[number]}' of player {player} offers "
                f"{list(names)}, but {list(known.actions[number])} at another history; "
                "all histories of an information set must offer the same actions",
            )
        elif known.parent[number] != here.sequences[player]:
            self.fail(
                here,
                f"imperfect recall: at information set '{known.label[number]}' player {player} "
                f"has come from {self.sequence_name(here.sequences[player])} here and from "
                f"{self.sequence_name(known.parent[number])} at another history; "
                "let information() tell them apart",
            )
        return number

    def sequence_name(self, sequence: int) -> str:
        if sequence == 0:
            return "the start"
        known = self.histories.infosets
        infoset = next(
            i for i, first in reversed(list(enumerate(known.first_sequence))) if first <= sequence
        )
        action = known.actions[infoset][sequence - known.first_sequence[infoset]]
        return f"'{known.label[infoset]}' {action}"

    def fail(self, here: _Todo, problem: str) -> NoReturn:
        moves: list[str] = []
        trail = here.trail
        while trail is not None and len(moves) < 12:
            moves.append(str(trail[0]))
            trail = trail[1]
        dots = "... " if trail is not None else ""
        where = f"after {dots}{' '.join(reversed(moves))}" if moves else "at the start"
        raise GameError(f"{self.game}: {where}: {problem}.")
