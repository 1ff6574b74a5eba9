"""Lets a run take place on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from secateur import checks
from secateur.checks import shown
from secateur.cluster.engine import AUTO, Cluster, LostError, check_address, imported
from secateur.cluster.shards import Shards, check_count
from secateur.cluster.sources import (
    Rules,
    Slices,
    Source,
    Summary,
    scattered_game,
)
from secateur.cluster.state import ClusterState
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError, SecateurError
from secateur.games.public import PublicGame
from secateur.games.rules import Game
from secateur.pruning import NoPruning, PartialPruning
from secateur.running import Engine, Judgment
from secateur.solvers.cfr import CFR
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver

_SHARDS = checks.optional(checks.whole("use a whole number of shards, 1 or more", least=1))


class Request(NamedTuple):
    """A cluster that somebody has asked for; make one with :meth:`of`."""

    address: str
    shards: int | None

    @staticmethod
    def of(address: object, shards: object, solver: Solver | Exact) -> Request:
        """Return what was asked for, if a solver can run there; nothing has been started then."""
        if not isinstance(address, str) or not address:
            checks.refuse(f"cluster={shown(address)}", "give 'auto', or the address of a cluster")
        count = _SHARDS(f"shards={shown(shards)}", shards)
        check_solver(solver)
        imported()
        if address != AUTO:
            check_address(address)
        return Request(address, count)


def check_solver(solver: Solver | Exact) -> None:
    """Raise ParameterError unless a solver can run on a cluster."""
    if not isinstance(solver, CFR):
        raise ParameterError(
            f"{type(solver).__name__} on a cluster: only CFR and its kin run there; leave the "
            "cluster out."
        )
    if not isinstance(solver.pruning, NoPruning | PartialPruning):
        raise ParameterError(
            f"{solver.pruning.title} on a cluster: only partial pruning, or none, runs there; "
            "choose that, or leave the cluster out."
        )
    if solver.storage.precision == "int16":
        raise ParameterError(
            "int16 storage on a cluster: numbers are kept in float64 or float32 there; choose one "
            "of them, or leave the cluster out."
        )


class Scattering(NamedTuple):
    """A game that is on a cluster, and what solves it there."""

    game: CompiledGame
    engine: Engine


def scattered(
    request: Request,
    solver: Solver | Exact,
    game: Game | CompiledGame,
    compiled: Callable[[], CompiledGame],
    directory: Path,
    warn: Callable[[str], Any],
) -> Scattering:
    """Bring a game to a cluster; return what this process holds of it, and what solves it.

    Parameters
    ----------
    request : Request
        Where to run.
    solver : CFR
        What to run.
    game : Game or CompiledGame
        What to solve. Rules that name public states are compiled there.
    compiled : callable
        Compiles other rules here.
    directory : Path
        In which the run is kept; all machines must see it.
    warn : callable
        Gets a sentence for each shard that is lost.
    """
    assert isinstance(solver, CFR)
    source: Source
    if isinstance(game, PublicGame):
        source = Rules(game, pruning=solver.needs_bounds)
    else:
        source = Slices(compiled())
    pieces = len(source.work)
    if pieces == 0:
        raise ParameterError(
            f"{game} on a cluster: it is too small to be cut into pieces; leave the cluster out."
        )
    if request.shards is not None:
        check_count(request.shards, pieces)
    cluster = Cluster(request.address)
    cluster.send_whole(game)
    count = request.shards or min(cluster.usual_count(), pieces)
    try:
        shards = Shards(cluster, source, solver, count, directory.resolve())
        summaries: list[Summary] = shards.tell("summary")
    except LostError as error:
        raise SecateurError(f"{error.reason}, before the run has begun.") from error
    trunk = source.trunk(summaries)
    whole = scattered_game(trunk, summaries, shards.holdings)

    def start(_solver: Solver, _game: CompiledGame) -> ClusterState:
        return ClusterState(solver, whole, trunk, shards, warn)

    return Scattering(whole, Engine(start, _judged))


def _judged(state: ClusterState) -> Judgment:
    return Judgment(
        state.average_strategy(),
        state.value(),
        (state.best_response_value(0), state.best_response_value(1)),
    )
