"""``secateur status``: how far runs are that are kept in directories."""

from __future__ import annotations

import argparse
from typing import Any

from rich.box import SIMPLE
from rich.table import Table

from secateur.cli.choices import chosen_limits
from secateur.cli.complaints import complain
from secateur.cli.exits import BAD_INPUT, OK
from secateur.cli.kept import options_of
from secateur.cli.report import console, duration, memory, number, print_json
from secateur.cli.values import written
from secateur.errors import SecateurError
from secateur.runs.directory import RunDirectory
from secateur.runs.reading import RunReading, read_run

RUNNING, STOPPED = "running", "stopped"
_WORDS = ("run", "game, algorithm")
_NUMBERS = ("state", "iteration", "exploit-\nability", "alive", "memory", "time", "check-\npoint")


def run(arguments: argparse.Namespace) -> int:
    """Print a table of the runs that can be read; complain about the others."""
    found: dict[str, RunReading] = {}
    for name in dict.fromkeys(arguments.directories):
        try:
            found[name] = read_run(name)
        except SecateurError as error:
            complain(str(error))
    if arguments.json:
        print_json([_as_json(name, reading) for name, reading in found.items()])
    elif found:
        console().print(_table(found))
    return OK if len(found) == len(set(arguments.directories)) else BAD_INPUT


def _as_json(name: str, reading: RunReading) -> dict[str, Any]:
    configuration = reading.configuration
    return {
        "run": name,
        "game": configuration.game,
        "settings": configuration.settings,
        "options": configuration.options,
        "limits": configuration.limits,
        "state": _state(name, reading),
        "checkpoint": reading.checkpoint,
        "latest": reading.history[-1]._asdict() if reading.history else None,
    }


def _table(found: dict[str, RunReading]) -> Table:
    table = Table(box=SIMPLE, padding=0)  # all of it should fit 80 columns
    for column in _WORDS:
        table.add_column(column, overflow="fold", style="bold" if column == "run" else None)
    for column in _NUMBERS:
        table.add_column(column, justify="right", no_wrap=True)
    for name, reading in found.items():
        numbers = ["", "", "", "", ""]
        if reading.history:
            now = reading.history[-1]
            numbers = [
                f"{now.iteration:,}",
                number(now.exploitability),
                f"{now.alive:.0%}",
                memory(now.bytes_resident),
                duration(now.seconds),
            ]
        checkpoint = "" if reading.checkpoint is None else f"{reading.checkpoint:,}"
        state = _state(name, reading)
        if state not in (RUNNING, STOPPED):
            state = "done"
        table.add_row(name, _described(reading), state, *numbers, checkpoint)
    return table


def _described(reading: RunReading) -> str:
    """Return what is solved and how, as it would be typed."""
    game, settings, options, _ = reading.configuration
    given = {"prune": "partial"} | {
        name: value for name, value in options.items() if value is not None
    }
    shown = [game, *(f"{name}={value}" for name, value in settings.items())]
    chosen = [str(given.pop("algorithm")), str(given.pop("prune"))]
    rest = [
        name.replace("_", "-") + ("" if value is True else f" {written(value)}")
        for name, value in given.items()
    ]
    return ", ".join([" ".join(shown), " ".join(chosen), *rest])


def _state(name: str, reading: RunReading) -> str:
    """Return whether a run goes on, or which limit has ended it."""
    if reading.running:
        return RUNNING
    limits = chosen_limits(options_of(reading.configuration, RunDirectory(name)))
    ended = (
        words
        for words, limit in limits.items()
        if reading.history and limit.met(reading.history[-1])
    )
    return next(ended, STOPPED)
