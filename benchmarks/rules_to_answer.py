"""What ``secateur solve`` takes in all: ``python -m benchmarks.rules_to_answer``.

The command is run in a process of its own, on one core, with few iterations: compiling the game and
the strategy at the end are part of it. Its peak is the most that the process took, less that of the
same command on Kuhn poker, in bytes for each sequence of the game.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.launch import on_one_core, one_thread
from benchmarks.table import Table, wide_console

SEQUENCES = {8: 567_672, 12: 2_645_160, 17: 10_145_760}
"""Of Leduc poker, by bet sizes."""

RUNS = {
    "float64": [],
    "int16": ["--precision", "int16"],
    "brp": ["--prune", "brp", "--check-every", "20"],
}


def main() -> None:
    """Measure all runs and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, default=12, choices=SEQUENCES, help="bet sizes")
    parser.add_argument("--runs", nargs="+", default=list(RUNS), choices=RUNS)
    parser.add_argument("--algorithm", default="cfr+")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    bets = range(1, options.sizes + 1)
    sizes = ",".join(map(str, bets)), ",".join(str(2 * bet) for bet in bets)
    large = ["leduc", "--set", f"bet_sizes={sizes[0]}/{sizes[1]}"]
    sequences = SEQUENCES[options.sizes]
    title = f"{options.algorithm} on Leduc with {options.sizes} bet sizes, {sequences:,} sequences"
    table = Table(title, ("run", "Kuhn poker", "this game", "bytes a sequence more"))
    for name in options.runs:
        more = ["--algorithm", options.algorithm, "--iterations", str(options.iterations)]
        more += RUNS[name]
        peak(["kuhn", *more])  # compiles kernels
        small, most = peak(["kuhn", *more]), peak([*large, *more])
        each = f"{(most - small) / sequences:.1f}"
        table.rows.append((name, f"{small / 1e6:.1f} MB", f"{most / 1e6:.1f} MB", each))
        print(*table.rows[-1], sep=" | ", flush=True)
    wide_console(120).print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def peak(arguments: list[str]) -> int:
    """Return the most bytes that a run took."""
    command = on_one_core([sys.executable, "-m", "secateur", "solve", *arguments])
    with subprocess.Popen(command, env=one_thread(), stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"secateur solve {' '.join(arguments)} failed")
    return 1024 * used.ru_maxrss


if __name__ == "__main__":
    main()
