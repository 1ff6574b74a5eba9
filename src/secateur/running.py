"""Runs a solver on a game until a condition is met."""

from __future__ import annotations

import enum
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import numpy as np

from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.games.rules import Game
from secateur.metrics import expected_value, nash_conv
from secateur.recipes import cfr_plus
from secateur.solvers.exact import Exact
from secateur.solvers.iterative import Iterative, State
from secateur.stopping import Condition, Snapshot, exploitability
from secateur.strategy import Strategy

Observer = Callable[[list[Snapshot]], None]

_LONGEST_CHUNK = 0.1
"""Seconds of work between two chances to stop, as far as iterations can be divided."""

_GROWTH = 1.05
"""Exploitability is looked at whenever the iterations have grown by this factor: evaluations cost
about as much as iterations, so this adds a few per cent early and next to nothing later."""


class Ending(enum.Enum):
    """Why a run ended."""

    CONDITION = "the condition was met"
    INTERRUPTED = "the run was interrupted"
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

    def save(self, path: Any) -> None:
        """Write the strategy to a readable file."""
        self.strategy.save(
            path,
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
        until = exploitability(1e-3)
    if until.counts_nodes and not solver.count_nodes:
        solver = replace(solver, count_nodes=True)
    return _Run(compiled, solver, until, observe).to_the_end()


def _solve_exactly(game: CompiledGame, solver: Exact, observe: Observer | None) -> Result:
    begin = time.perf_counter()
    strategy = solver.solve(game)
    elapsed = time.perf_counter() - begin
    gap = nash_conv(game, strategy)
    history = [Snapshot(1, elapsed, gap, 0.5 * gap, None, game.nbytes, 1.0)]
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


@contextmanager
def _interruptions() -> Iterator[list[int]]:
    """Collect Ctrl-C instead of raising it, so that it never parts a chunk from its counters.

    A kernel cannot be interrupted; Python would raise right after it, before the iterations are
    counted. The second Ctrl-C raises: somebody is in a hurry.
    """
    received: list[int] = []
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not ours:
        yield received
        return

    def receive(number: int, frame: FrameType | None) -> None:
        if received:
            signal.default_int_handler(number, frame)
        received.append(number)

    signal.signal(signal.SIGINT, receive)
    try:
        yield received
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Run:
    """Steps a state in chunks, looks at it now and then, and stops in time."""

    def __init__(
        self, game: CompiledGame, solver: Iterative, until: Condition, observe: Observer | None
    ) -> None:
        self.game = game
        self.until = until
        self.observe = observe
        self.state: State = solver.start(game)
        self.history: list[Snapshot] = []
        self.per_iteration = 0.0
        self.interruptions: list[int] = []

    def to_the_end(self) -> Result:
        ending = Ending.CONDITION
        begin = time.perf_counter()
        with _interruptions() as self.interruptions:
            while not self.history or not self.until.met(self.history[-1]):
                if self.interruptions:
                    ending = Ending.INTERRUPTED
                    break
                goal = min(self._next_look(), self.until.last_iteration)
                self._advance(int(goal), begin)
                self._look(time.perf_counter() - begin)
        if not self.history or self.history[-1].iteration != self.state.iteration:
            self._look(time.perf_counter() - begin)
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

    def _next_look(self) -> int:
        done = self.state.iteration
        return max(done + 1, int(done * _GROWTH))

    def _advance(self, goal: int, begin: float) -> None:
        """Run up to an iteration, in chunks short enough to be interrupted."""
        while self.state.iteration < goal:
            now = time.perf_counter()
            left = min(_LONGEST_CHUNK, begin + self.until.last_second - now)
            chunk = goal - self.state.iteration
            if self.per_iteration > 0.0:
                chunk = min(chunk, max(1, int(left / self.per_iteration)))
            else:
                chunk = 1
            self.state.step(chunk)
            after = time.perf_counter()
            self.per_iteration = (after - now) / chunk
            if self.interruptions or after - begin >= self.until.last_second:
                return

    def _look(self, elapsed: float) -> None:
        gap = self.state.nash_conv()
        snapshot = Snapshot(
            iteration=self.state.iteration,
            seconds=elapsed,
            nash_conv=gap,
            exploitability=0.5 * gap,
            nodes_touched=self.state.nodes_touched,
            bytes_resident=self.state.bytes_resident + self.game.nbytes,
            alive=self.state.regret_entries_live / max(1, self.game.cells),
        )
        self.history.append(snapshot)
        if self.observe is not None:
            try:
                self.observe(self.history)
            except KeyboardInterrupt:
                self.interruptions.append(signal.SIGINT)
