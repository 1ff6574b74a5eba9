"""``secateur reproduce``: runs the curves of figures again and judges what is claimed of them."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from secateur.atomic import new_file
from secateur.cli.curves import CurveProgress
from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.outfile import writable, writable_directory
from secateur.cli.report import console, print_json
from secateur.papers.budgets import FULL, QUICK, Budgets
from secateur.papers.claims import Judgement
from secateur.papers.curves import Curve
from secateur.papers.figure import Figure
from secateur.papers.figures import FIGURES
from secateur.papers.plots import check_matplotlib, draw, save
from secateur.papers.runs import Run, Runs, run_curves
from secateur.papers.tables import as_csv, as_markdown, verdict


def run(arguments: argparse.Namespace) -> int:
    """Run figures, write what was measured, and report the verdicts; a shared curve runs once."""
    figures = [FIGURES[name] for name in dict.fromkeys(arguments.figures)]
    short = arguments.quick
    check_matplotlib()
    places = [_files(arguments.out, figure) for figure in figures]
    runs: dict[Curve, Run] = {}
    facts = []
    for figure, files in zip(figures, places, strict=True):
        budgets = QUICK if short else figure.budgets(FULL)
        runs |= _measured([curve for curve in figure.curves if curve not in runs], budgets)
        judgements = figure.judge(runs)
        _write_all(figure, runs, budgets, judgements, files, short=short)
        if arguments.json:
            facts.append(_as_json(figure, judgements, files, short=short))
        else:
            _show(figure, judgements, files, short=short)
    if arguments.json:
        print_json({"figures": facts})
    return OK


def _write_all(
    figure: Figure,
    runs: Runs,
    budgets: Budgets,
    judgements: list[Judgement],
    files: dict[str, Path],
    *,
    short: bool,
) -> None:
    _write(files["csv"], as_csv(figure, runs))
    _write(files["claims"], as_markdown(figure, budgets, judgements, short=short))
    picture = draw(figure, runs, short=short)
    for kind in ("png", "svg"):
        with new_file(files[kind]) as file:
            save(picture, file, kind)


def _files(directory: str, figure: Figure) -> dict[str, Path]:
    """Return the files to write, by what they are."""
    place = writable_directory(directory)
    names = {kind: f"{figure.name}.{kind}" for kind in ("csv", "png", "svg")}
    names["claims"] = f"{figure.name}-claims.md"
    return {kind: writable(str(place / name)) for kind, name in names.items()}


def _measured(curves: list[Curve], budgets: Budgets) -> Runs:
    with CurveProgress(curves, budgets) as display:
        say_once = functools.cache(display.note)
        for curve in curves:
            prepare_kernels(say_once, curve.solver)
        return run_curves(curves, budgets, display.observe)


def _write(path: Path, text: str) -> None:
    with new_file(path) as file:
        file.write(text.encode())


def _show(
    figure: Figure, judgements: Sequence[Judgement], files: dict[str, Path], *, short: bool
) -> None:
    table = Table(title=figure.title, title_justify="left")
    table.add_column("claim", style="bold", overflow="fold")
    table.add_column(figure.claimed_by, overflow="fold")
    table.add_column("ours", justify="right", no_wrap=True)
    table.add_column("holds if", overflow="fold")
    table.add_column("verdict", overflow="fold")
    for each in judgements:
        claim = each.claim
        words = verdict(each, short=short)
        table.add_row(claim.sentence, claim.claimed, f"{each.ours:.3g}", claim.criterion, words)
    out = console()
    out.print(table)
    out.print(f"Written: {', '.join(map(str, files.values()))}")


def _as_json(
    figure: Figure, judgements: Sequence[Judgement], files: dict[str, Path], *, short: bool
) -> dict[str, Any]:
    return {
        "figure": figure.name,
        "short_run": short,
        "claims": [
            {
                "claim": each.claim.sentence,
                "measured": each.claim.measure.words,
                "claimed": each.claim.claimed,
                "ours": each.ours,
                "holds_if": each.claim.criterion,
                "verdict": each.verdict.value,
            }
            for each in judgements
        ],
        "files": {kind: str(path) for kind, path in files.items()},
    }
