"""Hold'em on the command line: files, targets in percent of the pot, grids."""

from __future__ import annotations

import csv
import json

import pytest

SPOT = """
game = "holdem"
board = "Ks Th 7s 4d 2c"
range_0 = '''
AA, KK,
98s:0.5'''
range_1 = "TT,QJs"
pot = 60
stack = 120
"""


@pytest.fixture
def spot(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(SPOT)
    return path


@pytest.fixture
def solved(secateur, spot, tmp_path):
    out = tmp_path / "spot.json"
    done = secateur("solve", spot, "--algorithm", "dcfr", "--target", "0.5%", "--out", out)
    assert done.code == 0, done.err
    return out, done.out


def test_solve_tells_the_share_of_the_pot(solved):
    _, out = solved
    share = float(out.split("% of the pot")[0].split()[-1])
    assert 0.0 < share <= 0.5
    assert "exploitability at most 0.3 was" in out


def test_files_take_other_parameters(secateur, spot):
    done = secateur("solve", spot, "--set", "stack=60", "--iterations", "5", "--json")
    assert json.loads(done.out)["parameters"]["stack"] == 60
    assert json.loads(done.out)["pot"] == 60


def test_show_draws_grids(secateur, spot, solved):
    file, _ = solved
    out = secateur("show", spot, file).out
    assert "player 0 at the start: check" in out
    assert "of all hands" in out
    lines = out.splitlines()
    row = next(k for k, line in enumerate(lines) if "98s" in line)
    assert "99" not in lines[row]
    assert out.count("98s") == 3  # check, bet30, all-in
    assert "QJs" not in out


def test_show_goes_hand_by_hand(secateur, spot, solved):
    file, _ = solved
    out = secateur("show", spot, file, "--at", "check", "--hands").out
    assert "QhJh check" in out
    assert "grid" not in out


def test_evaluate_tells_the_share_of_the_pot(secateur, spot, solved):
    file, _ = solved
    assert "% of the pot" in secateur("evaluate", spot, file).out


def test_export(secateur, spot, solved, tmp_path):
    file, _ = solved
    table = tmp_path / "spot.csv"
    assert secateur("export", spot, "--to", "csv", table, "--strategy", file).code == 0
    with table.open() as lines:
        rows = list(csv.DictReader(lines))
    assert {row["information_set"].split()[0] for row in rows} >= {"AsAh", "9h8h", "QsJs"}


def test_a_run_goes_on(secateur, spot, tmp_path):
    run = tmp_path / "run"
    assert secateur("solve", spot, "--run", run, "--iterations", "10").code == 0
    assert secateur("resume", run, "--iterations", "20").code == 0
    status = secateur("status", run).out
    assert "spot.toml" in status
    assert "% pot" in status
    refused = secateur("resume", run, "--target", "1%")
    assert refused.code == 2
    assert "give chips" in refused.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("game = 5", "names no game"),
        ("board = 'Ks'", "names no game"),
        ('game = "holdem"\npot = = 3', "line 2"),
        ('game = "holdem"\npots = 3', "has no parameter 'pots'"),
        ('game = "holdem"\npot = "x"', "give a number"),
        ('game = "holdem"\nrake = 0.05', "no zero-sum game"),
    ],
)
def test_bad_files(secateur, tmp_path, content, message):
    path = tmp_path / "bad.toml"
    path.write_text(content)
    done = secateur("solve", path)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_other_games_have_no_pot(secateur):
    done = secateur("solve", "kuhn", "--target", "1%")
    assert done.code == 2
    assert "kuhn has no pot" in done.err


def test_other_games_have_files(secateur, tmp_path):
    path = tmp_path / "small.toml"
    path.write_text('game = "kuhn"\ncards = 4\n')
    done = secateur("solve", path, "--iterations", "5", "--json")
    assert json.loads(done.out)["parameters"] == {"cards": 4}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("game = " + 5000 * "[" + 5000 * "]", "too many brackets"),
        (SPOT + "range_2 = 'AA'", "has no parameter 'range_2'"),
        (SPOT + "first = true", "first=True does not fit; give a whole number"),
        (SPOT.replace("60", "inf"), "pot=inf is not possible"),
        (SPOT.replace("60", "2020-01-01"), "give a number"),
        (SPOT.replace('"TT,QJs"', "[" + 1326 * '"a",' + "]"), "range_1=['a', 'a'"),
        (SPOT.replace('"TT,QJs"', "[0.5, 0.5]"), "range_1 has 2 weights"),
        (SPOT.replace('"TT,QJs"', "[" + 700 * "0.5," + "nan]"), "number [700] is nan"),
        (SPOT.replace("98s:0.5", "98s:nan"), "has the weight 'nan'"),
        (SPOT.replace("TT,QJs", "10Ts"), "'10Ts' at character 1 is no hand"),
        (SPOT + "board = 'AsKsQs'", "is no TOML file"),
    ],
)
def test_files_that_are_wrong_end_with_one_line(secateur, tmp_path, lines, message):
    path = tmp_path / "wrong.toml"
    path.write_text(lines)
    done = secateur("solve", path, "--iterations", "1")
    assert done.code != 0
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert len(done.err) < 600
