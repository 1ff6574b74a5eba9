import dataclasses
import pickle

import pytest
from enumeration import enumerate_game

from secateur.errors import ParameterError
from secateur.games import Game, Kuhn, Leduc, MatrixGame, available, load

NAMES = [entry.name for entry in available()]
FIVE = ((0.5, 1.0, 2.0, 4.0, 8.0), (1.0, 2.0, 4.0, 8.0, 16.0))


@pytest.mark.parametrize("entry", available(), ids=NAMES)
def test_entries_are_complete(entry):
    game = load(entry.name)
    assert isinstance(game, Game)
    assert {each.name: each.default for each in entry.parameters} == game.parameters
    assert entry.description
    assert all(each.description and each.type for each in entry.parameters)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in available() if "294," not in entry.size and "269," not in entry.size],
    ids=lambda entry: entry.name,
)
def test_documented_sizes(entry):
    tree = enumerate_game(load(entry.name))
    sizes = f"{tree.total:,} histories, {tree.infoset_count:,} information sets"
    assert entry.size == sizes
    docstring = " ".join((entry.rules.__doc__ or "").split())
    assert f"{tree.total:,}" in docstring
    assert f"{tree.infoset_count:,}" in docstring


@pytest.mark.parametrize("name", NAMES)
def test_games_are_values(name):
    game = load(name)
    assert game == load(name)
    assert hash(game) == hash(load(name))
    assert pickle.loads(pickle.dumps(game)) == game
    assert type(game)(**game.parameters) == game
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.cards = 5
    assert game.name == name or name.startswith("leduc")
    assert str(game).startswith(f"{game.name}(")


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("kuhn", {"cards": "5"}, Kuhn(5)),
        ("Kuhn", {"cards": 5}, Kuhn(5)),
        ("leduc", {"ranks": "5", "ante": "0.5"}, Leduc(ranks=5, ante=0.5)),
        ("leduc", {"bet_sizes": "0.5,1,2/1,2,4"}, Leduc(bet_sizes=((0.5, 1, 2), (1, 2, 4)))),
        ("leduc", {"bet_sizes": [[1, 2], [3]]}, Leduc(bet_sizes=((1, 2), (3,)))),
        ("leduc", {"merge_suits": "False"}, Leduc(merge_suits=False)),
        ("leduc5", {}, Leduc(bet_sizes=FIVE)),
        ("leduc5", {"suits": 3}, Leduc(suits=3, bet_sizes=FIVE)),
        ("leduc5", {"bet_sizes": "1/2"}, load("leduc-dt")),
        ("matrix", {"matrix": "1,-1/-1,1"}, MatrixGame(((1, -1), (-1, 1)))),
        ("liars_dice", {"sides": 3.0}, load("liars-dice", sides="3")),
        ("battleship", {"ships": "1,2"}, load("battleship", ships=[1, 2])),
        ("goofspiel", {"prizes": "random"}, load("goofspiel", prizes="random")),
    ],
)
def test_values_from_python_and_from_a_command_line(name, parameters, expected):
    game = load(name, **parameters)
    assert game == expected
    assert repr(game) == repr(expected)


@pytest.mark.parametrize(
    ("name", "parameters", "messages"),
    [
        ("leduk", {}, ["'leduk'", "did you mean 'leduc'?", "kuhn"]),
        ("chess", {}, ["'chess'", "choose from kuhn, leduc"]),
        ("leduc", {"rank": 5}, ["'rank'", "rank=5", "did you mean 'ranks'?", "suits"]),
        ("kuhn", {"name": "x"}, ["'name'", "choose from cards"]),
        ("leduc", {"ranks": "five"}, ["ranks='five'", "give a whole number"]),
        ("leduc", {"ranks": 2.5}, ["ranks=2.5", "give a whole number"]),
        ("leduc", {"ranks": True}, ["ranks=True", "give a whole number"]),
        ("leduc", {"ranks": None}, ["ranks=None", "give a whole number"]),
        ("leduc", {"ante": "x"}, ["ante='x'", "give a number"]),
        ("leduc", {"merge_suits": "maybe"}, ["merge_suits='maybe'", "give true or false"]),
        ("leduc", {"bet_sizes": "1,x/2"}, ["bet_sizes='1,x/2'", "give a number"]),
        ("leduc", {"bet_sizes": 3}, ["bet_sizes=3", "such as 1,2/3,4"]),
        ("leduc", {"bet_sizes": ""}, ["no betting round"]),
        ("leduc", {"bet_sizes": "1/"}, ["round without sizes"]),
        ("battleship", {"ships": 3}, ["ships=3", "such as 1,2"]),
        ("goofspiel", {"prizes": "up"}, ["prizes='up'", "descending or ascending or random"]),
    ],
)
def test_messages(name, parameters, messages):
    with pytest.raises(ParameterError) as error:
        load(name, **parameters)
    assert "\n" not in str(error.value)
    for message in messages:
        assert message in str(error.value)
