"""``secateur compare``: several algorithms on one game, side by side."""

from __future__ import annotations

import argparse
import shlex
import time
from typing import Any, NamedTuple

from rich.box import SIMPLE
from rich.table import Table

from secateur.algorithms import option_names
from secateur.cli.background import in_background
from secateur.cli.choices import LIMITS, chosen_limits, chosen_solver
from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.method_options import add_algorithm_options
from secateur.cli.options import Parser
from secateur.cli.plotting import picture_files, save_picture
from secateur.cli.progress import progress
from secateur.cli.report import console, duration, number, print_json, size_in_words
from secateur.cli.summary import EXITS, record
from secateur.cli.values import by_name
from secateur.compiled.game import CompiledGame
from secateur.conditions import Condition, Kind, Snapshot
from secateur.describing import game_in_words, method_in_words
from secateur.errors import ParameterError
from secateur.games.rules import Game
from secateur.memory import in_units
from secateur.pictures import check_matplotlib
from secateur.results import Result
from secateur.running import solve
from secateur.runs.plots import draw_runs
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.until import enough

_ENDINGS = {
    Kind.EXPLOITABILITY: "target",
    Kind.ITERATIONS: "count",
    Kind.SECONDS: "time",
    Kind.EXACT: "exact",
    Kind.INEXACT: "rough",
    Kind.INTERRUPTED: "Ctrl-C",
    Kind.TERMINATED: "stop",
}


class _Entry(NamedTuple):
    """One algorithm with its options."""

    typed: str
    options: argparse.Namespace
    solver: Solver | Exact

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that choose the algorithm."""
        return {name: getattr(self.options, name) for name in option_names()}


class _Outcome(NamedTuple):
    entry: _Entry
    result: Result
    compile_seconds: float


def run(arguments: argparse.Namespace) -> int:
    """Run all algorithms, and report; Ctrl-C ends with those that were run so far."""
    if arguments.curve and not arguments.json:
        raise ParameterError("--curve goes with --json only; add it, or draw with --plot")
    if arguments.x is not None and arguments.plot is None:
        raise ParameterError("--x goes with --plot only; leave it out")
    x = arguments.x or "seconds"
    if x == "nodes" and not arguments.count_nodes:
        raise ParameterError("--x nodes goes with --count-nodes only; add it")
    entries = _entries(arguments)
    files = {}
    if arguments.plot is not None:
        check_matplotlib()
        files = picture_files(arguments.plot)
    rules = load_rules(arguments)
    outcomes = _outcomes(rules, entries, chosen_limits(arguments), cache=arguments.cache)
    if files:
        title = game_in_words(arguments.game, by_name(arguments.settings))
        picture = draw_runs(_curves(outcomes), x, "exploitability", title, _marks(outcomes, x))
        save_picture(picture, files, quiet=arguments.json)
    if arguments.json:
        print_json([_as_json(arguments, each) for each in outcomes])
    else:
        _show(arguments, outcomes)
    return EXITS.get(outcomes[-1].result.ending.kind, OK)


def _entries(arguments: argparse.Namespace) -> list[_Entry]:
    typed = [part.strip() for text in arguments.algorithms for part in text.split(",")]
    return [_entry(each, arguments) for each in typed]


def _entry(typed: str, arguments: argparse.Namespace) -> _Entry:
    """Read a small command line: an algorithm, and options that belong to it."""
    parser = Parser("secateur solve", add_help=False, allow_abbrev=False)
    add_algorithm_options(parser)
    try:
        words = shlex.split(typed)
        if not words:
            raise ParameterError("an empty entry; give the name of an algorithm")
        if not words[0].startswith("-"):
            words.insert(0, "--algorithm")
        options = parser.parse_args(words)
        for name in (*LIMITS, "memory_limit", "run", "count_nodes"):
            setattr(options, name, None)
        solver = chosen_solver(options, count_nodes=arguments.count_nodes)
    except (ParameterError, ValueError) as error:  # ValueError: a quote without its partner
        raise ParameterError(f"--algorithms {typed!r}: {error}") from error
    return _Entry(typed, options, solver)


def _outcomes(
    rules: Game, entries: list[_Entry], until: Condition | None, *, cache: bool
) -> list[_Outcome]:
    compiled: dict[tuple[bool, bool], tuple[CompiledGame, float]] = {}
    outcomes: list[_Outcome] = []
    for place, entry in enumerate(entries, start=1):
        solver = entry.solver
        with progress() as display:
            needs = (solver.needs_bounds, solver.needs_branches)
            if needs not in compiled:
                begin = time.perf_counter()
                game = compile_game(rules, display, solver, cache=cache)
                compiled[needs] = game, time.perf_counter() - begin
            game, seconds = compiled[needs]
            prepare_kernels(display.note, solver, game, show=display.stage)
            display.note(f"{place} of {len(entries)}: {entry.typed}")
            if isinstance(solver, Exact):
                result = _solved_exactly(game, solver)
            else:
                goal = until or enough(game)
                display.expect(goal)
                result = solve(game, solver, goal, display.observe)
        outcomes.append(_Outcome(entry, result, seconds))
        if result.ending.kind in EXITS:
            break
    return outcomes


def _solved_exactly(game: CompiledGame, solver: Exact) -> Result:
    return in_background(lambda: solve(game, solver))


def _curves(outcomes: list[_Outcome]) -> dict[str, list[Snapshot]]:
    """Return what is to be drawn, by names that are all different."""
    names = [method_in_words(each.entry.chosen) for each in outcomes]
    return {
        name if names.count(name) == 1 else f"{name} ({place})": outcome.result.history
        for place, (name, outcome) in enumerate(zip(names, outcomes, strict=True), start=1)
        if not isinstance(outcome.entry.solver, Exact)
    }


def _marks(outcomes: list[_Outcome], x: str) -> dict[str, float]:
    """Return when linear programs were solved: to rounding, which would flatten all curves."""
    if x != "seconds":
        return {}
    return {
        f"{method_in_words(each.entry.chosen)} (exact)": each.result.seconds
        for each in outcomes
        if isinstance(each.entry.solver, Exact)
    }


def _as_json(arguments: argparse.Namespace, outcome: _Outcome) -> dict[str, Any]:
    whole = argparse.Namespace(**{**vars(arguments), **outcome.entry.chosen})
    whole.memory_limit = whole.out = whole.run = None
    facts = record(whole, outcome.result, outcome.compile_seconds, curve=arguments.curve)
    return {"entry": outcome.entry.typed, **facts}


def _show(arguments: argparse.Namespace, outcomes: list[_Outcome]) -> None:
    size = outcomes[0].result.game.size
    title = game_in_words(arguments.game, by_name(arguments.settings))
    words = size_in_words(size.histories, size.information_sets, size.sequences)
    # all of it should fit 80 columns
    table = Table(box=SIMPLE, padding=0, title=f"{title}: {words}", title_justify="left")
    table.add_column("algorithm", style="bold", overflow="fold")
    columns = ["exploit-\nability", "iterations", "time", "time per\niteration", "memory"]
    if arguments.count_nodes:
        columns.insert(2, "nodes")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("ended\nby", no_wrap=True)
    for entry, result, _ in outcomes:
        exact = isinstance(result.solver, Exact)
        cells = [
            number(result.exploitability),
            "" if exact else f"{result.iterations:,}",
            duration(result.seconds),
            "" if exact else _short(result.seconds / max(1, result.iterations)),
            in_units(result.bytes_resident),
        ]
        if arguments.count_nodes:
            cells.insert(2, "" if result.nodes_touched is None else f"{result.nodes_touched:,}")
        table.add_row(entry.typed, *cells, _ENDINGS[result.ending.kind])
    console().print(table)


def _short(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
