"""``secateur games NAME --memory``: the bytes of every array, and what the process takes."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from rich.table import Table

from secateur.cli.background import in_background
from secateur.cli.games_options import LEDGER_ITERATIONS
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game
from secateur.cli.progress import Progress, progress
from secateur.cli.report import console, facts_table, print_json, size_in_words
from secateur.cli.values import as_list, by_name
from secateur.compiled.game import CompiledGame
from secateur.describing import solver_in_words
from secateur.errors import ParameterError
from secateur.games.registry import full_name, load
from secateur.games.rules import Game
from secateur.ledger import LedgerEntry, memory_ledger
from secateur.memory import Resident, in_units, resident_parts, return_free_memory
from secateur.methods import solver_of
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver, State

_CHECK_EVERY = 100
"""Iterations between searches of the run that prunes: it shall begin even where it saves no time.
"""

_TITLES = {
    "arrays": "compiled game",
    "labels": "names of information sets and actions",
    "pruning": "what pruning needs in addition",
}


class _Moment(NamedTuple):
    """What the process takes at some time, and the bytes of the arrays that there are then."""

    when: str
    arrays: int
    resident: Resident | None


class _Found(NamedTuple):
    """All that is shown."""

    game: CompiledGame
    solvers: list[Solver]
    entries: list[LedgerEntry]
    moments: list[_Moment]


def show_memory(arguments: argparse.Namespace) -> None:
    """Compile a game, run it twice, and report what that takes."""
    if arguments.name is None:
        raise ParameterError("--memory goes with the name of a game only; give one")
    iterations = arguments.iterations or LEDGER_ITERATIONS
    rules = load(arguments.name, **by_name(arguments.settings))
    with progress() as display:
        found = _measured(rules, iterations, display)
    if arguments.json:
        print_json(_record(full_name(arguments.name), found, iterations))
    else:
        _show(full_name(arguments.name), found, iterations)


def _measured(rules: Game, iterations: int, display: Progress) -> _Found:
    solvers = [_solver({}), _solver({"prune": "brp", "check_every": min(_CHECK_EVERY, iterations)})]
    moments = [_moment("before", 0)]
    game = compile_game(rules, display, solvers[-1])
    entries = memory_ledger(game)
    moments.append(_moment("game compiled", game.nbytes))
    for solver in solvers:
        prepare_kernels(display.note, solver, game, show=display.stage)
    moments.append(_moment("kernels loaded", game.nbytes))
    for solver in solvers:
        display.stage(f"{iterations:,} iterations with {solver.pruning.title}")
        state = _stepped(solver.start(game), iterations)
        entries += memory_ledger(state)
        moments.append(_moment(entries[-1].group, game.nbytes + state.bytes_resident))
        del state  # before the next one begins
    return _Found(game, solvers, entries, moments)


def _solver(options: dict[str, Any]) -> Solver:
    solver = solver_of(options)
    assert not isinstance(solver, Exact)
    return solver


def _stepped(state: State, iterations: int) -> State:
    in_background(lambda: state.step(iterations))
    return state


def _moment(when: str, arrays: int) -> _Moment:
    return_free_memory()
    return _Moment(when, arrays, resident_parts())


def _record(name: str, found: _Found, iterations: int) -> dict[str, Any]:
    return {
        "game": name,
        "parameters": found.game.parameters,
        "sequences": found.game.size.sequences,
        "iterations": iterations,
        "solvers": [repr(solver) for solver in found.solvers],
        "ledger": [entry._asdict() for entry in found.entries],
        "process": [
            {
                "when": when,
                "bytes_arrays": arrays,
                "bytes_process": None if resident is None else resident.total,
                "bytes_process_without_files": None if resident is None else resident.without_files,
            }
            for when, arrays, resident in found.moments
        ],
    }


def _show(name: str, found: _Found, iterations: int) -> None:
    size = found.game.size
    facts = {"game": name}
    if found.game.parameters:
        facts["parameters"] = as_list(found.game.parameters)
    facts["size"] = size_in_words(size.histories, size.information_sets, size.sequences)
    facts["runs"] = "\n".join(map(solver_in_words, found.solvers))
    facts["iterations"] = f"{iterations:,} of each run"
    out = console()
    out.print(facts_table(facts))
    for group, entries in groupby(found.entries, lambda entry: entry.group):
        out.print(_group_table(_TITLES.get(group, group), entries, size.sequences))
    out.print(_process_table(found.moments))
    if any(moment.resident is None for moment in found.moments):
        out.print("This system does not tell what a process takes; Linux does.")


def _group_table(title: str, entries: Iterable[LedgerEntry], sequences: int) -> Table:
    """Return arrays that are not empty, the largest first, and their sum."""
    table = Table(title=title, title_justify="left")
    table.add_column("array", style="bold", overflow="fold")
    for column in ("items", "bytes", "bytes per sequence"):
        table.add_column(column, justify="right", no_wrap=True)
    shown = sorted((each for each in entries if each.bytes), key=lambda entry: -entry.bytes)
    for entry in shown:
        table.add_row(entry.name, f"{entry.items:,}", *_sizes(entry.bytes, sequences))
    table.add_section()
    table.add_row("sum", "", *_sizes(sum(entry.bytes for entry in shown), sequences))
    return table


def _sizes(amount: int, sequences: int) -> tuple[str, str]:
    return f"{amount:,}", f"{amount / max(1, sequences):,.2f}"


def _process_table(moments: list[_Moment]) -> Table:
    table = Table(title="what the process takes", title_justify="left")
    table.add_column("when", style="bold", overflow="fold")
    for column in ("all", "without files", "arrays"):
        table.add_column(column, justify="right")
    for when, arrays, resident in moments:
        taken = ("–", "–") if resident is None else map(in_units, resident)
        table.add_row(when, *taken, in_units(arrays))
    return table
