import json
import sys
from pathlib import Path

import pytest

import secateur as package
from secateur.cli import solving

TYPES = {
    "game": str,
    "parameters": dict,
    "algorithm": str,
    "prune": str,
    "updates": str,
    "precision": str,
    "iterations": int,
    "seconds": float,
    "nodes_touched": int,
    "nash_conv": float,
    "exploitability": float,
    "value": float,
    "histories": int,
    "information_sets": int,
    "sequences": int,
    "bytes_resident": int,
    "interrupted": bool,
    "stopped_because": str,
}


def solved(outcome):
    assert outcome.code == 0
    return json.loads(outcome.out)


@pytest.mark.parametrize(
    "algorithm",
    ["cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "sapcfr+", "hedge"],
)
@pytest.mark.parametrize("prune", ["none", "partial"])
def test_json_has_the_promised_keys(secateur, algorithm, prune):
    options = ["--algorithm", algorithm, "--prune", prune, "--iterations", 20]
    facts = solved(secateur("solve", "kuhn", *options, "--json"))
    assert {key: type(facts[key]) for key in TYPES} == TYPES
    assert facts["exploitability"] == 0.5 * facts["nash_conv"]
    assert (facts["algorithm"], facts["prune"]) == (algorithm, prune)
    assert (facts["histories"], facts["information_sets"], facts["sequences"]) == (55, 12, 24)
    assert (facts["iterations"], facts["stopped_because"]) == (20, "iterations done")
    assert facts["nodes_touched"] <= 2 * 55 * 20
    assert facts["interrupted"] is False


@pytest.mark.parametrize("algorithm", ["egt", "omd", "fp"])
@pytest.mark.parametrize("prune", ["none", "partial"])
def test_methods_without_regrets_have_the_same_keys(secateur, algorithm, prune):
    options = ["--algorithm", algorithm, "--prune", prune, "--iterations", 20]
    facts = solved(secateur("solve", "kuhn", *options, "--json"))
    expected = {**TYPES, "updates": type(None)}
    assert {key: type(facts[key]) for key in expected} == expected
    assert (facts["algorithm"], facts["prune"]) == (algorithm, prune)
    assert (facts["iterations"], facts["stopped_because"]) == (20, "iterations done")
    assert facts["nodes_touched"] > 0
    solver = {
        "egt": package.EGT(),
        "omd": package.OptimisticMirrorDescent(),
        "fp": package.FictitiousPlay(),
    }[algorithm]
    result = package.solve(package.load("kuhn"), solver, package.until.iterations(20))
    assert facts["nash_conv"] == pytest.approx(result.nash_conv, rel=1e-9)


def test_thresholds_reach_the_solver_and_save_nodes(secateur):
    common = ("solve", "leduc-dt", "--algorithm", "egt", "--steps", "fixed", "--json")
    plain, cut = (
        solved(secateur(*common, "--iterations", 300, "--threshold", c)) for c in ("0", "0.01")
    )
    assert (plain["threshold"], cut["threshold"]) == (0.0, 0.01)
    assert cut["nodes_touched"] < 0.9 * plain["nodes_touched"]
    result = package.solve(
        package.load("leduc-dt"), package.EGT(threshold=0.01), package.until.iterations(300)
    )
    assert cut["nash_conv"] == result.nash_conv


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--algorithm", "egt"), "egt, partial pruning, no threshold, adaptive steps"),
        (("--algorithm", "egt", "--threshold", "0.01"), "threshold 0.01/t, fixed steps"),
        (("--algorithm", "fp", "--prune", "none"), "fp, no pruning"),
        (("--algorithm", "fp", "--prune", "brp"), "100.0% of the values"),
        (("--algorithm", "omd"), "omd, partial pruning, adaptive steps, weights of 2017"),
        (
            ("--algorithm", "egt", "--weights", "2015", "--balanced", "--smoothing", "safe"),
            "adaptive steps, balanced, safe smoothing, weights of 2015",
        ),
        (("--algorithm", "hedge", "--learning-rate", "theory"), "learning rate by theory"),
        ((), "sapcfr+, partial pruning, asymmetry 2, alternating updates"),
        (("--averaging", "3"), "asymmetry 2, average of power 3, alternating updates"),
        (("--averaging-delay", "7"), "average of power 2, delayed by 7, alternating updates"),
        (("--algorithm", "dcfr", "--beta", "-0.5"), "exponents 1.5 and -0.5, alternating"),
        (("--algorithm", "dcfr+", "--alpha", "2"), "partial pruning, exponent 2, alternating"),
        (("--algorithm", "pdcfr+"), "partial pruning, exponent 2.3, alternating"),
        (("--algorithm", "sapcfr+"), "partial pruning, asymmetry 2, alternating"),
    ],
)
def test_the_table_says_what_methods_did(secateur, monkeypatch, options, words):
    monkeypatch.setenv("COLUMNS", "200")
    run = secateur("solve", "kuhn", *options, "--iterations", "30")
    assert run.code == 0
    assert words in run.out


@pytest.mark.parametrize(
    ("options", "solver"),
    [
        (("egt", "--weights", "2015"), package.EGT(weights="kroer15")),
        (("egt", "--balanced"), package.EGT(balanced=True)),
        (("egt", "--smoothing", "safe"), package.EGT(smoothing="safe")),
        (("omd", "--steps", "safe"), package.OptimisticMirrorDescent(steps="safe")),
        (("omd", "--weights", "2015"), package.OptimisticMirrorDescent(weights="kroer15")),
        (
            ("hedge", "--learning-rate", "theory"),
            package.recipes.hedge(minimizer=package.Hedge("theory")),
        ),
        (
            ("cfr+", "--averaging", "2", "--averaging-delay", "5"),
            package.recipes.cfr_plus(averaging=package.Averaging(2, delay=5)),
        ),
        (("pdcfr+", "--averaging", "0"), package.recipes.pdcfr_plus(averaging=package.Averaging())),
        (
            ("dcfr", "--alpha", "2", "--beta", "-0.5", "--averaging", "3"),
            package.CFR(package.DiscountedRegretMatching(2, -0.5), package.Averaging(3)),
        ),
        (
            ("dcfr+", "--alpha", "1"),
            package.recipes.dcfr_plus(minimizer=package.DiscountedRegretMatchingPlus(1)),
        ),
        (
            ("pdcfr+", "--alpha", "1"),
            package.recipes.pdcfr_plus(minimizer=package.PredictiveDiscountedRegretMatchingPlus(1)),
        ),
        (
            ("fp", "--prune", "brp", "--min-skip", "2", "--check-every", "2"),
            package.FictitiousPlay(
                pruning=package.BestResponsePruning(minimum_skip=2, check_every=2)
            ),
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_options_of_methods_reach_the_solver(secateur, options, solver):
    facts = solved(secateur("solve", "kuhn", "--algorithm", *options, "--iterations", 40, "--json"))
    result = package.solve(package.load("kuhn"), solver, package.until.iterations(40))
    assert facts["nash_conv"] == result.nash_conv
    assert facts["regret_entries_live"] == result.regret_entries_live


def test_egt_runs_to_a_target(secateur):
    facts = solved(secateur("solve", "kuhn", "--algorithm", "egt", "--target", "1e-4", "--json"))
    assert facts["stopped_because"] == "target reached"
    assert facts["value"] == pytest.approx(-1 / 18, abs=2e-4)


def test_defaults(secateur):
    facts = solved(secateur("solve", "leduc", "--json"))
    chosen = {key: facts[key] for key in ("algorithm", "prune", "updates", "precision")}
    assert chosen == {
        "algorithm": "sapcfr+",
        "prune": "partial",
        "updates": "alternating",
        "precision": "float64",
    }
    assert facts["stopped_because"] == "target reached"
    assert 0.0 < facts["exploitability"] <= facts["default_target"] == pytest.approx(0.0013)


def test_result_is_the_one_of_the_library(secateur):
    facts = solved(secateur("solve", "leduc", "--iterations", 50, "--json"))
    result = package.solve(package.load("leduc"), until=package.until.iterations(50))
    assert facts["nash_conv"] == result.nash_conv
    assert facts["value"] == result.value


def test_options_reach_the_solver(secateur):
    options = ["--updates", "simultaneous", "--precision", "float32", "--iterations", 50]
    facts = solved(secateur("solve", "leduc", *options, "--json"))
    assert (facts["updates"], facts["precision"]) == ("simultaneous", "float32")
    solver = package.recipes.sapcfr_plus(updates="simultaneous", storage=package.Storage("float32"))
    result = package.solve(package.load("leduc"), solver, package.until.iterations(50))
    assert facts["nash_conv"] == result.nash_conv


def test_exact(secateur):
    facts = solved(secateur("solve", "kuhn", "--algorithm", "exact", "--json"))
    assert facts["value"] == pytest.approx(-1 / 18)
    assert facts["exploitability"] < 1e-9
    assert facts["stopped_because"] == "solved exactly"
    for key in ("nodes_touched", "prune", "updates", "precision"):
        assert facts[key] is None


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (["--target", "1e9", "--iterations", "1000000", "--seconds", "1000"], "target reached"),
        (["--target", "1e-9", "--iterations", "7", "--seconds", "1000"], "iterations done"),
        (["--target", "1e-12", "--iterations", "1000000000", "--seconds", "0.1"], "time is up"),
        (["--iterations", "3"], "iterations done"),
        (["--seconds", "0.1"], "time is up"),
    ],
)
def test_the_first_limit_that_is_met_ends_the_run(secateur, limits, reason):
    facts = solved(secateur("solve", "leduc", *limits, "--json"))
    assert facts["stopped_because"] == reason


def test_iterations_alone_set_no_target(secateur):
    facts = solved(secateur("solve", "kuhn", "--iterations", "1e3", "--json"))
    assert facts["iterations"] == 1000
    assert facts["exploitability"] < 1e-3


def test_parameters(secateur):
    settings = ["--set", "ranks=4", "--set", "bet_sizes=1,2/3"]
    facts = solved(secateur("solve", "leduc", *settings, "--iterations", 1, "--json"))
    assert facts["parameters"]["ranks"] == 4
    assert facts["parameters"]["bet_sizes"] == [[1.0, 2.0], [3.0]]


def test_presets_keep_their_name(secateur):
    facts = solved(secateur("solve", "Leduc_DT", "--iterations", 1, "--json"))
    assert facts["game"] == "leduc-dt"
    assert facts["parameters"]["bet_sizes"] == [[1.0], [2.0]]


def test_report_for_people(secateur):
    code, out, err = secateur("solve", "leduc")
    assert (code, err) == (0, "")
    for words in (
        "NashConv",
        "(half of NashConv)",
        "for player 0",
        "1,936 histories",
        "iterations in",
    ):
        assert words in out
    assert "First 12 of 288 information sets; --out FILE writes them all." in out
    assert max(map(len, out.splitlines())) <= 80


def test_report_shows_first_decisions_with_their_probabilities(secateur):
    out = secateur("solve", "matrix", "--algorithm", "exact").out
    assert out.count("0=0.333  1=0.333  2=0.333") == 2
    rows = [line.split() for line in secateur("solve", "leduc").out.splitlines()]
    shown = [row[3] for row in rows if row[:2] in (["│", "0"], ["│", "1"])]
    assert shown == [*"JQK" * 4]


def test_labels_are_not_taken_for_markup(secateur, monkeypatch):
    game = package.compile(package.load("kuhn"))
    monkeypatch.setattr(type(game.labels), "label", lambda *_: "[bold]x[/] :smile:")
    monkeypatch.setattr(solving, "compile_game", lambda *_, **__: game)
    assert "[bold]x[/] :smile:" in secateur("solve", "kuhn").out


def test_report_says_where_the_strategy_is(secateur, tmp_path):
    path = tmp_path / "kuhn.json"
    code, out, _ = secateur("solve", "kuhn", "--out", path)
    assert code == 0
    assert "The whole strategy is in" in out
    assert path.is_file()


def test_out_follows_links_and_leaves_nothing_else(secateur, tmp_path):
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "kuhn.json"
    link = tmp_path / "link.json"
    link.symlink_to(target)
    assert secateur("solve", "kuhn", "--out", link).code == 0
    assert link.is_symlink()
    assert [each.name for each in target.parent.iterdir()] == ["kuhn.json"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_one_line(start):
    with Path("/dev/full").open("w") as full:
        process = start("games", stdout=full)
        _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert err == "secateur: cannot go on: No space left on device\n"
