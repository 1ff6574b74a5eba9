"""Solves games, and goes on with runs that are kept in directories."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

from secateur import checks, crew
from secateur.cluster.solving import Request, scattered
from secateur.compiled.compile import MEMORY
from secateur.compiled.game import CompiledGame
from secateur.conditions import Condition
from secateur.errors import ParameterError
from secateur.games.registry import load
from secateur.games.rules import Game
from secateur.preparing import prepare_kernels
from secateur.results import Result
from secateur.running import Observer, checked, compiled_for, condition_of
from secateur.running import solve as run_solver
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.fitting import Fitted, fitted
from secateur.runs.games import description_of
from secateur.runs.sessions import carried_out, continued
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.solvers.warm_start import WEIGHT, WarmStart, check_warm_start, warm_start_of
from secateur.strategy import Strategy
from secateur.until import enough
from secateur.warm_strategies import warm_strategy

_PAUSE = checks.optional(checks.number("use more than 0 seconds", above=0.0))
_WEIGHT = checks.optional(WEIGHT)


def solve(
    game: Game | CompiledGame | str,
    solver: Solver | Exact | str | None = None,
    until: Condition | float | None = None,
    observe: Observer | None = None,
    *,
    run: str | Path | None = None,
    checkpoint_every: float | None = None,
    memory_limit: int | None = None,
    cache: bool | str | Path = False,
    warm_start: Strategy | str | Path | None = None,
    warm_weight: int | None = None,
    warm_game: Game | str | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    shards: int | None = None,
) -> Result:
    """Solve a game: ``solve("leduc", "dcfr", until=1e-3)``.

    Ctrl-C ends the run early with the result so far.

    Parameters
    ----------
    game : Game, CompiledGame or str
        Rules, what :func:`secateur.compile` made of them, or a name for :func:`secateur.load`.
    solver : CFR, EGT, FictitiousPlay, OptimisticMirrorDescent, Exact or str
        The algorithm, or its name: cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+, pdcfr+, sapcfr+,
        hedge, fp, egt, omd, exact. SAPCFR+ if not given.
    until : Condition or float
        When to stop, made of parts of :mod:`secateur.until`; a number is the exploitability to
        reach (whole numbers above 1, which may be meant as iterations, are refused). If not given,
        :func:`secateur.until.enough`. The exact solver takes none.
    observe : callable
        Called with the list of snapshots whenever there is a new one.
    run : str or Path
        Keep the run in this new directory, as ``secateur solve --run`` does: :func:`resume` goes on
        with it, and :func:`open_run` tells how far it is. SIGTERM ends such a run like Ctrl-C.
    checkpoint_every : float
        Seconds between two checkpoints of a run that is kept, 60 if not given; more if writing them
        would take over a fiftieth of the time.
    memory_limit : int
        Bytes that the program may take more than before, kernels aside, from compiling the game to
        the result. If need be the game is moved to a file and mapped, and numbers are kept in
        float32 or int16, unless the solver is an object, which says how itself; then
        :attr:`Result.fitted` tells. What does not fit even so is not started. A run that is kept
        remembers the limit.
    cache : bool, str or Path
        Keep the compiled game in a file, as :func:`secateur.compile` does. A run that is kept
        remembers True, but no folder.
    warm_start : Strategy, str or Path
        Begin with this strategy, or the one in this file, instead of uniform play: one of the same
        game, or of a coarser one that its rules can translate (:meth:`Game.in_coarser`). For CFR
        and its kin. A run that is kept has a copy.
    warm_weight : int
        The iterations that this strategy stands for, no more than a run needs to come as close to
        an equilibrium; an estimate if not given.
    warm_game : Game or str
        The game that the file is for, if it does not tell.
    threads : int
        How many work on a large game; as many as there are cores if not given. Results do not
        depend on it, to the bit.
    cluster : str
        Run on a cluster of Ray (the extra ``cluster``): at this address, or with "auto" on the one
        that runs on this machine, or else one for this process. For CFR and its kin, to the same
        bits. The run must be kept, in a directory on storage that all machines see: there is all of
        the strategy; the result has its first decisions.
    shards : int
        The actors that hold parts of the game there; one on each machine if not given.
    """
    asked = f"solve(memory_limit={checks.shown(memory_limit)})"
    memory_limit = MEMORY(asked, memory_limit)
    rounding = solver is None or isinstance(solver, str)
    solver, until = checked(solver, until, observe, kept=run is not None)
    if isinstance(solver, Exact) and memory_limit is not None:
        raise ParameterError(f"{asked}: nobody can tell what the exact solver takes; leave it out.")
    warm_weight = _WEIGHT(f"solve(warm_weight={checks.shown(warm_weight)})", warm_weight)
    if warm_start is not None:
        check_warm_start(solver)
    elif warm_weight is not None or warm_game is not None:
        raise ParameterError(
            "solve: warm_weight and warm_game go with a strategy; give warm_start, or leave them "
            "out."
        )

    request = _requested(cluster, shards, solver)
    if request is not None and (warm_start is not None or memory_limit is not None):
        raise ParameterError(
            "solve: warm_start and memory_limit do not go with a cluster; leave them out."
        )
    if request is not None and run is None:
        raise ParameterError(
            "solve: a run on a cluster is kept in a directory that all machines see; give it, "
            "run=..."
        )
    warm = warm_start is not None

    def warmed(compiled: CompiledGame) -> WarmStart | None:
        if warm_start is None:
            return None
        strategy = warm_strategy(warm_start, compiled, game, warm_game)
        return warm_start_of(solver, compiled, strategy, warm_weight)

    if run is None:
        if checkpoint_every is not None:
            raise ParameterError(
                f"solve(checkpoint_every={checks.shown(checkpoint_every)}): only runs that are "
                "kept have checkpoints; give a directory, run=..., or leave it out."
            )
        found, compiling = _fitted(solver, game, cache, memory_limit, rounding=rounding, warm=warm)
        start = warmed(found.game)
        with crew.threads(threads):
            result = run_solver(found.game, found.solver, until, observe, warm=start)
        compiling += result.compile_seconds
        return replace(result, compile_seconds=compiling, fitted=found.words)
    directory = RunDirectory(checks.path(f"solve(run={checks.shown(run)})", run))
    asked = f"solve(checkpoint_every={checks.shown(checkpoint_every)})"
    checkpoint_every = _PAUSE(asked, checkpoint_every)
    assert not isinstance(solver, Exact)
    directory.check_free()
    if request is not None:
        description, resources = description_of(game), (checkpoint_every, None)
        configuration = Configuration.of(
            description, solver, until, *resources, cache=cache is True
        )
        with directory.created(configuration):
            return _on_cluster(request, directory, solver, game, cache, observe)
    found, compiling = _fitted(solver, game, cache, memory_limit, rounding=rounding, warm=warm)
    description = description_of(game, found.game)
    until = until or enough(found.game)
    start = warmed(found.game)
    configuration = Configuration.of(
        description,
        solver,
        until,
        checkpoint_every,
        memory_limit,
        cache=cache is True,
        warm_weight=None if start is None else start.weight,
    )
    with directory.created(configuration):
        if start is not None:
            start.strategy.save(directory.start_path)
            del start  # it is read from there
        with crew.threads(threads):
            result = carried_out(directory, found, observe, _warn)
    return replace(result, compile_seconds=compiling + result.compile_seconds)


def resume(
    run: str | Path,
    until: Condition | float | None = None,
    *,
    game: Game | CompiledGame | None = None,
    observe: Observer | None = None,
    checkpoint_every: float | None = None,
    memory_limit: int | None = None,
    cache: bool | str | Path = False,
    threads: int | None = None,
    cluster: str | None = None,
    shards: int | None = None,
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
    memory_limit : int
        Bytes that the program may take, from now on, as :func:`solve` counts them; if not given,
        the limit that the run was given last holds. Its numbers stay as they are.
    cache : bool, str or Path
        Keep the compiled game in a file, as :func:`secateur.compile` does, from now on if True.
    threads : int
        How many work on a large game; as many as there are cores if not given.
    cluster : str
        Where to go on, as :func:`solve` takes it; on this machine if not given, wherever the run
        was before.
    shards : int
        The actors there; not necessarily as many as before.

    Raises
    ------
    FileError
        If there is no run, another process runs it, or it cannot go on with these files or rules.
    ParameterError
        If it would take more memory than the limit; the run is what it was.
    """
    directory = RunDirectory(checks.path(f"resume({checks.shown(run)})", run))
    asked = f"resume(checkpoint_every={checks.shown(checkpoint_every)})"
    checkpoint_every = _PAUSE(asked, checkpoint_every)
    memory_limit = MEMORY(f"resume(memory_limit={checks.shown(memory_limit)})", memory_limit)
    if until is not None:
        until = condition_of(f"resume(until={checks.shown(until)})", until)
    resources = checkpoint_every, memory_limit
    with continued(directory, until, *resources, cache=cache is True) as configuration:
        request = _requested(cluster, shards, configuration.solver)
        rules = configuration.game.load(directory) if game is None else game
        if request is not None:
            keep = cache or configuration.cache
            return _on_cluster(request, directory, configuration.solver, rules, keep, observe)
        found, compiling = _fitted(
            configuration.solver,
            rules,
            cache or configuration.cache,
            configuration.memory_limit,
            rounding=False,
            restored=directory.checkpoints.largest(),
            warm=configuration.warm_weight is not None,
        )
        with crew.threads(threads):
            result = carried_out(directory, found, observe, _warn)
    return replace(result, compile_seconds=compiling + result.compile_seconds)


def _requested(cluster: str | None, shards: int | None, solver: Solver | Exact) -> Request | None:
    """Return the cluster that was asked for, if one was."""
    if cluster is not None:
        return Request.of(cluster, shards, solver)
    if shards is not None:
        raise ParameterError(
            f"solve(shards={checks.shown(shards)}): shards are parts of a run on a cluster; give "
            "cluster='auto' or its address, or leave them out."
        )
    return None


def _on_cluster(
    request: Request,
    directory: RunDirectory,
    solver: Solver | Exact,
    game: Game | CompiledGame | str,
    cache: bool | str | Path,
    observe: Observer | None,
) -> Result:
    """Carry out the run of a directory on a cluster."""
    begin = time.perf_counter()
    rules = load(game) if isinstance(game, str) else game
    whole, engine = scattered(
        request,
        solver,
        rules,
        lambda: compiled_for(solver, rules, cache=cache),
        directory.path,
        _warn,
    )
    compiling = time.perf_counter() - begin
    result = carried_out(directory, Fitted(whole, solver), observe, _warn, engine=engine)
    return replace(result, compile_seconds=compiling + result.compile_seconds)


def _fitted(
    solver: Solver | Exact,
    game: Game | CompiledGame | str,
    cache: bool | str | Path,
    limit: int | None,
    *,
    rounding: bool,
    restored: int = 0,
    warm: bool,
) -> tuple[Fitted, float]:
    """Return a game and a solver that keep to a limit, and the seconds that it took."""
    begin = time.perf_counter()
    found = fitted(
        lambda: compiled_for(solver, game, cache=cache, memory_limit=limit, warm=warm),
        solver,
        limit,
        rounding=rounding,
        given=game if isinstance(game, CompiledGame) else None,
        restored=restored,
        warm=warm,
        prepare=partial(prepare_kernels, warm=warm),
    )
    return found, time.perf_counter() - begin


def _warn(sentence: str) -> None:
    warnings.warn(sentence, RuntimeWarning, stacklevel=2)
