"""What a compiled game and a run on it take, array by array, in a process of its own."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.launch import run_worker
from benchmarks.runs import MODES, Method


def measured_in_own_process(
    path: Path, algorithm: str, mode: str, iterations: int
) -> dict[str, Any]:
    """Return what :func:`measure` finds in a new process, on one core."""
    arguments = [str(path), "--algorithm", algorithm, "--mode", mode]
    arguments += ["--iterations", str(iterations)]
    return run_worker(Path(sys.executable), arguments, "benchmarks.ledger_run")


def measure(path: Path, algorithm: str, mode: str, iterations: int) -> dict[str, Any]:
    """Return the ledger after so many iterations, and what the process takes more than before.

    Kernels are loaded before; the game is memory-mapped.
    """
    import secateur
    from secateur.memory import resident_parts, return_free_memory
    from secateur.preparing import prepare_kernels

    solver = Method(algorithm).solver(mode, count=False)
    prepare_kernels(solver, secateur.open_compiled(path))
    return_free_memory()
    before = resident_parts()
    game = secateur.open_compiled(path)
    game.forget()  # its checksums were just read
    state = solver.start(game)
    state.step(iterations)
    return_free_memory()
    after = resident_parts()
    return {
        "sequences": game.size.sequences,
        "run": f"run with {solver.pruning.title}",
        "ledger": [*secateur.memory_ledger(game), *secateur.memory_ledger(state)],
        "taken": None
        if before is None or after is None
        else [then - now for then, now in zip(after, before, strict=True)],
    }


def main() -> None:
    """Measure a run and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="a compiled game")
    parser.add_argument("--algorithm", required=True)
    parser.add_argument("--mode", choices=MODES, required=True)
    parser.add_argument("--iterations", type=int, required=True)
    parser.add_argument("--result", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args()
    found = measure(options.path, options.algorithm, options.mode, options.iterations)
    options.result.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
