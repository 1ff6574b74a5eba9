"""Kernels take parts from several files; Numba's cache must notice changes in any of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from secateur import kernels

FOLDER = Path(kernels.__file__).parent

SCRIPT = """
import secateur
from secateur.kernels.core import evaluate
game = secateur.compile(secateur.load("kuhn"))
found = secateur.best_response_value(game, secateur.Strategy.uniform(game), 0)
print(sum(evaluate.best_response_values.stats.cache_hits.values()), found)
"""


def test_a_change_in_a_part_reaches_the_kernels_that_use_it(tmp_path: Path) -> None:
    shutil.copytree(
        FOLDER.parent, tmp_path / "secateur", ignore=shutil.ignore_patterns("__pycache__")
    )
    parts = tmp_path / "secateur" / "kernels" / "core" / "parts.py"

    def run() -> tuple[int, float]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(tmp_path),
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        }
        printed = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        return int(printed[0]), float(printed[1])

    hits, value = run()
    assert hits == 0
    assert run() == (1, value)
    source = parts.read_text()
    assert "sign = 1.0 if me == 0 else -1.0" in source
    parts.write_text(source.replace("sign = 1.0 if", "sign = 3.0 if"))
    hits, changed = run()
    assert hits == 0
    assert changed != value
