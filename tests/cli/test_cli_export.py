import csv
import json

import numpy as np
import pyspiel
import pytest

import secateur as package

DICE = "openspiel:liars_dice(numdice=1,dice_sides=2)"


def solve(secateur, game, path):
    assert secateur("solve", game, "--iterations", 40, "--out", path).code == 0


@pytest.mark.parametrize("form", ["json", "bin"])
def test_csv_has_a_line_for_each_action(secateur, tmp_path, form):
    file, out = tmp_path / f"leduc.{form}", tmp_path / "leduc.csv"
    solve(secateur, "leduc", file)
    code, printed, err = secateur("export", "leduc", "--to", "csv", out, "--strategy", file)
    assert (code, err) == (0, "")
    assert "leduc.csv" in printed.replace("\n", "")
    game = package.compile(package.load("leduc"))
    strategy = package.load_strategy(game, file)
    with out.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == game.cells
    for row in rows:
        played = strategy.at(int(row["player"]), row["information_set"])
        assert float(row["probability"]) == played[row["action"]]
    reach = np.array([float(row["own_reach"]) for row in rows])
    assert sorted(reach) == sorted(strategy.plan)


def test_labels_of_several_lines_survive_in_csv(secateur, tmp_path):
    file, out = tmp_path / "rps.bin", tmp_path / "rps.csv"
    solve(secateur, "openspiel:matrix_rps", file)
    secateur("export", "openspiel:matrix_rps", "--to", "csv", out, "--strategy", file)
    with out.open(newline="", encoding="utf-8") as lines:
        labels = {row["information_set"] for row in csv.DictReader(lines)}
    assert labels == {
        f"Current player: {player}\nObserving player: {player}. Non-terminal" for player in (0, 1)
    }


def test_openspiel_takes_the_exported_policy(secateur, tmp_path):
    file, out = tmp_path / "dice.bin", tmp_path / "policy.json"
    solve(secateur, DICE, file)
    assert secateur("export", DICE, "--to", "openspiel", out, "--strategy", file).code == 0
    found = pyspiel.exploitability(
        pyspiel.load_game(DICE.partition(":")[2]), package.to_open_spiel_policy(out)
    )
    facts = json.loads(secateur("evaluate", DICE, file, "--json").out)
    assert facts["exploitability"] == pytest.approx(found, abs=1e-12)
    # without this package
    table = json.loads(out.read_text())["policy"]
    policy = pyspiel.TabularPolicy(
        {key: [tuple(each) for each in row] for key, row in table.items()}
    )
    assert pyspiel.exploitability(pyspiel.load_game(DICE.partition(":")[2]), policy) == found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("export kuhn x --strategy {file}", "required: --to"),
        ("export kuhn x --to csv", "name one with --strategy"),
        ("export kuhn x --to xml --strategy {file}", "'openspiel'"),
        ("export kuhn {folder} --to csv --strategy {file}", "is a directory"),
        ("export kuhn {folder}/no/where.csv --to csv --strategy {file}", "no directory"),
        ("export kuhn {folder}/x --to openspiel --strategy {file}", "not come from OpenSpiel"),
        ("export leduc {folder}/x --to csv --strategy {file}", "holds a strategy for kuhn"),
        ("export kuhn {folder}/x --to csv --strategy {folder}/none", "No such file"),
        ("solve kuhn --out {folder}/x.json --out-precision float32", "--out FILE.bin"),
        ("solve kuhn --out-precision float32", "--out FILE.bin"),
        ("solve openspiel:kuhn_pokr", "did you mean 'kuhn_poker'"),
        ("evaluate openspiel:kuhn_poker {file}", "holds a strategy for kuhn"),
    ],
)
def test_wrong_input_is_one_line(secateur, tmp_path, arguments, words):
    file = tmp_path / "kuhn.bin"
    solve(secateur, "kuhn", file)
    names = {"file": file, "folder": tmp_path}
    code, out, err = secateur(*arguments.format(**names).split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words.format(**names) in err
    assert [each.name for each in tmp_path.iterdir()] == ["kuhn.bin"]


def test_compact_file_of_an_openspiel_game_evaluates_to_what_the_run_found(secateur, tmp_path):
    file = tmp_path / "dice.bin"
    options = ["--iterations", 40, "--out", file, "--out-precision", "float32", "--json"]
    found = json.loads(secateur("solve", DICE, *options).out)
    facts = json.loads(secateur("evaluate", DICE, file, "--json").out)
    for key in ("nash_conv", "exploitability", "value"):
        assert facts[key] == pytest.approx(found[key], rel=0, abs=1e-6)
    assert facts["parameters"] == {"game": "liars_dice(dice_sides=2,numdice=1)"}
    err = secateur("evaluate", "openspiel:kuhn_poker", file).err
    assert "name that game: 'openspiel:liars_dice(dice_sides=2,numdice=1)'" in err
