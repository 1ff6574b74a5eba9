"""Damaged and foreign files of runs: what was written, or a clear error."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import msgspec
import pytest
from benchmarks.kills import difference, metrics_without_seconds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import secateur
from secateur.archive import open_archive, write_archive
from secateur.cli.main import main
from secateur.conditions import Snapshot
from secateur.errors import FileError
from secateur.runs import checkpoints
from secateur.runs.checkpoints import Checkpoint, Checkpoints, Identity
from secateur.runs.configuration import Configuration
from secateur.runs.games import named
from secateur.runs.metrics_log import MetricsLog, read_metrics
from support.damage import DAMAGES, damaged, harm
from support.solvers import SOLVERS, ready

EARLIER, LATER = CHECKPOINTS = ("checkpoint-20", "checkpoint-30")
STRANGERS = {"game": "kuhn", "solver": "leduc --algorithm cfr"}
FINGERPRINT = 12345

many = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
seeds = st.integers(0, 10**6)


def snapshots(number: int) -> list[Snapshot]:
    return [Snapshot(t, 0.1 * t, 1 / t, 0.5 / t, 7 * t, 1000, 1.0, 0.9) for t in range(1, number)]


@pytest.fixture(scope="module", params=["cfr, brp", "sapcfr+, int16"])
def kept(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[Path, Identity]:
    """Write two checkpoints of a run."""
    place = tmp_path_factory.mktemp("checkpoints")
    state = SOLVERS[request.param].start(ready("leduc"))
    identity = Identity.of(state.game, state.solver)
    for iteration in (20, 30):
        state.step(iteration - state.iteration)
        found = Checkpoint(state.saved(), snapshots(iteration + 1), 0.5)
        Checkpoints(place).write(identity, found, iteration)
    return place, identity


def content(checkpoint: Checkpoint) -> tuple:
    numbers, arrays, _ = checkpoint.saved
    parts = {name: part.tobytes() for name, part in arrays.items()}
    return numbers, parts, checkpoint.history, checkpoint.seconds


@many
@given(seed=seeds)
def test_a_damaged_checkpoint_is_set_aside_for_the_one_before(kept, tmp_path: Path, seed: int):
    place, identity = kept
    newest = content(Checkpoints(place).latest(identity, pytest.fail))
    for name in CHECKPOINTS:
        shutil.copy(place / name, tmp_path)
    harm(tmp_path / LATER, seed)
    warnings: list[str] = []
    found = content(Checkpoints(tmp_path).latest(identity, warnings.append))
    if not warnings:  # only padding was hit
        assert found == newest
        return
    assert "going on from the checkpoint before, iteration 20." in warnings[0]
    assert found[0].get("_iteration", found[0].get("iteration")) == 20
    assert (tmp_path / f"{LATER}.refused").exists()
    assert Checkpoints(tmp_path).iterations() == [20]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_checkpoint_that_is_not_finite_is_not_written(tmp_path: Path, number: float):
    state = SOLVERS["cfr+"].start(ready("kuhn"))
    state.step(3)
    identity = Identity.of(state.game, state.solver)
    diverged = [snapshots(5)[0]._replace(nash_conv=number)]
    with pytest.raises(FileError, match=r"cannot write .* not finite"):
        Checkpoints(tmp_path).write(identity, Checkpoint(state.saved(), diverged, 0.5), 3)
    state.regret[2] = number
    with pytest.raises(FileError, match=r"cannot write .*: regret would have .* not finite"):
        Checkpoints(tmp_path).write(identity, Checkpoint(state.saved(), [], 0.5), 3)
    assert list(tmp_path.iterdir()) == []


def test_a_state_that_refuses_what_was_saved_is_what_it_was():
    solver, game = SOLVERS["cfr, brp"], ready("leduc")
    state = solver.start(game)
    state.step(40)
    saved = state.saved()
    wrong = saved._replace(arrays={**saved.arrays, "ids_at": saved.arrays["ids_at"] + 1})
    fresh, other = solver.start(game), solver.start(game)
    with pytest.raises(secateur.ParameterError, match="cannot come from a run"):
        fresh.restore(wrong)
    for each in (fresh, other):
        each.step(30)
    assert fresh.saved().arrays.keys() == other.saved().arrays.keys()
    for name, part in other.saved().arrays.items():
        assert part.tobytes() == fresh.saved().arrays[name].tobytes()


@many
@given(seed=seeds)
def test_without_a_good_checkpoint_there_is_an_error(kept, tmp_path: Path, seed: int):
    place, identity = kept
    shutil.copy(place / LATER, tmp_path)
    harm(tmp_path / LATER, seed)
    try:
        found = Checkpoints(tmp_path).latest(identity, pytest.fail)
    except FileError as error:
        message = str(error)
        assert message.endswith("to run it from the beginning, remove its checkpoints.")
        assert "\n" not in message
        assert (tmp_path / LATER).exists()
    else:
        assert content(found) == content(Checkpoints(place).latest(identity, pytest.fail))


@many
@given(seed=seeds, number=st.integers(1, 30))
def test_damaged_metrics_are_what_was_written_or_an_error(tmp_path: Path, seed: int, number: int):
    path, history = tmp_path / "metrics.jsonl", snapshots(30)
    path.unlink(missing_ok=True)
    log = MetricsLog(path, FINGERPRINT)
    log.begin([])
    for snapshot in history:
        log.append(snapshot)
    whole = path.read_bytes()
    assert read_metrics(path, FINGERPRINT) == history
    harm(path, seed)
    try:
        found = read_metrics(path, FINGERPRINT)
    except FileError as error:
        assert "is damaged or foreign at line" in str(error)
    else:
        assert found == history[: len(found)]
    log = MetricsLog(path, FINGERPRINT)
    try:
        log.begin(history[:number])
    except FileError as error:
        assert "remove it, and it is written again from the checkpoint" in str(error)
        path.unlink()
        log.begin(history[:number])
    assert read_metrics(path, FINGERPRINT) == history[:number]
    for snapshot in history[number:]:
        log.append(snapshot)
    assert path.read_bytes() == whole


CONFIGURATION = Configuration.of(
    named("leduc", {"ranks": "4"}), secateur.recipes.cfr(), secateur.until.iterations(30)
)


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("configuration") / "run.json"
    CONFIGURATION.write(path)
    return path.read_bytes()


@many
@given(seed=seeds)
def test_a_damaged_configuration_is_what_was_written_or_an_error(
    configured: bytes, tmp_path: Path, seed: int
):
    path = tmp_path / "run.json"
    path.write_bytes(configured)
    harm(path, seed)
    try:
        assert Configuration.read(path) == CONFIGURATION  # a changed blank changes nothing
    except FileError as error:
        assert "is damaged or was changed" in str(error)
        assert "\n" not in str(error)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make runs: one that stopped, what it would become, and strangers."""
    place = tmp_path_factory.mktemp("runs")
    for name, limits in (("stopped", (20, 30)), ("whole", (40,))):
        begin = ["solve", "leduc", "--run", str(place / name), "--iterations", str(limits[0])]
        assert main(begin) == 0
        for limit in limits[1:]:
            assert main(["resume", str(place / name), "--iterations", str(limit)]) == 0
    for name, words in STRANGERS.items():
        where = ["--run", str(place / name), "--iterations", "30"]
        assert main(["solve", *words.split(), *where]) == 0
    return place


@pytest.fixture
def run(runs: Path, tmp_path: Path) -> Path:
    return shutil.copytree(runs / "stopped", tmp_path / "run")


def resumed(run: Path) -> int:
    return main(["resume", str(run), "--iterations", "40"])


def one_line(capsys: pytest.CaptureFixture) -> str:
    err = capsys.readouterr().err
    assert err.startswith("secateur: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("how", DAMAGES)
def test_a_run_with_a_damaged_checkpoint_ends_with_the_same_bits(
    how: str, runs: Path, run: Path, capsys: pytest.CaptureFixture
):
    before = (run / LATER).read_bytes()
    (run / LATER).write_bytes(damaged(before, how, random.Random(how)))
    assert resumed(run) == 0
    assert "iteration 20." in one_line(capsys)
    assert difference(run, runs / "whole") == ""


def test_a_run_without_a_good_checkpoint_begins_again_when_they_are_removed(
    runs: Path, run: Path, capsys: pytest.CaptureFixture
):
    for name in CHECKPOINTS:
        (run / name).write_bytes(b"")
    assert resumed(run) == 2
    assert "remove its checkpoints" in one_line(capsys)
    for name in CHECKPOINTS:
        (run / name).unlink()
    assert resumed(run) == 0
    assert difference(run, runs / "whole") == ""


def test_a_run_with_damaged_metrics_says_how_to_go_on(
    runs: Path, run: Path, capsys: pytest.CaptureFixture
):
    text = (run / "metrics.jsonl").read_text()
    (run / "metrics.jsonl").write_text(text.replace('"alive": 1.0', '"alive": 0.5', 1))
    for command in ("resume", "status", "plot"):
        assert main([command, str(run)]) == 2
        assert "metrics.jsonl is damaged" in one_line(capsys)
    (run / "metrics.jsonl").unlink()
    assert resumed(run) == 0
    assert difference(run, runs / "whole") == ""


def test_a_run_with_a_damaged_configuration_is_refused(run: Path, capsys: pytest.CaptureFixture):
    text = (run / "run.json").read_text()
    (run / "run.json").write_text(text.replace('"leduc"', '"kuhn"'))
    for command in ("resume", "status", "plot"):
        assert main([command, str(run)]) == 2
        assert "the checksum does not match" in one_line(capsys)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_foreign_checkpoints_are_set_aside(
    runs: Path, run: Path, capsys: pytest.CaptureFixture, stranger: str
):
    shutil.copy(runs / stranger / "checkpoint-30", run)
    assert resumed(run) == 0
    assert f"checkpoint-30 is foreign: its {stranger} is " in one_line(capsys)
    assert difference(run, runs / "whole") == ""


@pytest.mark.parametrize("stranger", STRANGERS)
def test_foreign_metrics_are_refused(
    runs: Path, run: Path, capsys: pytest.CaptureFixture, stranger: str
):
    shutil.copy(runs / stranger / "metrics.jsonl", run)
    for command in ("resume", "status"):
        assert main([command, str(run)]) == 2
        assert "metrics.jsonl is damaged or foreign" in one_line(capsys)


def test_swapped_checkpoints_of_one_run_are_both_good(runs: Path, run: Path):
    earlier, later = (run / name for name in CHECKPOINTS)
    before = earlier.read_bytes()
    earlier.write_bytes(later.read_bytes())
    later.write_bytes(before)
    assert resumed(run) == 0
    assert difference(run, runs / "whole") == ""


def test_checkpoints_of_other_kernels_are_refused(
    run: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("secateur.runs.checkpoints.STAMP", "0123456789abcdef")
    assert resumed(run) == 2
    assert "is foreign: its program is secateur" in one_line(capsys)
    assert (run / LATER).exists()


def test_checkpoints_of_versions_that_named_no_origin_are_refused_for_their_program(
    run: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    identity = Identity("secateur 0.0", "leduc", "0" * 40, "another solver")
    for path in run.glob("checkpoint-*"):
        facts, arrays, _ = open_archive(path, checkpoints.KIND, checkpoints._Facts)
        before = msgspec.structs.asdict(facts) | identity._asdict()
        del before["origin"]
        path.unlink()
        write_archive(path, checkpoints.KIND, before, arrays, checkpoints.UNBOUNDED)
    assert resumed(run) == 2
    assert "is foreign: its program is secateur 0.0, that of the run secateur" in one_line(capsys)


def test_a_torn_line_and_lines_after_the_checkpoint_are_cut_off(runs: Path, run: Path):
    (run / LATER).unlink()
    with (run / "metrics.jsonl").open("ab") as file:
        file.write(b'{"iteration": 31, "seco')
    assert secateur.open_run(run).history == secateur.open_run(runs / "stopped").history
    assert resumed(run) == 0
    iterations = [line["iteration"] for line in metrics_without_seconds(run)]
    assert iterations == sorted(set(iterations))
    assert difference(run, runs / "whole") == ""


def test_every_line_of_the_metrics_is_checked_with_those_before(run: Path):
    lines = (run / "metrics.jsonl").read_text().splitlines(keepends=True)
    for changed in (lines[:3] + lines[4:], [lines[1], lines[0], *lines[2:]]):
        (run / "metrics.jsonl").write_text("".join(changed))
        with pytest.raises(secateur.FileError, match="at line"):
            secateur.open_run(run)
    first = json.loads(lines[0])
    lines[0] = lines[0].replace(str(first["nash_conv"]), str(first["nash_conv"] + 1.0))
    (run / "metrics.jsonl").write_text("".join(lines))
    with pytest.raises(secateur.FileError, match="at line 1"):
        secateur.open_run(run)
