"""Runs curves and looks at them when so many nodes have been touched."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.papers.budgets import Budget, Budgets
from secateur.papers.curves import Curve
from secateur.papers.games import load_game
from secateur.papers.reweighted import Reweighted
from secateur.solvers.protocols import State


class Measurement(NamedTuple):
    """Where a curve stands; entries are numbers kept per sequence of the game."""

    iteration: int
    nodes_touched: int
    nodes_touched_overhead: int
    nash_conv: float
    exploitability: float
    lowest_exploitability: float
    """Of this snapshot and all before: what the papers plot."""

    regret_entries_live: int
    regret_entries_total: int
    strategy_entries_live: int
    strategy_entries_total: int
    entries_live: int
    """Regrets and sums of strategies together: the papers' space."""

    entries_total: int
    seconds: float
    """Processor time of iterations alone, without evaluations."""


Run = Sequence[Measurement]
Runs = Mapping[Curve, Run]
Observer = Callable[[Curve, Measurement], None]


def run_curves(curves: Iterable[Curve], budgets: Budgets, observe: Observer) -> Runs:
    """Return what was measured along each curve; ``observe`` is told every measurement."""
    compiled = functools.cache(_compiled)
    runs: dict[Curve, Run] = {}
    for curve in curves:
        game = compiled(curve.game, curve.solver.needs_branches)
        runs[curve] = run_curve(curve, game, budgets[curve.game], observe)
    return runs


def _compiled(name: str, thresholds: bool) -> CompiledGame:
    return compile_game(load_game(name), pruning=True, thresholds=thresholds)


def run_curve(curve: Curve, game: CompiledGame, budget: Budget, observe: Observer) -> Run:
    """Return what was measured along one curve."""
    state = curve.start(game)
    run: list[Measurement] = []
    seconds = 0.0
    for milestone in budget.milestones(2 * game.size.histories):
        begin = time.process_time()
        advanced = _advance(state, milestone)
        seconds += time.process_time() - begin
        if advanced:
            lowest = run[-1].lowest_exploitability if run else float("inf")
            run.append(_look(state, lowest, seconds))
            observe(curve, run[-1])
    return run


def _advance(state: State | Reweighted, milestone: int) -> bool:
    """Run until so many nodes are touched, to the iteration; tell whether any iteration ran.

    Half of what is left, at the pace so far, is run at once: an iteration may cost more than those
    before, but not twice as much for long.
    """
    started = state.iteration
    while (done := _touched(state)) < milestone:
        pace = done / state.iteration if state.iteration else float(milestone)
        state.step(max(1, int(0.5 * (milestone - done) / pace)))
    return state.iteration > started


def _touched(state: State | Reweighted) -> int:
    return state.nodes_touched or 0


def _look(state: State | Reweighted, lowest: float, seconds: float) -> Measurement:
    gap = state.nash_conv()
    cells = state.game.cells
    regrets, sums = state.regret_entries_live, state.strategy_entries_live
    return Measurement(
        iteration=state.iteration,
        nodes_touched=_touched(state),
        nodes_touched_overhead=state.nodes_touched_overhead or 0,
        nash_conv=gap,
        exploitability=0.5 * gap,
        lowest_exploitability=min(lowest, 0.5 * gap),
        regret_entries_live=regrets,
        regret_entries_total=cells,
        strategy_entries_live=sums,
        strategy_entries_total=cells,
        entries_live=regrets + sums,
        entries_total=2 * cells,
        seconds=round(seconds, 6),
    )
