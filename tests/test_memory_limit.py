"""Runs keep to their memory limit, or are refused before they start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import secateur
from secateur import CompiledGame, ParameterError, until
from secateur.cli.main import main
from secateur.runs import fitting
from secateur.runs.directory import RunDirectory
from secateur.runs.fitting import fitted
from support.small_games import loaded, ready_to_prune

MOVED = "the game in a file"
ENOUGH = 75 * 10**5
"""Bytes with which leduc5, read from a cache, is solved in 16 bits, but not in 32."""


@pytest.fixture(scope="module")
def leduc5() -> CompiledGame:
    return ready_to_prune(loaded("leduc5"))


@pytest.fixture
def estimates_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be taken but what is estimated, so that limits mean the same everywhere."""
    monkeypatch.setattr(fitting, "resident_memory", lambda: 10**8)


def choices(
    game: CompiledGame, solver: secateur.CFR, *, rounding: bool, most: int = 20 * 10**6
) -> tuple[list[str], str]:
    """Return what is chosen under smaller and smaller limits, and how the last one is refused."""
    found: list[str] = []
    for limit in range(most, 0, -2 * 10**5):
        try:
            words = fitted(lambda: game, solver, limit, rounding=rounding).words
        except ParameterError as error:
            return found, str(error)
        chosen = "as asked" if words is None else words.partition(",")[0]
        if chosen not in found:
            found.append(chosen)
    raise AssertionError("no limit was refused")


@pytest.mark.usefixtures("estimates_only")
def test_the_smallest_loss_that_fits_is_chosen(leduc5: CompiledGame) -> None:
    found, refusal = choices(leduc5, secateur.recipes.cfr_plus(), rounding=True)
    assert found == [
        "as asked",
        f"float64 and {MOVED}",
        f"float32 and {MOVED}",
        f"int16 and {MOVED}",
    ]
    assert f"at the least, with int16 and {MOVED}; allow more" in refusal


@pytest.mark.usefixtures("estimates_only")
def test_pruning_in_rounds_gives_way_to_a_store(leduc5: CompiledGame) -> None:
    solver = secateur.recipes.dcfr(pruning=secateur.BestResponsePruning())
    stored = "float64 and a search every 100 iterations"
    found, refusal = choices(leduc5, solver, rounding=True, most=60 * 10**6)
    assert found == ["as asked", f"float64 and {MOVED}", f"{stored} and {MOVED}"]
    assert f"at the least, with {stored} and {MOVED}; choose partial pruning" in refusal
    found, _ = choices(leduc5, solver, rounding=False, most=60 * 10**6)
    assert found == ["as asked", f"float64 and {MOVED}"]


@pytest.mark.usefixtures("estimates_only")
def test_what_was_named_is_kept_and_the_refusal_tells_what_would_do(leduc5: CompiledGame) -> None:
    found, refusal = choices(leduc5, secateur.recipes.cfr_plus(), rounding=False)
    assert found == ["as asked", f"float64 and {MOVED}"]
    assert f"choose int16 and {MOVED} (" in refusal
    pruned = secateur.recipes.cfr_plus(pruning=secateur.BestResponsePruning(check_every=100))
    found, refusal = choices(leduc5, pruned, rounding=True)
    assert found == ["as asked", f"float64 and a search every 100 iterations and {MOVED}"]
    assert f"choose partial pruning and int16 and {MOVED} (" in refusal


@pytest.mark.usefixtures("estimates_only")
def test_algorithms_without_thresholds_in_16_bits_stop_at_32(leduc5: CompiledGame) -> None:
    cuts = secateur.DynamicThresholding(1)
    found, _ = choices(leduc5, secateur.recipes.cfr_plus(thresholding=cuts), rounding=True)
    assert found[-1] == f"float32 and {MOVED}"


def test_a_game_that_was_moved_is_the_same_and_leaves_no_file(
    leduc5: CompiledGame, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(fitting, "resident_memory", lambda: 10**8)
    solver = secateur.recipes.cfr_plus()
    limits = range(20 * 10**6, 0, -(10**5))
    tries = (fitted(lambda: leduc5, solver, limit, rounding=False) for limit in limits)
    found = next(each for each in tries if each.words is not None)
    assert found.game.mapping is not None
    assert found.game.fingerprint == leduc5.fingerprint
    assert not list(tmp_path.iterdir())
    runs = [secateur.solve(game, solver, until.iterations(20)) for game in (leduc5, found.game)]
    assert runs[0].nash_conv == runs[1].nash_conv


@pytest.mark.usefixtures("estimates_only")
def test_a_kept_run_remembers_what_was_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place = tmp_path / "run"
    solve = ["solve", "leduc5", "--algorithm", "cfr+", "--iterations", "20", "--cache", "--json"]
    assert main(["solve", "leduc5", "--iterations", "1", "--cache"]) == 0
    limited = [*solve, "--memory-limit", str(ENOUGH), "--run", str(place)]
    capsys.readouterr()
    assert main([*limited, "--precision", "float64"]) == 2
    assert "as it is asked for; choose int16 (" in capsys.readouterr().err
    assert main(limited) == 0
    out, err = capsys.readouterr()
    record = json.loads(out)
    assert record["precision"] == "int16"
    assert record["fitted"].startswith("int16, to keep to 7.5 MB (up to ")
    assert record["fitted"].endswith("; NashConv levels off at about 0.005")  # payoffs up to 49
    assert f"secateur: {record['fitted']}\n" in err
    assert RunDirectory(place).configuration().fitted == record["fitted"]
    assert main(["resume", str(place), "--iterations", "30", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["precision"] == "int16"
    assert secateur.resume(place, until.iterations(31)).iterations == 31
    with pytest.raises(ParameterError, match=r"as it is asked for; allow more"):
        secateur.resume(place, until.iterations(40), memory_limit=4 * 10**6)


@pytest.mark.usefixtures("estimates_only")
def test_in_python_only_names_leave_a_choice(tmp_path: Path) -> None:
    limited = {"memory_limit": ENOUGH, "cache": tmp_path}
    secateur.compile(secateur.load("leduc5"), cache=tmp_path)
    result = secateur.solve("leduc5", "cfr+", until.iterations(3), **limited)
    assert isinstance(result.solver, secateur.CFR)
    assert result.solver.storage == secateur.Storage("int16")
    assert result.fitted is not None
    with pytest.raises(ParameterError, match="choose int16"):
        secateur.solve("leduc5", secateur.recipes.cfr_plus(), until.iterations(3), **limited)


@pytest.mark.parametrize("rules", [secateur.load("leduc5"), secateur.load("goofspiel", cards=5)])
def test_compiling_stops_at_the_limit(rules: secateur.Game) -> None:
    with pytest.raises(ParameterError, match=r"memory_limit of 500 kB: to compile .* takes "):
        secateur.compile(rules, memory_limit=500_000)


def test_opening_a_cached_game_counts(tmp_path: Path) -> None:
    rules = secateur.load("leduc5")
    game = secateur.compile(rules, cache=tmp_path)
    assert secateur.compile(rules, cache=tmp_path, memory_limit=2 * game.nbytes).cells == game.cells
    with pytest.raises(ParameterError, match="to compile"):
        secateur.compile(rules, cache=tmp_path, memory_limit=3 * game.nbytes // 2)


LARGE = ["solve", "leduc", "--set", "bet_sizes=1,2,3,4,5,6,7,8/2,4,6,8,10,12,14,16", "--cache"]
SEQUENCES = 567_672

HARD = f"""
import resource, sys
from pathlib import Path
from secateur.cli.main import main

for precision in ("float64", "float32", "int16"):
    main(["solve", "leduc", "--algorithm", "cfr+", "--iterations", "1", "--precision", precision])
print("so far", flush=True)
taken = 1024 * int(Path("/proc/self/status").read_text().split("VmData:")[1].split()[0])
limit, mapped = 30 * {SEQUENCES}, 16 * {SEQUENCES}
resource.setrlimit(resource.RLIMIT_DATA, (taken + limit + mapped, taken + limit + mapped))
options = ["--algorithm", "cfr+", "--iterations", "20", "--memory-limit", str(limit)]
sys.exit(main([*{LARGE}, *options, *sys.argv[1:]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts a process's data")
def test_a_limit_of_the_system_is_kept_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not RLIMIT_AS: reserves of best-response pruning take addresses, but no memory.

    Files that are mapped count as data, though nobody writes there.
    """

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", HARD, *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main([*LARGE, "--iterations", "1"]) == 0
    refused = run("--precision", "float64")
    assert refused.returncode == 2
    assert "as it is asked for" in refused.stderr.splitlines()[-1]
    assert refused.stdout.endswith("so far\n")
    solved = run()
    assert solved.returncode == 0, solved.stderr
    assert "secateur: int16, to keep to " in solved.stderr
    assert "exploitability" in solved.stdout.partition("so far")[2]
