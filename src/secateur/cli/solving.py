"""``secateur solve``: from options to a solver, a run, and its report."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from secateur.cli.background import in_background
from secateur.cli.choices import REASONS, chosen_limits, chosen_solver, in_options
from secateur.cli.complaints import complain
from secateur.cli.exits import OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.outfile import writable
from secateur.cli.progress import Progress, progress
from secateur.cli.report import print_json
from secateur.cli.summary import EXITS, record, show
from secateur.cli.values import by_name
from secateur.cluster.solving import Request, scattered
from secateur.compiled.game import CompiledGame
from secateur.conditions import Condition
from secateur.errors import ParameterError
from secateur.games.rules import Game
from secateur.results import Result
from secateur.running import solve
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.fitting import Fitted, fitted
from secateur.runs.games import named
from secateur.runs.sessions import carried_out, how_to_go_on
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.solvers.warm_start import (
    WEIGHT,
    WarmStart,
    check_warm_start,
    needs_bounds,
    warm_start_of,
)
from secateur.strategy_files.compact import is_name_of
from secateur.until import enough
from secateur.warm_strategies import warm_strategy


def run(arguments: argparse.Namespace) -> int:
    """Solve a game, write the strategy, and report."""
    if arguments.curve and not arguments.json:
        raise ParameterError("--curve goes with --json only; add it, or draw with 'secateur plot'")
    if arguments.run is None:
        if arguments.checkpoint_every is not None:
            raise ParameterError("--checkpoint-every goes with --run only; give a directory")
        return carry_out(arguments, planned(arguments))
    if arguments.out is not None:
        raise ParameterError(
            "--out does not go with --run, which writes DIR/strategy.json; leave it out"
        )
    plan = planned(arguments)
    assert not isinstance(plan.solver, Exact)
    directory = RunDirectory(arguments.run)
    configuration = Configuration.of(
        named(arguments.game, by_name(arguments.settings)),
        plan.solver,
        plan.until,
        arguments.checkpoint_every,
        arguments.memory_limit,
        cache=arguments.cache,
        # settled with the strategy; until then the run cannot go on
        warm_weight=None if plan.warm is None else plan.warm.weight or 1,
    )
    with directory.created(configuration):
        return carry_out(arguments, plan._replace(directory=directory))


def carry_out(arguments: argparse.Namespace, plan: Plan) -> int:
    """Do what was planned, and report on what options say."""
    result, compile_seconds = _solved(plan)
    directory = plan.directory
    # Files come first: they must not be lost when nobody reads the report to its end.
    if plan.out is not None:
        result.save(plan.out, precision=plan.out_precision)
    if arguments.json:
        print_json(record(arguments, result, compile_seconds, curve=arguments.curve))
    else:
        show(arguments, result)
    if result.ending.kind in EXITS:
        then = "this is the result so far" if directory is None else how_to_go_on(directory)
        complain(f"{REASONS[result.ending.kind]} after {result.iterations:,} iterations; {then}")
    return EXITS.get(result.ending.kind, OK)


class Warm(NamedTuple):
    """A strategy to begin with, as it was typed."""

    file: Path
    weight: int | None
    game: str | None
    asked_for: str
    """The game to be solved."""


class Plan(NamedTuple):
    """What is to be done."""

    rules: Game
    solver: Solver | Exact
    until: Condition | None
    memory_limit: int | None
    cache: bool
    rounding: bool = False
    """Whether numbers may be kept in fewer bits to keep to the memory limit."""

    directory: RunDirectory | None = None
    """Held by this process, with a configuration that says the same."""

    out: Path | None = None
    out_precision: str = "float64"
    warm: Warm | None = None
    goes_on_warm: bool = False
    """Whether the run that goes on was given a strategy when it began."""

    cluster: Request | None = None


def planned(arguments: argparse.Namespace) -> Plan:
    """Return what the options of ``solve`` say."""
    # Counting takes time; people who read tables have not asked for it. A run in a directory counts
    # or not from beginning to end.
    count_nodes = bool(arguments.count_nodes or (arguments.json and arguments.run is None))
    solver = chosen_solver(arguments, count_nodes=count_nodes)
    return Plan(
        solver=solver,
        rules=load_rules(arguments),
        until=None if arguments.algorithm == "exact" else chosen_limits(arguments),
        memory_limit=arguments.memory_limit,
        cache=arguments.cache,
        rounding=arguments.precision is None,
        out=writable(arguments.out) if arguments.out is not None else None,
        out_precision=_out_precision(arguments),
        warm=_warm(arguments, solver),
        cluster=requested(arguments, solver),
    )


def requested(arguments: argparse.Namespace, solver: Solver | Exact) -> Request | None:
    """Return the cluster that the options say, if they do."""
    if arguments.cluster is None:
        if arguments.shards is not None:
            raise ParameterError("--shards goes with --cluster only; give its address, or 'auto'")
        return None
    others = {
        "--memory-limit": arguments.memory_limit,
        "--warm-start": getattr(arguments, "warm_start", None),
    }
    for option, given in others.items():
        if given is not None:
            raise ParameterError(f"{option} does not go with --cluster; leave it out")
    if getattr(arguments, "run", "") is None:
        raise ParameterError(
            "--cluster goes with --run DIR only: a directory that all machines of the cluster see"
        )
    return Request.of(arguments.cluster, arguments.shards, solver)


def _warm(arguments: argparse.Namespace, solver: Solver | Exact) -> Warm | None:
    """Return the strategy to begin with, if there is one and a solver can."""
    weight, game = arguments.warm_weight, arguments.warm_game
    if arguments.warm_start is None:
        for option, given in (("--warm-weight", weight), ("--warm-game", game)):
            if given is not None:
                raise ParameterError(f"{option} goes with --warm-start only; give a strategy")
        return None
    try:
        check_warm_start(solver)
    except ParameterError as error:
        raise ParameterError(in_options(str(error))) from None
    weight = None if weight is None else WEIGHT(f"--warm-weight {weight}", weight)
    return Warm(arguments.warm_start, weight, game, arguments.game)


def _out_precision(arguments: argparse.Namespace) -> str:
    """Return the precision of the file to write; only compact ones leave a choice."""
    chosen: str | None = arguments.out_precision
    if chosen is not None and not (arguments.out and is_name_of(arguments.out)):
        raise ParameterError("--out-precision goes with '--out FILE.bin' only; leave it out")
    return chosen or "float64"


def _solved(plan: Plan) -> tuple[Result, float]:
    """Return the result, and the seconds that compiling the game took."""
    with progress() as display:
        if plan.cluster is not None:
            return _solved_on(plan.cluster, plan, display)
        compile_seconds = 0.0
        warm = plan.warm is not None or plan.goes_on_warm

        def compiled() -> CompiledGame:
            nonlocal compile_seconds
            begin = time.perf_counter()
            game = compile_game(
                plan.rules,
                display,
                plan.solver,
                values=warm and needs_bounds(plan.solver),
                cache=plan.cache,
                memory_limit=plan.memory_limit,
            )
            compile_seconds = time.perf_counter() - begin
            return game

        found = fitted(
            compiled,
            plan.solver,
            plan.memory_limit,
            rounding=plan.rounding,
            restored=0 if plan.directory is None else plan.directory.checkpoints.largest(),
            warm=warm,
            prepare=partial(prepare_kernels, display.note, show=display.stage, warm=warm),
        )
        if found.words is not None:
            display.warn(found.words)
        return _run(plan, found, display), compile_seconds


def _solved_on(cluster: Request, plan: Plan, display: Progress) -> tuple[Result, float]:
    """Return the result of a run on a cluster, and the seconds that it took to begin."""
    assert plan.directory is not None
    begin = time.perf_counter()
    display.stage("starting on the cluster")
    whole, engine = scattered(
        cluster,
        plan.solver,
        plan.rules,
        lambda: compile_game(plan.rules, display, plan.solver, cache=plan.cache),
        plan.directory.path,
        display.warn,
    )
    seconds = time.perf_counter() - begin
    watch = display.observe, display.warn, display.expect
    return carried_out(plan.directory, Fitted(whole, plan.solver), *watch, engine), seconds


def _run(plan: Plan, found: Fitted, display: Progress) -> Result:
    game, solver = found.game, found.solver
    if isinstance(solver, Exact):
        display.stage("solving the linear program")
        return in_background(lambda: solve(game, solver))
    display.stage("starting")
    start = None if plan.warm is None else _found(plan, plan.warm, game)
    if plan.directory is not None:
        del start  # it is read from there
        return carried_out(plan.directory, found, display.observe, display.warn, display.expect)
    until = plan.until or enough(game)
    display.expect(until)
    result = solve(game, solver, until, display.observe, warm=start)
    return replace(result, fitted=found.words)


def _found(plan: Plan, warm: Warm, game: CompiledGame) -> WarmStart:
    """Return what the run begins with; one that is kept has a copy."""
    strategy = warm_strategy(warm.file, game, plan.rules, warm.game, asked_for=warm.asked_for)
    found = warm_start_of(plan.solver, game, strategy, warm.weight)
    if plan.directory is not None:
        strategy.save(plan.directory.start_path)
        settled = plan.directory.configuration()._replace(warm_weight=found.weight)
        settled.write(plan.directory.configuration_path)
    return found
