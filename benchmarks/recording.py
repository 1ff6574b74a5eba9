"""What it costs to keep a run in a directory: ``python -m benchmarks.recording``.

The same run is made again and again, in turns: without a directory, and with one, with checkpoints
at the default interval and more often; and once more without a directory, but with nodes counted.
Median times are compared, wall and processor.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.clock import Time, timed
from benchmarks.table import Table, seconds, wide_console

if TYPE_CHECKING:
    from secateur import CompiledGame
    from secateur.solvers.protocols import Solver

COLUMNS = ("run", "time", "processor time", "more time", "more processor time", "checkpoints")
PLAIN = "without a directory"
COUNTED = "without, nodes counted"
RECORDED = "in a directory, a checkpoint every {:g} s"


def _solvers() -> dict[str, Solver]:
    from secateur import BestResponsePruning, recipes

    return {
        "CFR+, partial pruning": recipes.cfr_plus(),
        "CFR, best-response pruning": recipes.cfr(pruning=BestResponsePruning()),
    }


def _recorded(game: CompiledGame, solver: Solver, iterations: int, every: float) -> tuple:
    """Run in a new directory; return the time and the number of checkpoints."""
    import secateur
    from secateur.running import solve
    from secateur.runs.configuration import Configuration
    from secateur.runs.directory import RunDirectory
    from secateur.runs.games import GameDescription
    from secateur.runs.recorder import Recorder

    class Counted(Recorder):
        written = 0

        def keep(self, *state: object) -> None:
            super().keep(*state)
            self.written += 1

    until = secateur.until.iterations(iterations)
    configuration = Configuration.of(GameDescription(game.name, {}), solver, until)
    with tempfile.TemporaryDirectory() as place:
        directory = RunDirectory(Path(place) / "run")
        with timed() as taken, directory.created(configuration):
            record = Counted(directory, game, solver, every, print)
            solve(game, solver, until, record=record)
    return taken, record.written


def _plain(game: CompiledGame, solver: Solver, iterations: int) -> Time:
    import secateur

    with timed() as taken:
        secateur.solve(game, solver, secateur.until.iterations(iterations))
    return taken


def measure(
    name: str, title: str, solver: Solver, iterations: int, rounds: int, pauses: list[float]
) -> Table:
    """Return a table of one solver."""
    from dataclasses import replace

    import secateur

    game = secateur.compile(secateur.load(name), pruning=True)
    counting = replace(solver, count_nodes=True)
    for warm in (solver, counting):
        _plain(game, warm, min(iterations, 2100))  # compiles kernels
    taken: dict[str, list[Time]] = {PLAIN: [], COUNTED: []}
    written: dict[str, int] = {}
    for _ in range(rounds):
        taken[PLAIN].append(_plain(game, solver, iterations))
        taken[COUNTED].append(_plain(game, counting, iterations))
        for every in pauses:
            stretch, number = _recorded(game, solver, iterations, every)
            taken.setdefault(RECORDED.format(every), []).append(stretch)
            written[RECORDED.format(every)] = number
    table = Table(f"{title} on {name}, {iterations:,} iterations, median of {rounds}", COLUMNS)
    medians = {
        label: (median(t.wall for t in times), median(t.processor for t in times))
        for label, times in taken.items()
    }
    for label, each in medians.items():
        more = tuple(
            f"{100.0 * (mine / base - 1.0):+.1f} %"
            for mine, base in zip(each, medians[PLAIN], strict=True)
        )
        row = (label, *map(seconds, each), *more, str(written.get(label, "")))
        table.rows.append(row)
    return table


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="leduc5")
    parser.add_argument("--iterations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--every", type=float, nargs="+", default=[60.0, 1.0])
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    tables = [
        measure(options.game, title, solver, options.iterations, options.rounds, options.every)
        for title, solver in _solvers().items()
    ]
    console = wide_console(120)
    for table in tables:
        console.print(table.for_terminal())
    if options.out:
        options.out.write_text("\n".join(table.as_markdown() for table in tables))


if __name__ == "__main__":
    main()
