"""Runs that are kept, from Python: begun, stopped, looked at, and gone on with, here and there."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmarks.kills import difference

import secateur
from secateur import until
from secateur.cli.main import main
from secateur.conditions import Condition
from secateur.minimizers import Minimizer, RegretMatchingPlus
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.games import named

PARTS = secateur.CFR(
    secateur.AsymmetricPredictiveRegretMatchingPlus(asymmetry=0.5),
    secateur.Averaging(1.5, 3),
    secateur.NoPruning(),
    count_nodes=True,
)
"""A solver that no options describe."""

COIN = """
from dataclasses import dataclass
import secateur


@dataclass(frozen=True)
class Coin(secateur.Game):
    stake: float = 2.0
    name = "coin"

    def start(self):
        return ""

    def turn(self, state):
        ends = state[1:] == "p" or len(state) == 3
        return secateur.END if ends else (secateur.CHANCE, 0, 1)[len(state)]

    def chance(self, state):
        return [("H", 0.5), ("T", 0.5)]

    def actions(self, state):
        return ["b", "p"] if len(state) == 1 else ["c", "f"]

    def after(self, state, action):
        return state + action

    def information(self, state):
        return state if len(state) == 1 else "bet"

    def payoffs(self, state):
        called = self.stake if state[0] == "H" else -self.stake
        win = {"p": -1, "bf": 1, "bc": called}[state[1:]]
        return win, -win
"""


def coin(stake: float = 2.0) -> secateur.Game:
    """Return rules that exist in this program only."""
    names: dict = {"__name__": "nowhere"}
    sys.modules["nowhere"] = type(sys)("nowhere")  # dataclasses look there
    exec(COIN, names)
    return names["Coin"](stake)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run without a stop."""
    place = tmp_path_factory.mktemp("runs") / "whole"
    secateur.solve("kuhn", PARTS, until.iterations(90), run=place)
    return place


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    place = tmp_path / "parts"
    secateur.solve(secateur.load("kuhn"), PARTS, until.iterations(40), run=place)
    return place


def test_begun_here_and_resumed_here(whole: Path, parts: Path):
    result = secateur.resume(parts, until.iterations(90))
    assert (result.iterations, result.solver) == (90, PARTS)
    assert difference(parts, whole) == ""
    assert result.history == secateur.open_run(parts).history
    assert secateur.resume(parts).iterations == 90  # it only reports


def test_begun_here_and_resumed_on_the_command_line(whole: Path, parts: Path, capsys):
    assert main(["status", str(parts), "--json"]) == 0
    (status,) = json.loads(capsys.readouterr().out)
    assert (status["game"], status["state"], status["checkpoint"]) == (
        *("kuhn", "iterations done", 40),
    )
    assert (status["options"], status["solver"]) == (None, repr(PARTS))
    assert main(["resume", str(parts), "--iterations", "90", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["algorithm"], record["prune"], record["iterations"]) == (None, "none", 90)
    assert difference(parts, whole) == ""
    assert main(["resume", str(parts)]) == 0
    assert "Averaging(power=1.5," in capsys.readouterr().out  # the rest may be on the next line
    assert secateur.open_run(parts).state == "done"


def test_begun_on_the_command_line_and_resumed_here(tmp_path: Path):
    typed, called = tmp_path / "typed", tmp_path / "called"
    options = ["--set", "cards=4", "--algorithm", "cfr+", "--run", str(typed)]
    assert main(["solve", "kuhn", *options, "--iterations", "30"]) == 0
    result = secateur.resume(typed, until.iterations(60), checkpoint_every=5.0)
    secateur.solve(secateur.load("kuhn", cards=4), "cfr+", until.iterations(60), run=called)
    assert difference(typed, called) == ""
    run = secateur.open_run(typed)
    assert (run.solver, run.checkpoint_every) == (secateur.recipes.cfr_plus(), 5.0)
    assert run.strategy is not None
    assert run.strategy.plan.tobytes() == result.strategy.plan.tobytes()


def test_a_run_tells_what_it_is(parts: Path):
    run = secateur.open_run(str(parts))
    assert (run.state, run.checkpoint, run.solver) == ("done", 40, PARTS)
    assert (str(run.game), run.until) == ("kuhn", until.iterations(40))
    assert run.history[-1].iteration == 40
    (parts / "strategy.json").unlink()
    assert run.strategy is None
    for each in parts.glob("checkpoint-*"):
        each.unlink()
    (parts / "metrics.jsonl").unlink()
    empty = secateur.open_run(parts)
    assert (empty.state, empty.checkpoint, empty.history) == ("stopped", None, [])


def test_a_run_is_read_while_it_goes_on(tmp_path: Path):
    place, seen = tmp_path / "run", []
    code = f"import secateur; print(secateur.open_run({str(place)!r}).state)"

    def look(history):
        if len(history) == 5:
            run = secateur.open_run(place)
            seen.append((run.running, run.state, len(run.history)))
            other = subprocess.run([sys.executable, "-c", code], check=True, stdout=-1, text=True)
            seen.append(other.stdout.strip())

    secateur.solve("kuhn", "cfr+", until.iterations(9), look, run=place)
    assert seen == [(True, "running", 5), "running"]
    assert secateur.open_run(place).state == "done"


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (until.exploitability(0.5), {"exploitability": 0.5}),
        (
            until.iterations(9) | until.seconds(1e6) | until.exploitability(1e-9),
            {"any": [{"iterations": 9}, {"seconds": 1e6}, {"exploitability": 1e-9}]},
        ),
        (
            until.iterations(9) & (until.nodes_touched(5) | until.seconds(2)),
            {"all": [{"iterations": 9}, {"any": [{"nodes_touched": 5}, {"seconds": 2.0}]}]},
        ),
    ],
)
def test_conditions_are_kept(condition: Condition, told: dict, tmp_path: Path):
    path = tmp_path / "run.json"
    Configuration.of(named("kuhn"), PARTS, condition).write(path)
    assert json.loads(path.read_text())["until"] == told
    assert Configuration.read(path).until == condition


@pytest.mark.parametrize(
    "solver",
    [
        PARTS,
        secateur.recipes.dcfr(minimizer=secateur.DiscountedRegretMatching(1.2, -0.5)),
        secateur.recipes.dcfr_plus(minimizer=secateur.DiscountedRegretMatchingPlus(2.0)),
        secateur.recipes.pdcfr_plus(averaging=secateur.Averaging(3, delay=7)),
        secateur.CFR(secateur.AsymmetricPredictiveRegretMatchingPlus(0.5)),
        secateur.recipes.cfr(pruning=secateur.BestResponsePruning(softness=0.5, duration="fixed")),
        secateur.recipes.hedge(thresholding=secateur.DynamicThresholding(3.0)),
        secateur.recipes.pcfr_plus(storage=secateur.Storage("float32"), updates="simultaneous"),
        secateur.EGT(threshold=0.01, balanced=True),
        secateur.OptimisticMirrorDescent(weights="kroer15"),
        secateur.FictitiousPlay(secateur.NoPruning()),
    ],
    ids=lambda solver: type(solver).__name__,
)
def test_solvers_are_kept_with_all_their_parts(solver, tmp_path: Path):
    path = tmp_path / "run.json"
    Configuration.of(named("kuhn"), solver, None).write(path)
    assert Configuration.read(path).solver == solver


def test_rules_of_this_program_are_passed_again(tmp_path: Path, capsys):
    place, unbroken = tmp_path / "run", tmp_path / "unbroken"
    secateur.solve(coin(3.0), "cfr+", until.iterations(20), run=place)
    with pytest.raises(secateur.FileError, match=r"no name and no file .*coin.*game=\.\.\."):
        secateur.resume(place)
    assert main(["resume", str(place)]) == 2
    assert "go on there, and pass them: secateur.resume(" in capsys.readouterr().err
    assert main(["status", str(place)]) == 0
    with pytest.raises(secateur.FileError, match="begun with another game"):
        secateur.resume(place, until.iterations(50), game=coin(4.0))
    assert secateur.open_run(place).until == until.iterations(20)
    secateur.resume(place, until.iterations(50), game=coin(3.0))
    secateur.solve(coin(3.0), "cfr+", until.iterations(50), run=unbroken)
    assert difference(place, unbroken) == ""
    with pytest.raises(secateur.FileError, match="pass them"):
        _ = secateur.open_run(place).strategy
    assert secateur.open_run(place, coin(3.0)).strategy is not None


def test_other_rules_are_refused_before_there_is_a_checkpoint(tmp_path: Path):
    place = tmp_path / "run"
    secateur.solve(coin(), "cfr+", until.iterations(5), run=place)
    for each in (*place.glob("checkpoint-*"), place / "metrics.jsonl"):
        each.unlink()
    with pytest.raises(secateur.FileError, match="begun with another game"):
        secateur.resume(place, game=coin(5.0))


def test_rules_in_a_file_are_found_again(tmp_path: Path, capsys):
    file, place = tmp_path / "mine.py", tmp_path / "run"
    file.write_text(COIN)
    game = secateur.load(f"{file}:Coin", stake=3)
    secateur.solve(game, "cfr+", until.iterations(20), run=place)
    described = secateur.open_run(place).game
    assert (described.name, described.settings) == (f"{file}:Coin", {"stake": "3"})
    assert secateur.resume(place, until.iterations(30)).iterations == 30
    file.write_text(COIN.replace('"p": -1', '"p": -2'))
    with pytest.raises(secateur.FileError, match=r"mine\.py has changed since the run began"):
        secateur.resume(place, until.iterations(40))
    file.unlink()
    assert main(["resume", str(place)]) == 2
    assert "mine.py, which is gone; put it back" in capsys.readouterr().err


def test_rules_in_a_module_are_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "my_rules_of_coins.py").write_text(COIN)
    begin = (
        f"import sys; sys.path.append({str(tmp_path / 'code')!r})\n"
        "import secateur, my_rules_of_coins\n"
        "end = secateur.until.iterations(20)\n"
        "secateur.solve(my_rules_of_coins.Coin(4.0), 'cfr+', end, run='run')\n"
    )
    subprocess.run([sys.executable, "-c", begin], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path / "code" / "..")
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert secateur.resume("run", until.iterations(30)).game.parameters == {"stake": 4.0}


@pytest.mark.parametrize(
    ("game", "name", "settings"),
    [
        (secateur.load("leduc5"), "leduc5", {}),
        (secateur.load("goofspiel", cards=3, perfect_recall=True), "goofspiel", None),
        (secateur.load("matrix", matrix=((1, -1), (-1, 1))), "matrix", {"matrix": "1,-1/-1,1"}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_built_in_games_are_told_by_name(game, name, settings):
    from secateur.runs.games import _names

    found = next(_names(game))
    assert found.name == name
    assert settings is None or found.settings == settings
    assert str(secateur.load(found.name, **found.settings)) == str(game)


def test_a_compiled_game_is_told_by_name_if_it_has_one(tmp_path: Path):
    game = secateur.compile(secateur.load("kuhn", cards=4))
    secateur.solve(game, "cfr+", until.iterations(5), run=tmp_path / "named")
    assert secateur.resume(tmp_path / "named", until.iterations(9)).iterations == 9
    secateur.solve(secateur.compile(coin()), "cfr+", until.iterations(5), run=tmp_path / "own")
    assert secateur.open_run(tmp_path / "own").game.passed
    result = secateur.resume(tmp_path / "own", until.iterations(9), game=secateur.compile(coin()))
    assert result.iterations == 9


@dataclass(frozen=True)
class Mine(Minimizer):
    def schedule(self, iterations):
        return RegretMatchingPlus().schedule(iterations)


class Never(Condition):
    def met(self, now):
        return False

    def remaining(self, history):
        return 1.0


@pytest.mark.parametrize(
    ("solver", "arguments", "words"),
    [
        ("exact", {}, "its run cannot be kept"),
        (secateur.CFR(Mine()), {}, "a file cannot describe Mine"),
        ("cfr+", {"until": Never()}, "a file cannot describe Never"),
        ("cfr+", {"checkpoint_every": 0}, "use more than 0 seconds"),
        ("cfr+", {"run": 5}, "give the path"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_leaves_nothing(solver, arguments, words, tmp_path):
    place = tmp_path / "run"
    with pytest.raises(secateur.ParameterError, match=words):
        secateur.solve("kuhn", solver, **{"run": place, **arguments})
    assert not place.exists()


def test_misuse_is_told(parts: Path, tmp_path: Path):
    with pytest.raises(secateur.ParameterError, match=r"give a directory, run=\.\.\."):
        secateur.solve("kuhn", checkpoint_every=5)
    with pytest.raises(secateur.FileError, match="holds a run already"):
        secateur.solve("kuhn", run=parts)
    for call in (secateur.resume, secateur.open_run):
        with pytest.raises(secateur.FileError, match="holds no run"):
            call(tmp_path / "nowhere")
    plain = tmp_path / "plain"
    secateur.solve("kuhn", "cfr+", until.iterations(5), run=plain)
    with pytest.raises(secateur.ParameterError, match="has not counted nodes"):
        secateur.resume(plain, until.nodes_touched(10**6))
    with RunDirectory(plain).held(), pytest.raises(secateur.FileError, match="another process"):
        secateur.resume(plain)


def test_a_damaged_checkpoint_is_a_warning(whole: Path, parts: Path):
    secateur.resume(parts, until.iterations(60))
    (parts / "checkpoint-60").write_bytes(b"nothing")
    with pytest.warns(RuntimeWarning, match="going on from the checkpoint before, iteration 40"):
        secateur.resume(parts, until.iterations(90))
    assert difference(parts, whole) == ""


def rewritten(path: Path, change) -> None:
    """Change a configuration as somebody would who knows about checksums."""
    facts = json.loads(path.read_text())
    del facts["crc32"]
    facts = change(facts) or facts
    text = json.dumps({**facts, "crc32": f"{zlib.crc32(json.dumps(facts).encode()):08x}"})
    path.write_text(text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda facts: facts["solver"].update(kind="Popen"), "a part Popen"),
        (lambda facts: facts["solver"].update(kind="Averaging"), "other options than"),
        (lambda facts: facts["solver"].update(storage={"kind": "NoPruning"}), "storage="),
        (lambda facts: facts["solver"].update(updates=["alternating"]), "is a list"),
        (lambda facts: facts["solver"]["averaging"].update(power=-1), "use a number from 0 to 16"),
        (lambda facts: facts["solver"].update(steps=1), "other options than"),
        (lambda facts: facts.update(until={"any": []}), "has no parts"),
        (lambda facts: facts.update(until={"iterations": -5}), "at least one"),
        (lambda facts: facts.update(until={"forever": 1}), "no limit 'forever'"),
        (lambda facts: facts.update(version=3), "version 3, this program reads"),
        (lambda facts: facts.update(checkpoint_every=-1.0), "checkpoint_every"),
    ],
)
def test_a_configuration_can_say_only_what_can_be_written_in_python(parts, change, words):
    rewritten(parts / "run.json", change)
    for call in (secateur.open_run, secateur.resume):
        with pytest.raises(secateur.FileError, match=words) as caught:
            call(parts)
        assert "\n" not in str(caught.value)


def test_runs_of_the_first_format_go_on(tmp_path: Path):
    """Those say what was typed; the metrics begin with a checksum of that."""
    now, then = tmp_path / "now", tmp_path / "then"
    secateur.solve("kuhn", "cfr+", until.iterations(30), run=now)
    names = ("prune", "min_skip", "threshold", "updates", "precision", "count_nodes")
    first = {
        "format": "secateur run",
        "version": 1,
        "game": "kuhn",
        "settings": {},
        "options": {"algorithm": "cfr+", **dict.fromkeys(names)},
        "limits": {"iterations": 30, "target": None, "seconds": None, "memory_limit": 10**12},
        "source": None,
    }
    shutil.copytree(now, then)
    rewritten(then / "run.json", lambda _: first)
    (then / "metrics.jsonl").unlink()  # written again from the checkpoint, for the old checksum
    run = secateur.open_run(then)
    assert (run.solver, run.until) == (secateur.recipes.cfr_plus(), until.iterations(30))
    assert run.memory_limit == 10**12
    secateur.resume(then, until.iterations(31))
    assert secateur.open_run(then).history[-1].iteration == 31
    assert json.loads((then / "run.json").read_text())["version"] == 2
    secateur.resume(now, until.iterations(31))
    assert difference(then, now) == ""
    rewritten(then / "run.json", lambda _: {**first, "options": {"algorithm": "magic"}})
    with pytest.raises(secateur.FileError, match="algorithm='magic': choose from"):
        secateur.open_run(then)


def test_limits_of_memory_hold_in_python_too(tmp_path: Path, capsys):
    place = tmp_path / "run"
    with pytest.raises(secateur.ParameterError, match=r"memory_limit of 1 MB: the run would take"):
        secateur.solve("kuhn", PARTS, until.iterations(5), run=place, memory_limit=10**6)
    assert not (place / "run.json").exists()
    secateur.solve("kuhn", PARTS, until.iterations(5), run=place, memory_limit=10**12)
    assert secateur.open_run(place).memory_limit == 10**12
    with pytest.raises(secateur.ParameterError, match="allow more"):
        secateur.resume(place, until.iterations(9), memory_limit=10**6)
    assert secateur.open_run(place).memory_limit == 10**12  # a limit that is refused does not stay
    RunDirectory(place).configuration()._replace(memory_limit=10**6).write(place / "run.json")
    with pytest.raises(secateur.ParameterError, match="allow more"):
        secateur.resume(place, until.iterations(9))
    assert main(["resume", str(place), "--iterations", "9"]) == 2
    assert "--memory-limit 1 MB: " in capsys.readouterr().err
    assert secateur.resume(place, until.iterations(9), memory_limit=10**12).iterations == 9


def test_compiled_games_are_kept_for_runs_that_go_on(tmp_path: Path):
    place, cache = tmp_path / "run", tmp_path / "cache"
    secateur.solve("kuhn", PARTS, until.iterations(5), run=place, cache=cache)
    (kept,) = cache.iterdir()
    before = kept.stat().st_mtime_ns
    assert secateur.resume(place, until.iterations(9), cache=cache).iterations == 9
    assert [each.stat().st_mtime_ns for each in cache.iterdir()] == [before]


def test_runs_remember_the_cache_here_and_on_the_command_line(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    kept = tmp_path / "caches" / "secateur"
    typed, called, without = (tmp_path / name for name in ("typed", "called", "without"))
    assert main(["solve", "kuhn", "--cache", "--run", str(typed), "--iterations", "5"]) == 0
    secateur.solve("kuhn", PARTS, until.iterations(5), run=called, cache=True)
    secateur.solve("kuhn", PARTS, until.iterations(5), run=without)
    for resume in (
        lambda: secateur.resume(typed, until.iterations(7)),
        lambda: secateur.resume(called, until.iterations(7)),
        lambda: main(["resume", str(called), "--iterations", "9"]),
    ):
        shutil.rmtree(kept)
        resume()
        assert list(kept.iterdir())
    shutil.rmtree(kept)
    secateur.resume(without, until.iterations(7))
    assert not kept.exists()
    assert "cache" not in json.loads((without / "run.json").read_text())  # as it always was


def test_errors_name_functions_in_python_and_commands_on_the_command_line(tmp_path: Path, capsys):
    place = tmp_path / "it's here"
    secateur.solve("kuhn", PARTS, until.iterations(5), run=place)
    with pytest.raises(secateur.FileError, match=r"go on with secateur\.resume\(") as caught:
        secateur.solve("kuhn", PARTS, until.iterations(5), run=place)
    assert repr(str(place)) in str(caught.value)
    assert main(["solve", "kuhn", "--run", str(place)]) == 2
    assert f"go on with 'secateur resume {shlex.quote(str(place))}', or" in capsys.readouterr().err
