"""What happens while rules are read: states that share parts, errors of rules, memory, progress."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import secateur
from secateur.compiled import too_large
from secateur.compiled.progress import Reading
from secateur.games import END, Game
from support.public import OneRoundPublicGame
from support.written import Move, Over, Written


class Coins(Game):
    """Both players choose four times in turn whether to add a coin; player 0 wins an even heap."""

    name = "coins"

    def start(self) -> Any:
        return {"moves": [], "heap": [0]}

    def turn(self, state: Any) -> int:
        return len(state["moves"]) % 2 if len(state["moves"]) < 4 else END

    def actions(self, state: Any) -> list[int]:
        return [0, 1]

    def after(self, state: Any, action: int) -> Any:
        new = copy.deepcopy(state)
        new["moves"].append(action)
        new["heap"][0] += action
        return new

    def information(self, state: Any) -> str:
        return "".join(map(str, state["moves"]))

    def payoffs(self, state: Any) -> tuple[float, float]:
        win = 1.0 if state["heap"][0] % 2 == 0 else -1.0
        return win, -win


class SharedMoves(Coins):
    def after(self, state: Any, action: int) -> Any:
        new = dict(state)
        new["moves"].append(action)
        return new


class SharedHeap(Coins):
    """Nobody sees the heap before the end."""

    def after(self, state: Any, action: int) -> Any:
        new = dict(state, moves=[*state["moves"], action])
        new["heap"][0] += action
        return new


class ChangedByTheLastMove(Coins):
    def actions(self, state: Any) -> list[int]:
        return [0, 1, 2]

    def after(self, state: Any, action: int) -> Any:
        if action < 2:
            return super().after(state, action)
        state["moves"].append(action)
        return state


def test_states_with_parts_of_their_own_are_accepted():
    game = secateur.compile(Coins())
    assert game.size.histories == 31


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (SharedMoves, ["after 0 0 0", "turn() gave 1, but -2", "copy.deepcopy"]),
        (SharedHeap, ["after 0 0 1 0", "payoffs() gave", "from the start", "copy.deepcopy"]),
        (ChangedByTheLastMove, ["after 0 0 0", "but -2", "copy.deepcopy"]),
    ],
)
def test_states_that_share_what_changes_are_refused_with_the_place(rules, words):
    with pytest.raises(secateur.GameError) as caught:
        secateur.compile(rules())
    for word in words:
        assert word in str(caught.value)


def test_public_states_that_share_what_changes_are_refused():
    class Shared(OneRoundPublicGame):
        def public_start(self):
            return []

        def public_after(self, public, action):
            public.append(action)
            return public

        def public_turn(self, public):
            return (0, 1, END)[len(public)]

        def public_label(self, public):
            return str(public)

    with pytest.raises(secateur.GameError, match=r"public_turn\(\) .*copy\.deepcopy"):
        secateur.compile(Shared())


@pytest.mark.parametrize(
    ("method", "place"),
    [
        ("turn", "after 1 0: turn(state)"),
        ("actions", "after 1 0: actions(state)"),
        ("information", "after 1 0: information(state)"),
        ("after", "after 1 0 0: after(state, 1)"),
        ("payoffs", "after 1 0 0 0: payoffs(state)"),
    ],
)
def test_errors_of_rules_say_after_which_moves(method: str, place: str):
    class Failing(Coins):
        pass

    def fail(self: Game, state: Any, *action: int) -> Any:
        moves = state["moves"]
        if moves[:2] == [1, 0] and (not action or action == (1,)):
            raise KeyError("no such card")
        return getattr(super(Failing, self), method)(state, *action)

    setattr(Failing, method, fail)
    with pytest.raises(secateur.GameError) as caught:
        secateur.compile(Failing())
    assert str(caught.value) == (
        f"coins: {place} raised KeyError: 'no such card'; correct the rules."
    )
    assert isinstance(caught.value.__cause__, KeyError)


def test_errors_of_public_rules_say_where():
    class Failing(OneRoundPublicGame):
        def payoff(self, public):
            raise ZeroDivisionError("division by zero")

    with pytest.raises(
        secateur.GameError, match=r"after '.+': payoff\(state\) raised ZeroDiv"
    ) as e:
        secateur.compile(Failing())
    assert isinstance(e.value.__cause__, ZeroDivisionError)


def bits(depth: int) -> Game:
    return Written(lambda s: Move(len(s) % 2, s, (0, 1)) if len(s) < depth else Over((0.0, 0.0)))


def test_memory_that_is_not_free_is_not_taken(monkeypatch):
    monkeypatch.setattr(too_large, "free_memory", lambda: 2_500_000)
    with pytest.raises(secateur.GameError, match=r"about 8,191 hist.* into the 0\.0025 GB"):
        secateur.compile(bits(12))
    assert secateur.compile(bits(10)).size.histories == 2047


def test_what_reading_takes_counts(monkeypatch):
    taken = iter(range(0, 1 << 40, 1 << 30))
    monkeypatch.setattr(too_large, "resident_memory", lambda: next(taken))
    monkeypatch.setattr(too_large, "free_memory", lambda: 3 << 30)
    with pytest.raises(secateur.GameError, match="too large"):
        secateur.compile(bits(12))


def test_reading_keeps_the_states_of_one_path_only():
    alive = most = 0

    class State:
        def __init__(self, moves: tuple[int, ...]) -> None:
            nonlocal alive, most
            self.moves = moves
            alive += 1
            most = max(most, alive)

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    class Wide(Written):
        def start(self) -> Any:
            return State(())

        def turn(self, state: Any) -> int:
            return super().turn(state.moves)

        def actions(self, state: Any) -> Any:
            return super().actions(state.moves)

        def after(self, state: Any, action: int) -> Any:
            return State((*state.moves, action))

        def information(self, state: Any) -> Any:
            return state.moves

        def payoffs(self, state: Any) -> Any:
            return super().payoffs(state.moves)

    rules = Wide(lambda s: Move(0, s, range(30)) if len(s) < 2 else Over((0.0, 0.0)))
    assert secateur.compile(rules).size.histories == 931
    assert most < 10


@pytest.mark.parametrize("game", [bits(11), secateur.load("leduc", ranks=6)])
def test_an_observer_learns_how_far_reading_is(game: Game, monkeypatch):
    monkeypatch.setattr("secateur.compiled.progress._SECONDS", 0.0)
    told: list[Reading] = []
    found = secateur.compile(game, observe=told.append)
    assert len(told) > 1
    assert [each.histories for each in told] == sorted(each.histories for each in told)
    assert told[-1] == (found.size.histories, found.size.histories)
    assert told[len(told) // 2].estimate == pytest.approx(found.size.histories, rel=0.5)


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("game", [secateur.load("goofspiel"), secateur.load("leduc")])
def test_errors_of_an_observer_are_not_blamed_on_the_rules(late: bool, game: Game, monkeypatch):
    monkeypatch.setattr("secateur.compiled.progress._SECONDS", 60.0 if late else 0.0)

    def observe(reading):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        secateur.compile(game, observe=observe)
