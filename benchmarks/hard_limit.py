"""A limit that dense CFR cannot meet: ``python -m benchmarks.hard_limit``.

Leduc poker with many bet sizes is compiled and solved in a process whose data the operating system
limits (``RLIMIT_DATA``: all memory that is not a file's, whether it is touched or not) to what an
interpreter with the same imports and kernels has, and 250 MB for 17 bet sizes, in proportion to the
sequences for others. The same is asked for by ``--memory-limit``. First in float64, which must be
refused, and then without a word on precision. Threads take 8 MB each of such a limit, for stacks
that they hardly touch; they are granted besides.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory
from benchmarks.launch import run_worker
from benchmarks.runs import Method
from benchmarks.table import MISSING, Table, seconds, small, wide_console

SEQUENCES = {8: 567_672, 12: 2_645_160, 17: 10_145_760}
"""Of the games, by bet sizes."""

STACK = 8 << 20
MODULE = "benchmarks.hard_limit"
CHOICES = ("algorithm", "averaging", "target", "threads")
FACTS = ("iterations", "seconds", "nash_conv")
COLUMNS = (
    *("bet sizes", "limit", "precision", "what came of it", "iterations", "time", "NashConv"),
    "peak",
)


def main() -> None:
    """Run all that was asked for and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[12], choices=SEQUENCES)
    parser.add_argument("--limit", type=float, default=250e6, help="of 17 bet sizes, in bytes")
    parser.add_argument("--algorithm", default="sapcfr+")
    parser.add_argument("--averaging", type=float, help="power of its average")
    parser.add_argument("--target", type=float, default=1e-2, help="NashConv to reach")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=("float64", "free"), help="one of both precisions")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        options.result.write_text(json.dumps(run(json.loads(options.one))))
        return
    console = wide_console(200)
    table = Table(f"{options.algorithm} under a limit of the system", COLUMNS)
    for sizes in options.sizes:
        limit = int(options.limit * SEQUENCES[sizes] / SEQUENCES[17])
        for precision in ("float64", "free"):
            if options.only in (None, precision):
                given = {"sizes": sizes, "limit": limit, "precision": precision}
                given |= {name: getattr(options, name) for name in CHOICES}
                arguments = ["--one", json.dumps(given)]
                cores = options.threads
                found = run_worker(Path(sys.executable), arguments, MODULE, cores=cores)
                table.rows.append(row(given, found))
                console.print(*table.rows[-1], sep=" | ", markup=False)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def row(given: dict[str, Any], found: dict[str, Any]) -> tuple[str, ...]:
    """Return what is told of a run."""
    solved = found["refused"] is None
    return (
        str(given["sizes"]),
        f"{given['limit'] / 1e6:.1f} MB",
        "float64" if given["precision"] == "float64" else "not said",
        found["fitted"] or "as asked" if solved else f"refused: {found['refused']}",
        f"{found['iterations']:,}" if solved else MISSING,
        f"{seconds(found['compiling'])} + {seconds(found['seconds'])}" if solved else MISSING,
        small(found["nash_conv"]) if solved else MISSING,
        f"{found['peak'] / 1e6:.1f} MB",
    )


def run(given: dict[str, Any]) -> dict[str, Any]:
    """Load kernels, let the system limit this process, and solve; return what came of it."""
    import secateur
    from secateur.memory import return_free_memory
    from secateur.runs.fitting import fitted

    solver = Method(given["algorithm"], given["averaging"]).solver("partial", count=False)
    for precision in ("float64", "float32", "int16"):
        ahead = replace(solver, storage=secateur.Storage(precision))
        secateur.solve("leduc", ahead, secateur.until.iterations(1))
    return_free_memory()
    forget_peak_memory()
    before = resident_memory() or 0
    taken = 1024 * int(Path("/proc/self/status").read_text().split("VmData:")[1].split()[0])
    most = taken + given["limit"] + STACK * (given["threads"] - 1)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    limit = given["limit"]
    bets = tuple(float(size) for size in range(1, given["sizes"] + 1))
    rules = secateur.load("leduc", bet_sizes=(bets, tuple(2 * bet for bet in bets)))
    begin = time.perf_counter()
    found: dict[str, Any] = {"refused": None}
    try:
        # what secateur solve does
        game, chosen, words = fitted(
            lambda: secateur.compile(rules, memory_limit=limit),
            solver,
            limit,
            rounding=given["precision"] == "free",
        )
        compiled = time.perf_counter()
        result = secateur.solve(game, chosen, 0.5 * given["target"], threads=given["threads"])
    except secateur.SecateurError as error:
        found["refused"] = str(error)
    else:
        found |= {name: getattr(result, name) for name in FACTS}
        found |= {"fitted": words, "compiling": compiled - begin}
    return {**found, "peak": (peak_memory() or 0) - before}


if __name__ == "__main__":
    main()
