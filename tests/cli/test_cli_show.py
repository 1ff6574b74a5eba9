import json

import pytest

import secateur as package
from secateur.games import RandomGame
from secateur.games.following import information_sets_after


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies")
    found = {}
    for name in ("kuhn", "leduc", "goofspiel", "liars_dice", "openspiel:leduc_poker"):
        parameters = {"sides": 3} if name == "liars_dice" else {}
        game = package.compile(package.load(name, **parameters))
        found[name] = folder / f"{name.replace(':', '_')}.bin"
        package.solve(game, until=package.until.iterations(30)).save(found[name])
    return found


def shown(secateur, files, game, history, *options):
    code, out, err = secateur("show", game, files[game], "--at", history, *options)
    assert (code, err) == (0, "")
    return out


def test_table_has_a_row_for_each_hand_and_a_column_for_each_action(secateur, files):
    out = shown(secateur, files, "leduc", "check bet2")
    assert "player 0 after check bet2" in out
    strategy = package.load_strategy(package.compile(package.load("leduc")), files["leduc"])
    for card in "JQK":
        row = next(line for line in out.splitlines() if f" {card} check bet2 " in line)
        for probability in strategy[f"{card} check bet2"].values():
            assert f" {probability:.4f} " in row
    assert out.index("fold") < out.index("call") < out.index("raise2")


@pytest.mark.parametrize(
    ("game", "history", "player", "labels"),
    [
        ("kuhn", "", 0, ["J", "Q", "K"]),
        ("kuhn", "check  bet", 0, ["J check bet", "Q check bet", "K check bet"]),
        ("leduc", "", 0, ["J", "Q", "K"]),
        ("leduc", "bet2", 1, ["J bet2", "Q bet2", "K bet2"]),
        ("leduc", "check check | K bet4", 1, [f"{c} check check | K bet4" for c in "JQK"]),
        ("leduc", "check check K bet4", 1, [f"{c} check check | K bet4" for c in "JQK"]),
        ("leduc", "check check", 0, [f"{c} check check | {b}" for b in "JQK" for c in "JQK"]),
        ("goofspiel", "4", 1, ["1 4:?"]),
        ("goofspiel", "4 1", 0, ["0 4:4v1 3:?"]),
    ],
)
def test_history_leads_to_its_information_sets(secateur, files, game, history, player, labels):
    facts = json.loads(shown(secateur, files, game, history, "--json"))
    found = facts["information_sets"]
    assert sorted(each["information_set"] for each in found) == sorted(labels)
    assert {each["player"] for each in found} == {player}
    for each in found:
        assert sum(each["actions"].values()) == pytest.approx(1.0)


def test_names_of_several_words_and_outcomes_of_chance(secateur, files):
    game = "openspiel:leduc_poker"
    everything = json.loads(shown(secateur, files, game, "Call Call", "--json"))
    assert len(everything["information_sets"]) == 30
    one = "Chance outcome:0 Chance outcome:3 Call Call Chance outcome:5"
    (found,) = json.loads(shown(secateur, files, game, one, "--json"))["information_sets"]
    assert "[Private: 0]" in found["information_set"]
    assert "[Public: 5]" in found["information_set"]


@pytest.mark.parametrize(
    ("game", "history", "words"),
    [
        (
            "leduc",
            "check raise2",
            "after 'check', 'raise2' is not possible; player 1 can check, bet2.",
        ),
        ("leduc", "fold", "at the start 'fold' is not possible; player 0 can check, bet2."),
        ("leduc", "check check | A", "or name what chance did: J, Q, K."),
        ("leduc", "check bet2 fold", "after 'check bet2 fold', the game is over"),
        ("leduc", "check bet2 fold call", "so 'call' is too much"),
        ("kuhn", "bet raise", "after 'bet', 'raise' is not possible; player 1 can fold, call."),
        ("kuhn", "checkbet", "player 0 can check, bet, or name"),
        ("openspiel:leduc_poker", "Call Bet", "player 1 can Call, Raise."),
    ],
)
def test_impossible_history_says_what_was_possible(secateur, files, game, history, words):
    code, out, err = secateur("show", game, files[game], "--at", history)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_long_lists_of_actions_are_cut(secateur, tmp_path):
    path = tmp_path / "wide.bin"
    matrix = "/".join([",".join("1" * 20)] * 20)
    options = ["--set", f"matrix={matrix}"]
    assert secateur("solve", "matrix", *options, "--iterations", 1, "--out", path).code == 0
    err = secateur("show", "matrix", path, *options, "--at", "x").err
    assert "and 8 more" in err


def test_wrong_file_names_the_command_that_works(secateur, files):
    code, _, err = secateur("show", "kuhn", files["leduc"])
    assert code == 2
    assert "name that game: leduc" in err


@pytest.mark.parametrize("seed", range(30))
def test_all_information_sets_of_a_random_game_are_found(seed):
    """Following all words that can follow reaches each information set, and no others."""
    rules = RandomGame(seed=seed, depth=4, chance_moves=0.3)
    infosets = list(package.compile(rules).information_sets())
    words = {action for each in infosets for action in each.actions}
    found, todo = set(), [""]
    while todo:
        history = todo.pop()
        try:
            found |= set(information_sets_after(rules, history))
        except package.ParameterError:
            continue
        todo += [f"{history} {word}" for word in words]
    assert found == {(each.player, each.label) for each in infosets}
