"""A process works on a run: begins it, or goes on with it, and keeps what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from secateur.conditions import Condition
from secateur.errors import FileError, ParameterError, RecordError, SecateurError
from secateur.results import Result
from secateur.running import HERE, Engine, Observer, solve
from secateur.runs import EVERY
from secateur.runs.configuration import Configuration
from secateur.runs.directory import RunDirectory
from secateur.runs.fitting import Fitted
from secateur.runs.games import OtherGameError
from secateur.runs.recorder import Recorder
from secateur.solvers.exact import Exact
from secateur.solvers.warm_start import warm_start_of
from secateur.until import enough
from secateur.warm_strategies import warm_strategy


@contextmanager
def continued(
    directory: RunDirectory,
    until: Condition | None = None,
    checkpoint_every: float | None = None,
    memory_limit: int | None = None,
    *,
    cache: bool = False,
) -> Iterator[Configuration]:
    """Hold the directory of a run, which goes on with what is given here, as far as it is.

    A condition replaces the one before; else a run would end at once that is to go on. If it turns
    out that the run cannot go on, nothing has changed.
    """
    directory.configuration()  # there must be one before the directory is touched
    with directory.held():
        before = directory.configuration()
        if until is not None and until.counts_nodes and not before.solver.count_nodes:
            raise ParameterError(
                f"{directory} has not counted nodes since it began, so {until} cannot end it; use "
                "another condition."
            )
        configuration = before._replace(
            until=until or before.until,
            checkpoint_every=checkpoint_every or before.checkpoint_every,
            memory_limit=memory_limit or before.memory_limit,
            cache=cache or before.cache,
        )
        if configuration != before:
            configuration.write(directory.configuration_path)
        try:
            yield configuration
        except RecordError:
            raise
        except SecateurError as error:  # limits that cannot be met are not kept
            before.write(directory.configuration_path)
            if isinstance(error, OtherGameError) and before.game.source is not None:
                raise before.game.changed(directory) from error
            raise


def carried_out(
    directory: RunDirectory,
    fitted: Fitted,
    observe: Observer | None,
    warn: Callable[[str], Any],
    expect: Callable[[Condition], Any] = lambda _: None,
    engine: Engine = HERE,
) -> Result:
    """Run what the configuration of a directory says, from its last checkpoint on, to the end.

    Parameters
    ----------
    directory : RunDirectory
        Held by this process.
    fitted : Fitted
        The game of the configuration, and its solver, as they keep to its memory limit.
    observe : callable
        Called with the list of snapshots whenever there is a new one.
    warn : callable
        Gets a sentence for each checkpoint that cannot be used.
    expect : callable
        Gets the condition that ends the run.
    engine : Engine
        Where it takes place.
    """
    before, game, solver = directory.configuration(), fitted.game, fitted.solver
    assert not isinstance(solver, Exact)
    before.game.check(directory, game)
    until = before.until or enough(game)
    settled = before._replace(
        game=before.game._replace(fingerprint=game.fingerprint),
        solver=solver,
        until=until,
        fitted=fitted.words,
    )
    if settled != before:
        settled.write(directory.configuration_path)
    expect(until)
    every = settled.checkpoint_every or EVERY
    record = Recorder(directory, game, solver, every, warn)
    warm = None
    if settled.warm_weight is not None:
        strategy = warm_strategy(directory.start_path, game, game)
        warm = warm_start_of(solver, game, strategy, settled.warm_weight)
    game.forget()  # the record has read all of it
    result = solve(game, solver, until, observe, record, warm, engine)
    result = replace(result, fitted=fitted.words)
    try:
        result.save(directory.strategy_path)
    except FileError as error:
        raise RecordError(f"{error} Then, {how_to_go_on(directory)}") from error
    return result


def how_to_go_on(directory: RunDirectory) -> str:
    """Return in words how to go on with a run."""
    return f"go on with: secateur.resume({str(directory)!r})"
