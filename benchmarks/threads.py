"""What more threads gain: ``python -m benchmarks.threads --out threads.md``.

The same iterations of a run are run with one thread and with several in turns, so that what else
the machine does disturbs all alike. Of each number the least time of a turn counts, by the clock.
What the machine itself gives is shown beside it: two processes run these iterations at the same
time, each with one thread, and share nothing but the machine. How many times as much as one they do
is the most that two threads could gain; if that is less than two, cores share something: memory,
caches, or the core itself.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from benchmarks.table import MISSING, Table, ratio, seconds

if TYPE_CHECKING:
    from secateur import Game

TURN = 0.3
"""Seconds that a turn takes, about; with pruning eight times as long, so that each has searches."""


def games() -> dict[str, Callable[[], Game]]:
    """Return the games by name."""
    import secateur
    from benchmarks.pruning import rules_of

    return {
        "leduc": lambda: secateur.load("leduc"),
        "leduc5": lambda: secateur.load("leduc5"),
        "liar's dice, 2 dice of 4 sides": lambda: secateur.load("liars_dice", dice=2, sides=4),
        "OpenSpiel's oshi_zumo": lambda: secateur.load(
            "openspiel:oshi_zumo(coins=3,horizon=12,size=2)"
        ),
        "12 bet sizes": lambda: rules_of("12 bet sizes"),
    }


def methods() -> dict[str, tuple[Any, int]]:
    """Return solvers by name, and how many iterations they run before they are timed."""
    import secateur

    pruning = secateur.BestResponsePruning
    return {
        "cfr+": (secateur.recipes.cfr_plus(), 20),
        "dcfr": (secateur.recipes.dcfr(), 20),
        "sapcfr+, int16": (_int16(), 20),
        "dcfr, brp": (secateur.recipes.dcfr(pruning=pruning()), 600),
        "dcfr, brp, store": (secateur.recipes.dcfr(pruning=pruning(check_every=50)), 120),
        "egt": (secateur.EGT(), 5),
        "mirror descent": (secateur.OptimisticMirrorDescent(), 5),
        "NashConv": (secateur.recipes.cfr_plus(), 20),
    }


def _int16() -> Any:
    import secateur
    from secateur.algorithms import find_algorithm

    return find_algorithm("sapcfr+").solver(storage=secateur.Storage("int16"))


class Stretch:
    """Some iterations of a run, or evaluations of it, that can be run again and again."""

    def __init__(self, state: Any, method: str) -> None:
        self._method = method
        self._start = partial(state.solver.start, state.game)
        saved = state.saved()
        arrays = {name: part.copy() for name, part in saved.arrays.items()}
        self._begin = saved._replace(numbers=dict(saved.numbers), arrays=arrays)
        turn = 8 * TURN if "brp" in method else TURN
        self._count = 1
        while (one := self.seconds()) * self._count < turn / 8:
            self._count *= 2
        self._count = max(1, round(turn / one))

    def seconds(self) -> float:
        """Return how long one of them takes."""
        state = self._start()
        state.restore(self._begin)
        do = _evaluations(state) if self._method == "NashConv" else state.step
        do(1)  # all memory is there then
        begin = time.perf_counter()
        do(self._count)
        return (time.perf_counter() - begin) / self._count


def _in_turns(stretch: Stretch, numbers: list[int], turns: int) -> dict[int, float]:
    import secateur

    best = dict.fromkeys(numbers, float("inf"))
    for _ in range(turns):
        for number in numbers:
            with secateur.threads(number):
                best[number] = min(best[number], stretch.seconds())
    return best


def _evaluations(state: Any) -> Callable[[int], None]:
    def evaluate(count: int) -> None:
        for _ in range(count):
            state.nash_conv()

    return evaluate


def _of_two_processes(stretch: Stretch, turns: int) -> float:
    """Return the seconds that each of two copies of this process takes, at the same time."""
    context = multiprocessing.get_context("fork")
    meeting, found = context.Barrier(2), context.SimpleQueue()

    def run() -> None:
        import secateur

        with secateur.threads(1):
            stretch.seconds()  # what is written to is copied now
            for _ in range(turns):
                meeting.wait(60)
                found.put(stretch.seconds())

    processes = [context.Process(target=run) for _ in range(2)]
    for each in processes:
        each.start()
    for each in processes:
        each.join()
    return min(found.get() for _ in range(2 * turns))


def main() -> None:
    """Time all methods on all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the tables to this markdown file")
    parser.add_argument("--games", nargs="+", default=list(games()), choices=list(games()))
    parser.add_argument("--methods", nargs="+", help="some of them")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], help="numbers of them")
    parser.add_argument("--turns", type=int, default=7, help="of each number")
    arguments = parser.parse_args()
    numbers = arguments.threads
    table = Table(
        "Seconds of an iteration, by the clock",
        (
            *("game", "sequences", "pieces", "method"),
            *(f"{number} threads" for number in numbers),
            *(f"{number} against {numbers[0]}" for number in numbers[1:]),
            "2 processes",
        ),
    )
    console = Console()
    for name in arguments.games:
        measure(name, arguments.methods, numbers, arguments.turns, table, console)
    console.print(table.for_terminal())
    if arguments.out is not None:
        arguments.out.write_text(table.as_markdown())


def measure(
    name: str,
    wanted: list[str] | None,
    numbers: list[int],
    turns: int,
    table: Table,
    console: Console,
) -> None:
    """Add the rows of a game to a table, for some methods or all."""
    import secateur

    game = secateur.compile(games()[name](), pruning=True)
    for method, (solver, before) in methods().items():
        if wanted is not None and method not in wanted:
            continue
        state = solver.start(game)
        state.step(before)
        with secateur.threads(1):
            stretch = Stretch(state, method)
        best = _in_turns(stretch, numbers, turns)
        apart = _of_two_processes(stretch, turns)
        gains = [ratio(best[numbers[0]] / best[number]) for number in numbers[1:]]
        row = (
            name,
            f"{game.cells:,}",
            f"{len(game.cut.first)}" if len(game.cut.first) else MISSING,
            method,
            *(seconds(best[number]) for number in numbers),
            *gains,
            ratio(2.0 * best[numbers[0]] / apart),
        )
        table.rows.append(row)
        console.print(*row)


if __name__ == "__main__":
    main()
