"""A virtual environment for noregret, which needs its own Python and cannot share ours.

noregret asks for a GPU library, which is left out: it is imported only by the kernel that uses
it, and the comparison runs on the processor.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

VERSION = "0.0.0.dev17"
_NEEDED = (
    "gurobipy>=13.0.2,<14",
    "numpy>=2.4.4,<3",
    "open-spiel>=1.6.14,<2",
    "ordered-set>=4.1.0,<5",
    "orjson>=3.11.9,<4",
    "pokerkit>=0.7.7.dev0,<0.8",
    "scipy>=1.17.1,<2",
    "tqdm>=4.67.3,<5",
)


def noregret_python(python312: Path, cache: Path) -> Path:
    """Return the interpreter of an environment with noregret; make it if it does not exist."""
    directory = cache / f"noregret-{VERSION}"
    python = directory / "bin" / "python"
    complete = directory / "complete"
    if not complete.exists():
        install = [python, "-m", "pip", "install", "--quiet"]
        _run([python312, "-m", "venv", "--clear", directory])
        _run([*install, *_NEEDED])
        _run([*install, "--no-deps", f"noregret=={VERSION}"])
        complete.touch()
    return python


def _run(command: list[str | Path]) -> None:
    subprocess.run(command, check=True, capture_output=True)
