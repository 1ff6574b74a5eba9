"""What shards take in memory: ``python -m benchmarks.cluster_memory --out memory.md``.

Of what the process of a shard takes, what actors take that hold shards of the smallest game, less
their arrays, is the program itself; the rest is compared with the share of a run in one process.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks.scattered import ACTORS, GAMES, Scattered, begin_ray, compiled, rules_of
from benchmarks.table import Table
from secateur.memory import in_units


def memory(console: Console) -> Table:
    """Compare what processes of shards take with their shares of a run in one process."""
    import secateur
    from secateur.cluster.sources import Rules, Slices

    table = Table(
        "Memory of a shard",
        ("game", "pieces are", "actors", "share", "arrays", "resident", "resident / share"),
    )
    solver = secateur.recipes.cfr_plus()
    smallest, title = next(iter(GAMES)), "12 bet sizes"
    game = compiled(title)
    whole = game.nbytes + solver.start(game).bytes_resident
    for name, source_of in {
        "sent in slices": lambda title: Slices(compiled(title)),
        "compiled by shards": lambda title: Rules(rules_of(title), pruning=False),
    }.items():
        for count in ACTORS:
            with Scattered.of(source_of(smallest), count, solver) as run:
                base = np.min(np.array(run.resident) - np.array(run.nbytes))
            with Scattered.of(source_of(title), count, solver) as run:
                run.state.step(50)
                most, arrays = max(run.resident) - base, max(run.nbytes)
            share = whole / count
            row = (
                f"{title}, {game.cells:,} sequences",
                name,
                f"{count}",
                *(in_units(each) for each in (share, arrays, most)),
                f"{most / share:.2f}",
            )
            table.rows.append(row)
            console.log(*row)
    return table


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the table to this file")
    arguments = parser.parse_args()
    begin_ray()
    console = Console()
    table = memory(console)
    console.print(table.for_terminal())
    if arguments.out is not None:
        arguments.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
