"""``secateur solve``: from options to a solver, a run, and its report."""

from __future__ import annotations

import argparse
import functools
import operator
import sys
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from secateur.cli.background import in_background
from secateur.cli.choices import chosen_limits, chosen_solver
from secateur.cli.decisions import first_decisions
from secateur.cli.exits import INTERRUPTED, OK, TERMINATED
from secateur.cli.fitting import check_memory
from secateur.cli.kept import configuration_of, how_to_go_on, save_strategy
from secateur.cli.kernels import prepare_kernels
from secateur.cli.outfile import writable
from secateur.cli.progress import progress
from secateur.cli.report import (
    console,
    duration,
    facts_table,
    memory,
    number,
    print_json,
    size_in_words,
    strategy_table,
)
from secateur.cli.run_commands import EVERY
from secateur.cli.values import as_list, by_name
from secateur.compiled.compile import compile as compile_game
from secateur.errors import ParameterError
from secateur.games.registry import full_name, load
from secateur.games.rules import Game
from secateur.minimizers import Hedge
from secateur.running import Ending, Result, solve
from secateur.runs.directory import RunDirectory
from secateur.runs.recorder import Recorder
from secateur.solvers.cfr import CFR
from secateur.solvers.egt import EGT
from secateur.solvers.exact import Exact
from secateur.solvers.fictitious_play import FictitiousPlay
from secateur.solvers.iterative import Iterative
from secateur.stopping import Condition, Snapshot
from secateur.strategy_files.compact import is_name_of

PRUNING_IN_WORDS = {
    "none": "no pruning",
    "partial": "partial pruning",
    "rbp": "regret-based pruning",
    "brp": "best-response pruning",
}
EXITS = {Ending.INTERRUPTED: INTERRUPTED, Ending.TERMINATED: TERMINATED}
SHOWN_INFORMATION_SETS = 12


def run(arguments: argparse.Namespace) -> int:
    """Solve a game, write the strategy, and report."""
    if arguments.run is None:
        if arguments.checkpoint_every is not None:
            raise ParameterError("--checkpoint-every goes with --run only; give a directory")
        return carry_out(arguments)
    if arguments.out is not None:
        raise ParameterError(
            "--out does not go with --run, which writes DIR/strategy.json; leave it out"
        )
    _plan(arguments, None)  # what is wrong with the options is told before anything is written
    directory = RunDirectory(arguments.run)
    with directory.created(configuration_of(arguments)):
        return carry_out(arguments, directory)


def carry_out(arguments: argparse.Namespace, directory: RunDirectory | None = None) -> int:
    """Do what the options of ``solve`` say, in a directory that this process holds or in none."""
    plan = _plan(arguments, directory)
    result = _solved(plan)
    # Files come first: they must not be lost when nobody reads the report to its end.
    if directory is not None:
        save_strategy(result, directory)
    if plan.out is not None:
        result.save(plan.out, precision=plan.out_precision)
    because = _reason(result, plan.limits)
    if arguments.json:
        print_json(_as_json(arguments, result, because))
    else:
        _show(arguments, result, because)
    if result.ending in EXITS:
        print(
            f"secateur: {because} after {result.iterations:,} iterations; "
            f"{'this is the result so far' if directory is None else how_to_go_on(directory)}",
            file=sys.stderr,
        )
    return EXITS.get(result.ending, OK)


class _Plan(NamedTuple):
    """What is to be done."""

    rules: Game
    solver: Iterative | Exact
    limits: dict[str, Condition]
    memory_limit: int | None
    directory: RunDirectory | None
    checkpoint_every: float
    out: Path | None
    out_precision: str


def _plan(arguments: argparse.Namespace, directory: RunDirectory | None) -> _Plan:
    # Counting takes time; people who read tables have not asked for it. A run in a directory counts
    # or not from beginning to end.
    count_nodes = bool(arguments.count_nodes or (arguments.json and arguments.run is None))
    return _Plan(
        solver=chosen_solver(arguments, count_nodes=count_nodes),
        rules=load(arguments.game, **by_name(arguments.settings)),
        limits={} if arguments.algorithm == "exact" else chosen_limits(arguments),
        memory_limit=arguments.memory_limit,
        directory=directory,
        checkpoint_every=arguments.checkpoint_every or EVERY,
        out=writable(arguments.out) if arguments.out is not None else None,
        out_precision=_out_precision(arguments),
    )


def _out_precision(arguments: argparse.Namespace) -> str:
    """Return the precision of the file to write; only compact ones leave a choice."""
    chosen: str | None = arguments.out_precision
    if chosen is not None and not (arguments.out and is_name_of(arguments.out)):
        raise ParameterError("--out-precision goes with '--out FILE.bin' only; leave it out")
    return chosen or "float64"


def _solved(plan: _Plan) -> Result:
    rules, solver = plan.rules, plan.solver
    until = functools.reduce(operator.or_, plan.limits.values()) if plan.limits else None
    with progress(until) as display:
        display.stage(f"compiling the game {rules.name}")
        game = compile_game(rules, pruning=solver.needs_bounds, thresholds=solver.needs_branches)
        prepare_kernels(display.note, None if isinstance(solver, Exact) else solver)
        if isinstance(solver, Exact):
            display.stage("solving the linear program")
            return in_background(lambda: solve(game, solver))
        if plan.memory_limit is not None:
            check_memory(game, solver, plan.memory_limit)
        display.stage("starting")
        record = None
        if plan.directory is not None:
            record = Recorder(plan.directory, game, solver, plan.checkpoint_every, display.warn)
        return solve(game, solver, until, display.observe, record)


def _reason(result: Result, limits: dict[str, Condition]) -> str:
    if result.ending is Ending.EXACT:
        return "solved exactly"
    if result.ending is Ending.INTERRUPTED:
        return "interrupted"
    if result.ending is Ending.TERMINATED:
        return "told to stop"
    last: Snapshot = result.history[-1]
    # the clock may have run out between the last snapshot and the end
    return next((words for words, limit in limits.items() if limit.met(last)), "time is up")


def _as_json(arguments: argparse.Namespace, result: Result, because: str) -> dict[str, Any]:
    size = result.game.size
    solver = result.solver
    iterative = not isinstance(solver, Exact)
    return {
        "game": full_name(arguments.game),
        "parameters": result.game.parameters,
        "algorithm": arguments.algorithm,
        "prune": (arguments.prune or "partial") if iterative else None,
        "threshold": solver.threshold if isinstance(solver, EGT) else arguments.threshold,
        "updates": solver.updates if isinstance(solver, CFR) else None,
        "precision": _precision(solver),
        "iterations": result.iterations,
        "seconds": result.seconds,
        "nodes_touched": result.nodes_touched,
        "nodes_touched_overhead": result.nodes_touched_overhead,
        "nash_conv": result.nash_conv,
        "exploitability": result.exploitability,
        "value": result.value,
        "histories": size.histories,
        "information_sets": size.information_sets,
        "sequences": size.sequences,
        "entries_total": 2 * size.sequences,
        "entries_live": result.entries_live,
        "regret_entries_live": result.regret_entries_live,
        "strategy_entries_live": result.strategy_entries_live,
        "bytes_resident": result.bytes_resident,
        "interrupted": result.ending in EXITS,
        "stopped_because": because,
        "out": arguments.out,
        "run": arguments.run,
    }


def _precision(solver: Iterative | Exact) -> str | None:
    if isinstance(solver, Exact):
        return None
    return solver.storage.precision if isinstance(solver, CFR) else "float64"


def _choices(solver: Iterative) -> list[str]:
    """Return what else was chosen, in words."""
    if isinstance(solver, CFR):
        cuts = solver.thresholding
        words = [] if cuts is None else [f"threshold of factor {cuts.factor:g}"]
        if isinstance(solver.minimizer, Hedge):
            words.append(f"learning rate by {solver.minimizer.learning_rate}")
        return [*words, f"{solver.updates} updates", solver.storage.precision]
    if isinstance(solver, FictitiousPlay):
        return []
    words = [f"{solver.steps} steps"]
    if isinstance(solver, EGT):
        threshold = f"threshold {solver.threshold:g}/t" if solver.threshold else "no threshold"
        words = [threshold, "adaptive steps" if solver.adaptive else "fixed steps"]
        words += ["balanced"] if solver.balanced else []
        words += ["safe smoothing"] if solver.smoothing == "safe" else []
    return [*words, f"weights of 20{solver.weights[-2:]}"]


def _show(arguments: argparse.Namespace, result: Result, because: str) -> None:
    size = result.game.size
    solver = result.solver
    facts = {"game": full_name(arguments.game)}
    if result.game.parameters:
        facts["parameters"] = as_list(result.game.parameters)
    facts["size"] = size_in_words(size.histories, size.information_sets, size.sequences)
    if isinstance(solver, Exact):
        facts["algorithm"] = "exact, a linear program over the sequence form"
        facts["run"] = f"{duration(result.seconds)} ({because})"
    else:
        pruning = PRUNING_IN_WORDS[arguments.prune or "partial"]
        facts["algorithm"] = ", ".join([arguments.algorithm, pruning, *_choices(solver)])
        facts["run"] = f"{result.iterations:,} iterations in {duration(result.seconds)} ({because})"
    if result.nodes_touched is not None:
        facts["nodes touched"] = f"{result.nodes_touched:,}"
    facts["NashConv"] = number(result.nash_conv)
    facts["exploitability"] = f"{number(result.exploitability)} (half of NashConv)"
    facts["value"] = f"{number(result.value)} for player 0"
    if arguments.prune == "brp" and result.regret_entries_live is not None:
        share = result.regret_entries_live / size.sequences
        kept = "values" if arguments.algorithm == "fp" else "regrets"
        facts["alive"] = f"{share:.1%} of the {kept}"
    facts["memory"] = memory(result.bytes_resident)
    out = console()
    out.print(facts_table(facts))
    shown = list(islice(first_decisions(result.game), SHOWN_INFORMATION_SETS))
    out.print(strategy_table(result.strategy, shown))
    if arguments.out is not None:
        out.print(f"The whole strategy is in {arguments.out}")
    elif arguments.run is not None:
        out.print(f"The whole strategy is in {RunDirectory(arguments.run).strategy_path}")
    elif len(shown) < size.information_sets:
        out.print(
            f"First {len(shown)} of {size.information_sets:,} information sets; "
            "--out FILE writes them all."
        )
