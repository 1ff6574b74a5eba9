"""One run of a method of the CFR family on a compiled game, in a process of its own."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory, timed
from benchmarks.launch import run_worker
from benchmarks.schedule import checkpoints

if TYPE_CHECKING:
    from secateur import CFR, Game, Pruning

MODES = ("none", "partial", "brp", "brp100")
PRECISIONS = ("float32", "int16")
"""Modes of their own, with partial pruning; the others have float64."""

MOST_ROUNDS = 5


def compile_to_file(rules: Game, path: Path) -> None:
    """Compile a game so that every run can map it into memory."""
    import secateur

    secateur.save_compiled(secateur.compile(rules, pruning=True), path)


@dataclass(frozen=True)
class Method:
    """An algorithm, and the power of its averaging if it is not the usual."""

    algorithm: str
    averaging: float | None = None

    def solver(self, mode: str, *, count: bool) -> CFR:
        """Return it with a way to prune."""
        import secateur
        from secateur.algorithms import ALGORITHMS

        more: dict[str, Any] = {}
        if self.averaging is not None:
            more["averaging"] = secateur.Averaging(self.averaging)
        if mode in PRECISIONS:
            more["storage"] = secateur.Storage(mode)
        solver = ALGORITHMS[self.algorithm].solver(pruning=_policy(mode), count_nodes=count, **more)
        assert isinstance(solver, secateur.CFR)
        return solver


def _policy(mode: str) -> Pruning:
    import secateur

    policies = {
        "none": secateur.NoPruning,
        "partial": secateur.PartialPruning,
        "brp": secateur.BestResponsePruning,
        "brp100": partial(secateur.BestResponsePruning, check_every=100, evaluations=0.25),
    }
    return policies["partial" if mode in PRECISIONS else mode]()


@dataclass(frozen=True)
class Limits:
    """When a run ends: at most so many iterations or seconds, or when NashConv is so small."""

    iterations: int | None = None
    target: float = 0.0
    seconds: float = math.inf
    at_least: int = 0
    """Iterations that are run even if NashConv is small enough before."""


@dataclass(frozen=True)
class Run:
    """What is to be run, and what is to be looked at."""

    path: str
    """The compiled game."""

    mode: str
    method: Method
    limits: Limits
    targets: tuple[float, ...] = ()
    """Values of NashConv: when were they reached?"""

    watched: tuple[int, ...] = ()
    """Numbers of iterations: what was NashConv then?"""

    count: bool = False
    """Whether nodes are counted, which takes time."""

    repeat_below: float = 0.0
    """Seconds: shorter runs are repeated until so many are used, and the fastest is kept."""

    def in_own_process(self) -> dict[str, Any]:
        """Return what :meth:`measure` finds in a new process, on one core."""
        arguments = [json.dumps(asdict(self))]
        return run_worker(Path(sys.executable), arguments, "benchmarks.runs")

    def measure(self) -> dict[str, Any]:
        """Return what the run takes.

        To stop for a look takes as long as some iterations of a small game; short runs, which are
        repeated, stop only where the first one has reached something.
        """
        last = () if self.limits.iterations is None else (self.limits.iterations,)
        found = [self._once(checkpoints((*self.watched, *last)))]
        first = found[0]
        stops = {int(when["iterations"]) for when in first["reached"].values()}
        stops.add(first["iterations"])
        while (
            len(found) < MOST_ROUNDS and sum(each["seconds"] for each in found) < self.repeat_below
        ):
            found.append(self._once(sorted(stops)))
        return fastest(found)

    def _once(self, looks: Iterable[int]) -> dict[str, Any]:
        import secateur
        from secateur.memory import return_free_memory
        from secateur.preparing import prepare_kernels

        limits = self.limits
        solver = self.method.solver(self.mode, count=self.count)
        prepare_kernels(solver, secateur.open_compiled(self.path))
        return_free_memory()  # so that what is returned later was taken later
        idle = resident_memory()
        game = secateur.open_compiled(self.path)
        game.forget()  # its checksums were just read
        return_free_memory()
        forget_peak_memory()
        state = solver.start(game)
        seen = Seen(self.targets, self.watched)
        for look in looks:
            with timed() as stretch:
                state.step(look - state.iteration)
            seen.look(look, stretch.processor, stretch.wall, state.nash_conv())
            solved = seen.nash_conv <= limits.target and look >= limits.at_least
            if solved or seen.seconds >= limits.seconds or look == limits.iterations:
                break
        game.forget()
        resident, peak = resident_memory(), peak_memory()
        return {
            "information_sets": game.size.information_sets,
            "sequences": game.size.sequences,
            "payoffs": game.payoffs,
            **asdict(seen),
            "nodes": state.nodes_touched,
            "regrets": state.regret_entries_live / game.cells,
            "sums": state.strategy_entries_live / game.cells,
            "resident": None if idle is None else resident - idle,
            "peak": None if idle is None else peak - idle,
        }


@dataclass
class Seen:
    """What looks at a run have found so far; looking takes no time."""

    targets: tuple[float, ...]
    watched: tuple[int, ...]
    iterations: int = 0
    seconds: float = 0.0
    passed: float = 0.0
    nash_conv: float = math.inf
    reached: dict[str, dict[str, float]] = field(default_factory=dict)
    """When NashConv was first so small: iterations, seconds, and the time that had passed."""

    at: dict[str, float] = field(default_factory=dict)
    """NashConv after these iterations."""

    def look(self, iterations: int, seconds: float, passed: float, nash_conv: float) -> None:
        """Note NashConv after iterations that took so long since the last look."""
        self.iterations = iterations
        self.seconds += seconds
        self.passed += passed
        self.nash_conv = nash_conv
        now = {"iterations": iterations, "seconds": self.seconds, "passed": self.passed}
        for target in self.targets:
            if nash_conv <= target:
                self.reached.setdefault(f"{target:g}", now)
        if iterations in self.watched:
            self.at[str(iterations)] = nash_conv


def fastest(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the longest of runs that all do the same, with the least times to each target.

    What else the machine does can only add to a time.
    """
    longest = min(found, key=lambda run: (-run["iterations"], run["seconds"]))
    reached: dict[str, dict[str, float]] = {}
    for run in found:
        for target, when in run["reached"].items():
            if target not in reached or when["seconds"] < reached[target]["seconds"]:
                reached[target] = when
    at = {iterations: gap for run in found for iterations, gap in run["at"].items()}
    return longest | {"reached": reached, "at": at}


def _read(text: str) -> Run:
    run = Run(**json.loads(text))
    method: Any = run.method
    limits: Any = run.limits
    return replace(run, method=Method(**method), limits=Limits(**limits))


def main() -> None:
    """Measure a run and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=_read, help="a run, as JSON")
    parser.add_argument("--result", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args()
    options.result.write_text(json.dumps(options.run.measure()))


if __name__ == "__main__":
    main()
