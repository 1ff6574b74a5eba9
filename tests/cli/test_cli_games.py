import json

import pytest

from secateur.games import available


def test_list_shows_every_game_and_parameter(secateur):
    code, out, err = secateur("games")
    assert (code, err) == (0, "")
    for entry in available():
        assert f"│ {entry.name} " in out
        assert all(f"{each.name}=" in out for each in entry.parameters)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("entry", available(), ids=lambda entry: entry.name)
def test_one_game_shows_what_its_parameters_mean(secateur, entry):
    code, out, err = secateur("games", entry.name)
    assert (code, err) == (0, "")
    words = set(out.split())
    assert set(entry.description.split()) <= words
    assert set(entry.size.split()) <= words
    for each in entry.parameters:
        assert {each.name, *each.description.split()} <= words


def test_example_of_a_game_can_be_run(secateur):
    example = secateur("games", "leduc5").out.splitlines()[-1].partition("secateur ")[2]
    assert secateur(*example.split(), "--iterations", "1").code == 0


def test_names_are_as_tolerant_as_elsewhere(secateur):
    assert secateur("games", "Liars_Dice").out == secateur("games", "liars-dice").out


def test_list_as_json(secateur):
    games = json.loads(secateur("games", "--json").out)
    assert [game["name"] for game in games] == [entry.name for entry in available()]
    for game in games:
        assert set(game) == {"name", "description", "size", "parameters"}
        for each in game["parameters"]:
            assert set(each) == {"name", "type", "default", "required", "description"}


def test_one_game_as_json(secateur):
    game = json.loads(secateur("games", "leduc", "--json").out)
    defaults = {each["name"]: each["default"] for each in game["parameters"]}
    assert defaults["bet_sizes"] == [[2.0], [4.0]]
    assert defaults["merge_suits"] is True


def test_game_of_openspiel_is_shown_without_a_size_that_nobody_knows(secateur):
    game = json.loads(secateur("games", "openspiel:leduc_poker", "--json").out)
    assert game["name"] == "openspiel:leduc_poker"
    assert game["size"] == "told when it is solved"
    assert [each["default"] for each in game["parameters"]] == ["leduc_poker"]


def test_unknown_game(secateur):
    code, out, err = secateur("games", "ledux")
    assert (code, out) == (2, "")
    assert err.startswith("secateur: unknown game 'ledux'; did you mean 'leduc'?")
    assert err.count("\n") == 1
