"""Measurements as CSV, and judgements as a table in markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from secateur.papers.budgets import Budgets
from secateur.papers.claims import Judgement
from secateur.papers.figure import Figure
from secateur.papers.runs import Measurement, Runs

COLUMNS = ("figure", "game", "curve", *Measurement._fields)


def as_csv(figure: Figure, runs: Runs) -> str:
    """Return one row per curve and snapshot."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for curve in figure.curves:
        writer.writerows((figure.name, curve.game, curve.name, *now) for now in runs[curve])
    return text.getvalue()


def as_markdown(
    figure: Figure, budgets: Budgets, judgements: Sequence[Judgement], *, short: bool
) -> str:
    """Return what the figure shows, what was run, and a row per claim."""
    lines = [f"## {figure.title}", "", figure.shows, "", figure.open, ""]
    for game in figure.games:
        lines += [
            f"On {game} each curve runs until {budgets[game].nodes:,} nodes are touched, with a "
            f"snapshot every {budgets[game].every:,}; before the first of these, snapshots grow "
            "by a quarter each.",
            "",
        ]
    lines += [
        f"![{figure.title}]({figure.name}.svg)",
        "",
        f"| claim | measured | {figure.claimed_by} | ours | holds if | verdict |",
        "|---|---|--:|--:|---|---|",
    ]
    lines += [
        f"| {each.claim.sentence} | {each.claim.measure.words} | {each.claim.claimed} "
        f"| {each.ours:.3g} | {each.claim.criterion} | {verdict(each, short=short)} |"
        for each in judgements
    ]
    return "\n".join([*lines, ""])


def verdict(judgement: Judgement, *, short: bool) -> str:
    """Return the verdict in words; a short run says so."""
    return f"{judgement.verdict.value} (short run)" if short else judgement.verdict.value
