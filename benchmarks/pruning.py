"""What pruning saves in larger and larger games: ``python -m benchmarks.pruning``.

Every game is compiled once and memory-mapped by each run, in a process of its own: regret matching,
or another ``--algorithm``, without pruning, with partial pruning, and with best-response pruning
(``brp`` for little time: in rounds, or, with regret matching, with a store; ``brp100`` searches
every 100 iterations), for the same number of iterations, or with ``--target`` until NashConv is so
small or enough processor time was used. Nodes are those of a run that counts them, never one in
rounds. Times are those of the processor; until a NashConv is reached, also the time that has
passed. Looking at NashConv does not count. Memory is that of the process above what it held before
it opened the game.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.launch import WorkerError
from benchmarks.runs import MODES, Limits, Method, Run, compile_to_file
from benchmarks.table import MISSING, Table, megabytes, ratio, seconds, small, wide_console

if TYPE_CHECKING:
    from secateur import Game

BETS = (0.5, 1, 2, 4, 8, 3, 6, 1.5, 5, 7, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 1.25)
SERIES: dict[str, dict[str, Any]] = {
    "3 bet sizes": {"sizes": 3},
    "5 bet sizes": {"sizes": 5},
    "8 bet sizes": {"sizes": 8},
    "12 bet sizes": {"sizes": 12},
    "17 bet sizes": {"sizes": 17},
    "5 bet sizes, 8 ranks": {"sizes": 5, "ranks": 8},
    "3 rounds of 3 bet sizes": {"sizes": 3, "rounds": 3},
    "liar's dice": {"game": "liars_dice"},
}
TARGETS = (1e-1, 1e-2, 1e-3, 1e-4)


def rules_of(name: str) -> Game:
    """Return a game of the series: mostly Leduc poker with more of something."""
    import secateur

    wanted = SERIES[name]
    if "game" in wanted:
        return secateur.load(wanted["game"])
    bets = sorted(BETS[: wanted["sizes"]])
    rounds = [tuple(bet * 2**k for bet in bets) for k in range(wanted.get("rounds", 2))]
    return secateur.load("leduc", ranks=wanted.get("ranks", 3), bet_sizes=tuple(rounds))


def main() -> None:
    """Measure all games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(SERIES), choices=SERIES)
    parser.add_argument("--modes", nargs="+", default=list(MODES[:3]), choices=MODES)
    parser.add_argument("--algorithm", default="cfr", help="cfr, cfr+, dcfr, ...")
    parser.add_argument("--averaging", type=float, help="power of its average")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--target", type=float, default=0.0, help="NashConv at which to stop")
    parser.add_argument("--seconds", type=float, default=math.inf, help="to give up after")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    method = Method(options.algorithm, options.averaging)
    limits = Limits(options.iterations, options.target, options.seconds)
    console = wide_console(200)
    table = Table(f"What pruning saves {options.algorithm}", COLUMNS)
    for name in options.games:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "game"
            compile_to_file(rules_of(name), path)
            found = {}
            for mode in options.modes:
                console.print(f"[dim]{name}, {mode}[/dim]")
                try:
                    found[mode] = _both(Run(str(path), mode, method, limits, TARGETS))
                except WorkerError as error:
                    console.print(f"{name}, {mode} failed: {error}", markup=False)
            table.rows.extend(_rows(name, found))
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def _both(run: Run) -> dict[str, Any]:
    """Return a timed run with the nodes of a counted one."""
    found = run.in_own_process()
    if run.limits.target > 0.0:  # a long run: nodes would take another one
        return found
    return found | {"nodes": replace(run, count=True).in_own_process()["nodes"]}


COLUMNS = (
    "game",
    "sequences",
    "pruning",
    "iterations",
    "time",
    "of partial",
    *(f"to {target:g} (passed)" for target in TARGETS),
    "NashConv",
    "nodes",
    "of partial",
    "regrets",
    "sums",
    "memory at the end",
    "peak",
)


def _rows(name: str, found: dict[str, dict[str, Any]]) -> list[tuple[str, ...]]:
    other = found.get("partial")
    first = next(iter(found), None)
    return [
        (
            name if mode == first else "",
            f"{each['sequences']:,}" if mode == first else "",
            mode,
            f"{each['iterations']:,}",
            seconds(each["seconds"]),
            ratio(each["seconds"] / other["seconds"]) if other else MISSING,
            *(_reached(each["reached"].get(f"{target:g}")) for target in TARGETS),
            small(each["nash_conv"]),
            small(each["nodes"]),
            _share(each["nodes"], other and other["nodes"]),
            f"{each['regrets']:.0%}",
            f"{each['sums']:.0%}",
            megabytes(each["resident"]),
            megabytes(each["peak"]),
        )
        for mode, each in found.items()
    ]


def _share(nodes: int | None, of: int | None) -> str:
    """Return how many times as many; nodes that nobody counted are known without pruning only."""
    return ratio(nodes / of) if nodes and of else MISSING


def _reached(when: dict[str, float] | None) -> str:
    return MISSING if when is None else f"{seconds(when['seconds'])} ({seconds(when['passed'])})"


if __name__ == "__main__":
    main()
