import json

import pytest


def test_json_tells_what_is_alive(secateur):
    run = secateur(
        *("solve", "leduc", "--algorithm", "cfr", "--prune", "brp", "--iterations", "300"),
        *("--min-skip", "2", "--check-every", "5", "--json"),
    )
    assert run.code == 0
    found = json.loads(run.out)
    assert found["prune"] == "brp"
    assert found["entries_total"] == 2 * found["sequences"] == 1344
    assert found["entries_live"] == found["regret_entries_live"] + found["strategy_entries_live"]
    assert 0 < found["regret_entries_live"] < 500
    assert 0 < found["nodes_touched_overhead"] < found["nodes_touched"]


def test_without_pruning_everything_is_alive(secateur):
    run = secateur("solve", "leduc", "--prune", "none", "--iterations", "10", "--json")
    found = json.loads(run.out)
    assert found["regret_entries_live"] == found["sequences"] == 672
    assert found["nodes_touched_overhead"] == 0
    assert found["nodes_touched"] == 10 * 2 * 1936


def test_the_table_says_how_much_is_alive(secateur):
    run = secateur("solve", "kuhn", "--algorithm", "lcfr", "--prune", "brp", "--iterations", "50")
    assert run.code == 0
    assert "best-response pruning" in run.out
    assert "of the regrets" in run.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--prune", "brp"), "--algorithm cfr or lcfr"),
        (("--prune", "brp", "--algorithm", "dcfr"), "DiscountedRegretMatching"),
        (("--prune", "brp", "--algorithm", "cfr", "--precision", "float32"), "use float64"),
        (("--prune", "brp", "--algorithm", "cfr", "--min-skip", "0.5"), "minimum_skip=0.5"),
        (("--prune", "brp", "--algorithm", "cfr", "--min-skip", "-1"), "above 0"),
        (("--prune", "brp", "--algorithm", "cfr", "--check-every", "0"), "1 or more"),
        (("--min-skip", "3"), "--prune brp"),
        (("--algorithm", "exact", "--check-every", "3"), "--check-every"),
        (("--prune", "everything"), "brp"),
    ],
)
def test_what_cannot_be_pruned_so_is_refused_in_one_line(secateur, options, words):
    run = secateur("solve", "leduc", *options)
    assert run.code == 2
    assert run.out == ""
    assert words in run.err
    assert run.err.count("\n") == 1
