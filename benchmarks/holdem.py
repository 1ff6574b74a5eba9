"""Hold'em with wide blocks: ``python -m benchmarks.holdem --out FILE``.

Ends, a full river and a turn in each precision, algorithms, and what pruning does in five spots;
``--tables`` and ``--spots`` choose some. Times are processor time of sweeps of one thread, without
the looks at NashConv between them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

import secateur
from benchmarks.table import MISSING, Table, megabytes, seconds, small
from secateur.compiled.arrays import DISJOINT, SHOWDOWN
from secateur.compiled.game import CompiledGame
from secateur.kernels.compilation.decorator import kernel
from secateur.kernels.core.parts import multiply

WIDE = "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,75s+,65s,54s,A9o+,KTo+,QTo+,JTo"
MEDIUM = "22+,A2s+,KTs+,QTs+,JTs,T9s,98s,87s,76s,65s,ATo+,KJo+,QJo"
FEW = "TT+,AKs,AQs,KQs,JTs,98s"
TWO = {"bets": "50%,100%", "raises": "60%,all-in", "all_in_threshold": 0.67, "max_raises": 2}
FOUR = {"bets": "33%,75%,150%,all-in", "raises": "60%,all-in"}
DEEP = {"pot": 60, "stack": 170}

SPOTS: dict[str, dict[str, Any]] = {
    "river, all hands": {"board": "KsTh7s4d2c", "range_0": "any", "range_1": "any", **FOUR, **DEEP},
    "river": {"board": "Qs8h5d2c9h", "range_0": WIDE, "range_1": MEDIUM, **FOUR, **DEEP},
    "turn": {"board": "Qs8h5d2c", "range_0": WIDE, "range_1": MEDIUM, **TWO, **DEEP},
    "turn, one suit": {"board": "Qs8s5s2s", "range_0": WIDE, "range_1": MEDIUM, **TWO, **DEEP},
    "flop, few hands": {
        "board": "Qs8s5s",
        "range_0": FEW,
        "range_1": FEW,
        "bets": "75%",
        "raises": "all-in",
        "max_raises": 1,
        "pot": 100,
        "stack": 150,
    },
}

TARGETS = (0.01, 0.003, 0.001)
"""Exploitability as a share of the pot."""

MOST_ITERATIONS = 5000
CHUNK = 5

PRUNINGS = {
    "none": secateur.NoPruning(),
    "partial": secateur.PartialPruning(),
    "best-response, when it pays": secateur.BestResponsePruning(),
    "best-response, every 25 iterations": secateur.BestResponsePruning(check_every=25),
}

ALGORITHMS = {
    "DCFR": secateur.recipes.dcfr(),
    "DCFR, averaging 4": secateur.recipes.dcfr(averaging=secateur.Averaging(4)),
    "DCFR+": secateur.recipes.dcfr_plus(),
    "CFR+": secateur.recipes.cfr_plus(),
    "SAPCFR+": secateur.recipes.sapcfr_plus(),
    "PCFR+": secateur.recipes.pcfr_plus(),
    "PDCFR+": secateur.recipes.pdcfr_plus(),
}


class Reached(NamedTuple):
    """When a run came to a target."""

    iterations: int
    seconds: float
    nodes: int | None
    resident: int


@kernel
def _many_ends(g, me, matrix, reach, value, times):
    for _ in range(times):
        multiply(g, me, matrix, 1e-3, reach, 0, value, 0)


def compiled(title: str, *, pruning: bool = False) -> tuple[CompiledGame, float]:
    """Return a spot, and the processor time that compiling took."""
    begin = time.process_time()
    game = secateur.compile(secateur.load("holdem", **SPOTS[title]), pruning=pruning)
    return game, time.process_time() - begin


def run_to_targets(game: CompiledGame, solver: secateur.CFR) -> Iterator[Reached | None]:
    """Yield when a run comes to each target; None if it does not."""
    assert game.pot is not None
    solver.start(game).step(1)  # kernels are compiled
    state = solver.start(game)
    taken = 0.0
    for target in TARGETS:
        while 0.5 * state.nash_conv() > target * game.pot:
            if state.iteration >= MOST_ITERATIONS:
                yield None
                break
            begin = time.process_time()
            state.step(CHUNK)
            taken += time.process_time() - begin
        else:
            resident = state.bytes_resident
            yield Reached(state.iteration, taken, state.nodes_touched, resident)


def ends(titles: list[str]) -> Table:
    """Measure an end, for one player; reach and values are float64 in every precision."""
    table = Table("One end", ("spot", "hands", "classes", "showdown, a hand", "fold, a hand"))
    for title in _some(titles, "river, all hands", "river"):
        game, _ = compiled(title)
        found = {kind: _end_seconds(game, kind) for kind in (SHOWDOWN, DISJOINT)}
        a = game.arrays
        matrix = int(np.flatnonzero(a.matrix_kind == SHOWDOWN)[0])
        lanes = a.matrix_lanes[2 * matrix : 2 * matrix + 2].tolist()
        mean = sum(lanes) / 2
        times = [f"{1e9 * each / mean:.1f} ns" for each in found.values()]
        hands = f"{lanes[0]:,} × {lanes[1]:,}"
        table.rows.append((title, hands, str(int(a.matrix_classes[matrix])), *times))
    return table


def _end_seconds(game: CompiledGame, kind: int) -> float:
    matrix = int(np.flatnonzero(game.arrays.matrix_kind == kind)[-1])
    reach, value = np.random.default_rng(0).random(2048), np.zeros(2048)
    fastest = np.inf
    for _ in range(50):
        begin = time.perf_counter()
        _many_ends(game.arrays, 0, matrix, reach, value, 100)
        fastest = min(fastest, (time.perf_counter() - begin) / 100)
    return fastest


def precisions(titles: list[str]) -> Table:
    """Measure spots in each precision."""
    shares = [f"to {target:.1%} of the pot" for target in TARGETS]
    table = Table("Precision", ("spot", "precision", "compiled in", "iteration", *shares, "memory"))
    for title in _some(titles, "river, all hands", "river", "turn"):
        game, compile_seconds = compiled(title)
        for precision in ("float64", "float32", "int16"):
            solver = secateur.recipes.dcfr(storage=secateur.Storage(precision))
            found = list(run_to_targets(game, solver))
            last = next(each for each in reversed(found) if each is not None)
            table.rows.append(
                (
                    title,
                    precision,
                    seconds(compile_seconds),
                    seconds(last.seconds / last.iterations),
                    *(seconds(each and each.seconds) for each in found),
                    megabytes(game.nbytes + last.resident),
                )
            )
    return table


def algorithms(titles: list[str]) -> Table:
    """Measure iterations and time of algorithms."""
    shares = [f"to {target:.1%} of the pot" for target in TARGETS]
    table = Table("Algorithms", ("spot", "algorithm", *shares))
    for title in _some(titles, "river", "turn, one suit"):
        game, _ = compiled(title)
        for name, solver in ALGORITHMS.items():
            cells = (
                MISSING if each is None else f"{each.iterations:,} ({seconds(each.seconds)})"
                for each in run_to_targets(game, solver)
            )
            table.rows.append((title, name, *cells))
    return table


def prunings(titles: list[str]) -> Table:
    """Measure what pruning saves."""
    columns = ("spot", "pruning", "share of the pot", "iterations", "nodes", "time", "memory")
    table = Table("Pruning with DCFR", columns)
    for title in titles:
        game, _ = compiled(title, pruning=True)
        for name, pruning in PRUNINGS.items():
            timed, counted = (
                list(
                    run_to_targets(game, secateur.recipes.dcfr(pruning=pruning, count_nodes=count))
                )
                for count in (False, True)
            )
            for target, one, two in zip(TARGETS, timed, counted, strict=True):
                cells = (
                    (MISSING,) * 4
                    if one is None or two is None
                    else (
                        f"{one.iterations:,}",
                        small(two.nodes),
                        seconds(one.seconds),
                        megabytes(one.resident),
                    )
                )
                table.rows.append((title, name, f"{target:.1%}", *cells))
    return table


def _some(chosen: list[str], *titles: str) -> list[str]:
    return [title for title in titles if title in chosen]


TABLES = {
    "ends": ends,
    "precisions": precisions,
    "algorithms": algorithms,
    "prunings": prunings,
}


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="a markdown file to write")
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=list(TABLES))
    parser.add_argument("--spots", nargs="+", default=list(SPOTS), choices=list(SPOTS))
    arguments = parser.parse_args()
    console, written = Console(width=140), []
    for name in arguments.tables:
        with secateur.threads(1):
            table = TABLES[name](arguments.spots)
        console.print(table.for_terminal())
        written.append(table.as_markdown())
        if arguments.out is not None:
            arguments.out.write_text("\n".join(written))


if __name__ == "__main__":
    main()
