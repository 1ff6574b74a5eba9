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
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory, timed
from benchmarks.launch import WorkerError, run_worker
from benchmarks.table import Table, megabytes, seconds, wide_console

if TYPE_CHECKING:
    from secateur import CFR, CompiledGame

SIZES = (1, 2, 3, 5, 8, 12, 20)

# Pruned iterations get cheaper as strategies get purer, so every size times the same ones, in
# fresh runs: at least three, and more until they took half a second together.
SKIPPED = 10
TIMED = 40
RUNS = 3


def measure(sizes: int) -> dict[str, Any]:
    """Return size, time and memory of Leduc poker with so many bet sizes in each round."""
    import secateur
    import secateur.running  # loads all libraries, which is not what grows

    forget_peak_memory()
    idle = resident_memory()
    bets = tuple(float(size) for size in range(1, sizes + 1))
    rules = secateur.load("leduc", bet_sizes=(bets, tuple(2 * bet for bet in bets)))
    with timed() as compiling:
        game = secateur.compile(rules)
    pruned = secateur.recipes.cfr_plus()
    unpruned = secateur.recipes.cfr_plus(pruning=secateur.NoPruning())
    state = pruned.start(game)
    state.step(2)
    steady, peak = resident_memory(), peak_memory()
    del state
    return {
        "histories": game.size.histories,
        "sequences": game.size.sequences,
        "compiled": game.size.bytes,
        "compiling": compiling.processor,
        "iteration": _iteration(game, pruned),
        "unpruned": _iteration(game, unpruned),
        "steady": None if idle is None else steady - idle,
        "peak": None if idle is None else peak - idle,
    }


def _iteration(game: CompiledGame, solver: CFR) -> float:
    """Return the seconds that one iteration takes."""
    runs: list[float] = []
    while len(runs) < RUNS or sum(runs) < 0.5:
        state = solver.start(game)
        state.step(SKIPPED)
        with timed() as taken:
            state.step(TIMED)
        runs.append(taken.processor)
    return median(runs) / TIMED


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
    console = wide_console(140)
    measured = {}
    for sizes in options.sizes:
        console.print(f"[dim]{sizes} bet sizes[/dim]")
        arguments = ["--one", str(sizes)]
        try:
            measured[sizes] = run_worker(Path(sys.executable), arguments, "benchmarks.growth")
        except WorkerError as error:
            console.print(f"{sizes} bet sizes failed: {error}", markup=False)
    table = _table(measured)
    lines = [*_slopes(measured, "iteration", "with"), *_slopes(measured, "unpruned", "without")]
    console.print(table.for_terminal())
    console.print("\n".join(lines))
    if options.out:
        remarks = "\n".join(f"- {line}" for line in lines)
        options.out.write_text(f"{table.as_markdown()}\n{remarks}\n")


def _slopes(measured: dict[int, dict[str, Any]], field: str, how: str) -> list[str]:
    """Say how the time grows, over all sizes and from each to the next."""
    points = [(each["sequences"], each[field]) for each in measured.values()]
    steps = ", ".join(f"{slope([first, second]):.2f}" for first, second in pairwise(points))
    return [
        f"Seconds per iteration, {how} pruning, grow as sequences to the power "
        f"{slope(points):.2f} (from each size to the next: {steps})."
    ]


def _table(measured: dict[int, dict[str, Any]]) -> Table:
    columns = (
        "bet sizes",
        "histories",
        "sequences",
        "compile",
        "iteration",
        "without pruning",
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
                seconds(each["unpruned"]),
                f"{each['unpruned'] / each['sequences'] * 1e9:.1f} ns",
                megabytes(each["compiled"]),
                f"{each['compiled'] / each['sequences']:.1f}",
                megabytes(each["steady"]),
                megabytes(each["peak"]),
            )
        )
    return table


if __name__ == "__main__":
    main()
