"""How far each precision converges: ``python -m benchmarks.precision --out FILE --plot PICTURE``.

The same run is made with numbers in float64, float32 and int16, on six games, by the default
algorithm, which stores strategies, and by CFR+, which does not. Precisions take short turns, so
that times can be compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

import secateur
from benchmarks.table import Table, ratio, seconds, wide_console
from secateur.pictures import finish

GAMES: dict[str, dict[str, Any]] = {
    "leduc": {},
    "leduc5": {},
    "liars-dice": {},
    "goofspiel": {},
    "random": {"depth": 12},
    "battleship": {},
}

ALGORITHMS = {"SAPCFR+": secateur.recipes.sapcfr_plus, "CFR+": secateur.recipes.cfr_plus}

PRECISIONS = ("float64", "float32", "int16")

LOOKS = 10 ** (1 / 5)
"""From one look at NashConv to the next, iterations grow by this factor."""


class Run(NamedTuple):
    """What a run in one precision came to."""

    iterations: list[int]
    nash_conv: list[float]
    seconds: float
    """Of an iteration in its fastest turn, near the end."""

    bytes_per_sequence: float


def looks(last: int) -> list[int]:
    """Return when to look: ever less often, and at the end."""
    found = [1]
    while found[-1] < last:
        found.append(min(last, max(found[-1] + 1, round(found[-1] * LOOKS))))
    return found


def runs_of(game: secateur.CompiledGame, recipe: Any, last: int) -> dict[str, Run]:
    """Return the runs of an algorithm on a game, by precision."""
    states = {
        each: recipe(storage=secateur.Storage(each), pruning=secateur.PartialPruning()).start(game)
        for each in PRECISIONS
    }
    whens = looks(last)
    found: dict[str, list[float]] = {each: [] for each in PRECISIONS}
    fastest = dict.fromkeys(PRECISIONS, float("inf"))
    for when in whens:
        for precision, state in states.items():
            steps = when - state.iteration
            begin = time.process_time()
            state.step(steps)
            taken = time.process_time() - begin
            if when > last / 10:
                fastest[precision] = min(fastest[precision], taken / steps)
            found[precision].append(state.nash_conv())
    return {
        each: Run(
            whens, found[each], fastest[each], state.solver.memory_estimate(game) / game.cells
        )
        for each, state in states.items()
    }


def measured(names: list[str], work: float, most: int) -> dict[tuple[str, str], dict[str, Run]]:
    """Return runs by game and algorithm."""
    found = {}
    for name in names:
        game = secateur.compile(secateur.load(name, **GAMES.get(name, {})))
        for title, recipe in ALGORITHMS.items():
            last = max(10, min(most, round(work / game.cells)))
            found[name, title] = runs_of(game, recipe, last)
            print(name, title, file=sys.stderr, flush=True)
    return found


def table_of(found: dict[tuple[str, str], dict[str, Run]]) -> Table:
    """Return the table of all runs."""
    columns = ("game", "algorithm", "iterations", "precision", "NashConv", "least")
    table = Table("How far they converge", (*columns, "bytes a sequence", "iteration", "ratio"))
    for (name, title), runs in found.items():
        for precision, run in runs.items():
            table.rows.append(
                (
                    name,
                    title,
                    f"{run.iterations[-1]:,}",
                    precision,
                    f"{run.nash_conv[-1]:.1e}",
                    f"{min(run.nash_conv):.1e}",
                    f"{run.bytes_per_sequence:.1f}",
                    seconds(run.seconds),
                    ratio(run.seconds / runs["float64"].seconds),
                )
            )
    return table


def draw(found: dict[tuple[str, str], dict[str, Run]], path: Path) -> None:
    """Draw NashConv over iterations, a panel for each game."""
    names = list(dict.fromkeys(name for name, _ in found))
    rows = -(-len(names) // 3)
    figure, panels = plt.subplots(rows, 3, figsize=(12, 3.6 * rows), squeeze=False)
    styles = dict(zip(ALGORITHMS, ("-", ":"), strict=True))
    for panel in panels.flat[len(names) :]:
        panel.remove()
    for panel, name in zip(panels.flat, names, strict=False):
        for title, style in styles.items():
            for color, (precision, run) in enumerate(found[name, title].items()):
                panel.plot(
                    run.iterations,
                    run.nash_conv,
                    style,
                    color=f"C{color}",
                    linewidth=1.2,
                    label=f"{title}, {precision}",
                )
        panel.set_yscale("log")
        finish(panel)
        panel.set_title(name, loc="left")
        panel.set_xlabel("iterations")
        panel.set_ylabel("NashConv")
    panels[0][0].legend(frameon=False, fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Run all, print the table and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--work", type=float, default=1e9, help="sequences times iterations")
    parser.add_argument("--most", type=int, default=300_000, help="iterations")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    parser.add_argument("--plot", type=Path, help="picture to write")
    options = parser.parse_args()
    found = measured(options.games, options.work, options.most)
    table = table_of(found)
    console = wide_console(130)
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())
    if options.plot:
        draw(found, options.plot)


if __name__ == "__main__":
    main()
