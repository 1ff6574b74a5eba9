"""What an .efg file means."""

import re
from fractions import Fraction

import pytest

import secateur
from secateur.games import CHANCE, END
from support.gambit import CATALOG, FILES, HEADER, gambit_reads

CATALOG_FILES = sorted(CATALOG.rglob("*.efg"))


def read(tmp_path, text):
    path = tmp_path / "game.efg"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return secateur.read_efg(path)


def at(game, *actions):
    state = game.start()
    for action in actions:
        state = game.after(state, action)
    return state


def test_coin_has_the_rules_that_the_file_says():
    game = secateur.read_efg(FILES["coin"])
    assert (game.name, game.turn(game.start())) == ("Coin", CHANCE)
    assert game.chance(game.start()) == [("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))]
    assert game.information(at(game, "heads")) == "heads"
    assert game.actions(at(game, "heads")) == ("bet", "pass")
    assert game.turn(at(game, "tails", "bet")) == 1
    assert game.information(at(game, "tails", "bet")) == "facing a bet"
    assert game.turn(at(game, "tails", "pass")) == END
    assert game.payoffs(at(game, "tails", "bet", "call")) == (-2, 2)
    assert 'A "quoted" word' in game.tree.comment
    assert secateur.solve(game, secateur.Exact()).value == pytest.approx(1 / 3)


def test_fractions_stay_exact():
    game = secateur.read_efg(FILES["repeated_chance"])
    (_, one), (_, two), (_, more) = game.chance(at(game, "left"))
    assert (one, two, more) == (Fraction(1, 6), Fraction(1, 6), Fraction(2, 3))
    assert game.payoffs(at(game, "left", "3-6", "l")) == (Fraction(1, 3), Fraction(-1, 3))


def test_payoffs_add_up_along_the_path():
    game = secateur.read_efg(FILES["antes"])
    shown = at(game, "low", "match", "show")
    assert game.payoffs(shown)[0] == Fraction(3, 2) - Fraction(1, 2) + 1 + 2
    assert game.payoffs(at(game, "low", "leave"))[0] == 1
    assert game.payoffs(at(game, "stop"))[0] == Fraction(11, 8)


def test_constant_sum_games_keep_what_the_first_player_wins_and_say_so():
    game = secateur.read_efg(FILES["pie"])
    assert game.parameters["payoff_sum"] == "1"
    assert game.payoffs(at(game, "uneven", "left")) == (Fraction(7, 10), Fraction(-7, 10))
    assert secateur.solve(game, secateur.Exact()).value == pytest.approx(0.5)
    assert "payoff_sum" not in secateur.read_efg(FILES["coin"]).parameters


def test_chance_moves_are_repeated_by_number():
    game = secateur.read_efg(FILES["repeated_chance"])
    assert game.chance(at(game, "right")) == game.chance(at(game, "left"))
    assert game.information(at(game, "left", "1")) == game.information(at(game, "right", "2"))


def test_information_sets_may_lie_at_different_depths():
    game = secateur.read_efg(FILES["depths"])
    places = [("stay",), ("walk", "stay"), ("walk", "walk", "rain")]
    assert {game.information(at(game, *place)) for place in places} == {"where?"}
    assert secateur.compile(game).size.information_sets == 3


def test_missing_and_repeated_names_become_distinct():
    game = secateur.read_efg(FILES["names"])
    assert [label for label, _ in game.chance(game.start())] == ["_1", "_2", "x_1", "x_2"]
    assert game.actions(at(game, "_1")) == ("a_1", "a_2")
    assert game.actions(at(game, "x_1")) == ("a_2", "a_1", "a_3")
    unnamed = [game.information(at(game, *place)) for place in (("_1",), ("_2",), ("x_1", "a_3"))]
    assert unnamed == ["1:1", "1:2", "2:3"]
    assert game.information(at(game, "_1", "a_1")) == "same_1"
    assert game.information(at(game, "_2", "b")) == "same_2"
    assert game.information(at(game, "x_2")) == "twin_2"


def test_branches_of_probability_zero_are_left_out_of_the_compiled_game():
    game = secateur.read_efg(FILES["never"])
    assert [p for _, p in game.chance(game.start())] == [0, 1]
    compiled = secateur.compile(game)
    assert "unreachable" not in compiled.by_label
    assert secateur.solve(game, secateur.Exact()).value == pytest.approx(3 / 7)


@pytest.mark.parametrize(
    ("spelled", "value"),
    [
        ("1", 1),
        ("-1", -1),
        ("+1", 1),
        ("007", 7),
        (".5", Fraction(1, 2)),
        ("-.5", Fraction(-1, 2)),
        ("2.", 2),
        ("-3/6", Fraction(-1, 2)),
        ("1e2", 100),
        ("1.5E-1", Fraction(3, 20)),
        ("2.e1", 20),
        ("0.1", Fraction(1, 10)),
    ],
)
def test_numbers(tmp_path, spelled, value):
    game = read(tmp_path, f'{HEADER}t "" 1 "" {{ {spelled}, 0 }}')
    assert game.payoffs(0) == (value, -value)


@pytest.mark.parametrize("blank", ["\n", "\r\n", "\t", "  ", "\v", "\f"])
def test_any_whitespace_separates(tmp_path, blank):
    text = f'{HEADER}p "" 1 1 "x y" {{ "a" "b" }} 0 t "" 1 "" {{ 1, -1 }} t "" 0'
    words = blank.join(text.replace("x y", "xy").split())
    assert read(tmp_path, words + blank).actions(0) == ("a", "b")


@pytest.mark.parametrize(
    ("spelled", "title"),
    [
        (r'"say \"no\""', 'say "no"'),
        (r'"back\slash"', r"back\slash"),
        (r'"two\\strokes"', r"two\strokes"),
        ('"two\nlines"', "two lines"),
        ('"  blanks   inside "', "blanks inside"),
        ('"Ünïcödé"', "Ünïcödé"),
        ('"\x1b[31mred"', "?[31mred"),
        ('""', "game"),
    ],
)
def test_texts(tmp_path, spelled, title):
    game = read(tmp_path, f'EFG 2 R {spelled} {{ "A" "B" }} t "" 0')
    assert game.name == title


def test_other_encodings_are_read(tmp_path):
    text = 'EFG 2 R "Ménage" { "A" "B" } t "" 0'
    assert read(tmp_path, text.encode("latin-1")).name == "Ménage"
    assert read(tmp_path, b"\xef\xbb\xbf" + text.encode()).name == "Ménage"


def test_games_without_decisions_can_be_solved(tmp_path):
    ends_at_once = read(tmp_path, f'{HEADER}t "" 1 "" {{ 2, -2 }}')
    assert (
        secateur.solve(ends_at_once, secateur.recipes.cfr(), secateur.until.iterations(5)).value
        == 2
    )
    draw = read(tmp_path, f'{HEADER}c "" 1 "" {{ "a" .5 "b" .5 }} 0 t "" 1 "" {{ 1 -1 }} t "" 0')
    assert secateur.solve(draw, secateur.recipes.cfr(), secateur.until.iterations(5)).value == 0.5


def test_load_takes_a_path():
    assert secateur.load(str(FILES["coin"])).name == "Coin"


def test_the_digest_tells_files_of_one_title_apart(tmp_path):
    first = read(tmp_path, f'{HEADER}t "" 1 "" {{ 1, -1 }}')
    second = read(tmp_path, f'{HEADER}t "" 1 "" {{ 2, -2 }}')
    assert first.name == second.name
    assert first.parameters != second.parameters


@pytest.mark.parametrize("path", CATALOG_FILES, ids=lambda path: path.stem)
def test_of_gambits_own_games_those_are_accepted_that_can_be_solved(path):
    theirs = gambit_reads(path)
    solvable = len(theirs.players) == 2 and theirs.is_const_sum and theirs.is_perfect_recall
    if not solvable:
        with pytest.raises(secateur.SecateurError, match=f"{re.escape(str(path))}, line "):
            secateur.read_efg(path)
        return
    ours = secateur.read_efg(path).tree
    assert ours.title == theirs.title
    assert ours.players == tuple(theirs.players)
    assert ours.comment == theirs.description


def test_there_are_such_games():
    assert len(CATALOG_FILES) >= 30
