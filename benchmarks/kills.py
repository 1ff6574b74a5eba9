"""Kills runs at random moments and lets them go on: ``python -m benchmarks.kills --kills 100``.

Runs of many algorithms are killed (SIGKILL) and resumed again and again, while they compile, step,
measure, and write checkpoints, which they do several times a second. In the end everything they
have written is compared, byte by byte, with an uninterrupted run: the strategy, the last
checkpoint, and the metrics but for their seconds. Ends with exit code 1 if anything differs or a
resume fails.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.table import Table, wide_console

RUNS = {
    "cfr": "leduc --algorithm cfr --prune none --iterations 200000",
    "cfr+": "leduc5 --algorithm cfr+ --iterations 4000",
    "lcfr": "leduc --algorithm lcfr --iterations 300000 --updates simultaneous",
    "dcfr": "leduc --algorithm dcfr --iterations 300000",
    "pcfr+": "leduc5 --algorithm pcfr+ --iterations 3000 --precision float32",
    "cfr, rbp": "leduc --algorithm cfr --prune rbp --iterations 70000",
    "cfr+, rbp": "leduc5 --algorithm cfr+ --prune rbp --iterations 3000",
    "cfr, brp": "leduc --algorithm cfr --prune brp --check-every 50 --iterations 70000",
    "lcfr, brp": "leduc5 --algorithm lcfr --prune brp --check-every 100 --iterations 3000",
    "hedge": "leduc --algorithm hedge --iterations 120000",
    "hedge, rbp": "leduc --algorithm hedge --threshold 2 --prune rbp --iterations 35000",
    "cfr, threshold": "leduc --algorithm cfr --threshold 2 --iterations 120000",
    "egt": "leduc --algorithm egt --iterations 40000",
    "egt, threshold": "leduc --algorithm egt --threshold 0.01 --iterations 60000",
    "omd": "leduc --algorithm omd --iterations 40000",
    "fp": "leduc --algorithm fp --iterations 250000",
    "fp, brp": "leduc --algorithm fp --prune brp --min-skip 20 --iterations 150000",
}
"""By title, what is solved and how; a few seconds each."""

LONGEST = 600.0
ANYWHERE = 0.25
"""How often the moment is any between the start of the process and its end."""

SHARE = 0.2
"""Else, of the time of all iterations, how much passes at the most since they have begun."""


@dataclass
class Outcome:
    """What became of a run."""

    kills: int = 0
    before_it_existed: int = 0
    """Kills so early that there was nothing to resume: the run was started again."""

    drafts: int = 0
    """Kills that have left a file half-written."""

    fresh: int = 0
    """Kills before the first checkpoint."""

    failure: str = ""


def command(*arguments: str) -> list[str]:
    """Return how secateur is called."""
    return [sys.executable, "-m", "secateur", *arguments]


def solving(run: str, directory: Path) -> list[str]:
    """Return how a run is begun."""
    return command(
        "solve", *shlex.split(run), "--run", str(directory), "--checkpoint-every", "0.05"
    )


def complete(arguments: list[str]) -> str:
    """Run a command to its end; return what is wrong with it, if anything."""
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=LONGEST, check=False)
    if done.returncode == 0 and "Traceback" not in done.stderr:
        return ""
    return f"{shlex.join(arguments[2:])}: exit code {done.returncode}: {done.stderr[-500:]}"


def killed(arguments: list[str], after: float, watched: Path | None) -> bool:
    """Run a command and kill it after some seconds; return whether it was still running.

    If there is a file to watch, these seconds begin when it is written.
    """
    with subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        if watched is not None:
            before = changed(watched)
            while changed(watched) == before and process.poll() is None:
                time.sleep(0.005)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return True
        if process.returncode != 0:
            assert process.stderr is not None
            raise RuntimeError(f"{shlex.join(arguments[2:])}: {process.stderr.read()[-500:]}")
        return False


def changed(path: Path) -> tuple[int, int] | None:
    """Return what tells one state of a file from the next."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size


def metrics_without_seconds(directory: Path) -> list[dict[str, Any]]:
    """Return the lines of the metrics that must not depend on interruptions."""
    lines = (directory / "metrics.jsonl").read_text().splitlines()
    return [
        {key: value for key, value in json.loads(line).items() if key not in ("seconds", "crc32")}
        for line in lines
    ]


def state(directory: Path) -> dict[str, Any]:
    """Return all numbers and arrays of the last checkpoint."""
    from secateur.archive import open_archive
    from secateur.runs.checkpoints import KIND, Checkpoints

    last = Checkpoints(directory).iterations()[0]
    facts, arrays, _ = open_archive(directory / f"checkpoint-{last}", KIND, dict)
    return {**facts["numbers"], **{name: part.tobytes() for name, part in arrays.items()}}


def difference(mine: Path, reference: Path) -> str:
    """Return what differs between two runs that have ended, if anything."""
    if (mine / "strategy.json").read_bytes() != (reference / "strategy.json").read_bytes():
        return "the strategies differ"
    if state(mine) != state(reference):
        return "the last checkpoints differ"
    if metrics_without_seconds(mine) != metrics_without_seconds(reference):
        return "the metrics differ"
    return ""


def torture(run: str, kills: int, place: Path, chance: random.Random) -> Outcome:
    """Kill a run that often, let it end, and compare."""
    outcome = Outcome()
    reference, directory = place / "reference", place / "killed"
    begin = time.monotonic()
    outcome.failure = complete(solving(run, reference))
    if outcome.failure:
        return outcome
    whole = time.monotonic() - begin
    iterating = json.loads((reference / "metrics.jsonl").read_text().splitlines()[-1])["seconds"]
    while outcome.kills < kills:
        exists = (directory / "run.json").exists()
        arguments = command("resume", str(directory)) if exists else solving(run, directory)
        if chance.random() < ANYWHERE:
            moment = chance.uniform(0.0, whole), None
        else:
            moment = chance.uniform(0.0, SHARE * iterating), directory / "metrics.jsonl"
        try:
            if not killed(arguments, *moment):
                break  # it has ended: resume again would only report
        except RuntimeError as error:
            outcome.failure = str(error)
            break
        outcome.kills += 1
        outcome.before_it_existed += not (directory / "run.json").exists()
        outcome.drafts += any(directory.glob(".*.*"))
        outcome.fresh += not any(directory.glob("checkpoint-*"))
    if not outcome.failure:
        exists = (directory / "run.json").exists()
        arguments = command("resume", str(directory)) if exists else solving(run, directory)
        outcome.failure = complete(arguments) or difference(directory, reference)
    return outcome


def main() -> int:
    """Kill, compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="all together, at least")
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=list(RUNS), metavar="TITLE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    columns = ("run", "kills", "before it existed", "before a checkpoint", "drafts left", "result")
    table = Table(f"Killed at random moments (seed {options.seed})", columns)
    total, failures = 0, 0
    while total < options.kills and not failures:
        for title in options.runs:
            each = min(-(-options.kills // len(options.runs)), options.kills - total)
            if each == 0:
                break
            with tempfile.TemporaryDirectory() as place:
                found = torture(RUNS[title], each, Path(place), chance)
            total += found.kills
            failures += bool(found.failure)
            counts = (found.kills, found.before_it_existed, found.fresh, found.drafts)
            table.rows.append((title, *map(str, counts), found.failure or "same bits"))
            print(f"{title}: {found}", file=sys.stderr)
    table.rows.append(("all", str(total), "", "", "", f"{failures} failures"))
    console = wide_console(110)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
