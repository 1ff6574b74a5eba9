"""What compiling takes at its peak: ``python -m benchmarks.compiling_memory``.

Games that name their public states, each compiled in a process of its own, with and without what
pruning needs. The peak is the most that the process took (``VmHWM``) above what it took before,
with libraries loaded and a small game compiled.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory, timed
from benchmarks.launch import run_worker
from benchmarks.memory import game_of
from benchmarks.table import MISSING, Table, seconds, wide_console

GAMES = (
    "8 bet sizes",
    "12 bet sizes",
    "5 bet sizes, 8 ranks",
    "3 rounds of 3 bet sizes",
    "liar's dice, 2 dice of 4 sides",
)
COLUMNS = ("game", "sequences", "for", "time", "bytes a sequence", "at the peak", "times", "after")


def main() -> None:
    """Measure all games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--out", type=Path, help="markdown file to write")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--pruning", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        options.result.write_text(json.dumps(measure(options.one, pruning=options.pruning)))
        return
    console = wide_console(160)
    table = Table("What compiling takes", COLUMNS)
    for name in options.games:
        for more in ([], ["--pruning"]):
            arguments = [f"--one={name}", *more]
            found = run_worker(Path(sys.executable), arguments, "benchmarks.compiling_memory")
            table.rows.append(row(name, "pruning" if more else "solving", found))
            console.print(*table.rows[-1], sep=" | ", markup=False)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def row(name: str, purpose: str, found: dict[str, Any]) -> tuple[str, ...]:
    """Return what is told of a game."""
    sequences, size, peak = found["sequences"], found["bytes"], found["peak"]
    measured = (MISSING,) * 3
    if peak is not None:
        measured = (
            f"{peak / sequences:.1f}",
            f"{peak / size:.2f}",
            f"{found['after'] / sequences:.1f}",
        )
    took, each = seconds(found["seconds"]), f"{size / sequences:.1f}"
    return name, f"{sequences:,}", purpose, took, each, *measured


def measure(name: str, *, pruning: bool) -> dict[str, Any]:
    """Compile a game; return its size, and what the process took."""
    import secateur
    from secateur.memory import return_free_memory

    rules = game_of(name)
    secateur.compile(secateur.load("leduc"), pruning=pruning)
    return_free_memory()
    forget_peak_memory()
    before = resident_memory()
    with timed() as took:
        game = secateur.compile(rules, pruning=pruning)
    known = before is not None
    peak, after = (peak_memory() - before, resident_memory() - before) if known else (None, None)
    return {
        "sequences": game.size.sequences,
        "bytes": game.nbytes,
        "seconds": took.processor,
        "peak": peak,
        "after": after,
    }


if __name__ == "__main__":
    main()
