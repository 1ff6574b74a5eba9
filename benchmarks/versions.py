"""Two versions of this package, side by side: ``python -m benchmarks.versions BEFORE AFTER``.

Both are source trees, such as ``git worktree add --detach ../before REV`` makes them. Each runs in
a process of its own; they take short turns, case by case, so that what else the machine does
disturbs both alike. Where a process happens to have its memory matters as well, so several pairs of
processes are measured one after the other. Of each case the least processor time counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.table import Table, ratio, seconds

GAMES = ("leduc", "liars-dice", "leduc5")
WORK = 0.02
"""Seconds of processor time that one turn takes, about."""

Case = tuple[str, str, int]
"""A game, a method, and the iterations before it is timed."""


def cases(games: tuple[str, ...]) -> list[Case]:
    """Return what is timed: each method early and late, and NashConv."""
    return [
        (game, method, before)
        for game in games
        for method in METHODS
        for before in ((100, 3000) if method.startswith("cfr, brp") else (100,))
    ]


METHODS = (
    "cfr, none",
    "cfr",
    "cfr+",
    "dcfr",
    "pcfr+",
    "cfr+, float32",
    "cfr, brp",
    "cfr+, rbp",
    "hedge",
    "egt",
    "fp",
    "NashConv",
)


def started(game: Any, method: str) -> Any:
    """Return the state of a method on a compiled game; only names that all versions know."""
    import secateur

    recipes = secateur.recipes
    solvers: dict[str, Callable[[], Any]] = {
        "cfr, none": lambda: recipes.cfr(pruning=secateur.NoPruning()),
        "cfr": recipes.cfr,
        "cfr+": recipes.cfr_plus,
        "dcfr": recipes.dcfr,
        "pcfr+": recipes.pcfr_plus,
        "cfr+, float32": lambda: recipes.cfr_plus(storage=secateur.Storage("float32")),
        "cfr, brp": lambda: recipes.cfr(pruning=secateur.BestResponsePruning(check_every=100)),
        "cfr+, rbp": lambda: recipes.cfr_plus(pruning=secateur.RegretBasedPruning()),
        "hedge": recipes.hedge,
        "egt": secateur.EGT,
        "fp": secateur.FictitiousPlay,
        "NashConv": recipes.cfr_plus,
    }
    return solvers[method]().start(game)


def work() -> None:
    """Answer in turn: begin a case, or run some steps of it; tell how long the steps took."""
    import secateur

    compiled: dict[str, Any] = {}
    state, method = None, ""
    for line in sys.stdin:
        asked = json.loads(line)
        if "case" in asked:
            game, method, before = asked["case"]
            if game not in compiled:
                compiled[game] = secateur.compile(secateur.load(game), pruning=True)
            state = started(compiled[game], method)
            state.step(before)
            state.nash_conv()
        begin = time.process_time()
        if method == "NashConv":
            for _ in range(asked["steps"]):
                state.nash_conv()
        else:
            state.step(asked["steps"])
        print(json.dumps(time.process_time() - begin), flush=True)


class Worker:
    """A process that runs one version."""

    def __init__(self, tree: Path) -> None:
        source = tree.resolve() / "src"
        if not (source / "secateur").is_dir():
            raise SystemExit(f"{tree} is no source tree: it has no src/secateur")
        here = str(Path(__file__).parents[1])
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from benchmarks.versions import work; work()"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), here])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def ask(self, **asked: Any) -> float:
        """Return the processor time that the answer took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return float(json.loads(self.process.stdout.readline()))


def compare(before: Worker, after: Worker, case: Case, rounds: int) -> tuple[float, float]:
    """Return the least time of a step in both versions."""
    for worker in (before, after):
        worker.ask(case=case, steps=1)
    once = max(1e-7, min(before.ask(steps=3) for _ in range(3)) / 3)
    steps = max(1, round(WORK / once))
    least = [float("inf"), float("inf")]
    for turn in range(rounds):
        for k in (0, 1) if turn % 2 == 0 else (1, 0):
            least[k] = min(least[k], (before, after)[k].ask(steps=steps) / steps)
    return least[0], least[1]


def main() -> None:
    """Time all cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--rounds", type=int, default=30, help="turns of each process in a case")
    parser.add_argument("--pairs", type=int, default=4, help="of processes, one after the other")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    chosen = [case for case in cases(tuple(options.games)) if case[1] in options.methods]
    least = dict.fromkeys(chosen, (float("inf"), float("inf")))
    for pair in range(options.pairs):
        with Worker(options.before) as before, Worker(options.after) as after:
            for case in chosen:
                old, new = compare(before, after, case, options.rounds)
                least[case] = min(least[case][0], old), min(least[case][1], new)
                print(pair + 1, *case, ratio(new / old), file=sys.stderr, flush=True)
    table = Table(
        "One iteration, or one NashConv", ("game", "method", "after", "before", "now", "ratio")
    )
    for (game, method, iterations), (old, new) in least.items():
        numbers = (f"{iterations:,} iterations", seconds(old), seconds(new), ratio(new / old))
        table.rows.append((game, method, *numbers))
    console = Console()
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
