"""Reads how far a run is, without disturbing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from secateur import checks
from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.conditions import Condition, Snapshot
from secateur.games.rules import Game
from secateur.running import compiled_for, scheduled
from secateur.runs.checkpoints import Identity
from secateur.runs.directory import RunDirectory
from secateur.runs.games import GameDescription
from secateur.runs.metrics_log import read_metrics
from secateur.runs.shard_reports import ShardReport, read_reports
from secateur.solvers.protocols import Solver, State
from secateur.strategy import Strategy, load_strategy

RUNNING, DONE, STOPPED = "running", "done", "stopped"


@dataclass(frozen=True)
class Run:
    """A run that is kept in a directory, as it was when it was opened: :func:`open_run`."""

    path: Path
    game: GameDescription
    solver: Solver
    until: Condition | None
    """What is to end it; None if it has not begun."""

    checkpoint_every: float | None
    memory_limit: int | None
    """As they were given."""

    history: list[Snapshot] = field(repr=False)
    running: bool
    """Whether a process is running it."""

    checkpoint: int | None
    """The iteration that it can go on from."""

    warm_weight: int | None = None
    """The iterations that the strategy stands for with which it began; None without one."""

    rules: Game | CompiledGame | None = field(default=None, repr=False)
    """The game as it was passed."""

    @property
    def state(self) -> str:
        """``running``, ``done`` if resuming it would end at once, or ``stopped``."""
        if self.running:
            return RUNNING
        return STOPPED if self.ended_by is None else DONE

    @property
    def ended_by(self) -> Condition | None:
        """The condition by which the run, if it were resumed, would end at once.

        Targets are compared with scheduled snapshots only.
        """
        compared = scheduled(self.history)
        if not compared or self.until is None:
            return None
        now = self.history[-1]
        last = compared[-1]._replace(iteration=now.iteration, seconds=now.seconds)
        return self.until.ended_by(last)

    @property
    def shards(self) -> list[ShardReport]:
        """How the shards of a run on a cluster were at the last checkpoint; none of other runs."""
        return read_reports(RunDirectory(self.path).shards_path)

    @property
    def strategy(self) -> Strategy | None:
        """The average strategy when the run last ended; None before that.

        The game is compiled to read it.
        """
        path = RunDirectory(self.path).strategy_path
        if not path.exists():
            return None
        rules = self._rules()
        game = rules if isinstance(rules, CompiledGame) else compile_game(rules)
        return load_strategy(game, path)

    def at_checkpoint(self) -> State | None:
        """Return the state of the solver at the last checkpoint; None before the first.

        The game is compiled as the run does it. What the state is asked, and whatever is done with
        it, leaves the run as it is.

        Raises
        ------
        FileError
            If no checkpoint can be used: they are damaged, or another version of this program has
            written them.
        """
        directory = RunDirectory(self.path)
        if not directory.checkpoints.iterations():
            return None
        configuration = directory.configuration()
        game = compiled_for(
            self.solver,
            self._rules(),
            cache=configuration.cache,
            warm=self.warm_weight is not None,
        )
        configuration.game.check(self.path, game)
        state = self.solver.start(game)
        directory.checkpoints.restore(Identity.of(game, self.solver), state)
        return state

    def _rules(self) -> Game | CompiledGame:
        return self.game.load(self.path) if self.rules is None else self.rules


def open_run(path: str | Path, game: Game | CompiledGame | None = None) -> Run:
    """Return what the directory of a run says, also while a process is running it.

    Parameters
    ----------
    path : str or Path
        The directory that was given to :func:`secateur.solve` or ``secateur solve --run``.
    game : Game or CompiledGame
        The rules, to read the strategy of a run whose game has no name.

    Raises
    ------
    FileError
        If there is no run, or its configuration or metrics are damaged.
    """
    directory = RunDirectory(checks.path(f"open_run({checks.shown(path)})", path))
    configuration = directory.configuration()
    running = directory.is_running
    history: list[Snapshot] = []
    if directory.metrics_path.exists():
        history = read_metrics(directory.metrics_path, configuration.fingerprint)
    checkpoints = directory.checkpoints.iterations()
    return Run(
        path=directory.path,
        game=configuration.game,
        solver=configuration.solver,
        until=configuration.until,
        checkpoint_every=configuration.checkpoint_every,
        memory_limit=configuration.memory_limit,
        history=history,
        running=running,
        checkpoint=checkpoints[0] if checkpoints else None,
        warm_weight=configuration.warm_weight,
        rules=game,
    )
