"""Games whose players forget, with players who do not."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from support.written import Move, Over, Written, drawn

FORGETFUL = """EFG 2 R "forgetful" { "Ann" "Bob" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "second" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 2 -2 }
p "" 1 2 "second" { "l" "r" } 0
t "" 3 "" { 3 -3 }
t "" 4 "" { 4 -4 }
"""


def forgotten(remembered: bool) -> secateur.Game:
    """Return a game in which player 0 forgets its first move, or not."""

    def rules(state):
        if len(state) == 3:
            win = drawn(state)
            return Over((win, -win))
        if len(state) == 1:
            return Move(1, "blind", ("x", "y"))
        knows = f"second {state[0] if remembered else ''}" if state else "first"
        return Move(0, knows, ("l", "r"))

    return Written(rules)


def test_refined_rules_are_those_of_players_who_remember():
    with pytest.raises(secateur.GameError, match=r"imperfect recall.*perfect_recall=True"):
        secateur.compile(forgotten(remembered=False))
    refined = secateur.compile(secateur.with_perfect_recall(forgotten(remembered=False)))
    known = secateur.compile(forgotten(remembered=True))
    assert refined.size == known.size
    assert [each.label for each in refined.information_sets()] == [
        "first",
        "blind",
        "first: l > second ",
        "first: r > second ",
    ]
    for name, part in known.arrays._asdict().items():
        assert (part == refined.arrays._asdict()[name]).all(), name


def test_gambit_files_can_be_refined(tmp_path: Path):
    path = tmp_path / "forgetful.efg"
    path.write_text(FORGETFUL)
    with pytest.raises(secateur.GameError, match=r"imperfect recall.*perfect_recall=True"):
        secateur.load(str(path))
    game = secateur.compile(secateur.load(str(path), perfect_recall=True))
    assert game.size.information_sets == 3
    assert game.players == ("Ann", "Bob")
    assert game.parameters["perfect_recall"]


THREE_ROUNDS = (
    "openspiel:universal_poker(betting=limit,numRounds=3,blind=1 1,raiseSize=2 2 2,"
    "firstPlayer=1 1 1,maxRaises=1 1 1,numSuits=1,numRanks=4,numHoleCards=1,numBoardCards=0 1 1,"
    "stack=20 20)"
)


def test_poker_of_three_rounds_is_solved_by_players_who_remember():
    """OpenSpiel tells which cards are on the table, but not which of them came first."""
    with pytest.raises(secateur.GameError, match="imperfect recall"):
        secateur.compile(secateur.load(THREE_ROUNDS))
    game = secateur.load(THREE_ROUNDS, perfect_recall=True)
    exact, iterated = secateur.solve(game, "exact"), secateur.solve(game, until=1e-3)
    assert iterated.value == pytest.approx(exact.value, abs=1e-3)


def test_games_of_open_spiel_that_forget_can_be_refined():
    name = "openspiel:dark_hex_ir(board_size=2)"
    with pytest.raises(secateur.GameError, match="perfect_recall=True"):
        secateur.compile(secateur.load(name))
    game = secateur.compile(secateur.load(name, perfect_recall="true"))
    remembering = secateur.compile(secateur.load("openspiel:dark_hex(board_size=2)"))
    assert game.size.histories == remembering.size.histories


def test_games_that_remember_stay_as_they_are():
    plain = secateur.compile(secateur.load("kuhn"))
    refined = secateur.compile(secateur.load("kuhn", perfect_recall=True))
    assert refined.size == plain.size
    assert secateur.expected_value(
        refined, secateur.Strategy.uniform(refined)
    ) == secateur.expected_value(plain, secateur.Strategy.uniform(plain))


@pytest.mark.parametrize(
    "name",
    [
        "restricted_nash_response(game=kuhn_poker(),p=0.5,fixed_player=1)",
        "normal_form_extensive_game(game=kuhn_poker())",
    ],
)
def test_games_made_from_games_load_as_typed(name: str):
    game = secateur.load(f"openspiel:{name}")
    assert game.parameters == {"game": name}
    assert secateur.load(f"openspiel:{name}") == game
    assert secateur.compile(game).size.histories > 58


@pytest.mark.parametrize(
    ("names", "players"),
    [('"Ann" "Bob"', ("Ann", "Bob")), ('"" "Bob"', ("player 0", "player 1"))],
)
def test_players_of_a_file_keep_their_names(names, players, tmp_path: Path):
    path = tmp_path / "named.efg"
    path.write_text(f'EFG 2 R "g" {{ {names} }} p "" 1 1 "" {{ "x" }} 0 t "" 1 "" {{ 1 -1 }}')
    game = secateur.compile(secateur.load(str(path)))
    assert game.players == players
    secateur.save_compiled(game, tmp_path / "game")
    assert secateur.open_compiled(tmp_path / "game").players == players
