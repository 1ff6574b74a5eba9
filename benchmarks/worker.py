"""One measurement of one solver on one game, in a process of its own.

``python -m benchmarks.worker MEASUREMENT SOLVER GAME --files DIRECTORY --result FILE``

The result goes to a file, as JSON, because libraries print.
"""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.clock import forget_peak_memory, peak_memory, resident_memory, timed
from benchmarks.games import GAMES, GameFiles
from benchmarks.schedule import checkpoints

BATCHES = 5
EVALUATIONS = 3
"""Least number of timed evaluations; quick ones are repeated until they took half a second."""

SHORT = 2.0
"""Seconds below which a run to a target is repeated without the stops of the search for it."""

WATCHED = (1, 10, 100, 1000)
"""Iterations at which the NashConv is reported, to compare the algorithms."""


def speed(runner_class: Any, files: GameFiles, _: argparse.Namespace) -> dict[str, Any]:
    """Measure set-up, iterations and memory; the judge is not even loaded."""
    batch = GAMES[files.name].batch
    forget_peak_memory()
    idle = resident_memory()
    with timed() as set_up:
        runner = runner_class(files)
    with timed() as warm_up:
        runner.step(batch)
    batches = []
    for _ in range(BATCHES):
        with timed() as taken:
            runner.step(batch)
        batches.append(taken)
    memory = None
    if idle is not None:
        memory = {"steady": resident_memory() - idle, "peak": peak_memory() - idle}
    return {
        "set_up": set_up.processor,
        "warm_up": warm_up.processor,
        "iterations": [taken.processor / batch for taken in batches],
        "wall_per_processor": sum(t.wall for t in batches) / sum(t.processor for t in batches),
        "memory": memory,
    }


def convergence(runner_class: Any, files: GameFiles, options: argparse.Namespace) -> dict[str, Any]:
    """Iterate to the smallest target; evaluate between the timed batches, off the clock."""
    from benchmarks.sequence_form import SequenceForm

    form = SequenceForm.load(files.form)
    # Another runner goes first and compiles, reads and caches whatever is needed only once.
    runner_class(files).step(2)
    runner = runner_class(files)
    watched: dict[int, float] = {}
    reached: dict[str, dict[str, float]] = {}
    seconds = 0.0
    done = 0
    for checkpoint in checkpoints(watched=WATCHED):
        with timed() as taken:
            runner.step(checkpoint - done)
        seconds += taken.processor
        done = checkpoint
        plans = runner.average(form)
        nash_conv = form.nash_conv(plans)
        if done in WATCHED:
            watched[done] = nash_conv
        for target in options.targets:
            if nash_conv <= target and str(target) not in reached:
                reached[str(target)] = {"iterations": done, "seconds": seconds}
        if nash_conv <= min(options.targets) or seconds > options.budget:
            break
    for run in reached.values():
        if run["seconds"] < SHORT:
            run["seconds"] = _uninterrupted(runner_class, files, int(run["iterations"]))
    evaluations: list[float] = []
    while len(evaluations) < EVALUATIONS or sum(evaluations) < 0.5:
        with timed() as taken:
            own = runner.own_nash_conv()
        evaluations.append(taken.processor)
    return {
        "reached": reached,
        "watched": watched,
        "last": {
            "iterations": done,
            "seconds": seconds,
            "nash_conv": nash_conv,
            "own_nash_conv": own,
            "value": form.value(plans),
        },
        "evaluation": median(evaluations),
    }


def _uninterrupted(runner_class: Any, files: GameFiles, iterations: int) -> float:
    """Return the median time of fresh runs: stops would be much of the time of a short one."""
    seconds = []
    for _ in range(BATCHES):
        runner = runner_class(files)
        with timed() as taken:
            runner.step(iterations)
        seconds.append(taken.processor)
    return median(seconds)


def solution(runner_class: Any, files: GameFiles, options: argparse.Namespace) -> dict[str, Any]:
    """Measure a solver that finds the solution in one go."""
    from benchmarks.sequence_form import SequenceForm

    forget_peak_memory()
    idle = resident_memory()
    with timed() as set_up:
        runner = runner_class(files)
    with timed() as taken:
        plans = runner.solve(options.budget)
    memory = None if idle is None else {"peak": peak_memory() - idle}
    result = {"set_up": set_up.processor, "seconds": taken.processor, "memory": memory}
    if plans is not None:
        form = SequenceForm.load(files.form)
        result |= {"nash_conv": form.nash_conv(plans), "value": form.value(plans)}
    return result


def main() -> None:
    """Run the measurement that the command line asks for."""
    measurements = {"speed": speed, "convergence": convergence, "solution": solution}
    parser = argparse.ArgumentParser()
    parser.add_argument("measurement", choices=measurements)
    parser.add_argument("solver")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("--targets", type=float, nargs="+", default=[1e-2, 1e-3])
    parser.add_argument("--budget", type=float, default=600.0)
    options = parser.parse_args()
    runner_class = import_module(f"benchmarks.solvers.{options.solver}_runner").Runner
    files = GameFiles(options.game, options.files)
    result = measurements[options.measurement](runner_class, files, options)
    options.result.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
