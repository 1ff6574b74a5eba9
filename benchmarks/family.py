"""All of the CFR family on games of many kinds: ``python -m benchmarks.family``.

Every algorithm runs with partial pruning, and with best-response pruning that begins by itself,
until NashConv is 1e-4 or ``--seconds`` of processor time are used; looks at NashConv, at steps of
5 % or less, take no time. Some go on for 10,000 iterations, to be compared at equal iterations.
NashConv is in the units of each game's payoffs, whose range is in the table of games.

Every run is kept as a line of the file ``--results`` when it ends. Runs that are there are not run
again, unless they were ended by a shorter limit of time: a benchmark that was interrupted goes on.
Runs of less than 5 s are run in ``--rounds`` processes, all algorithms in turn; the least time to
each target counts. A file of results is for one version of the package on one machine.
The tables are printed, as Markdown, from the runs of the file that were asked for.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.family_games import GAMES
from benchmarks.family_tables import Key, tables
from benchmarks.launch import WorkerError
from benchmarks.runs import Limits, Method, Run, compile_to_file, fastest

ALGORITHMS = {
    "cfr": Method("cfr"),
    "lcfr": Method("lcfr"),
    "cfr+": Method("cfr+"),
    "cfr+^2": Method("cfr+", 2.0),
    "dcfr": Method("dcfr"),
    "dcfr^4": Method("dcfr", 4.0),
    "dcfr+": Method("dcfr+"),
    "pcfr+": Method("pcfr+"),
    "pdcfr+": Method("pdcfr+"),
    "sapcfr+": Method("sapcfr+"),
}
"""All that are compared; behind ^ is another power of the average."""

MODES = ("partial", "brp")
TARGETS = (1e-2, 1e-3, 1e-4)
WATCHED = (10, 100, 1000, 10_000)
WATCHED_ALGORITHMS = ("dcfr", "dcfr^4", "cfr+")
"""Those that go on for all of these iterations."""

REPEAT_BELOW = 1.0
"""Seconds below which a process repeats its run."""

SHORT = 5.0
"""Seconds below which a run is repeated in another process."""


def read(path: Path) -> dict[Key, list[dict[str, Any]]]:
    """Return the runs that are kept in a file."""
    found: dict[Key, list[dict[str, Any]]] = {}
    lines = path.read_text().splitlines() if path.exists() else []
    for run in map(json.loads, lines):
        found.setdefault((run["game"], run["algorithm"], run["mode"]), []).append(run)
    return found


def is_done(runs: list[dict[str, Any]], limit: float, rounds: int) -> bool:
    """Tell whether enough runs came to their own end, or had as much time as there is now."""
    ended = [run for run in runs if run["seconds"] < run["limit"] or limit <= run["limit"]]
    return len(ended) >= rounds or any(run["seconds"] >= SHORT for run in ended)


def measure(games: list[str], wanted: list[Key], path: Path, limit: float, rounds: int) -> None:
    """Add the runs that are missing to a file."""
    for game in games:
        here = [key for key in wanted if key[0] == game]
        with tempfile.TemporaryDirectory() as directory:
            compiled = Path(directory) / "game"
            for _ in range(rounds):
                runs = read(path)
                missing = [key for key in here if not is_done(runs.get(key, []), limit, rounds)]
                if missing and not compiled.exists():
                    compile_to_file(GAMES[game].rules(), compiled)
                for key in missing:
                    _append(path, key, compiled, limit)


def _append(path: Path, key: Key, compiled: Path, limit: float) -> None:
    game, algorithm, mode = key
    at_least = max(WATCHED) if algorithm in WATCHED_ALGORITHMS else 0
    limits = Limits(target=min(TARGETS), seconds=limit, at_least=at_least)
    method = ALGORITHMS[algorithm]
    run = Run(str(compiled), mode, method, limits, TARGETS, WATCHED, repeat_below=REPEAT_BELOW)
    try:
        found = run.in_own_process()
    except WorkerError as error:
        print(f"{game}, {algorithm}, {mode} failed: {error}", file=sys.stderr)
        return
    line = {"game": game, "algorithm": algorithm, "mode": mode, "limit": limit, **found}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(
        f"{game}, {algorithm}, {mode}: {found['nash_conv']:.2g} in {found['seconds']:.3g} s",
        file=sys.stderr,
    )


def main() -> None:
    """Run what is missing and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=GAMES)
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS), choices=ALGORITHMS)
    parser.add_argument("--modes", nargs="+", default=list(MODES), choices=MODES)
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of each run")
    parser.add_argument("--rounds", type=int, default=3, help="processes of a short run")
    parser.add_argument("--results", type=Path, default=Path("family.jsonl"), help="file of runs")
    options = parser.parse_args()
    wanted = [
        (game, algorithm, mode)
        for game in options.games
        for algorithm in options.algorithms
        for mode in options.modes
    ]
    measure(options.games, wanted, options.results, options.seconds, options.rounds)
    runs = read(options.results)
    chosen = {key: fastest(runs[key]) for key in wanted if key in runs}
    watched = [name for name in WATCHED_ALGORITHMS if name in options.algorithms]
    for table in tables(chosen, options.algorithms, TARGETS, watched, WATCHED):
        print(table.as_markdown())


if __name__ == "__main__":
    main()
