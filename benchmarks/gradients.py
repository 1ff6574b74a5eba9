"""What an iteration of methods that follow gradients costs: ``python -m benchmarks.gradients``.

All algorithms take turns in one process, round after round, and time the same iterations in fresh
runs; ratios to CFR are medians over rounds. Nodes are counted apart, because counting takes time.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.clock import timed
from benchmarks.table import Table, ratio, seconds, small, wide_console

if TYPE_CHECKING:
    from secateur import CompiledGame
    from secateur.solvers.protocols import Solver

SKIPPED = 10
TIMED = 40
COLUMNS = ("algorithm", "iteration", "× CFR", "× CFR, no pruning", "nodes", "NashConv")


def solvers() -> dict[str, Solver]:
    """Return what is compared, by name; CFR first."""
    import secateur

    return {
        "CFR": secateur.recipes.cfr(),
        "CFR, no pruning": secateur.recipes.cfr(pruning=secateur.NoPruning()),
        "CFR+": secateur.recipes.cfr_plus(),
        "EGT, fixed steps": secateur.EGT(steps="fixed"),
        "EGT, adaptive steps": secateur.EGT(),
        "EGT, threshold 0.01": secateur.EGT(threshold=0.01),
        "EGT, threshold 0.05": secateur.EGT(threshold=0.05),
        "optimistic mirror descent": secateur.OptimisticMirrorDescent(),
        "fictitious play": secateur.FictitiousPlay(),
    }


def _games(name: str) -> dict[bool, CompiledGame]:
    """Return a game without and with what thresholds need."""
    import secateur

    rules = secateur.load(name)
    return {
        thresholds: secateur.compile(rules, thresholds=thresholds) for thresholds in (False, True)
    }


def _iteration(game: CompiledGame, solver: Solver) -> float:
    """Return the seconds that one iteration takes."""
    state = solver.start(game)
    state.step(SKIPPED)
    with timed() as taken:
        state.step(TIMED)
    return taken.processor / TIMED


def measure(name: str, rounds: int) -> Table:
    """Return the table of one game."""
    compared, games = solvers(), _games(name)
    for solver in compared.values():
        solver.start(games[solver.needs_branches]).step()  # compiles the kernels
    times: dict[str, list[float]] = {title: [] for title in compared}
    for _ in range(rounds):
        for title, solver in compared.items():
            times[title].append(_iteration(games[solver.needs_branches], solver))
    table = Table(f"{name}: one iteration", COLUMNS)
    for title, solver in compared.items():
        state = replace(solver, count_nodes=True).start(games[solver.needs_branches])
        begun = state.nodes_touched or 0
        state.step(SKIPPED + TIMED)
        nodes = ((state.nodes_touched or 0) - begun) / state.iteration
        ratios = [
            median(mine / theirs for mine, theirs in zip(times[title], times[base], strict=True))
            for base in ("CFR", "CFR, no pruning")
        ]
        table.rows.append(
            (
                title,
                seconds(median(times[title])),
                *map(ratio, ratios),
                f"{nodes:,.0f}",
                small(state.nash_conv()),
            )
        )
    return table


def main() -> None:
    """Measure all games and print a table of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["leduc", "leduc5"])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    console = wide_console(120)
    tables = [measure(name, options.rounds) for name in options.games]
    for table in tables:
        console.print(table.for_terminal())
    if options.out:
        options.out.write_text("\n".join(table.as_markdown() for table in tables))


if __name__ == "__main__":
    main()
