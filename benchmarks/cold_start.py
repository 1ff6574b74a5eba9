"""How long a user waits for the first answer: ``python -m benchmarks.cold_start``.

Wall time of ``secateur solve leduc --target 1e-3`` from the shell: once with nothing compiled
before (an empty directory for numba's cache), and then with the cache that this run leaves.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rich.console import Console

from benchmarks.table import Table, seconds

# What the installed command does, whether or not its directory is on the PATH.
_ENTRY = "import sys; from secateur.cli.main import main; sys.exit(main())"
COMMAND = ("solve", "leduc", "--target", "1e-3")


def wait(program: list[str], cache: Path) -> float:
    """Return the wall time of a Python program with its own directory for compiled code."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *program], env=environment, capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(program)} failed:\n{done.stderr}")
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    solve = ["-c", _ENTRY, *COMMAND]
    imports = ["-c", "import secateur"]
    cold, warm, importing = [], [], []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as directory:
            cache = Path(directory)
            importing.append(wait(imports, cache))
            cold.append(wait(solve, cache))
            warm.append(wait(solve, cache))
    table = Table(f"secateur {' '.join(COMMAND)}", ("start", "median", "lowest", "highest"))
    runs = {"import only": importing, "nothing compiled": cold, "compiled before": warm}
    for name, times in runs.items():
        table.rows.append((name, *map(seconds, (median(times), min(times), max(times)))))
    Console().print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
