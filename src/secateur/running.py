"""Runs a solver on a game until a condition is met."""

from __future__ import annotations

import enum
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.games.rules import Game
from secateur.interruptions import interruptions
from secateur.metrics import expected_value, nash_conv
from secateur.recipes import cfr_plus
from secateur.solvers.exact import Exact
from secateur.solvers.iterative import Iterative, State
from secateur.stopping import DEFAULT_LIMIT, Condition, Snapshot
from secateur.strategy import Strategy

Observer = Callable[[list[Snapshot]], None]

_LONGEST_CHUNK = 0.1
"""Seconds of work between two chances to stop, as far as iterations can be divided."""

_GROWTH = 1.05
"""Exploitability is looked at whenever the iterations have grown by this factor: evaluations cost
about as much as iterations, so this adds a few per cent early and next to nothing later."""


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


class Ending(enum.Enum):
    """Why a run ended."""

    CONDITION = "the condition was met"
    INTERRUPTED = "the run was interrupted"
    TERMINATED = "the run was told to stop"
    EXACT = "the linear program was solved"


@dataclass(frozen=True)
class Result:
    """What a run found, and how."""

    game: CompiledGame = field(repr=False)
    solver: Iterative | Exact
    strategy: Strategy = field(repr=False)
    value: float
    """What player 0 wins on average under the strategy."""

    nash_conv: float
    iterations: int
    seconds: float
    nodes_touched: int | None
    nodes_touched_overhead: int | None
    """Those visited to evaluate pruned branches."""

    regret_entries_live: int | None
    """Sequences whose regret is in use."""

    strategy_entries_live: int
    """Sequences that the average strategy plays."""

    bytes_resident: int
    """Of the solver's arrays and the compiled game."""

    ending: Ending
    history: list[Snapshot] = field(repr=False)

    @property
    def exploitability(self) -> float:
        """Half of NashConv."""
        return 0.5 * self.nash_conv

    @property
    def entries_live(self) -> int | None:
        """Regrets and sums of strategies in use, together."""
        if self.regret_entries_live is None:
            return None
        return self.regret_entries_live + self.strategy_entries_live

    def save(self, path: str | Path, *, precision: str = "float64") -> None:
        """Write the strategy, and how good it is, to a file: see :meth:`Strategy.save`."""
        self.strategy.save(
            path,
            precision=precision,
            exploitability=self.exploitability,
            nash_conv=self.nash_conv,
            value=self.value,
            iterations=self.iterations,
        )


def solve(
    game: Game | CompiledGame,
    solver: Iterative | Exact | None = None,
    until: Condition | None = None,
    observe: Observer | None = None,
    record: Record | None = None,
) -> Result:
    """Solve a game.

    Parameters
    ----------
    game : Game or CompiledGame
        Rules, or what :func:`secateur.compile` made of them.
    solver : CFR, EGT, FictitiousPlay, OptimisticMirrorDescent or Exact
        The algorithm; CFR+ if not given.
    until : Condition
        When to stop; at exploitability 1e-3 if not given. The exact solver
        takes none.
    observe : callable
        Called with the list of snapshots whenever there is a new one.
    record : Record
        Where the run is kept; it goes on from there. SIGTERM ends such a run
        like Ctrl-C.

    Ctrl-C ends the run early with the result so far.
    """
    if solver is None:
        solver = cfr_plus()
    if isinstance(game, CompiledGame):
        compiled = game
    else:
        compiled = compile_game(game, pruning=solver.needs_bounds, thresholds=solver.needs_branches)
    if isinstance(solver, Exact):
        if until is not None:
            raise ParameterError(
                "solve: the exact solver takes no stopping condition; leave it out."
            )
        return _solve_exactly(compiled, solver, observe)
    if until is None:
        until = DEFAULT_LIMIT
    if until.counts_nodes and not solver.count_nodes:
        solver = replace(solver, count_nodes=True)
    return _Run(compiled, solver, until, observe, record).to_the_end()


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
        nash_conv=gap,
        iterations=1,
        seconds=elapsed,
        nodes_touched=None,
        nodes_touched_overhead=None,
        regret_entries_live=None,
        strategy_entries_live=int(np.count_nonzero(strategy.plan)),
        bytes_resident=game.nbytes,
        ending=Ending.EXACT,
        history=history,
    )


class _Run:
    """Steps a state in chunks, looks at it now and then, and stops in time."""

    def __init__(
        self,
        game: CompiledGame,
        solver: Iterative,
        until: Condition,
        observe: Observer | None,
        record: Record | None,
    ) -> None:
        self.game = game
        self.until = until
        self.observe = observe
        self.record = record
        self.state: State = solver.start(game)
        self.history: list[Snapshot] = []
        self.per_iteration = 0.0
        self.begin = 0.0
        self.interruptions: list[int] = []

    def to_the_end(self) -> Result:
        ending = Ending.CONDITION
        signals = (signal.SIGINT,) if self.record is None else (signal.SIGINT, signal.SIGTERM)
        with interruptions(*signals) as self.interruptions:
            self.begin = time.perf_counter()
            if self.record is not None:
                self.history, spent = self.record.begin(self.state)
                self.begin = time.perf_counter() - spent
            while not self._is_over():
                if self.interruptions:
                    terminated = self.interruptions[0] == signal.SIGTERM
                    ending = Ending.TERMINATED if terminated else Ending.INTERRUPTED
                    break
                goal = min(next_look(self.state.iteration), self.until.last_iteration)
                self._advance(int(goal))
                if self.state.iteration == goal:
                    self._look()
            if not self.history or self.history[-1].iteration != self.state.iteration:
                self._look()
            if self.record is not None:
                self.record.keep(self.state, self._scheduled(), self._seconds())
        now = self.history[-1]
        strategy = self.state.average_strategy()
        return Result(
            game=self.game,
            solver=self.state.solver,
            strategy=strategy,
            value=expected_value(self.game, strategy),
            nash_conv=now.nash_conv,
            iterations=now.iteration,
            seconds=now.seconds,
            nodes_touched=now.nodes_touched,
            nodes_touched_overhead=self.state.nodes_touched_overhead,
            regret_entries_live=self.state.regret_entries_live,
            strategy_entries_live=self.state.strategy_entries_live,
            bytes_resident=now.bytes_resident,
            ending=ending,
            history=self.history,
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

    def _seconds(self) -> float:
        return time.perf_counter() - self.begin

    def _scheduled(self) -> list[Snapshot]:
        """Return the snapshots that every run takes, wherever it is interrupted."""
        if self.history and next_look(self.history[-1].iteration - 1) != self.history[-1].iteration:
            return self.history[:-1]
        return self.history

    def _advance(self, goal: int) -> None:
        """Run up to an iteration, in chunks short enough to be interrupted."""
        while self.state.iteration < goal:
            if self.record is not None and self.record.is_due():
                self.record.keep(self.state, self._scheduled(), self._seconds())
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

    def _look(self) -> None:
        gap = self.state.nash_conv()
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


def next_look(iteration: int) -> int:
    """Return the next iteration after which every run is looked at.

    The schedule depends on nothing else, so that a run can be interrupted and go on.
    """
    look = 1
    while look <= iteration:
        look = max(look + 1, int(look * _GROWTH))
    return look
