"""With NUMBA_DISABLE_JIT every solver runs as plain Python, for debuggers: to the same end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import secateur
from support.outcomes import RUNS, outcome

SCRIPT = """
import json
from support.outcomes import RUNS, outcome
print(json.dumps([outcome(*run) for run in RUNS]))
"""

WARNINGS = (
    *("-W", "error::RuntimeWarning"),
    *("-W", "ignore::RuntimeWarning:secateur.kernels.gradients.respond"),  # lanes nobody reads
    *("-W", "error:overflow:RuntimeWarning"),  # of integers, anywhere
)
"""What NumPy warns of must not happen; compiled code says nothing."""


@pytest.fixture(scope="module")
def interpreted() -> dict[tuple[str, str], list[float]]:
    places = Path(secateur.__file__).parent.parent, Path(__file__).parent
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join(map(str, places)),
    }
    command = [sys.executable, *WARNINGS, "-c", SCRIPT]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return dict(zip(RUNS, json.loads(run.stdout), strict=True))


@pytest.mark.parametrize(("title", "game"), RUNS)
def test_without_compilation_every_solver_does_the_same(interpreted, title, game):
    compiled = outcome(title, game)
    assert interpreted[title, game] == pytest.approx(compiled, rel=1e-9, abs=1e-12)


def test_shares_that_are_alive_are_shares(interpreted):
    """Sums of small ids once overflowed, and less than nothing was alive."""
    _, regrets, sums, _, *probabilities = interpreted["cfr, brp, eager", "leduc"]
    assert 127 < regrets <= len(probabilities)
    assert 127 < sums <= len(probabilities)
