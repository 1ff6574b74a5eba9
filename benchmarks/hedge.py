"""What an iteration of Hedge costs beside one of regret matching: ``python -m benchmarks.hedge``.

All runs share one process and take turns, a batch of iterations each; the medians of processor
time are compared. Runs begin after some iterations, so that thresholds and pruning have begun to
cut.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.clock import timed
from benchmarks.table import Table, ratio, seconds, wide_console

if TYPE_CHECKING:
    from secateur import CFR

CFR_UNPRUNED = "CFR, no pruning"
COLUMNS = ("run", "iteration", f"× {CFR_UNPRUNED}", "nodes per iteration", "nodes per second")


def _solvers() -> dict[str, CFR]:
    from secateur import DynamicThresholding, NoPruning, PartialPruning, RegretBasedPruning, recipes

    none, partial, rbp = NoPruning(), PartialPruning(), RegretBasedPruning()
    cut = DynamicThresholding()
    return {
        CFR_UNPRUNED: recipes.cfr(pruning=none),
        "Hedge, no pruning": recipes.hedge(pruning=none),
        "CFR, partial pruning": recipes.cfr(pruning=partial),
        "Hedge, thresholds and partial pruning": recipes.hedge(pruning=partial, thresholding=cut),
        "CFR, RBP": recipes.cfr(pruning=rbp),
        "Hedge, thresholds and RBP": recipes.hedge(pruning=rbp, thresholding=cut),
    }


def measure(name: str, before: int, batch: int, rounds: int) -> Table:
    """Return a table of all runs on a game."""
    from dataclasses import replace

    import secateur

    game = secateur.compile(secateur.load(name), pruning=True)
    solvers = _solvers()
    states = {title: solver.start(game) for title, solver in solvers.items()}
    taken: dict[str, list[float]] = {title: [] for title in solvers}
    for state in states.values():
        state.step(before)
    for _ in range(rounds):
        for title, state in states.items():
            with timed() as stretch:
                state.step(batch)
            taken[title].append(stretch.processor / batch)
    table = Table(f"{name}: iterations {before:,} to {before + batch * rounds:,}", COLUMNS)
    for title, solver in solvers.items():
        # counting takes time, so it is done apart
        counted = replace(solver, count_nodes=True).start(game)
        counted.step(before)
        first = counted.nodes_touched
        counted.step(batch * rounds)
        nodes = (counted.nodes_touched - first) / (batch * rounds)
        each = median(taken[title])
        table.rows.append(
            (
                title,
                seconds(each),
                ratio(each / median(taken[CFR_UNPRUNED])),
                f"{nodes:,.0f}",
                f"{nodes / each:.3g}",
            )
        )
    return table


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="leduc5")
    parser.add_argument("--before", type=int, default=500, help="iterations that are not timed")
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    table = measure(options.game, options.before, options.batch, options.rounds)
    console = wide_console(120)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
