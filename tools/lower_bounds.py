"""Print the oldest versions that ``pyproject.toml`` allows, as constraints for pip."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path


def lower_bounds(dependencies: list[str]) -> list[str]:
    """Return ``name==version`` for each dependency that has a lower bound."""
    found = (re.match(r"([\w-]+)>=([\w.]+)", dependency) for dependency in dependencies)
    return [f"{bound[1]}=={bound[2]}" for bound in found if bound is not None]


if __name__ == "__main__":
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    print(*lower_bounds(project["project"]["dependencies"]), sep="\n")
