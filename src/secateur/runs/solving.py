"""Solves games, and goes on with runs that are kept in directories."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from pathlib import Path

from secateur import checks
from secateur.compiled.game import CompiledGame
from secateur.conditions import Condition
from secateur.errors import ParameterError
from secateur.games.rules import Game
from secateur.results import Result
from secateur.running import Observer, checked, compiled_for
from secateur.running import solve as run_solver
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.games import description_of
from secateur.runs.sessions import carried_out, continued
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.until import enough, exploitability

_PAUSE = checks.optional(checks.number("use more than 0 seconds", above=0.0))


def solve(
    game: Game | CompiledGame | str,
    solver: Solver | Exact | str | None = None,
    until: Condition | float | None = None,
    observe: Observer | None = None,
    *,
    run: str | Path | None = None,
    checkpoint_every: float | None = None,
) -> Result:
    """Solve a game: ``solve("leduc", "dcfr", until=1e-3)``.

    Ctrl-C ends the run early with the result so far.

    Parameters
    ----------
    game : Game, CompiledGame or str
        Rules, what :func:`secateur.compile` made of them, or a name for :func:`secateur.load`.
    solver : CFR, EGT, FictitiousPlay, OptimisticMirrorDescent, Exact or str
        The algorithm, or its name: cfr, cfr+, lcfr, dcfr, pcfr+, hedge, fp, egt, omd, exact. CFR+
        if not given.
    until : Condition or float
        When to stop, made of parts of :mod:`secateur.until`; a number is the exploitability to
        reach. If not given, :func:`secateur.until.enough`. The exact solver takes none.
    observe : callable
        Called with the list of snapshots whenever there is a new one.
    run : str or Path
        Keep the run in this new directory, as ``secateur solve --run`` does: :func:`resume` goes on
        with it, and :func:`open_run` tells how far it is. SIGTERM ends such a run like Ctrl-C.
    checkpoint_every : float
        Seconds between two checkpoints of a run that is kept, 60 if not given; more if writing them
        would take over a fiftieth of the time.
    """
    if run is None:
        if checkpoint_every is not None:
            raise ParameterError(
                f"solve(checkpoint_every={checks.shown(checkpoint_every)}): only runs that are "
                "kept have checkpoints; give a directory, run=..., or leave it out."
            )
        return run_solver(game, solver, until, observe)
    directory = RunDirectory(checks.path(f"solve(run={checks.shown(run)})", run))
    asked = f"solve(checkpoint_every={checks.shown(checkpoint_every)})"
    checkpoint_every = _PAUSE(asked, checkpoint_every)
    solver, until = checked(solver, until, kept=True)
    assert not isinstance(solver, Exact)
    directory.check_free()
    begin = time.perf_counter()
    compiled = compiled_for(solver, game)
    compiling = time.perf_counter() - begin
    description = description_of(game, compiled)
    until = until or enough(compiled)
    configuration = Configuration.of(description, solver, until, checkpoint_every)
    with directory.created(configuration):
        result = carried_out(directory, compiled, observe, _warn)
    return replace(result, compile_seconds=compiling + result.compile_seconds)


def resume(
    run: str | Path,
    until: Condition | float | None = None,
    *,
    game: Game | CompiledGame | None = None,
    observe: Observer | None = None,
    checkpoint_every: float | None = None,
) -> Result:
    """Go on with a run from its last checkpoint, to the same bits as if it had never stopped.

    Parameters
    ----------
    run : str or Path
        The directory that was given to :func:`solve`, or to ``secateur solve --run``.
    until : Condition or float
        When to stop, counted from the beginning of the run; replaces the condition that it had. If
        not given, that one holds.
    game : Game or CompiledGame
        The rules, if they are an object of your program that neither a name nor a file stands for.
        They must be those of the run.
    observe : callable
        Called with the list of snapshots whenever there is a new one.
    checkpoint_every : float
        Seconds between two checkpoints, from now on.

    Raises
    ------
    FileError
        If there is no run, another process runs it, or it cannot go on with these files or rules.
    """
    directory = RunDirectory(checks.path(f"resume({checks.shown(run)})", run))
    asked = f"resume(checkpoint_every={checks.shown(checkpoint_every)})"
    checkpoint_every = _PAUSE(asked, checkpoint_every)
    if until is not None and not isinstance(until, Condition):
        until = exploitability(until)
    with continued(directory, until, checkpoint_every) as configuration:
        begin = time.perf_counter()
        rules = configuration.game.load(directory) if game is None else game
        compiled = compiled_for(configuration.solver, rules)
        compiling = time.perf_counter() - begin
        result = carried_out(directory, compiled, observe, _warn)
    return replace(result, compile_seconds=compiling + result.compile_seconds)


def _warn(sentence: str) -> None:
    warnings.warn(sentence, RuntimeWarning, stacklevel=2)
