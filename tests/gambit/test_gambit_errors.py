"""Files that cannot be read or solved: the message names the place."""

import time

import pytest

import secateur
from support.gambit import HEADER

MOVE = 'p "" 1 1 "choice" { "a" "b" } 0\n'
WIN = 't "" 1 "win" { 1, -1 }\n'


def refused(tmp_path, text):
    path = tmp_path / "game.efg"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    began = time.perf_counter()
    with pytest.raises((secateur.FileError, secateur.GameError)) as caught:
        secateur.read_efg(path)
    assert time.perf_counter() - began < 60
    message = str(caught.value)
    assert len(message) < 700
    assert message.startswith(f"{path}, line ")
    return message.removeprefix(f"{path}, ")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "line 1, column 1", "expected 'EFG'"),
        ("   \n", "line 2, column 1", "found the end of the file"),
        ("NFG 1 R", "line 1, column 1", "another kind of file"),
        ("\x00\x01\x02", "line 1, column 1", "another kind of file"),
        ('EFG 1 R "x"', "line 1, column 5", "only version 2"),
        ('EFG 2 Q "x"', "line 1, column 7", "'R' or 'D'"),
        ("EFG 2 R x", "line 1, column 9", "title"),
        ('EFG 2 R "x', "line 1, column 9", "never ends"),
        ('EFG 2 R "x\\"', "line 1, column 9", "never ends"),
        ('EFG 2 R "x" "A"', "line 1, column 13", "expected '{'"),
        ('EFG 2 R "x" { "A" B }', "line 1, column 19", "expected '}', found 'B'"),
        ('EFG 2 R "x" { }', "line 1, column 13", "0 players"),
        ('EFG 2 R "x" { "A" "B" "C" } t "" 0', "line 1, column 13", "3 players"),
        (HEADER, "line 2, column 1", "the file ends"),
        (HEADER + MOVE + WIN, "line 4, column 1", "the file ends"),
        (HEADER + WIN + WIN, "line 3, column 1", "the file goes on"),
        (HEADER + 'x "" 0', "line 2, column 1", "found 'x'"),
        (HEADER + "t 0", "line 2, column 3", "name of the node"),
        (HEADER + 't "" "a"', "line 2, column 6", "number of an outcome"),
        (HEADER + 't "" 1/2', "line 2, column 6", "found '1/2'"),
        (HEADER + 't "" 3', "line 2, column 6", "outcome 3 has not been defined"),
        (HEADER + 't "" 0 "x" { 1 -1 }', "line 2, column 6", "outcome 0"),
        (HEADER + 't "" 1 "x" { 1 }', "line 2, column 16", "payoff for each"),
        (HEADER + 't "" 1 "x" { 1 -1 0 }', "line 2, column 19", "expected '}'"),
        (HEADER + 't "" 1 "x" { 1,, -1 }', "line 2, column 16", "found ','"),
        (HEADER + 't "" 1 "x" { - 1 }', "line 2, column 14", "found '-'"),
        (HEADER + 't "" 1 "x" { nan 1 }', "line 2, column 14", "found 'nan'"),
        (HEADER + 't "" 1 "x" { 1/0 1 }', "line 2, column 14", "divides by zero"),
        (HEADER + 't "" 1 "x" { 1e999999 1 }', "line 2, column 14", "out of range"),
        (HEADER + 't "" 1 "x" { 1e-999999999999 1 }', "line 2, column 14", "out of range"),
        (HEADER + 't "" 1 "x" { 1e309 1 }', "line 2, column 14", "double precision"),
        (HEADER + 'p "" 3 1 "" { "a" } 0', "line 2, column 6", "no player 3"),
        (HEADER + 'p "" 0 1 "" { "a" } 0', "line 2, column 6", "no player 0"),
        (HEADER + 'p "" 1 1 "" { } 0', "line 2, column 15", "name of an action"),
        (HEADER + 'p "" 1 1 "" { "a" , "b" } 0', "line 2, column 19", "found ','"),
        (HEADER + 'p "" 1 1 0', "line 2, column 8", "information set 1 of player 1 has not"),
        (HEADER + 'c "" 4 0', "line 2, column 6", "chance's information set 4 has not"),
        (HEADER + 'c "" 1 "" { "a" } 0', "line 2, column 17", "probability"),
        (HEADER + 'c "" 1 "" { "a" -1 "b" 2 } 0', "line 2, column 17", "negative"),
        (HEADER + 'c "" 1 "" { "a" 1/2 "b" 1/3 } 0', "line 2, column 11", "sum to 5/6"),
        (HEADER + 'c "" 1 "" { "a" .3 "b" .6 } 0', "line 2, column 11", "sum to 9/10"),
        (HEADER + MOVE + MOVE.replace("choice", "other"), "line 3, column 8", "other name"),
        (HEADER + MOVE + MOVE.replace('"b"', '"c"'), "line 3, column 8", "other actions"),
        (HEADER + MOVE + WIN + WIN.replace("-1", "-2"), "line 4, column 6", "other payoffs"),
    ],
)
def test_what_is_not_in_the_format(tmp_path, text, place, words):
    message = refused(tmp_path, text)
    assert message.startswith(f"{place}: ")
    assert words in message


def test_repeated_chance_moves_must_agree(tmp_path):
    draw = 'c "" 1 "die" { "a" 1/2 "b" 1/2 } 0\n'
    message = refused(tmp_path, HEADER + draw + draw.replace("1/2", "1/4", 1).replace("1/2", "3/4"))
    assert message.startswith("line 3, column 6: ")
    assert "other probabilities" in message


def test_decimals_may_be_rounded_but_fractions_may_not(tmp_path):
    draw = '{}c "" 1 "" {{ "a" {} "b" {} }} 0 t "" 0 t "" 0'
    path = tmp_path / "game.efg"
    path.write_text(draw.format(HEADER, 0.3333333333333333, 0.6666666666666666))
    assert secateur.compile(secateur.read_efg(path)).size.histories == 3
    assert "sum to" in refused(tmp_path, draw.format(HEADER, "1/3", "666666666666/1000000000000"))


def test_payoffs_with_different_sums(tmp_path):
    message = refused(tmp_path, HEADER + MOVE + WIN + 't "" 2 "" { 1/3, 0.5 }')
    assert message.startswith("line 4, column 1: after 'b' at information set 1 of player 1 ")
    assert "add up to 5/6, but at line 3, column 1 to 0" in message


def test_sums_of_payoffs_at_inner_nodes_count(tmp_path):
    inner = MOVE.replace("0\n", '5 "" { 1, 0 }\n')
    path = tmp_path / "game.efg"
    path.write_text(HEADER + inner + WIN + WIN)
    assert secateur.read_efg(path).payoff_sum == 1
    deeper = 'p "" 2 1 "" { "x" "y" } 5\n'
    message = refused(tmp_path, HEADER + inner + WIN + deeper + WIN + WIN)
    assert "add up to 2" in message


def test_a_player_who_forgets_an_action(tmp_path):
    forgets = 'p "" 1 2 "later" { "c" "d" } 0\n'
    message = refused(tmp_path, HEADER + MOVE + 2 * (forgets + WIN + WIN))
    assert message.startswith("line 6, column 1: imperfect recall: player 1 ")
    assert "information set 2 ('later') after 'b' at information set 1" in message
    assert "at line 3, column 1 after 'a' at information set 1" in message


def test_a_player_who_forgets_to_have_moved(tmp_path):
    message = refused(tmp_path, HEADER + MOVE + MOVE + 3 * WIN)
    assert "information set 1 ('choice') after 'a' at information set 1" in message
    assert "at line 2, column 1 without a move before" in message


def test_a_player_who_forgets_what_it_knew(tmp_path):
    draw = 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0\n'
    seen = 'p "" 2 {} "" {{ "l" "r" }} 0\n'
    blind = 'p "" 2 9 "blind" { "u" "d" } 0\n'
    half = blind + WIN + WIN + WIN
    text = HEADER + draw + seen.format(1) + half + seen.format(2) + half
    message = refused(tmp_path, text)
    assert message.startswith("line 9, column 1: imperfect recall: player 2 ")
    assert "('blind')" in message


def test_a_missing_file(tmp_path):
    with pytest.raises(secateur.FileError, match="No such file"):
        secateur.read_efg(tmp_path / "nothing.efg")
    with pytest.raises(secateur.FileError, match="directory"):
        secateur.read_efg(tmp_path)


HUGE = {
    "digits": 't "" 1 "" { ' + "9" * 1_000_000 + " 0 }",
    "denominator": 't "" 1 "" { 1/' + "9" * 1_000_000 + " 0 }",
    "decimals": 't "" 1 "" { 0.' + "3" * 1_000_000 + " 0 }",
    "exponent": 't "" 1 "" { 1e' + "9" * 900 + " 0 }",
    "number of an outcome": 't "" ' + "9" * 1_000_000,
    "word": "x" * 1_000_000,
    "text of escaped quotes": '"' + '\\"' * 500_000,
    "braces": "{" * 1_000_000,
    "actions": 'p "" 1 1 "" { ' + '"" ' * 300_000,
    "depth": "".join(f'p "" 1 {n} "" {{ "a" "b" }} 0\n' for n in range(100_000)),
    "empty lines": "\n" * 1_000_000 + "t",
}


@pytest.mark.parametrize("what", HUGE)
def test_huge_pieces_are_refused_in_bounded_time(tmp_path, what):
    refused(tmp_path, HEADER + HUGE[what])


def test_sums_of_absurd_fractions_are_refused_in_bounded_time(tmp_path):
    path = HEADER + "".join(
        f'p "" 1 {n} "" {{ "a" }} {n} "" {{ 1/{10**300 + n}, 0 }}\n' for n in range(1, 3000)
    )
    assert "common denominator" in refused(tmp_path, path + 't "" 0')
    draws = " ".join(f'"" 1/{10**300 + n}' for n in range(1, 3000))
    assert "common denominator" in refused(tmp_path, f'{HEADER}c "" 1 "" {{ {draws} }} 0')


def test_a_path_of_100_000_moves_is_read(tmp_path):
    path = tmp_path / "deep.efg"
    moves = "".join(f'p "" {1 + n % 2} {n} "" {{ "a" }} 0\n' for n in range(100_000))
    path.write_text(HEADER + moves + WIN)
    game = secateur.read_efg(path)
    assert len(game.tree.turn) == 100_001
    secateur.write_efg(game, tmp_path / "again.efg")
    with pytest.raises(secateur.GameError, match="10,000 moves"):
        secateur.compile(game)
