"""``secateur solve --warm-start``: begins with the strategy in a file."""

import json

import pytest


@pytest.fixture
def leduc(secateur, tmp_path):
    """Write a strategy of Leduc."""
    file = tmp_path / "leduc.json"
    assert secateur("solve", "leduc", "--iterations", 50, "--out", file).code == 0
    return file


def test_a_run_begins_with_a_strategy(secateur, leduc):
    outcome = secateur("solve", "leduc", "--warm-start", leduc, "--iterations", 1, "--json")
    assert outcome.code == 0
    found = json.loads(outcome.out)
    assert found["warm_weight"] >= 1
    assert found["iterations"] == 1
    assert found["nash_conv"] < 0.5  # after one iteration from the beginning it is above 4


def test_the_weight_is_chosen_and_told(secateur, leduc):
    options = ("--algorithm", "cfr", "--warm-start", leduc, "--warm-weight", 20)
    outcome = secateur("solve", "leduc", *options, "--iterations", 5)
    assert "a strategy in the place of 20 iterations" in outcome.out


def test_a_strategy_of_fewer_sizes_is_translated(secateur, leduc):
    finer = ("leduc", "--set", "bet_sizes=1,2/2,4")
    outcome = secateur("solve", *finer, "--warm-start", leduc, "--iterations", 5, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["warm_weight"] >= 1
    told = ("--warm-start", leduc, "--warm-game", "leduc")
    again = secateur("solve", *finer, *told, "--iterations", 5, "--json")
    assert json.loads(again.out)["nash_conv"] == json.loads(outcome.out)["nash_conv"]


@pytest.mark.parametrize("algorithm", ["cfr", "sapcfr+"])
def test_a_run_that_is_kept_goes_on_to_the_same_bits(secateur, leduc, tmp_path, algorithm):
    options = ("--algorithm", algorithm, "--warm-start", leduc)
    directory = tmp_path / "run"
    outcome = secateur("solve", "leduc", *options, "--iterations", 40, "--json")
    secateur("solve", "leduc", *options, "--iterations", 15, "--run", directory)
    weight = json.loads((directory / "run.json").read_text())["warm_weight"]
    resumed = secateur("resume", directory, "--iterations", 40, "--json")
    through, kept = json.loads(outcome.out), json.loads(resumed.out)
    assert through["warm_weight"] == kept["warm_weight"] == weight
    assert through["nash_conv"] == kept["nash_conv"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--warm-weight", 3), "--warm-weight goes with --warm-start only"),
        (("--warm-game", "kuhn"), "--warm-game goes with --warm-start only"),
        (("--algorithm", "hedge", "--warm-start", "FILE"), "warm start with Hedge"),
        (("--algorithm", "egt", "--warm-start", "FILE"), "warm start with EGT"),
        (("--prune", "rbp", "--algorithm", "cfr", "--warm-start", "FILE"), "regret-based pruning"),
        (("--warm-start", "FILE", "--warm-weight", 2_000_000), "1 to 1e6"),
        (("--warm-start", "FILE", "--set", "ranks=4"), "the same ranks"),
        (("--warm-start", "nothing.json"), "nothing.json"),
    ],
)
def test_what_does_not_go_together_is_refused(secateur, leduc, options, sentence):
    options = [leduc if each == "FILE" else each for each in options]
    outcome = secateur("solve", "leduc", *options, "--iterations", 3)
    assert outcome.code == 2
    assert sentence in outcome.err


def test_a_refused_run_leaves_the_directory_free(secateur, leduc, tmp_path):
    directory = tmp_path / "run"
    refused = ("--warm-start", leduc, "--set", "ranks=4", "--run", directory)
    assert secateur("solve", "leduc", *refused, "--iterations", 3).code == 2
    begun = ("--warm-start", leduc, "--run", directory)
    assert secateur("solve", "leduc", *begun, "--iterations", 3).code == 0
