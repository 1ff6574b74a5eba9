"""``secateur plot``: draws runs that are kept in directories."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from secateur.atomic import new_file
from secateur.cli.exits import OK
from secateur.cli.outfile import writable
from secateur.cli.report import console
from secateur.conditions import Snapshot
from secateur.describing import solver_in_words
from secateur.errors import FileError
from secateur.pictures import check_matplotlib, save
from secateur.runs.plots import X_AXES, draw_runs
from secateur.runs.reading import Run, open_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

KINDS = ("png", "svg")


def run(arguments: argparse.Namespace) -> int:
    """Draw one picture of all runs, and write it twice."""
    check_matplotlib()
    files = picture_files(arguments.out or f"{arguments.y}-by-{arguments.x}")
    directories = list(dict.fromkeys(arguments.directories))
    opened = [open_run(each) for each in directories]
    histories = [
        _checked(name, each.history, arguments.x)
        for name, each in zip(directories, opened, strict=True)
    ]
    runs = dict(zip(curve_names(directories, opened), histories, strict=True))
    games = _games(opened)
    title = games[0] if len(games) == 1 else f"{len(games)} different games"
    if len(games) > 1:
        print(
            f"secateur: these are runs of different games ({', '.join(games)}): exploitability is "
            "in the unit of each game's payoffs",
            file=sys.stderr,
        )
    save_picture(draw_runs(runs, arguments.x, arguments.y, title), files)
    return OK


def picture_files(name: str) -> dict[str, Path]:
    """Return where to write a picture: one file if its kind is named, else one of each kind."""
    given = Path(name).suffix.lstrip(".").lower()
    if given in KINDS:
        return {given: writable(name)}
    return {kind: writable(f"{name}.{kind}") for kind in KINDS}


def save_picture(picture: Picture, files: dict[str, Path], *, quiet: bool = False) -> None:
    """Write a picture to files, and say so."""
    for kind, path in files.items():
        with new_file(path) as file:
            save(picture, file, kind)
    if not quiet:
        console().print(f"Written: {', '.join(map(str, files.values()))}")


def curve_names(directories: Sequence[str], runs: Sequence[Run]) -> list[str]:
    """Return what tells runs apart: method, game if there are several, directory if need be."""
    several = len(_games(runs)) > 1
    names = [
        f"{each.game}: {solver_in_words(each.solver)}" if several else solver_in_words(each.solver)
        for each in runs
    ]
    counts = Counter(names)
    return [
        name if counts[name] == 1 else f"{name} ({directory})"
        for name, directory in zip(names, directories, strict=True)
    ]


def _games(runs: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(str(each.game) for each in runs))


def _checked(directory: str, history: list[Snapshot], x: str) -> list[Snapshot]:
    if not history:
        raise FileError(f"{directory} has no snapshots yet; wait, or leave it out.")
    if X_AXES[x].value(history[-1]) is None:
        raise FileError(
            f"{directory} did not count nodes, which takes 'secateur solve --count-nodes'; "
            "use --x iterations or seconds."
        )
    return history
