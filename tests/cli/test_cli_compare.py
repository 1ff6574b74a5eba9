import json

import pytest

from secateur.conditions import Snapshot
from secateur.running import next_look
from secateur.runs.plots import draw_runs, evenly_spaced


def one_line(outcome):
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    return outcome.err


def test_algorithms_are_shown_side_by_side(secateur):
    entries = ["cfr+,CFR", "cfr --prune none --updates simultaneous", "exact"]
    outcome = secateur("compare", "kuhn", "--algorithms", *entries, "--iterations", 20)
    assert outcome.code == 0
    rows = [line for line in outcome.out.splitlines() if line.rstrip().endswith(("count", "exact"))]
    assert [row.split()[0] for row in rows] == ["cfr+", "CFR", "cfr", "exact"]
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


def test_json_is_a_record_of_each_run(secateur):
    options = ["--iterations", 20, "--json", "--curve", "--count-nodes"]
    outcome = secateur(
        "compare", "kuhn", "--set", "cards=4", "--algorithms", "cfr+,exact", *options
    )
    first, second = json.loads(outcome.out)
    assert (first["entry"], first["algorithm"], first["settings"]) == (
        "cfr+",
        "cfr+",
        {"cards": "4"},
    )
    assert first["iterations"] == first["curve"][-1]["iteration"] == 20
    assert first["nodes_touched"] > 0
    assert (second["ending"]["kind"], second["exploitability"]) == (
        "exact",
        pytest.approx(0, abs=1e-9),
    )


def test_an_entry_runs_as_solve_would(secateur):
    options = ["--iterations", 30, "--json"]
    entry = "cfr --prune none --updates simultaneous"
    (compared,) = json.loads(secateur("compare", "kuhn", "--algorithms", entry, *options).out)
    solved = json.loads(secateur("solve", "kuhn", "--algorithm", *entry.split(), *options).out)
    for name in ("nash_conv", "value", "iterations", "options", "ending", "bytes_resident"):
        assert compared[name] == solved[name]


def test_the_plot_is_written(secateur, tmp_path):
    options = ["--iterations", 20, "--plot", tmp_path / "kuhn.png"]
    outcome = secateur("compare", "kuhn", "--algorithms", "cfr+,cfr,exact", *options)
    assert outcome.code == 0
    assert (tmp_path / "kuhn.png").read_bytes().startswith(b"\x89PNG")
    assert [each.name for each in tmp_path.iterdir()] == ["kuhn.png"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--algorithms", "cfrr"], "did you mean 'cfr'?"),
        (["--algorithms", "cfr+,,cfr"], "an empty entry; give the name of an algorithm"),
        (["--algorithms", "cfr+ --prune all"], "--algorithms 'cfr+ --prune all': argument --prune"),
        (["--algorithms", "egt --updates simultaneous"], "--updates does not go with"),
        (["--algorithms", "cfr+ --iterations 5"], "unrecognized arguments: --iterations 5"),
        (["--algorithms", "cfr+ 'x"], "No closing quotation"),
        (["--algorithms", "cfr+", "--curve"], "--curve goes with --json only"),
        (["--algorithms", "cfr+", "--x", "nodes"], "--x goes with --plot only"),
        ([], "required: --algorithms"),
    ],
)
def test_wrong_input_is_one_line(secateur, arguments, words):
    assert words in one_line(secateur("compare", "kuhn", *arguments))


def test_numbers_of_an_algorithm_are_told(secateur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    method = "dcfr --alpha 2 --beta -0.5 --averaging 4"
    arguments = ("kuhn", "--iterations", 5)
    outcome = secateur("compare", *arguments, "--algorithms", method, "--json")
    (facts,) = json.loads(outcome.out)
    assert (facts["entry"], facts["algorithm"]) == (method, "dcfr")
    given = {name: value for name, value in facts["options"].items() if value is not None}
    numbers = {"alpha": 2.0, "beta": -0.5, "averaging": 4.0}
    assert given == {"algorithm": "dcfr", **numbers}
    chosen = ("--algorithm", *method.split())
    assert secateur("solve", *arguments, *chosen, "--run", "run").code == 0
    assert secateur("resume", "run", "--iterations", 9).code == 0
    (status,) = json.loads(secateur("status", "run", "--json").out)
    told = {name: value for name, value in status["options"].items() if value is not None}
    assert told == given
    _, names, _ = drawn(monkeypatch, secateur, "plot", "run", "run")
    assert names[0].startswith("discounted CFR, partial pruning, alpha 2, beta -0.5, averaging 4")


def snapshots(iterations):
    return [
        Snapshot(each, 0.1 * each, 2 / each, 1 / each, None, 1, 1.0, 1.0) for each in iterations
    ]


def scheduled(count):
    looks = [1]
    while len(looks) < count:
        looks.append(next_look(looks[-1]))
    return looks


def test_a_snapshot_that_was_not_due_makes_no_hook():
    looks = scheduled(100)
    step = next_look(looks[-1]) - looks[-1]
    assert step > 4
    history = snapshots([*looks, looks[-1] + 1])
    assert evenly_spaced(history) == history[:-1]
    for whole in ([*looks, looks[-1] + step - 1], looks, looks[:1], [1, 2]):
        assert evenly_spaced(snapshots(whole)) == snapshots(whole)
    picture = draw_runs({"run": history}, "iterations", "exploitability", "kuhn")
    (line,) = picture.axes[0].get_lines()
    assert line.get_xdata()[-1] == looks[-1]


def drawn(monkeypatch, secateur, *arguments):
    """Return titles and names of curves in the picture that a command draws."""
    from secateur.cli import plotting

    pictures = []

    def keep(picture, files, **_):
        pictures.append(picture)

    monkeypatch.setattr(plotting, "save_picture", keep)
    outcome = secateur(*arguments)
    assert outcome.code == 0
    axes = pictures[0].axes[0]
    return (
        axes.get_title(loc="left"),
        [each.get_text() for each in axes.get_legend().texts],
        outcome,
    )


def test_plots_say_what_they_show(secateur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs = {
        "a": "kuhn --algorithm cfr+",
        "b": "kuhn --algorithm cfr --prune none",
        "c": "kuhn --algorithm cfr+",
        "d": "matrix --algorithm cfr+",
    }
    for name, words in runs.items():
        assert secateur("solve", *words.split(), "--iterations", 5, "--run", name).code == 0
    title, names, outcome = drawn(monkeypatch, secateur, "plot", "a", "b")
    assert (title, names) == ("kuhn", ["CFR+, partial pruning", "CFR, no pruning"])
    assert outcome.err == ""
    _, names, _ = drawn(monkeypatch, secateur, "plot", "a", "c", "a")
    assert names == ["CFR+, partial pruning (a)", "CFR+, partial pruning (c)"]
    title, names, outcome = drawn(monkeypatch, secateur, "plot", "a", "d")
    assert title == "2 different games"
    assert names == ["kuhn: CFR+, partial pruning", "matrix: CFR+, partial pruning"]
    assert "runs of different games (kuhn, matrix)" in outcome.err
