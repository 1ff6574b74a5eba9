import csv
import functools
import importlib.util
import json

import pytest

from secateur.cli import reproducing
from secateur.cli.main import main
from secateur.extras import how_to_install
from secateur.games.registry import load
from secateur.papers import runs
from secateur.papers.budgets import Budget
from secateur.papers.figures import FIGURES
from secateur.papers.plots import save
from secateur.papers.runs import run_curve

TINY = {
    "leduc": Budget(60_000, 20_000),
    "leduc5": Budget(120_000, 80_000),
    "leduc-dt": Budget(300_000, 100_000),
    "leduc5-dt": Budget(1_000_000, 250_000),
}
BETS = (1.0, 2.0), (2.0, 4.0)
"""Two bet sizes stand for five, as curves are the same."""


def one_line(outcome):
    code, out, err = outcome
    assert (code, out) == (2, "")
    assert err.startswith("secateur: ")
    assert err.count("\n") == 1
    return err


_runs = {}


def run_once(curve, game, budget, observe):
    """Run a curve, or tell again what came of it: figures and tests have many in common."""
    if (curve, budget) not in _runs:
        _runs[curve, budget] = run_curve(curve, game, budget, lambda *_: None)
    for now in _runs[curve, budget]:
        observe(curve, now)
    return _runs[curve, budget]


def load_small(name):
    return load(name, **({"bet_sizes": BETS} if name.startswith("leduc5") else {}))


compiled_once = functools.cache(runs._compiled)


def save_as_png(picture, file, kind):
    """Draw a picture once: what is wrong with one shows in either format."""
    if kind == "png":
        save(picture, file, kind)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(reproducing, "save", save_as_png)
    monkeypatch.setattr(reproducing, "QUICK", TINY)
    monkeypatch.setattr(runs, "run_curve", run_once)
    monkeypatch.setattr(runs, "load_game", load_small)
    monkeypatch.setattr(runs, "_compiled", compiled_once)


@pytest.fixture
def never_runs(monkeypatch):
    def fail(*_, **__):
        pytest.fail("ran before the input was checked")

    monkeypatch.setattr(reproducing, "prepare_kernels", fail)
    monkeypatch.setattr(reproducing, "run_curves", fail)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", sorted(set(FIGURES) - {"beyond-large"}))  # its game takes a minute
def test_quick_version_of_each_figure_writes_everything(secateur, tmp_path, name):
    run = secateur("reproduce", name, "--quick", "--out", tmp_path / "new", "--json")
    assert run.code == 0
    (facts,) = json.loads(run.out)["figures"]
    figure = FIGURES[name]
    assert (facts["figure"], facts["short_run"]) == (name, True)
    assert len(facts["claims"]) == len(figure.claims)
    assert {each["verdict"] for each in facts["claims"]} <= {"holds", "partly", "does not hold"}
    files = {path.name: path for path in (tmp_path / "new").iterdir()}
    assert set(files) == {f"{name}.csv", f"{name}.png", f"{name}.svg", f"{name}-claims.md"}
    assert {str(path) for path in files.values()} == set(facts["files"].values())
    with files[f"{name}.csv"].open() as file:
        curves = {(row["game"], row["curve"]) for row in csv.DictReader(file)}
    assert curves == {(curve.game, curve.name) for curve in figure.curves}
    assert files[f"{name}.png"].read_bytes().startswith(b"\x89PNG")
    assert "(short run)" in files[f"{name}-claims.md"].read_text()
    assert f"curve {len(figure.curves)} of {len(figure.curves)}" in run.err


@pytest.mark.usefixtures("tiny")
def test_curves_that_figures_share_are_run_once(secateur, tmp_path):
    names = ["brp-fig3", "total-rbp-fig2", "brp-fig3"]
    run = secateur("reproduce", *names, "--quick", "--out", tmp_path, "--json")
    assert [each["figure"] for each in json.loads(run.out)["figures"]] == names[:2]
    shared = set(FIGURES["brp-fig3"].curves) & set(FIGURES["total-rbp-fig2"].curves)
    assert len(shared) == 7
    others = len(FIGURES["total-rbp-fig2"].curves) - 7
    assert f"curve {others} of {others}" in run.err
    assert (tmp_path / "brp-fig3.csv").exists()
    with (tmp_path / "total-rbp-fig2.csv").open() as file:
        curves = {(row["game"], row["curve"]) for row in csv.DictReader(file)}
    assert curves == {(curve.game, curve.name) for curve in FIGURES["total-rbp-fig2"].curves}


def test_leduc_takes_seconds_and_prints_a_line_for_each_claim(secateur, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    run = secateur("reproduce", "brp-fig3", "--quick", "--out", tmp_path)
    assert run.code == 0
    for claim in FIGURES["brp-fig3"].claims:
        assert claim.sentence in run.out
        assert claim.criterion in run.out
    assert run.out.count("(short run)") == len(FIGURES["brp-fig3"].claims)
    assert "Written: " in run.out
    assert (tmp_path / "brp-fig3.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.usefixtures("tiny")
def test_the_whole_version_is_not_marked_as_short(secateur, tmp_path, monkeypatch):
    monkeypatch.setattr(reproducing, "FULL", TINY)
    run = secateur("reproduce", "brp-fig3", "--out", tmp_path)
    assert run.code == 0
    assert "short run" not in run.out
    assert "short run" not in (tmp_path / "brp-fig3-claims.md").read_text()


@pytest.mark.usefixtures("never_runs")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("reproduce", "required: FIGURE"),
        ("reproduce brp-fig1", "required: --out"),
        ("reproduce brp-fig9 --out {}", "'beyond-large'"),
        ("reproduce brp-fig1 --out {}/missing/deep", "no directory"),
        ("reproduce brp-fig1 --out {}/file", "not a directory"),
        ("reproduce brp-fig1 --out {}/file/deep", "cannot write"),
        ("reproduce brp-fig1 --out {}/taken", "brp-fig1.csv"),
    ],
)
def test_bad_input_is_found_before_anything_runs(secateur, tmp_path, arguments, words):
    (tmp_path / "file").write_text("content")
    (tmp_path / "taken" / "brp-fig1.csv").mkdir(parents=True)
    assert words in one_line(secateur(*arguments.format(tmp_path).split()))


@pytest.mark.usefixtures("never_runs")
def test_missing_matplotlib_is_one_line_with_the_remedy(secateur, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    run = secateur("reproduce", "brp-fig1", "--out", tmp_path)
    assert how_to_install("plot") in one_line(run)


def test_interrupted_runs_write_nothing(capsys, tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(reproducing, "run_curves", interrupt)
    assert main(["reproduce", "brp-fig1", "--quick", "--out", str(tmp_path)]) == 130
    assert "secateur: interrupted\n" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
