"""What a cluster survives: ``python -m benchmarks.cluster_kills --kills 20 --out kills.md``.

Actors and drivers are killed (-9) at random moments, and the strategies that are written in the end
are compared with those of undisturbed runs in one process. Ends with exit code 1 if any differ.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

from benchmarks.scattered import GAMES, begin_ray
from benchmarks.table import Table

GAME = "6 bet sizes"

RUNS = {"cfr+": ["cfr+"], "dcfr": ["dcfr"], "pcfr+": ["pcfr+"], "hedge": ["hedge"]}


def kills(count: int, address: str, console: Console) -> tuple[Table, bool]:
    """Kill actors and drivers at random moments; return what became of their runs."""
    dice = random.Random(17)
    table = Table("Kills (-9)", ("run", "actors killed", "drivers killed", "in the end"))
    good = True
    with tempfile.TemporaryDirectory() as place:
        for number, (title, algorithm) in enumerate(RUNS.items()):
            share = count // len(RUNS) + (number < count % len(RUNS))
            run, alone = Path(place, f"{number}"), Path(place, f"{number}-alone")
            subprocess.run(command(algorithm, alone), check=True, capture_output=True)
            killed = {"actor": 0, "driver": 0}
            where = ["--cluster", address, "--shards", "2", "--checkpoint-every", "0.2"]
            begin = command(algorithm, run)
            while True:
                driver = subprocess.Popen([*begin, *where], stdout=subprocess.DEVNULL)
                ended = disturb(driver, run, killed, share, dice)
                if ended:
                    break
                if (run / "run.json").exists():
                    begin = [sys.executable, "-m", "secateur", "resume", str(run)]
                    where = [*where[:2], "--shards", f"{dice.randint(1, 3)}", *where[4:]]
            same = driver.returncode == 0 and all(
                (run / name).read_bytes() == (alone / name).read_bytes()
                for name in ("strategy.json",)
            )
            good &= same
            counts = f"{killed['actor']}", f"{killed['driver']}"
            table.rows.append((title, *counts, "the same bits" if same else "OTHER BITS"))
            console.log(*table.rows[-1])
    return table, good


def command(algorithm: list[str], run: Path) -> list[str]:
    """Return the command that begins a run."""
    game = ["leduc", "--set", f"bet_sizes={GAMES[GAME]}", "--iterations", "400"]
    solve = [sys.executable, "-m", "secateur", "solve", *game, "--algorithm", *algorithm]
    return [*solve, "--run", str(run), "--json"]


def disturb(
    driver: subprocess.Popen[bytes],
    run: Path,
    killed: dict[str, int],
    share: int,
    dice: random.Random,
) -> bool:
    """Kill something now and then; return whether the driver has come to its end by itself."""
    begin = time.time()
    while True:
        try:
            driver.wait(dice.uniform(0.2, 2.0))
        except subprocess.TimeoutExpired:
            pass
        else:
            return True
        reports = run / "shards.json"
        fresh = reports.exists() and reports.stat().st_mtime > begin
        if sum(killed.values()) >= share or not fresh:
            continue
        if dice.random() < 0.3:
            driver.kill()
            driver.wait()
            killed["driver"] += 1
            return False
        victim = dice.choice(json.loads(reports.read_text()))
        try:
            os.kill(victim["process"], signal.SIGKILL)
            killed["actor"] += 1
        except ProcessLookupError:
            continue


def main() -> None:
    """Kill, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the table to this file")
    parser.add_argument("--kills", type=int, default=20, help="how often something is killed")
    arguments = parser.parse_args()
    import ray

    begin_ray()
    console = Console()
    address = ray.get_runtime_context().gcs_address
    table, good = kills(arguments.kills, address, console)
    console.print(table.for_terminal())
    if arguments.out is not None:
        arguments.out.write_text(table.as_markdown())
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
