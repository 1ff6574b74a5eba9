"""Compare secateur with its peers: ``python -m benchmarks.peers --out peers.md``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from subprocess import CalledProcessError

from rich.console import Console

from benchmarks import report
from benchmarks.games import GAMES, write_files
from benchmarks.launch import WorkerError, run_worker
from benchmarks.noregret_environment import VERSION, noregret_python
from benchmarks.results import US, Measured
from benchmarks.table import wide_console

ITERATIVE = (US, "secateur_unpruned", "openspiel", "liteefg", "noregret")
DIRECT = ("highs", "highs_ipm")


def main() -> None:
    """Measure, print and write."""
    options = _options()
    console = wide_console(120)
    pythons, remarks = _interpreters(options)
    everything: dict[str, report.Measurements] = {}
    for game in options.games:
        everything[game] = _measure(game, pythons, options, console)
    tables = []
    for game, measured in everything.items():
        remarks += [
            f"{report.NAMES[solver]} failed on {game}: {each.failure}"
            for solver, each in measured.items()
            if each.failure
        ]
        tables += [
            report.speed_table(game, measured, everything.get("kuhn", {})),
            report.target_table(game, measured, options.targets),
            report.agreement_table(game, measured),
        ]
    busy = max(each.busy for measured in everything.values() for each in measured.values())
    if busy > 1.05:
        remarks.append(
            f"Other programs used the core: wall time was up to {busy:.2f} times processor time. "
            "Small differences mean nothing in this run."
        )
    notes = [report.NOTES[solver] for solver in options.solvers if solver in report.NOTES]
    text = [*report.METHOD, *notes, *remarks]
    for table in tables:
        console.print(table.for_terminal())
    for line in (_machine(), *text):
        console.print(f"• {line}", highlight=False, markup=False)
    if options.out:
        parts = [
            "## secateur and its peers\n",
            _machine() + "\n",
            *(table.as_markdown() for table in tables),
            "### Method and notes\n",
            *(f"- {line}" for line in text),
        ]
        options.out.write_text("\n".join(parts) + "\n")
    if options.json:
        raw = {game: {s: asdict(m) for s, m in each.items()} for game, each in everything.items()}
        options.json.write_text(json.dumps(raw, indent=1))


def _measure(
    game: str, pythons: dict[str, Path], options: argparse.Namespace, console: Console
) -> report.Measurements:
    """Run all solvers on one game, in turns."""
    console.print(f"[dim]{game}: writing the game for the peers[/dim]")
    files = write_files(game, options.cache / "games")
    measured = {solver: Measured() for solver in pythons}
    common = ["--files", str(files.directory), "--budget", str(options.budget), "--targets"]
    common += map(str, options.targets)

    def work(measurement: str, solver: str) -> dict | None:
        if measured[solver].failure:
            return None
        console.print(f"[dim]{game}: {report.NAMES[solver]}, {measurement}[/dim]")
        try:
            return run_worker(pythons[solver], [measurement, solver, game, *common])
        except WorkerError as error:
            measured[solver].failure = str(error)
            return None

    iterative = [solver for solver in pythons if solver in ITERATIVE]
    for _ in range(options.rounds):
        for solver in iterative:
            if speed := work("speed", solver):
                measured[solver].speeds.append(speed)
    for solver in iterative:
        measured[solver].convergence = work("convergence", solver)
    for solver in pythons:
        if solver in DIRECT:
            measured[solver].solution = work("solution", solver)
    return measured


def _interpreters(options: argparse.Namespace) -> tuple[dict[str, Path], list[str]]:
    """Return the Python of each solver, and remarks on those that are left out."""
    pythons = dict.fromkeys(options.solvers, Path(sys.executable))
    remarks = []
    if "noregret" in pythons:
        if options.python312 is None:
            del pythons["noregret"]
            remarks.append("noregret is left out: it needs Python 3.12 (see --python312).")
        else:
            try:
                pythons["noregret"] = noregret_python(Path(options.python312), options.cache)
            except (CalledProcessError, OSError) as error:
                del pythons["noregret"]
                remarks.append(f"noregret is left out: it could not be installed ({error}).")
    return pythons, remarks


def _machine() -> str:
    """Say on what the numbers were measured."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    libraries = [f"noregret {VERSION}"]
    for name in (US, "open_spiel", "LiteEFG", "scipy", "numpy", "numba"):
        try:
            libraries.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            libraries.append(f"{name} (not installed)")
    python = platform.python_version()
    return f"{processor}, {os.cpu_count()} cores; Python {python}; {', '.join(libraries)}."


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    solvers = (*ITERATIVE, *DIRECT)
    parser.add_argument("--solvers", nargs="+", choices=solvers, default=list(solvers))
    parser.add_argument("--rounds", type=int, default=3, help="how often the solvers take turns")
    parser.add_argument("--targets", type=float, nargs="+", default=[1e-2, 1e-3])
    parser.add_argument(
        "--budget", type=float, default=900.0, help="seconds for one run to a target"
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "secateur-benchmarks",
        help="directory for game files and noregret's virtual environment",
    )
    parser.add_argument(
        "--python312", default=shutil.which("python3.12"), help="a Python 3.12, for noregret"
    )
    parser.add_argument("--out", type=Path, help="markdown file to write")
    parser.add_argument("--json", type=Path, help="file for the raw measurements")
    return parser.parse_args()


if __name__ == "__main__":
    main()
