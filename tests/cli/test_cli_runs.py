import json
import os
import pty
import random
import resource
import shutil
import signal
import time
from pathlib import Path

import pytest
from benchmarks.kills import difference, metrics_without_seconds, torture

import secateur as package
from secateur import atomic
from secateur.cli.main import main
from secateur.cli.run_commands import X_AXES, Y_AXES
from secateur.running import next_look
from secateur.runs.directory import RunDirectory
from secateur.runs.plots import X_AXES as PLOT_X
from secateur.runs.plots import Y_AXES as PLOT_Y

RUNS = {
    "cfr": "kuhn --algorithm cfr",
    "cfr+, a game with settings": "kuhn --set cards=4",
    "dcfr, single precision": "kuhn --algorithm dcfr --precision float32",
    "dcfr, 16 bits": "kuhn --algorithm dcfr --precision int16",
    "pcfr+, simultaneous": "kuhn --algorithm pcfr+ --updates simultaneous",
    "pdcfr+, other numbers": "kuhn --algorithm pdcfr+ --alpha 2 --averaging 3 --averaging-delay 9",
    "hedge, thresholds, rbp": "kuhn --algorithm hedge --threshold 2 --prune rbp",
    "lcfr, brp": "leduc --algorithm lcfr --prune brp --check-every 10 --min-skip 2 --discard 0.1",
    "egt, thresholds": "kuhn --algorithm egt --threshold 0.01",
    "fp": "kuhn --algorithm fp --prune none",
}
KILLED = "leduc --algorithm cfr --prune rbp --iterations 15000"
LONG = ["--algorithm", "cfr", "--checkpoint-every", "0.1"]


def one_line(outcome, code=2):
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("secateur: ")
    assert outcome.err.count("\n") == 1
    return outcome.err


@pytest.mark.parametrize("title", RUNS)
def test_a_run_in_parts_is_the_run_as_a_whole(secateur, tmp_path, title):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    solve = ["solve", *RUNS[title].split(), "--run"]
    assert secateur(*solve, whole, "--iterations", 777).code == 0
    assert secateur(*solve, parts, "--iterations", 3).code == 0
    for limit in (90, 333, 777):
        assert secateur("resume", parts, "--iterations", limit).code == 0
    assert difference(parts, whole) == ""
    names = sorted(each.name for each in parts.iterdir())
    checkpoints = ["checkpoint-333", "checkpoint-777"]
    assert names == [*checkpoints, "lock", "metrics.jsonl", "run.json", "strategy.json"]


def test_metrics_are_lines_of_json_without_repetitions(secateur, tmp_path):
    run = tmp_path / "run"
    secateur("solve", "leduc", "--run", run, "--iterations", 500, "--count-nodes")
    secateur("resume", run, "--iterations", 800, "--json")
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    iterations = [line["iteration"] for line in lines]
    assert iterations == sorted(set(iterations))
    assert iterations[-1] == 800
    assert all(next_look(each - 1) == each for each in iterations[:-1])
    seconds = [line["seconds"] for line in lines]
    assert seconds == sorted(seconds)
    assert all(line["nodes_touched"] > 0 for line in lines)


def test_the_strategy_is_that_of_the_report(secateur, tmp_path):
    out = secateur("solve", "leduc", "--run", tmp_path / "run", "--iterations", 50, "--json").out
    facts = json.loads(out)
    assert facts["run"] == str(tmp_path / "run")
    game = package.compile(package.load("leduc"))
    strategy = package.load_strategy(game, tmp_path / "run" / "strategy.json")
    assert package.nash_conv(game, strategy) == pytest.approx(facts["nash_conv"], rel=1e-9)


def test_resuming_a_run_that_has_ended_reports_it_again(secateur, tmp_path):
    run = tmp_path / "run"
    options = ("--target", 1e-3, "--json")
    first = json.loads(secateur("solve", "kuhn", "--run", run, *options).out)
    before = (run / "strategy.json").read_bytes()
    (run / "strategy.json").unlink()
    again = json.loads(secateur("resume", run, "--json").out)
    assert again.pop("seconds") >= first.pop("seconds")
    assert again.pop("compile_seconds") != first.pop("compile_seconds")
    assert again == first
    assert again["stopped_because"] == "target reached"
    assert (run / "strategy.json").read_bytes() == before


def test_limits_given_last_hold(secateur, tmp_path):
    run = tmp_path / "run"
    secateur("solve", "kuhn", "--run", run, "--iterations", 10)
    secateur("resume", run, "--target", 1e-4)
    assert json.loads(secateur("resume", run, "--json").out)["stopped_because"] == "target reached"
    facts = json.loads(secateur("status", run, "--json").out)[0]
    assert (facts["limits"]["target"], facts["limits"]["iterations"]) == (1e-4, None)


def wait_for(path: Path, pattern: str, process) -> None:
    deadline = time.monotonic() + 120.0
    while not list(path.glob(pattern)):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_run_that_is_told_to_stop_goes_on_to_the_same_end(
    secateur, start, tmp_path, number, code
):
    run = tmp_path / "run"
    process = start("solve", "leduc", *LONG, "--iterations", 10**9, "--run", run)
    wait_for(run, "checkpoint-*", process)
    assert json.loads(secateur("status", run, "--json").out)[0]["state"] == "running"
    assert "another process is running" in one_line(secateur("resume", run))
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == code
    assert err.splitlines()[-1].endswith(f"go on with: secateur resume {run}")
    assert "leduc" in out
    stopped = json.loads(secateur("status", run, "--json").out)[0]
    assert stopped["state"] == "stopped"
    assert stopped["checkpoint"] == stopped["latest"]["iteration"]
    # the last snapshot was not on schedule: it must not decide where the run ends; nor may any
    # before it, because a run in one piece would have ended there
    lines = (run / "metrics.jsonl").read_text().splitlines()
    target = 0.95 * min(json.loads(line)["exploitability"] for line in lines)
    assert secateur("resume", run, "--target", target).code == 0
    whole = tmp_path / "whole"
    assert secateur("solve", "leduc", *LONG, "--target", target, "--run", whole).code == 0
    assert difference(run, whole) == ""


def test_killed_runs_go_on_to_the_same_bits(tmp_path):
    found = torture(KILLED, 3, tmp_path, random.Random(3))
    assert found.failure == ""
    assert found.kills > 0


def test_a_difference_would_be_found(secateur, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for run, iterations in ((one, 50), (two, 51)):
        secateur("solve", "kuhn", "--run", run, "--iterations", iterations)
    assert difference(one, two) == "the strategies differ"
    shutil.copy(one / "strategy.json", two)
    assert difference(one, two) == "the last checkpoints differ"
    (two / "checkpoint-51").unlink()
    shutil.copy(one / "checkpoint-50", two)
    assert difference(one, two) == "the metrics differ"


def test_the_memory_limit_refuses_with_an_estimate(secateur, tmp_path):
    run = tmp_path / "run"
    refused = secateur("solve", "kuhn", "--memory-limit", "1M", "--run", run)
    err = one_line(refused._replace(err=refused.err.splitlines(keepends=True)[-1]))
    assert err.startswith("secateur: --memory-limit 1 MB: the run would take up to ")
    assert " MB at the least, with int16 and the game in a file; allow more" in err
    fits = ("solve", "kuhn", "--run", run, "--iterations", 3, "--memory-limit", "20G")
    assert secateur(*fits).code == 0


def test_a_run_that_fits_is_run(secateur):
    assert secateur("solve", "kuhn", "--memory-limit", "20GB").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("solve kuhn --checkpoint-every 5", "--checkpoint-every goes with --run only"),
        ("solve kuhn --memory-limit much", "such as 500M or 1.5G"),
        ("solve kuhn --memory-limit 0", "such as 500M or 1.5G"),
        ("solve kuhn --memory-limit G", "such as 500M or 1.5G"),
        ("solve kuhn --memory-limit 5GG", "such as 500M or 1.5G"),
        ("solve kuhn --algorithm exact --run x", "--run does not go with '--algorithm exact'"),
        ("solve kuhn --algorithm exact --memory-limit 1G", "--memory-limit does not go with"),
        ("resume nowhere", "nowhere holds no run; give the directory"),
        ("resume", "required: DIR"),
        ("status nowhere", "nowhere holds no run"),
        ("plot nowhere", "nowhere holds no run"),
        ("plot nowhere --x depth", "invalid choice: 'depth'"),
    ],
)
def test_wrong_input_is_one_line(secateur, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in one_line(secateur(*arguments.split()))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", ["--algorithm hedge --prune brp", "--out no/such/place"])
def test_wrong_options_leave_no_directory(secateur, tmp_path, options):
    one_line(secateur("solve", "kuhn", *options.split(), "--run", tmp_path / "run"))
    assert list(tmp_path.iterdir()) == []


def test_directories_with_something_in_them_are_left_alone(secateur, tmp_path):
    run = tmp_path / "run"
    assert secateur("solve", "kuhn", "--run", run).code == 0
    before = {each.name: each.read_bytes() for each in run.iterdir()}
    assert "holds a run already; go on with" in one_line(secateur("solve", "kuhn", "--run", run))
    assert {each.name: each.read_bytes() for each in run.iterdir()} == before
    (tmp_path / ".profile").write_text("mine")
    assert "is not empty (it holds .profile)" in one_line(
        secateur("solve", "kuhn", "--run", tmp_path)
    )
    assert "not a directory" in one_line(secateur("solve", "kuhn", "--run", run / "run.json"))
    assert sorted(each.name for each in tmp_path.iterdir()) == [".profile", "run"]


def test_a_killed_start_is_no_obstacle(secateur, tmp_path):
    (tmp_path / ".run.json.abc").write_text('{"half')
    (tmp_path / "lock").touch()
    assert secateur("solve", "kuhn", "--run", tmp_path).code == 0
    assert not list(tmp_path.glob(".*"))


def test_a_full_disk_leaves_the_last_checkpoint_intact(secateur, tmp_path, monkeypatch):
    run = tmp_path / "run"
    secateur("solve", "leduc", "--run", run, "--iterations", 100)

    synced = []
    real = os.fsync

    def full(handle):
        synced.append(handle)
        if len(synced) > 4:  # the configuration with its new limit, metrics, and their directory
            raise OSError(28, os.strerror(28))
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "fsync", full)
        resume = ("resume", run, "--iterations", 200, "--checkpoint-every", 1e-9)
        err = one_line(secateur(*resume), code=1)
    assert "No space left on device; free some space. The run can go on from iteration 100" in err
    names = sorted(each.name for each in run.iterdir())
    assert names == ["checkpoint-100", "lock", "metrics.jsonl", "run.json", "strategy.json"]
    assert secateur("resume", run).code == 0


def test_a_disk_that_fills_up_while_running_ends_in_one_line(secateur, start, tmp_path):
    """Files cannot grow beyond a limit, so at some line the metrics cannot be written."""
    run, whole = tmp_path / "run", tmp_path / "whole"
    limit = 40_000
    process = start(
        *("solve", "leduc", "--iterations", "20000", "--run", run, "--checkpoint-every", "0.01"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (1, "")
    *progress, last = err.splitlines()  # a slow machine tells how far it is
    assert all(line.startswith("secateur: iteration ") for line in progress)
    assert last.startswith(f"secateur: cannot write {run}/")
    assert last.endswith(f"secateur resume {run}")
    assert secateur("resume", run).code == 0
    assert secateur("solve", "leduc", "--iterations", 20000, "--run", whole).code == 0
    assert difference(run, whole) == ""


def test_a_refused_checkpoint_is_told_on_a_terminal(start, secateur, tmp_path):
    run = tmp_path / "run"
    for limit in ("20", "30"):
        command = ("resume", run) if run.exists() else ("solve", "kuhn", "--run", run)
        secateur(*command, "--iterations", limit)
    (run / "checkpoint-30").write_bytes(b"")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = start("resume", run, stderr=theirs, env=environment)
    process.communicate(timeout=120)
    os.close(theirs)
    assert process.returncode == 0
    shown = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert "going on from the checkpoint before, iteration 20." in shown


def test_status_is_a_table(secateur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    secateur("solve", "leduc", "--run", "one", "--algorithm", "dcfr", "--iterations", 123)
    secateur("solve", "kuhn", "--set", "cards=5", "--run", "two", "--iterations", 7)
    code, out, err = secateur("status", "one", "two", "three")
    assert (code, err.count("\n")) == (2, 1)
    assert "three holds no run" in err
    assert max(map(len, out.splitlines())) <= 80
    for words in ("one", "leduc;", "discounted", "123", "two", "cards=5", "done", "100%"):
        assert words in out
    assert secateur("status", "one", "two").code == 0


def test_status_of_a_run_that_was_killed_at_once(secateur, tmp_path):
    run = tmp_path / "run"
    secateur("solve", "kuhn", "--run", run, "--iterations", 20)
    for each in run.iterdir():
        if each.name != "run.json":
            each.unlink()
    facts = json.loads(secateur("status", run, "--json").out)[0]
    assert (facts["state"], facts["latest"], facts["checkpoint"]) == ("stopped", None, None)
    assert "has no snapshots yet" in one_line(secateur("plot", run))
    assert secateur("status", run).code == 0
    assert secateur("resume", run).code == 0


def test_a_target_that_only_the_last_snapshot_meets_is_not_reached(secateur, tmp_path):
    """That snapshot is not on the schedule: resuming goes on, so the run is not done."""
    run = tmp_path / "run"
    secateur("solve", "leduc", "--algorithm", "cfr+", "--run", run, "--iterations", 500)
    configuration = RunDirectory(run).configuration()
    *_, before, last = [line["exploitability"] for line in metrics_without_seconds(run)]
    assert next_look(499) != 500
    assert last < before

    def state(target):
        until = package.until.exploitability(target)
        configuration._replace(until=until).write(run / "run.json")
        return json.loads(secateur("status", run, "--json").out)[0]["state"]

    assert state(0.5 * (last + before)) == "stopped"
    assert state(before) == "target reached"
    assert state(0.5 * last) == "stopped"


def test_plots_are_written_twice(secateur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    common = ("solve", "leduc", "--iterations", 20, "--count-nodes")
    secateur(*common, "--run", "one", "--algorithm", "cfr+")
    secateur(*common, "--run", "two", "--algorithm", "cfr")
    for x, y in zip(X_AXES, Y_AXES, strict=True):  # axes do not know each other
        code, out, err = secateur("plot", "one", "two", "--x", x, "--y", y)
        assert (code, err) == (0, "")
        assert f"{y}-by-{x}.png" in out.replace("\n", "")
        assert Path(f"{y}-by-{x}.png").read_bytes().startswith(b"\x89PNG")
        drawing = Path(f"{y}-by-{x}.svg").read_text()
        curves = ("CFR+, partial pruning", "CFR, partial pruning")
        for words in ("leduc", *curves, PLOT_X[x].label, PLOT_Y[y].label):
            assert f"<!-- {words} -->" in drawing


def test_a_run_that_is_refused_leaves_its_directory_for_another(secateur, tmp_path):
    run = tmp_path / "run"
    assert "--memory-limit" in one_line(
        secateur("solve", "kuhn", "--run", run, "--memory-limit", "1M")
    )
    assert "--out" in one_line(secateur("solve", "kuhn", "--run", run, "--out", tmp_path / "x"))
    assert "an empty path" in one_line(secateur("solve", "kuhn", "--run", ""))
    assert secateur("solve", "kuhn", "--run", run, "--iterations", 20).code == 0
    # a limit that is refused does not stay
    refused = secateur("resume", run, "--iterations", 40, "--memory-limit", "1M")
    assert "--memory-limit" in one_line(refused)
    assert secateur("resume", run, "--iterations", 40).code == 0


def test_time_that_is_up_between_snapshots_is_a_reason_to_end(secateur, tmp_path):
    run = tmp_path / "run"
    secateur("solve", "kuhn", "--run", run, "--iterations", 1)
    code, out, _ = secateur("resume", run, "--seconds", 0.0002, "--json")
    assert code == 0
    assert json.loads(out)["iterations"] >= 1


def test_nodes_that_were_not_counted_cannot_be_drawn(secateur, tmp_path):
    run = tmp_path / "run"
    secateur("solve", "leduc", "--run", run, "--iterations", 20)
    assert "--count-nodes" in one_line(secateur("plot", run, "--x", "nodes"))


def test_locks_end_with_their_process(tmp_path):
    directory = RunDirectory(tmp_path)
    with directory.held():
        assert directory.is_running
    assert not directory.is_running


def test_interrupted_runs_without_a_directory_leave_sigterm_alone(start):
    process = start("solve", "leduc", "--iterations", "1000000000")
    assert "iteration " in process.stderr.readline()
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM


def test_entry_point_returns_the_code(tmp_path, capsys):
    assert main(["status", str(tmp_path)]) == 2
    assert capsys.readouterr().out == ""


def test_metrics_of_one_iteration(secateur, tmp_path):
    run = tmp_path / "run"
    assert secateur("solve", "kuhn", "--run", run, "--iterations", 1).code == 0
    assert [line["iteration"] for line in metrics_without_seconds(run)] == [1]
