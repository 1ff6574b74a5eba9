"""Damaged files give a clean error or a sound game, never anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur.games.gambit.game import GambitGame
from secateur.games.gambit.parser import parse
from secateur.games.gambit.writer import efg_lines
from support.gambit import FILES
from support.small_games import built_in, examples

SOUND = [
    *(path.read_bytes().decode() for path in sorted(FILES.values())),
    "".join(efg_lines(built_in("kuhn"))),
    "".join(efg_lines(built_in("random"))),
]
PIECES = [
    *('"', '\\"', "{", "}", ",", "0", "1", "2", "3", "-1", "1/3", "1/0", "1e999999", "1e-999999"),
    *("9" * 5000, "0." + "3" * 5000, "1/" + "7" * 2000, "1e400", "-", ".", "nan", "NE", "\x00"),
    *('t "" 0 ', 't "" 1 ', 'p "" 1 1 ', 'p "" 2 1 ', 'c "" 1 ', '"" { "a" "a" } ', "\ufeff", "é"),
    *("EFG 2 R ", '"x" { 1 -1 } ', '{ "a" 1/2 "b" 1/2 } ', "\r\n", "\v", 'p "" 1 1 0 ' * 300),
]
PLACES = st.integers(0, 10**6)


def flip(text, place, length, piece):
    at = place % (len(text) + 1)
    return text[:at] + chr((place * 31 + length) % 256) + text[at + 1 :]


def delete(text, place, length, piece):
    at = place % (len(text) + 1)
    return text[:at] + text[at + length :]


def duplicate(text, place, length, piece):
    at = place % (len(text) + 1)
    return text[: at + length] + text[at:]


def insert(text, place, length, piece):
    at = place % (len(text) + 1)
    return text[:at] + piece + text[at:]


def replace_word(text, place, length, piece):
    words = text.split(" ")
    words[place % len(words)] = piece
    return " ".join(words)


def cut(text, place, length, piece):
    return text[: place % (len(text) + 1)]


def swap_lines(text, place, length, piece):
    lines = text.split("\n")
    first, second = place % len(lines), (place + length) % len(lines)
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def nest(text, place, length, piece):
    lines = text.split("\n")
    at = place % len(lines)
    return "\n".join(lines[:at] + lines[at : at + 1] * (length * 10) + lines[at:])


DAMAGE = [flip, delete, duplicate, insert, replace_word, replace_word, cut, swap_lines, nest]
DAMAGES = st.lists(
    st.tuples(st.sampled_from(DAMAGE), PLACES, st.integers(1, 60), st.sampled_from(PIECES)),
    min_size=1,
    max_size=4,
)


def read(text):
    """Return the game of a text, or None after a clean error."""
    try:
        return GambitGame(parse(text, "fuzz.efg"), "")
    except (secateur.FileError, secateur.GameError) as error:
        message = str(error)
    assert message.startswith("fuzz.efg, line ")
    assert len(message) < 700
    return None


@given(st.sampled_from(SOUND), DAMAGES)
@examples(1500)
def test_damaged_files_give_clean_errors_or_sound_games(text, damages):
    for damage, place, length, piece in damages:
        text = damage(text, place, length, piece)
    game = read(text)
    if game is not None:
        compiled = secateur.compile(game)
        assert compiled.size.histories <= len(game.tree.turn)
        again = read("".join(efg_lines(game)))
        assert list(efg_lines(again)) == list(efg_lines(game))


@given(st.text(alphabet='EFG2RDcpt01/.-+e{}, "\\\n', max_size=200))
@examples(1000)
def test_any_text_gives_a_clean_error_or_a_sound_game(text):
    read(text)
    read('EFG 2 R "" { "" "" } ' + text)


@given(st.binary(max_size=200))
@examples(300)
def test_any_bytes_give_a_clean_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("fuzz") / "game.efg"
    path.write_bytes(content)
    with pytest.raises(secateur.FileError, match=r"line [0-9]+, column [0-9]+"):
        secateur.read_efg(path)


def test_undamaged_files_are_sound():
    assert all(read(text) is not None for text in SOUND)
