"""Whether runs keep to a memory limit: ``python -m benchmarks.memory_limit``.

Every run is ``secateur solve`` of Leduc poker with many bet sizes, from compiling the game to the
report, in a process of its own. Its peak is what the process takes at the most above what it took
before, with libraries and kernels loaded; pages of mapped files are counted. Limits and peaks are
bytes per sequence, and limits are near what runs need, so that something must be chosen.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory
from benchmarks.launch import WorkerError, run_worker
from benchmarks.table import MISSING, Table, wide_console

RUNS = {
    "--algorithm cfr+": (60, 48, 43, 36),
    "--algorithm sapcfr+": (60, 54, 46, 36),
    "--algorithm dcfr --updates simultaneous": (70, 52, 36),
    "--algorithm cfr --prune none": (36,),
    "--algorithm cfr+ --precision float64": (36,),
    "--algorithm pcfr+ --precision float32": (50,),
    "--algorithm lcfr --precision int16": (36,),
    "--algorithm hedge": (80, 72),
    "--algorithm hedge --threshold 2 --prune rbp": (100,),
    "--algorithm cfr+ --threshold 1": (54,),
    "--algorithm cfr+ --prune rbp": (110,),
    "--algorithm cfr --prune brp --check-every 20": (150, 80),
    "--algorithm sapcfr+ --prune brp --check-every 20": (170,),
    "--algorithm egt": (100,),
    "--algorithm egt --threshold 0.01": (200,),
    "--algorithm omd": (85,),
    "--algorithm fp": (74,),
    "--algorithm fp --prune brp": (88,),
}
"""Options of runs, and limits in bytes per sequence."""

_WORDS_LEFT_OUT = re.compile(r", to keep to .*|secateur: --memory-limit [^:]*: | leduc\(.*\)|; .*")

COLUMNS = ("run", "limit", "what was chosen", "peak", "of the limit")


def main() -> None:
    """Measure all runs and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, default=8, help="bet sizes per round")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--only", help="runs whose options contain this")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        found = measure(options.one.split(), options.sizes, options.iterations, options.limit)
        options.result.write_text(json.dumps(found))
        return
    console = wide_console(160)
    sequences = sequences_of(options.sizes)
    table = Table(f"Leduc with {options.sizes} bet sizes, {sequences:,} sequences", COLUMNS)
    for run, limits in RUNS.items():
        for limit in limits if options.only is None or options.only in run else ():
            arguments = [f"--one={run}", "--limit", str(limit * sequences)]
            arguments += ["--sizes", str(options.sizes), "--iterations", str(options.iterations)]
            try:
                found = run_worker(Path(sys.executable), arguments, "benchmarks.memory_limit")
            except WorkerError as error:
                console.print(f"{run} failed: {error}", markup=False)
                continue
            table.rows.append(row(run, limit, sequences, found))
            console.print(*table.rows[-1], sep=" | ", markup=False)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def row(run: str, limit: int, sequences: int, found: dict[str, Any]) -> tuple[str, ...]:
    """Return what is told of a run."""
    peak = None if found["peak"] is None else found["peak"] / sequences
    refused = None if found["refused"] is None else f"refused: {found['refused']}"
    chosen = refused or found["fitted"] or "as asked"
    return (
        f"`{run}`",
        str(limit),
        _WORDS_LEFT_OUT.sub("", chosen),
        MISSING if peak is None else f"{peak:.1f}",
        MISSING if peak is None else f"{peak / limit:.0%}",
    )


def sequences_of(sizes: int) -> int:
    """Return the number of sequences."""
    import secateur

    bets = tuple(float(size) for size in range(1, sizes + 1))
    rules = secateur.load("leduc", bet_sizes=(bets, tuple(2 * bet for bet in bets)))
    return secateur.compile(rules).size.sequences


def measure(options: list[str], sizes: int, iterations: int, limit: int) -> dict[str, Any]:
    """Return what a run chose, or why it was refused, and what it took at the most."""
    from secateur.memory import return_free_memory

    ahead = ["solve", "leduc", "--iterations", "3", *options]
    for precision in ([], ["--precision", "float32"], ["--precision", "int16"]):
        if not precision or "--precision" not in options:
            _command([*ahead, *precision])  # loads kernels; not all algorithms have all precisions
    return_free_memory()
    forget_peak_memory()
    before = resident_memory()
    bets = ",".join(map(str, range(1, sizes + 1)))
    double = ",".join(str(2 * bet) for bet in range(1, sizes + 1))
    code, out, err = _command(
        [
            *("solve", "leduc", "--set", f"bet_sizes={bets}/{double}"),
            *("--iterations", str(iterations), "--memory-limit", str(limit), "--json"),
            *options,
        ]
    )
    return {
        "fitted": json.loads(out)["fitted"] if code == 0 else None,
        "refused": err.strip().splitlines()[-1] if code else None,
        "peak": None if before is None else peak_memory() - before,
    }


def _command(arguments: list[str]) -> tuple[int, str, str]:
    """Return the exit code of the command line, and what it printed."""
    from secateur.cli.main import main as run

    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        code = run(arguments)
    return code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    main()
