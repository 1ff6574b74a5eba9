"""What pruning saves in larger and larger games: ``python -m benchmarks.pruning``.

Every game is compiled once and memory-mapped by each run, in a process of its own: regret matching,
or another ``--algorithm``, without pruning, with partial pruning, and with best-response pruning
(``brp`` begins when it saves time, ``brp100`` searches every 100 iterations), for the same number
of iterations, or with ``--target`` until NashConv is so small or enough processor time was used.
Times are those of the processor; until a NashConv is reached, also the time that has passed.
Looking at NashConv does not count. Memory is that of the process above what it held before it
opened the game.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory, timed
from benchmarks.launch import WorkerError, run_worker
from benchmarks.table import MISSING, Table, megabytes, ratio, seconds, small

if TYPE_CHECKING:
    from secateur import CFR, Pruning

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
MODES = ("none", "partial", "brp", "brp100")
TARGETS = (1e-1, 1e-2, 1e-3, 1e-4)


def compiled(name: str, path: Path) -> None:
    """Compile a game of the series to a file: mostly Leduc poker with more of something."""
    import secateur

    wanted = SERIES[name]
    if "game" in wanted:
        rules = secateur.load(wanted["game"])
        secateur.save_compiled(secateur.compile(rules, pruning=True), path)
        return
    bets = sorted(BETS[: wanted["sizes"]])
    rounds = [tuple(bet * 2**k for bet in bets) for k in range(wanted.get("rounds", 2))]
    rules = secateur.load("leduc", ranks=wanted.get("ranks", 3), bet_sizes=tuple(rounds))
    secateur.save_compiled(secateur.compile(rules, pruning=True), path)


def _policy(mode: str) -> Pruning:
    import secateur

    policies = {
        "none": secateur.NoPruning,
        "partial": secateur.PartialPruning,
        "brp": secateur.BestResponsePruning,
        "brp100": partial(secateur.BestResponsePruning, check_every=100, evaluations=0.25),
    }
    return policies[mode]()


@dataclass(frozen=True)
class Method:
    """An algorithm, and the power of its averaging if it is not the usual."""

    algorithm: str
    averaging: float | None

    def solver(self, mode: str, *, count: bool) -> CFR:
        """Return it with a way to prune."""
        import secateur
        from secateur.algorithms import ALGORITHMS

        more = {} if self.averaging is None else {"averaging": secateur.Averaging(self.averaging)}
        solver = ALGORITHMS[self.algorithm].solver(pruning=_policy(mode), count_nodes=count, **more)
        assert isinstance(solver, secateur.CFR)
        return solver

    def arguments(self) -> list[str]:
        """Return it as this module's options."""
        power = [] if self.averaging is None else ["--averaging", str(self.averaging)]
        return ["--algorithm", self.algorithm, *power]


@dataclass(frozen=True)
class Limits:
    """When a run ends, whatever comes first."""

    iterations: int
    target: float
    seconds: float

    def arguments(self) -> list[str]:
        """Return them as this module's options."""
        pairs = {"iterations": self.iterations, "target": self.target, "seconds": self.seconds}
        return [text for name, limit in pairs.items() for text in (f"--{name}", str(limit))]


def measure(
    path: Path, mode: str, method: Method, limits: Limits, *, count: bool
) -> dict[str, Any]:
    """Return what a run takes; nodes are counted apart, because counting takes time."""
    import secateur
    from secateur.memory import return_free_memory
    from secateur.preparing import prepare_kernels

    solver = method.solver(mode, count=count)
    prepare_kernels(solver, secateur.open_compiled(path))
    return_free_memory()  # so that what is returned later was taken later
    forget_peak_memory()
    idle = resident_memory()
    game = secateur.open_compiled(path)
    game.forget()  # its checksums were just read
    state = solver.start(game)
    taken = passed = 0.0
    reached: dict[str, tuple[float, float]] = {}
    look = 16
    gap = math.inf
    while state.iteration < limits.iterations and gap > limits.target and taken < limits.seconds:
        with timed() as stretch:
            state.step(min(look, limits.iterations) - state.iteration)
        taken += stretch.processor
        passed += stretch.wall
        gap = state.nash_conv()
        for target in TARGETS:
            if gap <= target:
                reached.setdefault(str(target), (taken, passed))
        look += max(16, look // 8)
    game.forget()
    resident, peak = resident_memory(), peak_memory()
    return {
        "sequences": game.size.sequences,
        "iterations": state.iteration,
        "seconds": taken,
        "nash_conv": gap,
        "reached": reached,
        "nodes": state.nodes_touched,
        "regrets": state.regret_entries_live / game.cells,
        "sums": state.strategy_entries_live / game.cells,
        "resident": None if idle is None else resident - idle,
        "peak": None if idle is None else peak - idle,
    }


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
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    method = Method(options.algorithm, options.averaging)
    limits = Limits(options.iterations, options.target, options.seconds)
    if options.one:
        path, mode, count = options.one
        found = measure(Path(path), mode, method, limits, count=count == "count")
        options.result.write_text(json.dumps(found))
        return
    console = Console()
    console.width = max(console.width, 200)  # the table is wide, and output may go to a file
    table = Table(f"What pruning saves {options.algorithm}", COLUMNS)
    for name in options.games:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "game"
            compiled(name, path)
            found = {}
            for mode in options.modes:
                console.print(f"[dim]{name}, {mode}[/dim]")
                try:
                    found[mode] = _both(path, mode, method, limits)
                except WorkerError as error:
                    console.print(f"{name}, {mode} failed: {error}", markup=False)
            table.rows.extend(_rows(name, found))
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


def _both(path: Path, mode: str, method: Method, limits: Limits) -> dict[str, Any]:
    """Return a timed run with the nodes of a counted one."""

    def run(count: str, limits: Limits) -> dict[str, Any]:
        arguments = ["--one", str(path), mode, count, *method.arguments(), *limits.arguments()]
        return run_worker(Path(sys.executable), arguments, "benchmarks.pruning")

    found = run("", limits)
    if limits.target > 0.0:  # a long run: nodes would take another one
        return found
    return found | {"nodes": run("count", limits)["nodes"]}


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
            *(_reached(each["reached"].get(str(target))) for target in TARGETS),
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


def _reached(times: tuple[float, float] | None) -> str:
    return MISSING if times is None else f"{seconds(times[0])} ({seconds(times[1])})"


if __name__ == "__main__":
    main()
