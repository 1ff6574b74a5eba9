"""Where the memory of larger and larger games goes: ``python -m benchmarks.ledger``.

The games are those of ``benchmarks.pruning``. Each is compiled once and memory-mapped by two runs,
in a process each: with partial pruning, and with best-response pruning that searches every 100
iterations. All numbers are bytes per sequence, and arrays that take less than a hundredth in all
games are left out of the rows, but not of the sums. What processes take is what they take more than
before the game was opened, with kernels loaded; "without files" is without pages of mapped files:
of the game, and of libraries.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.ledger_run import measured_in_own_process
from benchmarks.pruning import SERIES, rules_of
from benchmarks.runs import compile_to_file
from benchmarks.table import MISSING, Table, wide_console
from secateur.algorithms import DEFAULT

RUNS = ("partial", "brp100")
LEAST = 0.01
"""Bytes per sequence below which an array has no row."""

Account = dict[str, float | None]
"""Bytes per sequence, by row, of one game."""


def main() -> None:
    """Measure all games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(SERIES), choices=SERIES)
    parser.add_argument("--algorithm", default=DEFAULT, help="cfr, cfr+, dcfr, ...")
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    console = wide_console(200)
    accounts: dict[str, Account] = {}
    for name in options.games:
        console.print(f"[dim]{name}[/dim]")
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "game"
            compile_to_file(rules_of(name), path)
            found = [
                measured_in_own_process(path, options.algorithm, mode, options.iterations)
                for mode in RUNS
            ]
        accounts[f"{name} ({found[0]['sequences']:,} sequences)"] = account(found)
    title = f"Bytes per sequence after {options.iterations:,} iterations of {options.algorithm}"
    table = Table(title, ("array", *accounts), list(rows(accounts.values())))
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def account(found: Iterable[dict[str, Any]]) -> Account:
    """Return what the arrays of a game and its runs take, their sums, and the processes."""
    sizes: Account = {}
    taken: Account = {}
    for each in found:
        groups: dict[str, Account] = {}
        for group, name, _, size in each["ledger"]:
            groups.setdefault(group, {})[f"{group}: {name}"] = size / each["sequences"]
        for group, entries in groups.items():
            sizes |= {**entries, f"{group}: sum": sum(entries.values())}
        for what, size in zip(("all", "without files"), each["taken"] or (None, None), strict=True):
            row = f"process, {each['run']}: {what}"
            taken[row] = None if size is None else size / each["sequences"]
    return sizes | taken


def rows(accounts: Iterable[Account]) -> Iterable[tuple[str, ...]]:
    """Return a row for each array that takes something in some game."""
    columns = list(accounts)
    for name in {name: None for column in columns for name in column}:
        cells = [column.get(name) for column in columns]
        if max((cell or 0.0 for cell in cells), default=0.0) >= LEAST or name.startswith("process"):
            yield (name, *(MISSING if cell is None else f"{cell:.2f}" for cell in cells))


if __name__ == "__main__":
    main()
