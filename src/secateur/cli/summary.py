"""What a run found: a record for programs, tables for people."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import version
from itertools import islice
from typing import Any

from secateur import __version__
from secateur.algorithms import option_names
from secateur.cli.choices import LIMITS, REASONS
from secateur.cli.decisions import first_decisions
from secateur.cli.exits import INTERRUPTED, TERMINATED
from secateur.cli.report import (
    console,
    duration,
    exploitability_in_words,
    facts_table,
    number,
    size_in_words,
    strategy_table,
)
from secateur.cli.values import as_list, by_name
from secateur.conditions import Kind
from secateur.games.registry import full_name
from secateur.memory import in_units
from secateur.methods import method_in_parts, pruning_name
from secateur.results import Result
from secateur.runs.directory import RunDirectory
from secateur.solvers.cfr import CFR
from secateur.solvers.egt import EGT
from secateur.solvers.exact import Exact
from secateur.solvers.fictitious_play import FictitiousPlay
from secateur.solvers.protocols import Solver
from secateur.until import enough

EXITS = {Kind.INTERRUPTED: INTERRUPTED, Kind.TERMINATED: TERMINATED}
SHOWN_INFORMATION_SETS = 12

_EXACT_PER_SEQUENCE = 2e-4
"""Seconds that the linear program takes per sequence, at most: measured on 15 games (poker, dice,
bidding, battleship) of up to 17,000 sequences it took 5e-5 to 1.6e-4; Leduc-5 takes 3e-4."""

_EXACT_AT_MOST = 20_000
_EXACT_PATIENCE = 1.0
"""Seconds after which somebody may wonder whether there is a faster way."""


def record(
    arguments: argparse.Namespace, result: Result, compile_seconds: float, *, curve: bool
) -> dict[str, Any]:
    """Return all that shaped a run and all that it found, for JSON."""
    size = result.game.size
    solver = result.solver
    return {
        "versions": versions(),
        "game": full_name(arguments.game),
        "settings": by_name(arguments.settings),
        "parameters": result.game.parameters,
        "algorithm": arguments.algorithm,
        "prune": pruning_name(solver),
        "threshold": solver.threshold if isinstance(solver, EGT) else arguments.threshold,
        "updates": solver.updates if isinstance(solver, CFR) else None,
        "precision": _precision(solver),
        "options": {name: getattr(arguments, name) for name in option_names()},
        "solver": repr(solver),
        "limits": {name: getattr(arguments, name) for name in (*LIMITS, "memory_limit")},
        "warm_weight": result.warm_weight,
        "default_target": _default_target(arguments, result),
        "compile_seconds": compile_seconds,
        "iterations": result.iterations,
        "seconds": result.seconds,
        "nodes_touched": result.nodes_touched,
        "nodes_touched_overhead": result.nodes_touched_overhead,
        "nash_conv": result.nash_conv,
        "exploitability": result.exploitability,
        "pot": result.game.pot,
        "value": result.value,
        "best_response_values": result.best_response_values,
        "histories": size.histories,
        "information_sets": size.information_sets,
        "sequences": size.sequences,
        "entries_total": 2 * size.sequences,
        "entries_live": result.entries_live,
        "regret_entries_live": result.regret_entries_live,
        "strategy_entries_live": result.strategy_entries_live,
        "bytes_game": result.game.nbytes,
        "bytes_resident": result.bytes_resident,
        "fitted": result.fitted,
        "interrupted": result.ending.kind in EXITS,
        "stopped_because": REASONS[result.ending.kind],
        "ending": {"kind": str(result.ending.kind), "condition": result.ending.condition},
        "out": arguments.out,
        "run": arguments.run,
        **({"curve": [each._asdict() for each in result.history]} if curve else {}),
    }


def versions() -> dict[str, str]:
    """Return the versions of everything that numbers depend on."""
    parts = {name: version(name) for name in ("numba", "numpy", "scipy")}
    return {"secateur": __version__, "python": platform.python_version(), **parts}


def show(arguments: argparse.Namespace, result: Result) -> None:
    """Print the strategy and then, where the eye ends up, how good it is."""
    out = console()
    shown = list(islice(first_decisions(result.game), SHOWN_INFORMATION_SETS))
    out.print(strategy_table(result.strategy, shown))
    out.print(facts_table(_facts(arguments, result)))
    total = result.game.size.information_sets
    if arguments.out is not None:
        out.print(f"The whole strategy is in {arguments.out}")
    elif arguments.run is not None:
        out.print(f"The whole strategy is in {RunDirectory(arguments.run).strategy_path}")
    elif len(shown) < total:
        out.print(f"First {len(shown)} of {total:,} information sets; --out FILE writes them all.")
    if exact_is_faster(result):
        took = max(_exact_seconds(result), 0.1)
        out.print(
            f"A linear program solves games of this size exactly in {took:.1g} seconds or less: "
            "--algorithm exact"
        )


def exact_is_faster(result: Result) -> bool:
    """Tell whether the linear program would surely have been faster, and that matters."""
    if isinstance(result.solver, Exact) or result.game.size.sequences > _EXACT_AT_MOST:
        return False
    return result.seconds > max(_EXACT_PATIENCE, 2.0 * _exact_seconds(result))


def _exact_seconds(result: Result) -> float:
    return _EXACT_PER_SEQUENCE * result.game.size.sequences


def _facts(arguments: argparse.Namespace, result: Result) -> dict[str, str]:
    size = result.game.size
    solver = result.solver
    facts = {"game": full_name(arguments.game)}
    if result.game.parameters:
        facts["parameters"] = as_list(result.game.parameters)
    facts["size"] = size_in_words(size.histories, size.information_sets, size.sequences)
    if isinstance(solver, Exact):
        facts["algorithm"] = "exact, a linear program over the sequence form"
        facts["run"] = f"{duration(result.seconds)}; {result.ending}"
    else:
        facts["algorithm"] = (
            method_in_parts(solver)
            if arguments.algorithm is None
            else ", ".join([arguments.algorithm, solver.pruning.title, *solver.in_words()])
        )
        if result.warm_weight is not None:
            facts["began with"] = f"a strategy in the place of {result.warm_weight:,} iterations"
        facts["run"] = (
            f"{result.iterations:,} iterations in {duration(result.seconds)}; "
            f"{result.ending}{_default(arguments, result)}"
        )
    if result.nodes_touched is not None:
        facts["nodes touched"] = f"{result.nodes_touched:,}"
    facts["NashConv"] = number(result.nash_conv)
    facts["exploitability"] = exploitability_in_words(result.exploitability, result.game.pot)
    facts["value"] = f"{number(result.value)} for {result.game.players[0]}"
    if not isinstance(solver, Exact) and solver.pruning.forgets:
        assert result.regret_entries_live is not None
        share = result.regret_entries_live / max(1, size.sequences)
        kept = "values" if isinstance(solver, FictitiousPlay) else "regrets"
        facts["alive"] = f"{share:.1%} of the {kept}"
    facts["memory"] = in_units(result.bytes_resident)
    if result.fitted is not None:
        facts["memory limit"] = result.fitted
    return facts


def _default_target(arguments: argparse.Namespace, result: Result) -> float | None:
    """Return the target that a run has if nobody has given a limit."""
    given = any(getattr(arguments, name) is not None for name in LIMITS)
    return None if given or isinstance(result.solver, Exact) else enough(result.game).target


def _default(arguments: argparse.Namespace, result: Result) -> str:
    """Return a word about the target if nobody has given one."""
    default = _default_target(arguments, result) is not None
    by_target = result.ending.kind is Kind.EXPLOITABILITY
    return "" if not default or not by_target else " (the default; --target changes it)"


def _precision(solver: Solver | Exact) -> str | None:
    if isinstance(solver, Exact):
        return None
    return solver.storage.precision if isinstance(solver, CFR) else "float64"
