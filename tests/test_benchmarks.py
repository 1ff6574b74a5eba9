"""Small versions of the benchmarks: they run, and they measure the games they say."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from benchmarks import threads
from benchmarks.behind_cuts import Responses, cut_actions
from benchmarks.efg import write_efg
from benchmarks.family_tables import tables
from benchmarks.games import GameFiles
from benchmarks.growth import slope
from benchmarks.pursuit import Pursuit
from benchmarks.sequence_form import sequence_form
from benchmarks.solvers.secateur_runner import Runner
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy

import secateur
from support.stored import unpacked

ROOT = Path(__file__).parents[1]

Benchmark = Callable[..., str]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Benchmark:
    """Run a benchmark in this process, and what it measures where it always does."""

    def run(name: str, *arguments: str) -> str:
        monkeypatch.chdir(ROOT)
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        import_module(f"benchmarks.{name}").main()
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel"])
def test_written_games_are_the_same_games_to_open_spiel(name: str) -> None:
    rules = secateur.load(name)
    text = io.StringIO()
    write_efg(rules, text)
    theirs = pyspiel.load_efg_game(text.getvalue())
    ours = secateur.compile(rules)
    found = exploitability.nash_conv(theirs, UniformRandomPolicy(theirs))
    uniform = secateur.Strategy.uniform(ours)
    assert secateur.nash_conv(ours, uniform) == pytest.approx(found, abs=1e-9)


def test_compiling_measures_what_it_says(benchmark: Benchmark, tmp_path: Path) -> None:
    table = tmp_path / "compiling.md"
    printed = benchmark("compiling", "--small", "--rounds", "1", "--out", str(table))
    for game, histories in (("openspiel:kuhn_poker", "58"), ("kuhn.efg", "55"), ("random", "121")):
        assert f"{game}\t{histories}\t" in printed
        assert f"| {game} | {histories} |" in table.read_text()


def test_the_judge_agrees_with_the_engine(tmp_path: Path) -> None:
    runner = Runner(GameFiles("leduc", tmp_path))
    runner.step(50)
    judge = sequence_form(secateur.load("leduc"))
    assert judge.nash_conv(runner.average(judge)) == pytest.approx(runner.own_nash_conv())


def test_peers_prints_ratios_and_writes_what_it_measured(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    table, raw = tmp_path / "peers.md", tmp_path / "peers.json"
    printed = benchmark(
        "peers",
        *("--games", "kuhn", "--solvers", "secateur", "openspiel", "--rounds", "1"),
        *("--budget", "5", "--cache", str(tmp_path / "cache")),
        *("--out", str(table), "--json", str(raw)),
    )
    assert "OpenSpiel" in printed
    assert "secateur" in table.read_text()
    assert json.loads(raw.read_text())


def test_the_page_is_timed_and_a_run_under_many_requests(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.explore.browser", nullcontext)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    out = tmp_path / "explore.md"
    benchmark(
        *("explore", "--game", "kuhn", "--bets", "0", "--folder", str(tmp_path)),
        *("--pairs", "2", "--iterations", "400", "--rate", "50", "--requests", "20"),
        *("--out", str(out)),
    )
    text = out.read_text()
    assert "| kuhn | – |" in text
    assert "| new connections, 50 requests a second |" in text
    assert "in proportion, pair by pair" in text


def test_growth_measures_larger_and_larger_games(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "growth.md"
    benchmark("growth", "--sizes", "1", "2", "--out", str(out))
    assert "672" in out.read_text()
    assert "power" in out.read_text()


def test_pruning_compares_the_ways_to_prune(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "pruning.md"
    printed = benchmark(
        *("pruning", "--games", "3 bet sizes", "--modes", "partial", "brp"),
        *("--iterations", "40", "--out", str(out)),
    )
    assert "failed" not in printed
    rows = [line for line in out.read_text().splitlines() if "| partial" in line or "| brp" in line]
    assert len(rows) == 2
    assert "16,872" in rows[0]


def test_pruning_can_go_on_until_nash_conv_is_small(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "pruning.md"
    benchmark(
        *("pruning", "--games", "3 bet sizes", "--target", "0.1", "--iterations", "5000"),
        *("--modes", "none", "partial", "--out", str(out)),
    )
    rows = [line.split(" | ") for line in out.read_text().splitlines() if "s)" in line]
    assert len(rows) == 2
    for row in rows:
        assert "(" in row[6]  # what passed until 0.1
        assert row[7] == row[8] == "–"


def test_memory_is_measured_at_the_peak_and_at_the_end(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    out = tmp_path / "memory.md"
    runs = ("partial", "int16", "brp100")
    benchmark(
        "memory",
        "--games",
        "5 bet sizes",
        "--iterations",
        "110",
        *("--runs", *runs),
        *("--out", str(out)),
    )
    rows = [line.strip("| \n").split(" | ") for line in out.read_text().splitlines()[4:]]
    assert [row[2] for row in rows] == [*runs]
    if rows[0][-1] != "–":
        peaks, ends = ([float(row[k]) for row in rows] for k in (-2, -1))
        assert all(0.0 < end <= peak for peak, end in zip(peaks, ends, strict=True))
        # arrays take 24.2 and 6.7; what a process takes by the way is in both, and differs
        assert ends[0] - ends[1] > 10.0


def test_runs_keep_to_a_memory_limit(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "limit.md"
    options = ("--sizes", "5", "--iterations", "20", "--only", "prune none")
    printed = benchmark("memory_limit", *options, "--out", str(out))
    assert "failed" not in printed
    rows = [line.strip("| \n").split(" | ") for line in out.read_text().splitlines()[4:]]
    assert [row[1] for row in rows] == ["36"]
    if rows[0][-1] != "–":
        assert all(0 < int(row[-1].rstrip("%")) <= 100 for row in rows)


def test_the_ledger_adds_up(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "ledger.md"
    benchmark("ledger", "--games", "3 bet sizes", "--iterations", "110", "--out", str(out))
    lines = [line.strip("| ").split(" | ") for line in out.read_text().splitlines()[4:]]
    sizes = {name: float(size) for name, size in lines if size != "–"}
    assert "(16,872 sequences)" in out.read_text()
    for group in (
        "arrays",
        "pruning",
        "run with partial pruning",
        "run with best-response pruning",
    ):
        parts = {name for name in sizes if name.startswith(f"{group}: ")} - {f"{group}: sum"}
        assert len(parts) > 2
        total = sum(sizes[name] for name in parts)
        assert total == pytest.approx(sizes[f"{group}: sum"], abs=0.5)
    if "process, run with partial pruning: all" in sizes:
        for run in ("run with partial pruning", "run with best-response pruning"):
            assert sizes[f"process, {run}: without files"] > 0.8 * sizes[f"{run}: sum"]


def test_family_goes_on_where_it_stopped(benchmark: Benchmark, tmp_path: Path) -> None:
    results = tmp_path / "family.jsonl"
    few = ("--games", "dark hex", "--seconds", "5", "--rounds", "1", "--results", str(results))
    benchmark("family", *few, "--algorithms", "cfr+")
    before = results.read_text()
    printed = benchmark("family", *few, "--algorithms", "cfr+", "dcfr")
    assert results.read_text().startswith(before)
    assert len(results.read_text().splitlines()) == 4
    games, *times, _, _, _, dcfr, _ = printed.split("###")[1:]
    assert "| 94 | 168 | -1 to 1 |" in games
    assert len(times) == 3
    for table in times:
        assert "(1.00)" in table
        assert "| reached | 1 of 1 | 1 of 1 |" in table
    assert "| dark hex | 1 | 1 |" in dcfr  # nothing is pruned yet


def test_times_that_ran_out_are_bounds() -> None:
    def run(took: float, reached: dict[str, dict[str, float]]) -> dict[str, object]:
        sizes = {"information_sets": 1, "sequences": 1, "payoffs": (-1.0, 1.0)}
        return {"seconds": took, "iterations": 10.0 * took, "reached": reached, "at": {}, **sizes}

    quick = run(8.0, {"0.01": {"seconds": 2.0, "iterations": 20.0}})
    runs = {("leduc", "cfr", "partial"): run(8.0, {}), ("leduc", "cfr+", "partial"): quick}
    brp = {("leduc", "cfr", "brp"): quick, ("leduc", "cfr+", "brp"): run(8.0, {})}
    _, times, pruning = tables({**runs, **brp}, ["cfr", "cfr+"], (1e-2,), [], ())
    assert times.rows[0] == ("leduc", "> 8 s (> 4.00)", "**2 s** (1.00)")
    assert times.rows[-1] == ("reached", "0 of 1", "1 of 1")
    assert pruning.rows[0] == ("leduc", "< 0.25 / < 0.25", "> 4.00 / > 4.00")


def test_the_intruder_wins_where_the_guard_must_guess() -> None:
    result = secateur.solve(Pursuit(steps=2), secateur.Exact())
    assert result.value == pytest.approx(1 / 3)


def test_two_rules_compares_runs_that_break_them(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "rules.md"
    few = ("--game", "kuhn", "--iterations", "20", "40", "--check-every", "5")
    benchmark("two_rules", *few, "--out", str(out))
    results, causes, _ = out.read_text().split("###")[1:]
    rows = {tuple(cells[1:3]): cells[3:5] for cells in _cells(results)}
    assert len(rows) == 10
    for algorithm in ("CFR+", "DCFR"):
        partial, both = (rows[algorithm, rules] for rules in ("partial pruning", "both rules"))
        assert partial[1].endswith("/ 1.00")
        assert float(both[1].split(" / ")[2]) < 1.0
    assert len(_cells(causes)) == 20


def _cells(table: str) -> list[list[str]]:
    lines = (line for line in table.splitlines() if line.startswith(("| CFR+", "| DCFR")))
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def test_what_only_cut_actions_can_win() -> None:
    game = secateur.compile(secateur.load("leduc"))
    strategy = secateur.Strategy.uniform(game)
    responses = Responses(game)
    nothing = np.zeros(game.cells, np.bool_)
    assert responses.behind(strategy, nothing)[0] == pytest.approx(0.0, abs=1e-12)
    pure = np.zeros(game.cells)
    for number, infoset in enumerate(game.information_sets()):
        pure[infoset.cells] = np.arange(len(infoset.actions)) == number % len(infoset.actions)
    only = secateur.Strategy.trusted(game, pure)
    left = secateur.expected_value(game, only, strategy) - secateur.expected_value(
        game, strategy, only
    )
    lost, contributions = responses.behind(strategy, pure == 0.0)
    assert secateur.nash_conv(game, strategy) - lost == pytest.approx(left)
    assert (contributions[pure > 0.0] == 0.0).all()
    assert contributions.max() > 0.0


def test_cut_actions_are_those_of_the_store() -> None:
    game = secateur.compile(secateur.load("leduc"), pruning=True)
    pruning = secateur.BestResponsePruning(check_every=10, minimum_skip=5.0)
    state = secateur.recipes.dcfr(pruning=pruning).start(game)
    assert not cut_actions(state).any()
    state.step(57)
    assert cut_actions(state).any()
    assert np.array_equal(cut_actions(state), unpacked(state).pruned)


def test_hedge_is_compared_with_regret_matching(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "hedge.md"
    benchmark(
        *("hedge", "--game", "leduc", "--before", "50", "--batch", "10", "--rounds", "3"),
        *("--out", str(out)),
    )
    rows = [line for line in out.read_text().splitlines() if line.startswith(("| CFR", "| Hedge"))]
    assert len(rows) == 6
    assert "3,872" in rows[0]


def test_gradients_prints_ratios_to_cfr(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "gradients.md"
    printed = benchmark("gradients", "--games", "kuhn", "--rounds", "2", "--out", str(out))
    assert "EGT, threshold 0.01" in printed
    rows = {
        line.split("|")[1].strip(): line for line in out.read_text().splitlines() if "×" in line
    }
    assert "| 1× |" in rows["CFR"]
    # without thresholds three gradients, and three visits of 55 histories each
    assert "| 165 |" in rows["EGT, fixed steps"]


def test_openspiel_judges_what_is_solved(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "openspiel.md"
    games = ("kuhn_poker", "matrix_brps")
    benchmark(*("openspiel", "--games", *games, "--methods", "cfr+", "exact", "--out", str(out)))
    rows = [line.split("|")[1:-1] for line in out.read_text().splitlines() if "`" in line]
    assert [row[0].strip() for row in rows] == [f"`{game}`" for game in games]
    for _, histories, _, _, apart, *reached in rows:
        assert int(histories) in (58, 13)
        assert float(apart) <= 1e-9
        assert len(reached) == 2
        assert max(map(float, reached)) <= 1e-3


def test_versions_take_turns(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "versions.md"
    few = ("--games", "kuhn", "--methods", "cfr+", "NashConv", "--rounds", "2", "--pairs", "1")
    benchmark("versions", str(ROOT), str(ROOT), *few, "--out", str(out))
    rows = [line.split("|")[1:-1] for line in out.read_text().splitlines() if "kuhn" in line]
    assert [row[1].strip() for row in rows] == ["cfr+", "NashConv"]
    for row in rows:
        assert 0.2 < float(row[5].strip().rstrip("×")) < 5.0


def test_threads_compares_numbers_of_them_and_processes(tmp_path: Path) -> None:
    out = tmp_path / "threads.md"
    command = [sys.executable, "-m", "benchmarks.threads", "--games", "leduc", "--turns", "1"]
    command += ["--methods", "cfr+", "NashConv", "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # it forks
    rows = [line.split("|")[1:-1] for line in out.read_text().splitlines() if "672" in line]
    assert [row[3].strip() for row in rows] == ["cfr+", "NashConv"]
    for row in rows:
        assert all(float(part.strip().rstrip("×")) > 0.0 for part in row[-2:])


def test_threads_runs_the_same_iterations_in_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that pass a first search, after which a run keeps other numbers."""
    monkeypatch.setattr(threads, "TURN", 0.01)
    game = secateur.compile(secateur.load("liars_dice"), pruning=True)
    state = secateur.recipes.dcfr(pruning=secateur.BestResponsePruning()).start(game)
    first = state.first_look(game)
    state.step(first - 2)
    ends: list[tuple[int, float]] = []
    step = type(state).step

    def watched(self: secateur.State, iterations: int = 1) -> None:
        step(self, iterations)
        ends.append((self.iteration, self.nash_conv()))

    monkeypatch.setattr(type(state), "step", watched)
    stretch = threads.Stretch(state, "dcfr, brp")
    ends.clear()
    for _ in range(3):
        assert stretch.seconds() > 0.0
    assert ends[:2] == ends[2:4] == ends[4:]
    assert ends[0][0] == first - 1
    assert ends[1][0] >= first


def test_slope_is_the_exponent_of_a_power_law() -> None:
    assert slope([(x, 3 * x**1.5) for x in (1.0, 10.0, 1000.0)]) == pytest.approx(1.5)


def test_convergence_draws_a_picture(benchmark: Benchmark, tmp_path: Path) -> None:
    picture = tmp_path / "kuhn.png"
    benchmark("convergence", "--games", "kuhn", "--iterations", "50", "--out", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_precision_tells_how_far_each_converges(benchmark: Benchmark, tmp_path: Path) -> None:
    out, picture = tmp_path / "precision.md", tmp_path / "precision.png"
    few = ("--games", "kuhn", "leduc", "--most", "2000")
    benchmark("precision", *few, "--out", str(out), "--plot", str(picture))
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in out.read_text().splitlines()
        if line.startswith(("| kuhn", "| leduc"))
    ]
    assert [row[3] for row in rows] == ["float64", "float32", "int16"] * 4
    for row in rows:
        assert 0.0 < float(row[5]) <= float(row[4]) < 5e-3
        assert float(row[6]) < {"float64": 26.0, "float32": 18.0, "int16": 8.0}[row[3]]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_warm_start_measures_all_beginnings(benchmark: Benchmark, tmp_path: Path) -> None:
    out = tmp_path / "warm.md"
    benchmark(
        "warm_start",
        *("--sizes", "4", "--algorithms", "dcfr", "--targets", "1", "0.5", "--limit", "5"),
        *("--out", str(out)),
    )
    written = out.read_text()
    assert "Leduc with 4 bet sizes, dcfr" in written
    for begins in ("uniform play", "three sizes", "another ante", "the same game"):
        (row,) = [line for line in written.splitlines() if line.startswith(f"| {begins} |")]
        assert row.count(" s,") + row.count(" ms,") == 2  # both targets are reached
