"""``secateur solve``: from options to a solver, a run, and its report."""

from __future__ import annotations

import argparse
import functools
import operator
import sys
from itertools import islice
from typing import Any

from secateur import recipes
from secateur.cli.background import in_background
from secateur.cli.decisions import first_decisions
from secateur.cli.exits import INTERRUPTED, OK
from secateur.cli.kernels import prepare_kernels
from secateur.cli.method_options import ALGORITHMS_OF, takers
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
from secateur.cli.values import as_list, by_name
from secateur.compiled.compile import compile as compile_game
from secateur.errors import ParameterError
from secateur.games.registry import find, load
from secateur.minimizers import Hedge
from secateur.pruning import (
    BestResponsePruning,
    NoPruning,
    PartialPruning,
    Pruning,
    RegretBasedPruning,
)
from secateur.running import Ending, Result, solve
from secateur.solvers.cfr import CFR
from secateur.solvers.egt import EGT
from secateur.solvers.exact import Exact
from secateur.solvers.fictitious_play import FictitiousPlay
from secateur.solvers.iterative import Iterative
from secateur.solvers.mirror_descent import OptimisticMirrorDescent
from secateur.stopping import Condition, Snapshot, exploitability, iterations, seconds
from secateur.storage import Storage
from secateur.thresholding import DynamicThresholding

RECIPES = {
    "cfr": recipes.cfr,
    "cfr+": recipes.cfr_plus,
    "lcfr": recipes.linear_cfr,
    "dcfr": recipes.dcfr,
    "pcfr+": recipes.pcfr_plus,
    "hedge": recipes.hedge,
}
PRUNING_IN_WORDS = {
    "none": "no pruning",
    "partial": "partial pruning",
    "rbp": "regret-based pruning",
    "brp": "best-response pruning",
}
WEIGHTS_OF = {"2017": "kroer17", "2015": "kroer15"}
DEFAULT_TARGET = 1e-3
SHOWN_INFORMATION_SETS = 12


def run(arguments: argparse.Namespace) -> int:
    """Solve a game, write the strategy, and report."""
    solver = _solver(arguments)
    limits = _limits(arguments)
    rules = load(arguments.game, **by_name(arguments.settings))
    out = writable(arguments.out) if arguments.out is not None else None
    result = _solved(rules, solver, limits)
    # The file comes first: it must not be lost when nobody reads the report to its end.
    if out is not None:
        result.save(out)
    because = _reason(result, limits)
    if arguments.json:
        print_json(_as_json(arguments, result, because))
    else:
        _show(arguments, result, because)
    if result.ending is Ending.INTERRUPTED:
        print(
            f"secateur: interrupted after {result.iterations:,} iterations; "
            "this is the result so far",
            file=sys.stderr,
        )
        return INTERRUPTED
    return OK


def _solver(arguments: argparse.Namespace) -> Iterative | Exact:
    if arguments.algorithm == "exact":
        chosen = ("prune", "min-skip", "check-every", "discard", "discard-rule", *ALGORITHMS_OF)
        _refuse(
            arguments,
            (*chosen, "iterations", "target", "seconds"),
            "'--algorithm exact', which solves a linear program to the end",
        )
        return Exact()
    for option, algorithms in ALGORITHMS_OF.items():
        if arguments.algorithm not in algorithms:
            words = f"'--algorithm {arguments.algorithm}', but with {takers(option)}"
            _refuse(arguments, (option,), words)
    # Counting takes time; people who read tables have not asked for it.
    common = {"pruning": _pruning(arguments), "count_nodes": arguments.json}
    if arguments.algorithm in RECIPES:
        rate = arguments.learning_rate
        return RECIPES[arguments.algorithm](
            thresholding=_thresholding(arguments),
            updates=arguments.updates or "alternating",
            storage=Storage(arguments.precision or "float64"),
            **_given(minimizer=Hedge(rate) if rate else None),
            **common,
        )
    if arguments.algorithm == "fp":
        return FictitiousPlay(**common)
    common |= _given(steps=arguments.steps, weights=WEIGHTS_OF.get(arguments.weights))
    if arguments.algorithm == "omd":
        return OptimisticMirrorDescent(**common)
    options = _given(
        threshold=arguments.threshold,
        balanced=arguments.balanced,
        smoothing=arguments.smoothing,
    )
    return EGT(**common, **options)


def _refuse(arguments: argparse.Namespace, options: tuple[str, ...], what: str) -> None:
    for option in options:
        if getattr(arguments, option.replace("-", "_")) is not None:
            raise ParameterError(f"--{option} does not go with {what}; leave it out")


def _pruning(arguments: argparse.Namespace) -> Pruning:
    when = _given(minimum_skip=arguments.min_skip, check_every=arguments.check_every)
    discards = _given(discard=arguments.discard, discard_rule=arguments.discard_rule)
    if arguments.prune == "brp":
        return BestResponsePruning(**when, **discards)
    if discards:
        raise ParameterError(
            "--discard and --discard-rule go with '--prune brp' only: nothing else forgets"
        )
    if arguments.prune == "rbp":
        return RegretBasedPruning(**when)
    if when:
        raise ParameterError("--min-skip and --check-every go with '--prune rbp' or 'brp' only")
    return NoPruning() if arguments.prune == "none" else PartialPruning()


def _thresholding(arguments: argparse.Namespace) -> DynamicThresholding | None:
    return None if arguments.threshold is None else DynamicThresholding(arguments.threshold)


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _limits(arguments: argparse.Namespace) -> dict[str, Condition]:
    """Return the conditions that end a run, by the words that tell which one did."""
    limits: dict[str, Condition] = {}
    if arguments.algorithm == "exact":
        return limits
    if arguments.target is not None:
        limits["target reached"] = exploitability(arguments.target)
    if arguments.iterations is not None:
        limits["iterations done"] = iterations(arguments.iterations)
    if arguments.seconds is not None:
        limits["time is up"] = seconds(arguments.seconds)
    return limits or {"target reached": exploitability(DEFAULT_TARGET)}


def _solved(rules: Any, solver: Iterative | Exact, limits: dict[str, Condition]) -> Result:
    until = functools.reduce(operator.or_, limits.values()) if limits else None
    with progress(until) as display:
        display.stage(f"compiling the game {rules.name}")
        game = compile_game(rules, pruning=solver.needs_bounds, thresholds=solver.needs_branches)
        prepare_kernels(display.note, None if isinstance(solver, Exact) else solver)
        if isinstance(solver, Exact):
            display.stage("solving the linear program")
            return in_background(lambda: solve(game, solver))
        display.stage("starting")
        return solve(game, solver, until, display.observe)


def _reason(result: Result, limits: dict[str, Condition]) -> str:
    if result.ending is Ending.EXACT:
        return "solved exactly"
    if result.ending is Ending.INTERRUPTED:
        return "interrupted"
    last: Snapshot = result.history[-1]
    return next(words for words, limit in limits.items() if limit.met(last))


def _as_json(arguments: argparse.Namespace, result: Result, because: str) -> dict[str, Any]:
    size = result.game.size
    solver = result.solver
    iterative = not isinstance(solver, Exact)
    return {
        "game": find(arguments.game).name,
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
        "interrupted": result.ending is Ending.INTERRUPTED,
        "stopped_because": because,
        "out": arguments.out,
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
    facts = {"game": find(arguments.game).name}
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
    elif len(shown) < size.information_sets:
        out.print(
            f"First {len(shown)} of {size.information_sets:,} information sets; "
            "--out FILE writes them all."
        )
