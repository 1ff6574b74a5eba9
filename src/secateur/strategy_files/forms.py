"""The two forms of strategy files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from secateur.strategy_files import compact, readable


def form_of(path: str | Path) -> ModuleType:
    """Return the module that reads a file: by its content, whatever its name."""
    return compact if compact.recognized(path) else readable
