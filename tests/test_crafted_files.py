"""Files that a stranger may have written: whoever reads them works, or says why not in a sentence.

Every checksum fits. What is wrong is a type, a size, a depth, or a number that kernels would follow
outside of their arrays.
"""

from __future__ import annotations

import io
import json
import resource
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import secateur
from secateur.cli.main import main
from secateur.compiled import files as compiled_files
from secateur.errors import FileError
from secateur.runs.checkpoints import KIND, Checkpoint, Identity, read_checkpoint, write_checkpoint
from secateur.runs.metrics_log import read_metrics
from secateur.runs.reading import open_run
from secateur.solvers.resumable import Saved
from secateur.strategy_files import compact
from support import crafted
from support.small_games import compiled
from support.solvers import LATE, SOLVERS, ready

SECONDS = 10.0
"""A single file must not take longer, nor more than so much memory."""

MEGABYTES = 600


def check(variants: Iterable[tuple[str, bytes]], path: Path, use: Callable[[], Any]) -> int:
    """Write each file, and use it; return how many there were."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = 0
    for title, content in variants:
        path.write_bytes(content)
        begin = time.monotonic()
        try:
            use()
        except FileError as error:
            assert "\n" not in str(error), title
            assert len(str(error)) < 2000, title
        except Exception as error:
            pytest.fail(f"{title}: {type(error).__name__} {error}"[:500])
        assert time.monotonic() - begin < SECONDS, title
        count += 1
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    assert grown < 1000 * MEGABYTES
    return count


def command(*arguments: object) -> None:
    """Run a command, which must end well or with one line."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(each) for each in arguments])
    if code == 0:
        return
    lines = [line for line in err.getvalue().splitlines() if "compiling kernels" not in line]
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("secateur: ")
    raise FileError(lines[0])


def headers(path: Path, magic: bytes) -> tuple[dict[str, Any], bytes]:
    content = path.read_bytes()
    line, _, _ = content[len(magic) :].partition(b"\n")
    return json.loads(line[9:]), content[len(magic) + len(line) + 1 :]


def test_readable_strategies(tmp_path: Path):
    game, path = compiled("kuhn"), tmp_path / "strategy.json"
    secateur.Strategy.uniform(game).save(path, exploitability=0.5, iterations=7)
    document = json.loads(path.read_text())
    del document["checksum"]
    variants = [(title, crafted.with_checksum(text)) for title, text in crafted.documents(document)]
    assert check(variants, path, lambda: secateur.load_strategy(game, path).save(path)) > 400
    some = variants[::20]
    assert check(some, path, lambda: command("evaluate", "kuhn", path, "--json")) > 20


def test_compact_strategies(tmp_path: Path):
    game, path = compiled("kuhn"), tmp_path / "strategy.bin"
    strategy = secateur.Strategy.uniform(game)
    strategy.save(path, exploitability=0.5, iterations=7)
    magic = compact._KIND.magic
    document, _ = headers(path, magic)
    parts = {"probabilities": strategy.probabilities.copy()}
    variants = [
        (title, crafted.archive(magic, text, [*parts.values()]))
        for title, text in crafted.documents(document)
    ]
    for title, name, part in crafted.arrays(parts):
        header = json.dumps({**document, **crafted.described({name: part})}).encode()
        variants.append((title, crafted.archive(magic, header, [part])))
    assert check(variants, path, lambda: secateur.load_strategy(game, path).save(path)) > 400
    some = variants[::20]
    assert check(some, path, lambda: command("evaluate", "kuhn", path, "--json")) > 20


def test_policies_for_open_spiel(tmp_path: Path):
    pytest.importorskip("pyspiel")
    path = tmp_path / "policy.json"
    policy = {"0": [[0, 0.25], [1, 0.75]], "1": [[0, 1.0]]}
    document = {"format": "secateur policy for OpenSpiel", "version": 1, "policy": policy}
    variants = [(title, crafted.with_checksum(text)) for title, text in crafted.documents(document)]
    assert check(variants, path, lambda: secateur.to_open_spiel_policy(path)) > 200


@pytest.fixture(scope="module")
def game() -> secateur.CompiledGame:
    compiled = secateur.compile(secateur.load("leduc"), pruning=True, thresholds=True)
    play(compiled)  # kernels are compiled before anything is timed
    return compiled


def play(game: secateur.CompiledGame) -> None:
    """Let kernels of all kinds walk through a game."""
    for title in ("cfr+", "cfr, rbp", "cfr, brp"):
        state = SOLVERS[title].start(game)
        state.step(12)
        state.nash_conv()
    assert len(list(game.information_sets())) == game.size.information_sets
    game.labels.longest()


def test_headers_of_compiled_games(tmp_path: Path):
    game, path = secateur.compile(secateur.load("kuhn"), pruning=True), tmp_path / "kuhn.game"
    secateur.save_compiled(game, path)
    magic = compiled_files._KIND.magic
    document, _ = headers(path, magic)
    parts = [*game.all_arrays().values()]
    variants = (
        (title, crafted.archive(magic, text, parts)) for title, text in crafted.documents(document)
    )
    assert check(variants, path, lambda: str(secateur.open_compiled(path))) > 400


def test_arrays_of_compiled_games(game, tmp_path: Path):
    path = tmp_path / "leduc.game"
    secateur.save_compiled(game, path)
    magic = compiled_files._KIND.magic
    document, _ = headers(path, magic)
    parts = {name: part.copy() for name, part in game.all_arrays().items()}

    def variants():
        for title, name, part in crafted.arrays(parts):
            changed = {**parts, name: part}
            header = json.dumps({**document, **crafted.described(changed)}).encode()
            yield title, crafted.archive(magic, header, [*changed.values()])

    def use():
        play(secateur.open_compiled(path))

    assert check(variants(), path, use) > 400


@pytest.mark.parametrize(
    "title",
    [
        *("cfr+", "sapcfr+, int16", "cfr, rbp", "cfr, brp", "cfr, brp, fixed"),
        *("dcfr, brp, when it pays", "fp"),
    ],
)
def test_checkpoints(title: str, tmp_path: Path):
    path, solver, game = tmp_path / "checkpoint", SOLVERS[title], ready("leduc")
    state = solver.start(game)
    state.step(LATE.get(title, 40))
    identity = Identity.of(game, solver)
    numbers, arrays, origin = state.saved()
    saved = Saved(dict(numbers), {name: part.copy() for name, part in arrays.items()}, origin)
    write_checkpoint(path, identity, Checkpoint(saved, [], 0.5))
    document, _ = headers(path, KIND.magic)

    def use():
        fresh = solver.start(game)
        found = read_checkpoint(path, identity)
        try:
            fresh.restore(found.saved)
        except secateur.ParameterError as error:
            raise FileError(str(error)) from error
        fresh.step(12)
        fresh.nash_conv()

    def variants():
        for what, text in crafted.documents(document, spared=("arrays", "bytes")):
            yield what, crafted.archive(KIND.magic, text, [*saved.arrays.values()])
        for what, name, part in crafted.arrays(saved.arrays):
            changed = {**saved.arrays, name: part}
            header = json.dumps({**document, **crafted.described(changed)}).encode()
            yield what, crafted.archive(KIND.magic, header, [*changed.values()])

    assert check(variants(), path, use) > 200


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of a few iterations."""
    path = tmp_path_factory.mktemp("runs") / "run"
    command("solve", "kuhn", "--algorithm", "cfr", "--iterations", 5, "--run", path)
    command("resume", path, "--iterations", 9)
    return path


def whole(run: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in run.iterdir() if each.is_file()}


def put_back(run: Path, content: dict[str, bytes], *but: str) -> None:
    for each in run.iterdir():
        if each.name not in (*content, *but):
            each.unlink()
    for name, part in content.items():
        if name not in but:
            (run / name).write_bytes(part)


def test_configurations(run: Path):
    content, path = whole(run), run / "run.json"
    document = json.loads(content["run.json"])
    del document["crc32"]

    def variants():
        for title, text in crafted.documents(document):
            try:
                told = json.dumps(json.loads(text)).encode()
            except (ValueError, RecursionError):
                told = text
            ending = b', "crc32": "%08x"}' % zlib.crc32(told)
            yield title, text[:-1] + ending

    def resume():
        put_back(run, content, "run.json")
        command("status", run, "--json")
        command("status", run)
        command("resume", run, "--iterations", 9, "--json")

    changed = list(variants())
    assert check(changed, path, lambda: open_run(run)) > 400
    assert check(changed[::6], path, resume) > 70
    put_back(run, content)


def test_metrics(run: Path):
    content, path = whole(run), run / "metrics.jsonl"
    fingerprint = secateur_fingerprint(run)
    first, *rest = content["metrics.jsonl"].decode().splitlines()
    document = json.loads(first)
    del document["crc32"]

    def variants():
        for title, text in crafted.documents(document):
            checksum = zlib.crc32(text, fingerprint)
            line = text[:-1] + b', "crc32": "%08x"}\n' % checksum
            for other in rest:
                told = (other[: other.rindex(', "crc32"')] + "}").encode()
                checksum = zlib.crc32(told, checksum)
                line += told[:-1] + b', "crc32": "%08x"}\n' % checksum
            yield title, line

    def use():
        put_back(run, content, "metrics.jsonl")
        read_metrics(path, fingerprint)
        command("status", run, "--json")
        command("resume", run, "--json")

    assert check(variants(), path, use) > 200
    put_back(run, content)


def secateur_fingerprint(run: Path) -> int:
    from secateur.runs.directory import RunDirectory

    return RunDirectory(run).configuration().fingerprint


def test_a_crafted_last_checkpoint_is_set_aside_and_the_run_goes_on_to_the_same_bits(run: Path):
    """Also if it is its history that is wrong: the metrics know better."""
    content, path = whole(run), run / "checkpoint-9"
    document, body = headers(path, KIND.magic)
    parts = [np.frombuffer(body[-document["bytes"] :], np.uint8)]
    told = [
        (title, crafted.archive(KIND.magic, text, parts))
        for title, text in crafted.documents(document, spared=("arrays", "bytes"))
    ]
    history = [[t, 0.1 * t, 0.5, 0.25, None, 1000, 1.0, 1.0] for t in range(1, 10)]
    for title, wrong in (("of another run", history), ("cut short", document["history"][:-1])):
        text = json.dumps({**document, "history": wrong}).encode()
        told.insert(0, (f"history {title}", crafted.archive(KIND.magic, text, parts)))

    def use():
        put_back(run, content, "checkpoint-9")
        (run / "strategy.json").unlink()
        command("resume", run, "--json")
        assert (run / "strategy.json").read_bytes() == content["strategy.json"]

    def go_back():
        use()
        assert (run / "checkpoint-9.refused").exists()

    check(told[:2], path, go_back)
    assert check(told[2::9], path, use) > 30
    put_back(run, content)
