"""How secateur's time and memory grow with the game: ``python -m benchmarks.growth``.

Leduc poker with more and more bet sizes; each size runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory, timed
from benchmarks.launch import WorkerError, run_worker
from benchmarks.table import Table, megabytes, seconds

SIZES = (1, 2, 3, 5, 8, 12, 20)
BATCHES = 5
BATCH_SECONDS = 0.2


def measure(sizes: int) -> dict[str, Any]:
    """Return size, time and memory of Leduc poker with so many bet sizes in each round."""
    import secateur

    forget_peak_memory()
    idle = resident_memory()
    bets = tuple(float(size) for size in range(1, sizes + 1))
    rules = secateur.load("leduc", bet_sizes=(bets, tuple(2 * bet for bet in bets)))
    with timed() as compiling:
        game = secateur.compile(rules)
    state = secateur.recipes.cfr_plus().start(game)
    state.step(2)
    with timed() as one:
        state.step(2)
    batch = max(1, round(BATCH_SECONDS / (one.processor / 2)))
    iterations = []
    for _ in range(BATCHES):
        with timed() as taken:
            state.step(batch)
        iterations.append(taken.processor / batch)
    return {
        "histories": game.size.histories,
        "sequences": game.size.sequences,
        "compiled": game.size.bytes,
        "compiling": compiling.processor,
        "iteration": median(iterations),
        "steady": None if idle is None else resident_memory() - idle,
        "peak": None if idle is None else peak_memory() - idle,
    }


def slope(points: list[tuple[float, float]]) -> float:
    """Return the exponent of the power law that fits best."""
    x, y = np.log(np.array(points)).T
    return float(np.polyfit(x, y, 1)[0])


def main() -> None:
    """Measure all sizes, print a table and the slope."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="bet sizes per round")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        options.result.write_text(json.dumps(measure(options.one)))
        return
    console = Console()
    measured = {}
    for sizes in options.sizes:
        console.print(f"[dim]{sizes} bet sizes[/dim]")
        arguments = ["--one", str(sizes)]
        try:
            measured[sizes] = run_worker(Path(sys.executable), arguments, "benchmarks.growth")
        except WorkerError as error:
            console.print(f"{sizes} bet sizes failed: {error}", markup=False)
    table = _table(measured)
    points = [(each["sequences"], each["iteration"]) for each in measured.values()]
    lines = [f"Seconds per iteration grow as sequences to the power {slope(points):.2f}."]
    lines += [
        f"From {first[0]:,} to {second[0]:,} sequences: {slope([first, second]):.2f}."
        for first, second in pairwise(points)
    ]
    console.print(table.for_terminal())
    console.print("\n".join(lines))
    if options.out:
        options.out.write_text(table.as_markdown() + "\n" + "\n".join(f"- {x}" for x in lines))


def _table(measured: dict[int, dict[str, Any]]) -> Table:
    columns = (
        "bet sizes",
        "histories",
        "sequences",
        "compile",
        "iteration",
        "per sequence",
        "compiled game",
        "bytes per sequence",
        "steady memory",
        "peak memory",
    )
    table = Table("Leduc poker with more and more bet sizes, CFR+", columns)
    for sizes, each in measured.items():
        table.rows.append(
            (
                str(sizes),
                f"{each['histories']:,}",
                f"{each['sequences']:,}",
                seconds(each["compiling"]),
                seconds(each["iteration"]),
                f"{each['iteration'] / each['sequences'] * 1e9:.1f} ns",
                megabytes(each["compiled"]),
                f"{each['compiled'] / each['sequences']:.1f}",
                megabytes(each["steady"]),
                megabytes(each["peak"]),
            )
        )
    return table


if __name__ == "__main__":
    main()
