"""The same linear program by the interior-point method of HiGHS."""

from __future__ import annotations

from benchmarks.solvers import highs_runner


class Runner(highs_runner.Runner):
    """HiGHS, interior point with crossover."""

    method = "highs-ipm"
