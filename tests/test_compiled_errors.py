"""Rules that contradict themselves: every one is found, and the message says what to do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import secateur
from secateur.games import CHANCE, END, Game
from support.public import OneRoundPublicGame
from support.written import Deal, Move, Over, Written, at_start


class Called:
    """Knowledge that differs from all other, under a name that does not."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name


class Counted(Written):
    """Rules that go by the number of moves alone; thousands of histories would take much room."""

    def start(self) -> int:
        return 0

    def after(self, state: int, action: Any) -> int:
        return state + 1


def one_after_another(*steps: Any) -> Game:
    return Written(lambda state: steps[len(state)])


def different_actions() -> Game:
    def rules(state):
        if not state:
            return Deal((("x", 0.5), ("y", 0.5)))
        if len(state) == 1:
            return Move(0, "blind", ("a", "b") if state == ("x",) else ("a", "c"))
        return Over((0.0, 0.0))

    return Written(rules)


def other_order_of_actions() -> Game:
    def rules(state):
        if not state:
            return Deal((("x", 0.5), ("y", 0.5)))
        if len(state) == 1:
            return Move(0, "blind", ("a", "b") if state == ("x",) else ("b", "a"))
        return Over((0.0, 0.0))

    return Written(rules)


def forgotten_action() -> Game:
    moves = Move(0, "first", ("a", "b")), Move(0, "second", ("a", "b"))
    return one_after_another(*moves, Over((0.0, 0.0)))


def absent_mind() -> Game:
    again = Move(0, "same place", ("stay", "leave"))
    return one_after_another(again, again, Over((0.0, 0.0)))


def same_name_twice() -> Game:
    knowledge = {"x": Called("hand"), "y": Called("hand")}

    def rules(state):
        if not state:
            return Deal((("x", 0.5), ("y", 0.5)))
        return Move(1, knowledge[state[0]], ("a",)) if len(state) == 1 else Over((0.0, 0.0))

    return Written(rules)


CASES: dict[str, tuple[Game, list[str]]] = {
    "chance below one": (
        at_start(Deal((("x", 0.5), ("y", 0.4)))),
        ["at the start", "sum to 0.9", "must sum to 1"],
    ),
    "chance above one": (at_start(Deal((("x", 0.5), ("y", 0.6)))), ["sum to 1.1"]),
    "no outcome of chance": (at_start(Deal(())), ["sum to 0", "must sum to 1"]),
    "negative chance": (
        at_start(Deal((("x", 1.5), ("y", -0.5)))),
        ["chance gives y", "-0.5", ">= 0"],
    ),
    "chance that is no number": (at_start(Deal((("x", math.nan),))), ["nan", ">= 0"]),
    "chance of infinity": (at_start(Deal((("x", math.inf),))), ["inf", "must sum to 1"]),
    "not zero-sum": (
        at_start(Move(0, "go", ("a",)), Over((2.0, -1.0))),
        ["after a", "2 and -1", "sum to zero"],
    ),
    "payoff that is no number": (
        at_start(Move(0, "go", ("a",)), Over((math.nan, math.nan))),
        ["nan", "finite"],
    ),
    "infinite payoff": (
        at_start(Move(0, "go", ("a",)), Over((math.inf, -math.inf))),
        ["inf", "finite"],
    ),
    "one payoff for two": (
        at_start(Move(0, "go", ("a",)), Over((1.0,))),
        ["payoffs() gave", "each player"],
    ),
    "payoffs missing": (
        at_start(Move(0, "go", ("a",)), Over(None)),
        ["payoffs() gave None", "each player"],
    ),
    "forgotten action": (
        forgotten_action(),
        ["imperfect recall", "'second'", "'first' a", "'first' b", "information()"],
    ),
    "absent mind": (absent_mind(), ["imperfect recall", "'same place'", "the start"]),
    "different actions": (different_actions(), ["'blind'", "['a', 'b']", "['a', 'c']", "same"]),
    "actions in another order": (other_order_of_actions(), ["'blind'", "['b', 'a']", "same"]),
    "action twice": (
        at_start(Move(1, "go", ("a", "b", "a"))),
        ["['a', 'b', 'a']", "not all different", "rename"],
    ),
    "actions of one name": (at_start(Move(1, "go", (1, "1"))), ["['1', '1']", "rename"]),
    "no action": (at_start(Move(1, "stuck", ())), ["player 1 has no action", "END"]),
    "endless": (
        Counted(lambda moves: Move(0, moves, ("on",))),
        ["10,000 moves", "every game must end"],
    ),
    "endless chance": (Counted(lambda moves: Deal((("on", 1.0),))), ["every game must end"]),
    "third player": (
        at_start(Move(2, "go", ("a",))),
        ["turn() gave 2", "0, 1, CHANCE or END"],
    ),
    "nobody's turn": (at_start(Move(None, "go", ("a",))), ["turn() gave None", "CHANCE or END"]),
    "same name twice": (same_name_twice(), ["two information sets of player 1", "'hand'"]),
    # -- by public states
    "public: hands below one": (
        OneRoundPublicGame(first_weights=[[0.9]], weights=np.full((2, 2), 0.225)),
        ["total weight 0.9", "one of weight 1"],
    ),
    "public: deal loses weight": (
        OneRoundPublicGame(weights=np.full((2, 2), 0.2)),
        ["total weight 0.8", "before had 1", "equal"],
    ),
    "public: negative weight": (
        OneRoundPublicGame(weights=[[1.5, -0.5], [0.0, 0.0]]),
        ["-0.5", ">= 0"],
    ),
    "public: weight that is no number": (
        OneRoundPublicGame(weights=[[math.nan, 1.0], [0.0, 0.0]]),
        ["nan"],
    ),
    "public: hands before the first deal": (
        OneRoundPublicGame(first_weights=[[0.5, 0.5]], turns=(0, 1, END)),
        ["begins with 2 pairs of hands", "deal by a chance move"],
    ),
    "public: payoff that is no number": (
        OneRoundPublicGame(payoffs=[[math.nan, 0.0], [0.0, 0.0]]),
        ["finite"],
    ),
    "public: infinite factor": (OneRoundPublicGame(factor=math.inf), ["inf", "finite"]),
    "public: no action": (OneRoundPublicGame(actions=()), ["at least one"]),
    "public: action twice": (OneRoundPublicGame(actions=("x", "x")), ["['x', 'x']", "once"]),
    "public: third player": (
        OneRoundPublicGame(turns=(CHANCE, 3, END)),
        ["public_turn() gave 3", "0, 1, CHANCE or END"],
    ),
    "public: endless": (
        OneRoundPublicGame(
            turns=(CHANCE, 0), actions=("on",), label=lambda events: f" {len(events)}"
        ),
        ["every game must end"],
    ),
    "public: same name twice": (
        OneRoundPublicGame(label=lambda events: ""),
        ["two public states of player 1", "''", "public_label()"],
    ),
}


@pytest.mark.parametrize("title", CASES)
def test_unsound_rules_are_refused_in_one_helpful_line(title: str):
    game, words = CASES[title]
    with pytest.raises(secateur.GameError) as caught:
        secateur.compile(game)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{game}: ")
    assert message.endswith(".")
    for word in words:
        assert word in message


def test_message_shows_the_last_moves_of_a_long_history():
    def rules(state):
        return Move(0, state, (len(state),)) if len(state) < 20 else Over((1.0, 1.0))

    with pytest.raises(secateur.GameError, match=r"after \.\.\. 8 9 10 .* 18 19: payoffs"):
        secateur.compile(Written(rules))


def test_rounding_of_chance_and_payoffs_is_forgiven():
    tenths = tuple((str(k), 0.1) for k in range(10))
    game = at_start(Deal(tenths), Over((0.1 + 0.2, -0.3)))
    assert secateur.compile(game).size.histories == 11


def test_sound_public_game_is_accepted():
    assert secateur.compile(OneRoundPublicGame()).size.information_sets == 6
