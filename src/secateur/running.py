"""Runs a solver on a game until a condition is met."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from secateur.algorithms import DEFAULT, find_algorithm
from secateur.checks import refuse, shown
from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.conditions import Condition, Kind, Snapshot
from secateur.errors import ParameterError, SecateurError
from secateur.games.registry import load
from secateur.games.rules import Game
from secateur.interruptions import interruptions
from secateur.metrics import best_response_value, expected_value, nash_conv
from secateur.preparing import prepare_kernels
from secateur.results import Ending, Result
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver, State
from secateur.solvers.warm_start import WarmStart, begin_warm, needs_bounds
from secateur.strategy import Strategy
from secateur.until import enough, exploitability

Observer = Callable[[list[Snapshot]], None]

_LONGEST_CHUNK = 0.1
"""Seconds of work between two chances to stop, as far as iterations can be divided."""

_GROWTH = 1.05
"""Exploitability is looked at whenever the iterations have grown by this factor: evaluations cost
about as much as iterations, so this adds a few percent early and next to nothing later."""


_EXACT = 1e-9
"""NashConv up to which a solution of the linear program is called exact, for half the range of
payoffs: what rounding explains."""

_ROUNDING = 1e-12


class Record(Protocol):
    """Keeps a run while it goes on, so that it can go on later; see :mod:`secateur.runs`."""

    def begin(self, state: State) -> tuple[list[Snapshot], float]:
        """Bring a new state to where the run is; return snapshots and seconds up to there."""

    def look(self, snapshot: Snapshot) -> None:
        """Note a new snapshot."""

    def is_due(self) -> bool:
        """Return whether it is time to keep the state."""

    def keep(self, state: State, history: list[Snapshot], seconds: float) -> None:
        """Keep the state."""


class Judgment(NamedTuple):
    """What a run has found at its end."""

    strategy: Strategy
    value: float
    best_response_values: tuple[float, float]


class Engine(NamedTuple):
    """Where a run takes place."""

    start: Callable[[Solver, CompiledGame], State]
    """Returns the state before the first iteration."""

    judge: Callable[[Any], Judgment]
    """Judges a state at the end, of which nothing may be left then."""


def _start_here(solver: Solver, game: CompiledGame) -> State:
    return solver.start(game)


def _judge_here(state: State) -> Judgment:
    game, strategy = state.game, state.last_strategy()
    return Judgment(strategy, expected_value(game, strategy), _best_response_values(game, strategy))


HERE = Engine(_start_here, _judge_here)


def solve(
    game: Game | CompiledGame | str,
    solver: Solver | Exact | str | None = None,
    until: Condition | float | None = None,
    observe: Observer | None = None,
    record: Record | None = None,
    warm: WarmStart | None = None,
    engine: Engine = HERE,
) -> Result:
    """Run a solver on a game; see :func:`secateur.solve`, which also keeps runs in directories.

    A record says where the run is kept; it goes on from there, or begins with a strategy if it is
    given one. SIGTERM ends such a run like Ctrl-C. An engine says where it takes place.
    """
    solver, until = checked(solver, until, observe, kept=record is not None)
    begin = time.perf_counter()
    compiled = compiled_for(solver, game)
    if until is None:
        until = enough(compiled)
    prepare_kernels(solver, compiled, warm=warm is not None)
    prepared = time.perf_counter() - begin
    if isinstance(solver, Exact):
        result = _solve_exactly(compiled, solver, observe)
    else:
        result = _Run(compiled, solver, until, observe, record, warm, engine).to_the_end()
    return replace(result, compile_seconds=prepared)


def checked(
    solver: Solver | Exact | str | None,
    until: Condition | float | None,
    observe: Observer | None,
    *,
    kept: bool,
) -> tuple[Solver | Exact, Condition | None]:
    """Return a solver and a condition, which go together, of what stands for them."""
    if observe is not None and not callable(observe):
        refuse(f"solve(observe={shown(observe)})", "pass a function that takes a list of snapshots")
    if solver is None or isinstance(solver, str):
        solver = find_algorithm(DEFAULT if solver is None else solver).solver()
    # a class has what its instances have, but is none
    if isinstance(solver, type) or not isinstance(solver, Solver | Exact):
        refuse(
            f"solve(solver={shown(solver)})",
            "pass a solver, such as secateur.recipes.cfr_plus(), or a name, such as 'cfr+'",
        )
    if isinstance(solver, Exact) and (until is not None or kept):
        raise ParameterError(
            "solve: the exact solver takes no stopping condition, and its run cannot be kept; "
            "leave them out."
        )
    if until is not None:
        until = condition_of(f"solve(until={shown(until)})", until)
    if until is not None and until.counts_nodes and not isinstance(solver, Exact):
        solver = replace(solver, count_nodes=True)
    return solver, until


def condition_of(asked: str, until: Any) -> Condition:
    """Return a condition; a number is the exploitability to reach, unless it looks like a count."""
    if isinstance(until, Condition):
        return until
    if isinstance(until, Integral) and int(until) > 1:
        refuse(
            asked,
            f"a number is the exploitability to reach; use secateur.until.iterations({until}), "
            f"or secateur.until.exploitability({until}) if that is meant",
        )
    return exploitability(until)


def compiled_for(
    solver: Solver | Exact,
    game: Game | CompiledGame | str,
    *,
    cache: bool | str | Path = False,
    memory_limit: int | None = None,
    warm: bool = False,
) -> CompiledGame:
    """Return a game compiled as a solver, or its warm start, needs it, unless it is already."""
    if isinstance(game, str):
        game = load(game)
    if isinstance(game, CompiledGame):
        return game
    return compile_game(
        game,
        pruning=solver.needs_bounds or (warm and needs_bounds(solver)),
        thresholds=solver.needs_branches,
        cache=cache,
        memory_limit=memory_limit,
    )


def _solve_exactly(game: CompiledGame, solver: Exact, observe: Observer | None) -> Result:
    begin = time.perf_counter()
    strategy = solver.solve(game)
    elapsed = time.perf_counter() - begin
    gap = nash_conv(game, strategy)
    history = [Snapshot(1, elapsed, gap, 0.5 * gap, None, game.nbytes, 1.0, 1.0)]
    if observe is not None:
        observe(history)
    return Result(
        game=game,
        solver=solver,
        strategy=strategy,
        value=expected_value(game, strategy),
        best_response_values=_best_response_values(game, strategy),
        nash_conv=gap,
        iterations=1,
        seconds=elapsed,
        nodes_touched=None,
        nodes_touched_overhead=None,
        regret_entries_live=None,
        strategy_entries_live=int(np.count_nonzero(strategy.plan)),
        bytes_resident=game.nbytes,
        ending=_exact_ending(game, gap),
        history=history,
    )


def _exact_ending(game: CompiledGame, gap: float) -> Ending:
    scale = game.payoff_scale
    if gap <= _EXACT * scale + _ROUNDING * max(map(abs, game.payoffs)):
        return Ending(Kind.EXACT, "the linear program was solved exactly")
    return Ending(
        Kind.INEXACT,
        f"the linear program was solved, but only to NashConv {gap:.3g}, "
        f"{0.5 * gap / scale if scale else math.inf:.2g} of the range of payoffs",
    )


def _best_response_values(game: CompiledGame, strategy: Strategy) -> tuple[float, float]:
    return best_response_value(game, strategy, 0), best_response_value(game, strategy, 1)


class _Run:
    """Steps a state in chunks, looks at it now and then, and stops in time."""

    def __init__(
        self,
        game: CompiledGame,
        solver: Solver,
        until: Condition,
        observe: Observer | None,
        record: Record | None,
        warm: WarmStart | None,
        engine: Engine,
    ) -> None:
        self.game = game
        self.judge = engine.judge
        self.until = until
        self.observe = observe
        self.record = record
        self.warm = warm
        self.warm_weight = None if warm is None else warm.weight
        self.state: State = engine.start(solver, game)
        self.history: list[Snapshot] = []
        self.per_iteration = 0.0
        self.begin = 0.0
        self.interruptions: list[int] = []

    def to_the_end(self) -> Result:
        signals = (signal.SIGINT,) if self.record is None else (signal.SIGINT, signal.SIGTERM)
        with interruptions(*signals) as self.interruptions:
            self.begin = time.perf_counter()
            if self.record is not None:
                self.history, spent = self.record.begin(self.state)
                self.begin = time.perf_counter() - spent
            if self.warm is not None and self.state.iteration == 0:
                begin_warm(self.state, self.warm)
            self.warm = None  # the strategy is no longer needed
            over = False
            while not (over := self._is_over()):
                if self.interruptions:
                    break
                goal = min(next_look(self.state.iteration), self.until.last_iteration)
                self._advance(int(goal))
                if self.state.iteration == goal:
                    self._look()
            if not self.history or self.history[-1].iteration != self.state.iteration:
                self._look()
            # the clock may have run out after the last snapshot
            seconds = self._seconds()
            self._keep()
        now = self.history[-1]
        return Result(
            game=self.game,
            solver=self.state.solver,
            nash_conv=now.nash_conv,
            iterations=now.iteration,
            seconds=seconds,
            nodes_touched=now.nodes_touched,
            nodes_touched_overhead=self.state.nodes_touched_overhead,
            regret_entries_live=self.state.regret_entries_live,
            strategy_entries_live=self.state.strategy_entries_live,
            bytes_resident=now.bytes_resident,
            ending=self._reason() if over else self._interruption(),
            history=self.history,
            warm_weight=self.warm_weight,
            **self.judge(self.state)._asdict(),  # the last that is asked of the state
        )

    def _is_over(self) -> bool:
        """Return whether the run may end here; only scheduled snapshots can tell, or its limits.

        So a run that was interrupted and goes on ends where it would have ended without.
        """
        if self.state.iteration == 0:
            return False
        if self.state.iteration >= self.until.last_iteration:
            return True
        if self._seconds() >= self.until.last_second:
            return True
        return bool(self.history) and self.until.met(self.history[-1])

    def _reason(self) -> Ending:
        """Return which condition ended the run."""
        # the clock may have run out between the last snapshot and the end
        condition = self.until.ended_by(self.history[-1]._replace(seconds=self._seconds()))
        condition = condition or self.until
        return Ending(condition.kind, condition.sentence)

    def _interruption(self) -> Ending:
        if self.interruptions[0] == signal.SIGTERM:
            return Ending(Kind.TERMINATED, "the run was told to stop")
        return Ending(Kind.INTERRUPTED, "the run was interrupted")

    def _seconds(self) -> float:
        return time.perf_counter() - self.begin

    def _scheduled(self) -> list[Snapshot]:
        """Return the snapshots that every run takes, wherever it is interrupted."""
        return scheduled(self.history)

    def _advance(self, goal: int) -> None:
        """Run up to an iteration, in chunks short enough to be interrupted."""
        while self.state.iteration < goal:
            if self.record is not None and self.record.is_due():
                self._keep()
            now = time.perf_counter()
            left = min(_LONGEST_CHUNK, self.begin + self.until.last_second - now)
            chunk = goal - self.state.iteration
            if self.per_iteration > 0.0:
                chunk = min(chunk, max(1, int(left / self.per_iteration)))
            else:
                chunk = 1
            self.state.step(chunk)
            self.per_iteration = (time.perf_counter() - now) / chunk
            if self.interruptions or self._seconds() >= self.until.last_second:
                return

    def _checked_gap(self) -> float:
        """Return NashConv; a run whose numbers are none any more ends here, and is not kept."""
        try:
            gap = self.state.nash_conv()
        except ParameterError:  # sums of strategies that no strategy can be made of
            gap = math.nan
        if not math.isfinite(gap) or self.state.has_nan():
            raise SecateurError(
                f"{self.state.solver} on {self.game}: after {self.state.iteration:,} iterations "
                f"its numbers are no longer finite (NashConv {gap:g}), because payoffs from "
                f"{self.game.payoffs[0]:g} to {self.game.payoffs[1]:g} are too large or too small "
                "for it; scale them."
            )
        return gap

    def _keep(self) -> None:
        """Let the record keep the state, if it is sound."""
        if self.record is not None:
            self._checked_gap()
            self.record.keep(self.state, self._scheduled(), self._seconds())

    def _look(self) -> None:
        gap = self._checked_gap()
        cells = max(1, self.game.cells)
        alive = self.state.regret_entries_live
        snapshot = Snapshot(
            iteration=self.state.iteration,
            seconds=self._seconds(),
            nash_conv=gap,
            exploitability=0.5 * gap,
            nodes_touched=self.state.nodes_touched,
            bytes_resident=self.state.bytes_resident + self.game.nbytes,
            alive=alive / cells,
            space=(alive + self.state.strategy_entries_live) / (2 * cells),
        )
        self.history.append(snapshot)
        if self.record is not None:
            self.record.look(snapshot)
        if self.observe is not None:
            try:
                self.observe(self.history)
            except KeyboardInterrupt:
                self.interruptions.append(signal.SIGINT)


def scheduled(history: list[Snapshot]) -> list[Snapshot]:
    """Return the snapshots that do not depend on where a run was stopped: all but maybe the last.

    Only these tell whether a target is reached.
    """
    if history and next_look(history[-1].iteration - 1) != history[-1].iteration:
        return history[:-1]
    return history


def next_look(iteration: int) -> int:
    """Return the next iteration after which every run is looked at.

    The schedule depends on nothing else, so that a run can be interrupted and go on.
    """
    look = 1
    while look <= iteration:
        look = max(look + 1, int(look * _GROWTH))
    return look
