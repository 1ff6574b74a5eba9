"""How long a user waits for the first answer: ``python -m benchmarks.cold_start``.

``secateur solve leduc`` from the shell for two iterations, with every algorithm and way to prune:
once with nothing compiled before (an empty directory for numba's cache), and then with the cache
that this run leaves. The time is the processor's, which other programs disturb less than the
clock.

``--sources`` names directories with other versions of the package, which are measured alike.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from benchmarks.table import Table, seconds

# What the installed command does, whether or not its directory is on the PATH.
_ENTRY = "import sys; from secateur.cli.main import main; sys.exit(main())"

RUNS = (
    ("cfr", "none"),
    ("cfr", "partial"),
    ("cfr", "rbp"),
    ("cfr", "brp"),
    ("cfr+", "partial"),
    ("cfr+", "rbp"),
    ("lcfr", "brp"),
    ("dcfr", "partial"),
    ("dcfr", "brp"),
    ("pcfr+", "partial"),
    ("hedge", "partial"),
    ("hedge", "rbp"),
    ("egt", "partial"),
    ("omd", "partial"),
    ("fp", "partial"),
    ("fp", "brp"),
)
"""Algorithms and ways to prune; others differ by numbers only and share all kernels with these."""

_MORE = {("hedge", "rbp"): ("--threshold", "2")}


def processor_time(program: list[str], cache: Path, source: Path | None) -> float:
    """Return the processor time of a Python program with its own directory for compiled code."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *program], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(program)} failed:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(algorithm: str, prune: str, source: Path | None, rounds: int) -> tuple[float, float]:
    """Return the least times of a start with nothing compiled, and of one after it."""
    options: tuple[str, ...] = ("--algorithm", algorithm, "--prune", prune, "--iterations", "2")
    options += _MORE.get((algorithm, prune), ())
    program = ["-c", _ENTRY, "solve", "leduc", *options]
    cold, warm = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as directory:
            cold.append(processor_time(program, Path(directory), source))
            warm.append(processor_time(program, Path(directory), source))
    return min(cold), min(warm)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--runs", nargs="*", help="such as cfr:brp; all if not given")
    parser.add_argument("--sources", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    sources = [*options.sources, None]
    columns = [f"{source or 'here'}, {when}" for source in sources for when in ("cold", "warm")]
    table = Table("First answers by the processor's time", ("algorithm", "pruning", *columns))
    for algorithm, prune in RUNS:
        if options.runs and f"{algorithm}:{prune}" not in options.runs:
            continue
        times = [
            seconds(time)
            for source in sources
            for time in measure(algorithm, prune, source, options.rounds)
        ]
        table.rows.append((algorithm, prune, *times))
        print(*table.rows[-1], file=sys.stderr, flush=True)
    Console().print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
