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


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
def test_regret_based_pruning_visits_less_and_frees_nothing(secateur, algorithm):
    common = ("solve", "leduc", "--algorithm", algorithm, "--iterations", "300", "--json")
    run = secateur(*common, "--prune", "rbp", "--min-skip", "2", "--check-every", "3")
    assert run.code == 0
    found = json.loads(run.out)
    assert found["prune"] == "rbp"
    assert found["regret_entries_live"] == found["sequences"]
    assert 0 < found["nodes_touched_overhead"] < found["nodes_touched"]
    partial = json.loads(secateur(*common).out)
    assert found["nodes_touched"] < 0.8 * partial["nodes_touched"]


def test_hedge_visits_less_with_thresholds_and_less_still_with_pruning(secateur):
    common = ("solve", "leduc", "--algorithm", "hedge", "--iterations", "500", "--json")
    plain, cut, pruned = (
        json.loads(secateur(*common, *options).out)
        for options in ((), ("--threshold", "2"), ("--threshold", "2", "--prune", "rbp"))
    )
    assert (plain["algorithm"], plain["threshold"], cut["threshold"]) == ("hedge", None, 2.0)
    assert pruned["nodes_touched"] < cut["nodes_touched"] < 0.9 * plain["nodes_touched"]
    assert 0 < pruned["nodes_touched_overhead"] < pruned["nodes_touched"]
    assert max(found["exploitability"] for found in (plain, cut, pruned)) < 0.1


@pytest.mark.parametrize("prune", ["none", "partial", "rbp"])
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "hedge"])
def test_thresholds_go_with_every_pruning_that_keeps_regrets(secateur, algorithm, prune):
    run = secateur(
        *("solve", "kuhn", "--algorithm", algorithm, "--prune", prune, "--threshold", "1.5"),
        *("--iterations", "300"),
    )
    assert run.code == 0
    assert "threshold of factor 1.5" in run.out


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "dcfr+", "pcfr+", "pdcfr+"])
def test_best_response_pruning_goes_with_the_family_and_any_average(secateur, algorithm):
    run = secateur(
        *("solve", "leduc", "--algorithm", algorithm, "--prune", "brp", "--averaging", "2"),
        *("--iterations", "200", "--check-every", "20", "--json"),
    )
    assert run.code == 0
    found = json.loads(run.out)
    assert found["regret_entries_live"] < 0.8 * found["sequences"]
    assert found["exploitability"] < 0.1


def test_what_is_discarded_is_not_counted(secateur):
    common = ("solve", "leduc", "--algorithm", "cfr", "--prune", "brp", "--json")
    common += ("--iterations", "400", "--check-every", "40")
    kept = json.loads(secateur(*common, "--discard", "0").out)
    cut = json.loads(secateur(*common, "--discard", "0.1", "--discard-rule", "sqrt").out)
    assert cut["strategy_entries_live"] < 0.9 * kept["strategy_entries_live"]
    assert cut["entries_live"] == cut["regret_entries_live"] + cut["strategy_entries_live"]


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


def test_the_table_names_regret_based_pruning(secateur):
    run = secateur("solve", "kuhn", "--algorithm", "cfr+", "--prune", "rbp", "--iterations", 50)
    assert run.code == 0
    assert "regret-based pruning" in run.out
    assert "of the regrets" not in run.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--prune", "brp", "--algorithm", "cfr", "--precision", "float32"), "use float64"),
        (("--prune", "brp", "--algorithm", "cfr", "--min-skip", "0.5"), "--min-skip 0.5"),
        (("--prune", "brp", "--algorithm", "cfr", "--min-skip", "-1"), "above 0"),
        (("--prune", "brp", "--algorithm", "cfr", "--check-every", "0"), "1 or more"),
        (("--prune", "rbp", "--algorithm", "lcfr"), "linear CFR"),
        (("--prune", "rbp", "--algorithm", "dcfr"), "DiscountedRegretMatching"),
        (("--prune", "rbp", "--algorithm", "pcfr+"), "PredictiveRegretMatchingPlus"),
        (("--prune", "rbp"), "AsymmetricPredictiveRegretMatchingPlus"),
        (("--prune", "rbp", "--algorithm", "cfr", "--precision", "float32"), "use float64"),
        (("--prune", "rbp", "--algorithm", "cfr", "--precision", "int16"), "use float64"),
        (("--prune", "brp", "--algorithm", "cfr", "--precision", "int16"), "use float64"),
        (("--algorithm", "hedge", "--precision", "int16"), "use float64 or float32"),
        (("--threshold", "2", "--precision", "int16"), "use float64 or float32"),
        (("--algorithm", "egt", "--precision", "int16"), "--precision"),
        (("--prune", "rbp", "--min-skip", "0.5"), "--min-skip 0.5"),
        (("--min-skip", "3"), "--prune rbp"),
        (("--prune", "brp", "--algorithm", "cfr", "--discard", "-0.1"), "0 or more"),
        (("--prune", "brp", "--algorithm", "cfr", "--discard", "inf"), "0 or more"),
        (("--prune", "brp", "--algorithm", "cfr", "--discard-rule", "cubic"), "linear"),
        (("--prune", "rbp", "--algorithm", "cfr", "--discard", "0.1"), "--prune brp"),
        (("--discard-rule", "sqrt"), "--prune brp"),
        (("--algorithm", "exact", "--discard", "0.1"), "--discard"),
        (("--algorithm", "exact", "--check-every", "3"), "--check-every"),
        (("--prune", "everything"), "rbp"),
        (("--prune", "rbp", "--algorithm", "hedge"), "--threshold 2"),
        (("--prune", "rbp", "--algorithm", "hedge", "--threshold", "1"), "factor above 1"),
        (("--prune", "brp", "--algorithm", "hedge"), "--prune rbp with --threshold 2"),
        (("--prune", "brp", "--algorithm", "hedge", "--threshold", "2"), "--prune rbp"),
        (("--prune", "brp", "--algorithm", "cfr", "--threshold", "2"), "leave --threshold out"),
        (("--prune", "rbp", "--algorithm", "dcfr", "--threshold", "2"), "DiscountedRegretMatching"),
        (
            (
                "--prune",
                "rbp",
                "--algorithm",
                "hedge",
                "--threshold",
                "2",
                "--precision",
                "float32",
            ),
            "use float64",
        ),
        (("--threshold", "0.5"), "use 1 (cuts nothing) or more"),
        (("--threshold", "nan"), "0 or more"),
        (("--threshold", "inf"), "0 or more"),
        (("--threshold", "low"), "0 or more"),
        (("--algorithm", "exact", "--threshold", "2"), "--threshold"),
        (("--algorithm", "egt", "--prune", "rbp"), "--prune partial or --prune none"),
        (("--algorithm", "egt", "--prune", "brp"), "--prune partial or --prune none"),
        (("--algorithm", "fp", "--prune", "rbp"), "--prune brp, --prune partial or --prune none"),
        (("--algorithm", "fp", "--prune", "brp", "--discard", "0.1"), "leave discard out"),
        (("--algorithm", "omd", "--prune", "brp"), "--prune partial or --prune none"),
        (("--algorithm", "omd", "--threshold", "0.1"), "with egt, cfr and its kin"),
        (("--algorithm", "omd", "--steps", "fixed"), "'adaptive' or 'safe'"),
        (("--algorithm", "omd", "--smoothing", "safe"), "but with egt; leave it out"),
        (("--algorithm", "egt", "--steps", "safe"), "'adaptive' or 'fixed'"),
        (("--algorithm", "egt", "--learning-rate", "theory"), "but with hedge; leave it out"),
        (("--algorithm", "cfr", "--learning-rate", "theory"), "but with hedge; leave it out"),
        (("--algorithm", "cfr", "--weights", "2015"), "but with egt and omd; leave it out"),
        (("--algorithm", "fp", "--balanced"), "but with egt; leave it out"),
        (("--algorithm", "cfr", "--alpha", "2"), "but with dcfr, dcfr+ and pdcfr+; leave it out"),
        (("--algorithm", "dcfr+", "--beta", "2"), "but with dcfr; leave it out"),
        (("--algorithm", "sapcfr+", "--alpha", "2"), "but with dcfr, dcfr+ and pdcfr+"),
        (("--algorithm", "egt", "--averaging", "2"), "but with cfr and its kin; leave it out"),
        (("--algorithm", "exact", "--averaging", "2"), "--averaging"),
        (("--algorithm", "dcfr", "--alpha", "-1"), "0 or more"),
        (("--algorithm", "dcfr", "--beta", "nan"), "give a number"),
        (("--algorithm", "dcfr", "--beta", "inf"), "give a number"),
        (("--averaging", "-1"), "0 or more"),
        (("--averaging", "17"), "use a number from 0 to 16"),
        (("--averaging", "square"), "0 or more"),
        (("--averaging-delay", "1.5"), "1 or more"),
        (("--prune", "rbp", "--algorithm", "dcfr+"), "DiscountedRegretMatchingPlus"),
        (("--algorithm", "exact", "--balanced"), "--balanced"),
        (("--algorithm", "exact", "--weights", "2015"), "--weights"),
        (("--algorithm", "egt", "--weights", "1999"), "'2015'"),
        (("--algorithm", "egt", "--smoothing", "none"), "'safe'"),
        (("--algorithm", "hedge", "--learning-rate", "fast"), "'theory'"),
        (("--algorithm", "egt", "--min-skip", "3"), "--prune rbp"),
        (("--algorithm", "egt", "--discard", "0.1"), "--prune brp"),
        (("--algorithm", "egt", "--threshold", "-0.1"), "0 or more"),
        (("--algorithm", "egt", "--threshold", "nan"), "0 or more"),
        (("--algorithm", "egt", "--threshold", "1"), "below 1"),
        (("--algorithm", "egt", "--threshold", "0.1", "--prune", "none"), "--prune partial"),
        (("--algorithm", "egt", "--threshold", "0.1", "--steps", "adaptive"), "--steps fixed"),
        (("--algorithm", "egt", "--steps", "long"), "'adaptive'"),
        (("--algorithm", "egt", "--updates", "alternating"), "--updates"),
        (("--algorithm", "fp", "--precision", "float32"), "--precision"),
        (("--algorithm", "fp", "--threshold", "0.1"), "with egt"),
        (("--algorithm", "cfr", "--threshold", "0.1"), "or more"),
        (("--algorithm", "cfr+", "--steps", "fixed"), "with egt"),
        (("--algorithm", "exact", "--threshold", "0.1"), "--threshold"),
    ],
)
def test_what_cannot_be_pruned_so_is_refused_in_one_line(secateur, options, words):
    run = secateur("solve", "leduc", *options)
    assert run.code == 2
    assert run.out == ""
    assert words in run.err
    assert run.err.count("\n") == 1
