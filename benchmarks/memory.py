"""What runs take at their peak and at the end: ``python -m benchmarks.memory``.

Games are those of ``benchmarks.pruning``, two more of liar's dice and OpenSpiel. Each is compiled
once and memory-mapped by every run, in a process of its own, until NashConv is small enough. All
numbers of memory are bytes per sequence that the process takes more than before the game was
opened, with kernels loaded and pages of mapped files counted, while NashConv is measured, too. To
open a file, which reads and checks all of it, is not part of the peak.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.launch import WorkerError
from benchmarks.pruning import SERIES, rules_of
from benchmarks.runs import Limits, Method, Run, compile_to_file
from benchmarks.table import MISSING, Table, seconds, small, wide_console
from secateur.algorithms import DEFAULT

if TYPE_CHECKING:
    from secateur import Game

RUNS = ("partial", "float32", "int16", "brp", "brp100")
MORE = {
    "liar's dice, 2 dice of 4 sides": "liars_dice",
    "OpenSpiel's oshi-zumo": "openspiel:oshi_zumo(coins=3,horizon=12,size=2)",
}
COLUMNS = ("game", "sequences", "run", "iterations", "time", "NashConv", "peak", "end")


def game_of(name: str) -> Game:
    """Return the rules of a game."""
    import secateur

    if name not in MORE:
        return rules_of(name)
    parameters: dict[str, Any] = {"dice": 2, "sides": 4} if MORE[name] == "liars_dice" else {}
    return secateur.load(MORE[name], **parameters)


def main() -> None:
    """Measure all games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=[*SERIES, *MORE], choices=[*SERIES, *MORE])
    parser.add_argument("--runs", nargs="+", default=list(RUNS), choices=RUNS)
    parser.add_argument("--algorithm", default=DEFAULT, help="cfr, cfr+, dcfr, ...")
    parser.add_argument("--target", type=float, default=1e-2, help="NashConv at which to stop")
    parser.add_argument("--seconds", type=float, default=math.inf, help="to give up after")
    parser.add_argument("--iterations", type=int, help="to give up after")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    limits = Limits(options.iterations, options.target, options.seconds)
    console = wide_console(200)
    table = Table(f"Memory of {options.algorithm}, bytes a sequence", COLUMNS)
    for name in options.games:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "game"
            compile_to_file(game_of(name), path)
            for mode in options.runs:
                console.print(f"[dim]{name}, {mode}[/dim]")
                try:
                    found = Run(str(path), mode, Method(options.algorithm), limits).in_own_process()
                except WorkerError as error:
                    console.print(f"{name}, {mode} failed: {error}", markup=False)
                    continue
                table.rows.append(row(name, mode, found))
                console.print(*table.rows[-1], sep=" | ", markup=False)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def row(name: str, mode: str, found: dict[str, Any]) -> tuple[str, ...]:
    """Return what is told of a run."""
    peak, end = (
        MISSING if found[what] is None else f"{found[what] / found['sequences']:.1f}"
        for what in ("peak", "resident")
    )
    iterations, sequences = f"{found['iterations']:,}", f"{found['sequences']:,}"
    took, gap = seconds(found["seconds"]), small(found["nash_conv"])
    return name, sequences, mode, iterations, took, gap, peak, end


if __name__ == "__main__":
    main()
