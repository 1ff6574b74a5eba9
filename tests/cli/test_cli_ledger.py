import json

import pytest

import secateur as package
from secateur.cli import ledger

GAME = ("games", "kuhn", "--memory", "--set", "cards=5", "--iterations", "20")


def test_every_array_is_listed_with_sums(secateur):
    code, out, _ = secateur(*GAME)
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    game = package.compile(package.load("kuhn", cards=5), pruning=True)
    rows = [[cell.strip() for cell in line.split("│")] for line in out.splitlines()]
    by_name = {row[1]: row[2:5] for row in rows if len(row) == 6}
    for name, part in game.all_arrays().items():
        if part.nbytes:
            per_sequence = f"{part.nbytes / game.cells:,.2f}"
            assert by_name[name] == [f"{part.size:,}", f"{part.nbytes:,}", per_sequence]
    sums = [row[3] for row in rows if row[1:2] == ["sum"]]
    assert sums[0] == f"{game.size.bytes:,}"
    assert len(sums) == 5
    for title in ("run with partial pruning", "run with best-response pruning"):
        assert f"\n{title}" in out


def test_json_adds_up(secateur):
    found = json.loads(secateur(*GAME, "--json").out)
    assert found["parameters"]["cards"] == 5
    assert found["iterations"] == 20
    sums = {}
    for entry in found["ledger"]:
        assert set(entry) == {"group", "name", "items", "bytes"}
        sums[entry["group"]] = sums.get(entry["group"], 0) + entry["bytes"]
    dense, pruned = (f"run with {how} pruning" for how in ("partial", "best-response"))
    assert set(sums) == {"arrays", "pruning", "labels", dense, pruned}
    game = sums["arrays"] + sums["pruning"] + sums["labels"]
    moments = {each["when"]: each["bytes_arrays"] for each in found["process"]}
    assert moments == {
        "before": 0,
        "game compiled": game,
        "kernels loaded": game,
        dense: game + sums[dense],
        pruned: game + sums[pruned],
    }
    for each in found["process"]:
        whole, own = each["bytes_process"], each["bytes_process_without_files"]
        assert (whole is None and own is None) or whole > own > 0


def test_the_run_that_prunes_has_pruned(secateur):
    found = json.loads(secateur("games", "leduc", "--memory", "--iterations", 20, "--json").out)
    names = {entry["name"] for entry in found["ledger"] if "best-response" in entry["group"]}
    assert {"ids", "numbers", "live_frames"} < names


def test_systems_that_do_not_tell_are_named(secateur, monkeypatch):
    monkeypatch.setattr(ledger, "resident_parts", lambda: None)
    assert "This system does not tell what a process takes" in secateur(*GAME).out
    found = json.loads(secateur(*GAME, "--json").out)
    assert {each["bytes_process"] for each in found["process"]} == {None}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["--memory"], "--memory goes with the name of a game only"),
        (["kuhn", "--set", "cards=5"], "--set goes with --memory only"),
        (["kuhn", "--iterations", "5"], "--iterations goes with --memory only"),
        (["kuhn", "--memory", "--set", "card=5"], "did you mean 'cards'"),
    ],
)
def test_options_that_do_not_go_together(secateur, typed, words):
    code, out, err = secateur("games", *typed)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())
