"""The games that tests run on: built-in ones of moderate size, and all kinds of random ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import secateur
from secateur.compiled.game import CompiledGame
from secateur.games import Game
from secateur.games.random_game import RandomGame

BUILT_IN: dict[str, tuple[str, dict[str, Any]]] = {
    "kuhn": ("kuhn", {}),
    "kuhn of 5 cards": ("kuhn", {"cards": 5}),
    "leduc": ("leduc", {}),
    "leduc-dt": ("leduc-dt", {}),
    "leduc of 2 ranks, 3 suits": ("leduc", {"ranks": 2, "suits": 3}),
    "goofspiel": ("goofspiel", {}),
    "goofspiel, bids hidden": ("goofspiel", {"reveal_bids": False}),
    "goofspiel of 3 cards, random prizes": ("goofspiel", {"cards": 3, "prizes": "random"}),
    "liars-dice of 3 sides": ("liars-dice", {"sides": 3}),
    "battleship of 2 shots": ("battleship", {"shots": 2}),
    "matrix": ("matrix", {}),
    "random": ("random", {}),
    "random, structured": ("random", {"structured": True}),
}


def built_in(title: str) -> Game:
    """Return the rules of a game by its title in the table."""
    name, parameters = BUILT_IN[title]
    return secateur.load(name, **parameters)


@cache
def loaded(name: str, **parameters: Any) -> Game:
    """Return the rules of a game, always the same object for the same parameters."""
    return secateur.load(name, **parameters)


@cache
def ready_to_prune(game: Game) -> CompiledGame:
    """Return a game compiled once, however many tests prune in it."""
    return secateur.compile(game, pruning=True)


@cache
def compiled(title: str) -> CompiledGame:
    """Return a built-in game, compiled once."""
    return secateur.compile(built_in(title), pruning=True)


@cache
def exact_value(game: CompiledGame) -> float:
    """Return the value of a game by linear programming, found once for all tests of a game."""
    return secateur.solve(game, secateur.Exact()).value


def random_games(**fixed: Any) -> st.SearchStrategy[RandomGame]:
    """Return games of every kind of shape; ``fixed`` sets some parameters."""
    choices = {
        "seed": st.integers(0, 10_000),
        "depth": st.sampled_from([1, 3, 4, 5, 6, 6]),
        "branching": st.sampled_from([1, 2, 3, 3]),
        "chance_moves": st.sampled_from([0.0, 0.25, 0.6]),
        "observability": st.sampled_from([0.0, 0.2, 0.5, 1.0]),
        "late": st.sampled_from([0.0, 0.1, 0.5]),
        "stop": st.sampled_from([0.0, 0.1, 0.3]),
        "ties": st.sampled_from([0.0, 0.2, 1.0]),
        "skew": st.sampled_from([0.0, 2.0, 5.0]),
        "movers": st.sampled_from(["both", "both", "both", "first", "second"]),
        "structured": st.booleans(),
    }
    return st.builds(RandomGame, **{**choices, **{k: st.just(v) for k, v in fixed.items()}})


def examples(number: int) -> Callable[[Any], Any]:
    """Run a property on that many examples, the same ones every time."""
    return settings(max_examples=number, derandomize=True, deadline=None, database=None)


class Scaled(Game):
    """A game with all payoffs times a factor, read history by history."""

    def __init__(self, rules: Game, factor: float) -> None:
        self.rules = rules
        self.factor = factor
        self.name = f"scaled {rules.name}"
        for question in ("start", "turn", "actions", "chance", "after", "information"):
            setattr(self, question, getattr(rules, question))

    def start(self) -> Any: ...

    def turn(self, state: Any) -> int: ...

    def actions(self, state: Any) -> Any: ...

    def after(self, state: Any, action: Any) -> Any: ...

    def information(self, state: Any) -> Any: ...

    def payoffs(self, state: Any) -> tuple[float, float]:
        win = float(self.rules.payoffs(state)[0]) * self.factor
        return win, -win
