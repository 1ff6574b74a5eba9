"""``secateur status``: how far runs are that are kept in directories."""

from __future__ import annotations

import argparse
from typing import Any

from msgspec.structs import asdict
from rich.box import SIMPLE
from rich.table import Table

from secateur.cli.choices import REASONS
from secateur.cli.complaints import complain
from secateur.cli.exits import BAD_INPUT, OK
from secateur.cli.report import console, duration, number, print_json
from secateur.describing import solver_in_words
from secateur.errors import SecateurError
from secateur.games.settings_files import SUFFIX
from secateur.memory import in_units
from secateur.methods import options_of
from secateur.runs.limits import limits_of, told
from secateur.runs.reading import Run, open_run
from secateur.runs.shard_reports import ShardReport

_WORDS = ("run", "game, algorithm")
_NUMBERS = ("state", "iteration", "exploit-\nability", "alive", "memory", "time", "check-\npoint")


def run(arguments: argparse.Namespace) -> int:
    """Print a table of the runs that can be read; complain about the others."""
    found: dict[str, Run] = {}
    for name in dict.fromkeys(arguments.directories):
        try:
            found[name] = open_run(name)
        except SecateurError as error:
            complain(str(error))
    if arguments.json:
        print_json([_as_json(name, each) for name, each in found.items()])
    elif found:
        console().print(_table(found))
        for name, each in found.items():
            if each.shards:
                console().print(_shard_table(name, each.shards))
    return OK if len(found) == len(set(arguments.directories)) else BAD_INPUT


def _as_json(name: str, run: Run) -> dict[str, Any]:
    source = run.game.source
    resources = {"memory_limit": run.memory_limit, "checkpoint_every": run.checkpoint_every}
    return {
        "run": name,
        "game": run.game.name,
        "source": None if source is None else source._asdict(),
        "settings": run.game.settings,
        "options": options_of(run.solver),
        "solver": repr(run.solver),
        "limits": {**limits_of(run.until), **resources},
        "until": None if run.until is None else told(run.until),
        "state": _state(run),
        "checkpoint": run.checkpoint,
        "latest": run.history[-1]._asdict() if run.history else None,
        "shards": [asdict(each) for each in run.shards],
    }


def _table(found: dict[str, Run]) -> Table:
    table = Table(box=SIMPLE, padding=0)  # all of it should fit 80 columns
    for column in _WORDS:
        table.add_column(column, overflow="fold", style="bold" if column == "run" else None)
    for column in _NUMBERS:
        table.add_column(column, justify="right", no_wrap=True)
    for name, run in found.items():
        numbers = ["", "", "", "", ""]
        if run.history:
            now = run.history[-1]
            numbers = [
                f"{now.iteration:,}",
                _exploitability(run, now.exploitability),
                f"{now.alive:.0%}",
                in_units(now.bytes_resident),
                duration(now.seconds),
            ]
        checkpoint = "" if run.checkpoint is None else f"{run.checkpoint:,}"
        words = f"{run.game}; {solver_in_words(run.solver)}"
        table.add_row(name, words, run.state, *numbers, checkpoint)
    return table


def _exploitability(run: Run, found: float) -> str:
    """Return an exploitability, also as a share of the pot if there is one."""
    pot = _pot(run)
    return number(found) if pot is None else f"{number(found)}\n{found / pot:.2%} pot"


def _pot(run: Run) -> float | None:
    """Return the pot of a game; nobody's own code is run to find it."""
    game = run.game
    if game.passed or (game.source is not None and not game.source.file.endswith(SUFFIX)):
        return None
    try:
        return game.load(run).pot
    except SecateurError:  # its file has changed, or is gone
        return None


def _shard_table(name: str, shards: list[ShardReport]) -> Table:
    """Return a line per shard of a run on a cluster."""
    table = Table(box=SIMPLE, padding=0, title=f"shards of {name}", title_justify="left")
    for column in ("shard", "machine", "process"):
        table.add_column(column, overflow="fold")
    for column in ("pieces", "memory", "sweeping", "waiting"):
        table.add_column(column, justify="right", no_wrap=True)
    for shard, each in enumerate(shards):
        times = duration(each.seconds), duration(each.waiting)
        facts = f"{each.pieces:,}", in_units(each.memory), *times
        table.add_row(f"{shard}", each.node, f"{each.process}", *facts)
    return table


def _state(run: Run) -> str:
    """Return whether a run goes on, or which limit has ended it."""
    ended_by = run.ended_by
    return run.state if run.running or ended_by is None else REASONS[ended_by.kind]
