"""Run workers: one process at a time, one thread, one core."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "NUMEXPR")


class WorkerError(Exception):
    """A worker ended without a result; says what it last complained about."""


def one_thread() -> dict[str, str]:
    """Return the environment of a process that must not use more than one thread."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    threads = {f"{library}_NUM_THREADS": "1" for library in _THREADS}
    return {**os.environ, **threads, "PYTHONPATH": os.pathsep.join(paths)}


def on_one_core(command: list[str]) -> list[str]:
    """Return the command, kept on one core where the system can do that."""
    if shutil.which("taskset") is None or not hasattr(os, "sched_getaffinity"):
        return command
    return ["taskset", "-c", str(max(os.sched_getaffinity(0))), *command]


def run_worker(
    python: Path, arguments: list[str], module: str = "benchmarks.worker", *, cores: int = 1
) -> dict[str, Any]:
    """Run a module that writes its result, as JSON, to the file given by ``--result``.

    If it may use more than one core, it is kept on none.
    """
    with tempfile.TemporaryDirectory() as directory:
        result = Path(directory) / "result.json"
        command = [str(python), "-m", module, *arguments, "--result", str(result)]
        done = subprocess.run(
            on_one_core(command) if cores == 1 else command,
            env=one_thread(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            complaints = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            raise WorkerError(complaints[-1])
        return json.loads(result.read_text())
