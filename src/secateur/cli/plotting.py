"""``secateur plot``: draws runs that are kept in directories."""

from __future__ import annotations

import argparse

from secateur.atomic import new_file
from secateur.cli.exits import OK
from secateur.cli.outfile import writable
from secateur.cli.report import console
from secateur.errors import FileError
from secateur.pictures import check_matplotlib, save
from secateur.runs.plots import X_AXES, draw_runs
from secateur.runs.reading import read_run
from secateur.stopping import Snapshot


def run(arguments: argparse.Namespace) -> int:
    """Draw one picture of all runs, and write it twice."""
    check_matplotlib()
    name = arguments.out or f"{arguments.y}-by-{arguments.x}"
    files = {kind: writable(f"{name}.{kind}") for kind in ("png", "svg")}
    runs = {each: _history(each, arguments.x) for each in arguments.directories}
    picture = draw_runs(runs, arguments.x, arguments.y)
    for kind, path in files.items():
        with new_file(path) as file:
            save(picture, file, kind)
    console().print(f"Written: {', '.join(map(str, files.values()))}")
    return OK


def _history(directory: str, x: str) -> list[Snapshot]:
    history = read_run(directory).history
    if not history:
        raise FileError(f"{directory} has no snapshots yet; wait, or leave it out.")
    if X_AXES[x].value(history[-1]) is None:
        raise FileError(
            f"{directory} did not count nodes, which takes 'secateur solve --count-nodes'; "
            "use --x iterations or seconds."
        )
    return history
