"""What can be looked at: runs in directories, strategy files, and results of this process."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from secateur.compiled.compile import compile as compile_game
from secateur.compiled.game import CompiledGame
from secateur.conditions import Snapshot
from secateur.describing import solver_in_words
from secateur.errors import FileError, SecateurError
from secateur.explore.opened import Opened
from secateur.games.rules import Game
from secateur.results import Result
from secateur.runs.directory import RunDirectory
from secateur.runs.games import description_of
from secateur.runs.limits import limits_of
from secateur.runs.reading import Run, open_run
from secateur.solvers.exact import Exact
from secateur.strategy import Strategy, load_strategy

_FRESH = 0.5
"""Seconds for which what a directory says is not asked again: a run is not to be disturbed."""

_REST = 20.0
"""How many times as long as opening a strategy took must pass before a newer one is opened."""

_LEAST_REST = 3.0

Facts = dict[str, Any]


class Source(ABC):
    """One thing to look at."""

    kind: str

    def __init__(self, title: str) -> None:
        self.title = title
        self._lock = threading.Lock()
        self._opened: Opened | None = None
        self._failure: str | None = None
        self._busy = False
        self._rest_until = 0.0
        self.version = 0
        """How often there was something new to see of the strategy."""

    @abstractmethod
    def facts(self) -> Facts:
        """Return what is known without compiling the game.

        Raises
        ------
        SecateurError
            If it cannot be read.
        """

    @abstractmethod
    def history(self) -> list[Snapshot]:
        """Return how the run went; nothing if there is no run."""

    @abstractmethod
    def open(self) -> Opened:
        """Read the strategy."""

    def complete(self, opened: Opened) -> Opened:
        """Return a strategy with all that the page shows, which takes longer."""
        return opened.completed()

    def newer(self, opened: Opened) -> bool:  # noqa: ARG002 - most never change
        """Return whether there is a newer strategy than the one that is open."""
        return False

    @property
    def status(self) -> str:
        """``ready``, ``opening``, ``failed``, or ``closed`` if nobody has asked yet."""
        if self._opened is not None and self._opened.complete:
            return "ready"
        if self._busy:
            return "opening"
        return "closed" if self._failure is None else "failed"

    @property
    def failure(self) -> str | None:
        """Why it could not be opened."""
        return self._failure

    def opened(self) -> Opened | None:
        """Return the strategy if it is open; if not, or if there is a newer one, begin to open it.

        The old one is there until the new one is.
        """
        now = time.monotonic()
        with self._lock:
            due = not self._busy and now >= self._rest_until
            found = self._opened
            if due and (found is None or not found.complete or self.newer(found)):
                self._busy = True
                threading.Thread(target=self._open, daemon=True).start()
            return found

    def wait(self) -> Opened:
        """Open the strategy, and wait until all is there that the page shows.

        Raises
        ------
        SecateurError
            If it cannot be opened.
        """
        while (found := self.opened()) is None or not found.complete:
            if self._failure is not None:
                raise SecateurError(self._failure)
            time.sleep(0.01)
        return found

    def _open(self) -> None:
        begin = time.monotonic()
        failure = None
        try:
            found = self.open()
            if self._opened is None:
                self._show(found)
            self._show(self._completed(found))
        except Exception as error:  # rules that somebody has written may raise anything
            failure = _in_words(error)
        with self._lock:
            self._failure = failure
            rest = max(_LEAST_REST, _REST * (time.monotonic() - begin))
            self._rest_until = time.monotonic() + rest
            self._busy = False

    def _completed(self, opened: Opened) -> Opened:
        try:
            return self.complete(opened)
        except Exception as error:  # probabilities are better than nothing
            notes = (opened.note, f"Values are missing: {_in_words(error)}")
            return replace(opened, complete=True, note=" ".join(filter(None, notes)))

    def _show(self, opened: Opened) -> None:
        with self._lock:
            self._opened = opened
            self.version += 1


class RunSource(Source):
    """A run in a directory, also while it goes on."""

    kind = "run"

    def __init__(self, path: str | Path, rules: Game | CompiledGame | None = None) -> None:
        super().__init__(Path(path).name or str(path))
        self.path = Path(path)
        self._rules = rules
        self._asked = -_FRESH
        self._answer: Run | SecateurError = FileError(f"{path} has not been read yet.")

    def run(self) -> Run:
        """Return what the directory says, as it was a moment ago."""
        now = time.monotonic()
        if now - self._asked >= _FRESH:
            self._asked = now
            try:
                self._answer = open_run(self.path)
            except SecateurError as error:
                self._answer = error
            except OSError as error:
                self._answer = FileError(f"{self.path}: {error.strerror or error}.")
        if isinstance(self._answer, SecateurError):
            raise self._answer
        return self._answer

    def facts(self) -> Facts:
        """Return what was asked for, and how far it is."""
        run = self.run()
        ended_by = run.ended_by
        return {
            "game": str(run.game),
            "method": solver_in_words(run.solver),
            "asked": _limits(run),
            "state": run.state,
            "ended": None if ended_by is None or run.running else ended_by.sentence,
            "checkpoint": run.checkpoint,
            "counts_nodes": run.solver.count_nodes,
            "forgets": run.solver.pruning.forgets,
            "prunes": run.solver.pruning.needs_bounds,
            "warm_weight": run.warm_weight,
        }

    def history(self) -> list[Snapshot]:
        """Return the snapshots so far."""
        return self.run().history

    def newer(self, opened: Opened) -> bool:
        """Return whether there is a later checkpoint."""
        try:
            latest = self.run().checkpoint
        except SecateurError:
            return False
        return latest is not None and opened.iteration is not None and latest > opened.iteration

    def open(self) -> Opened:
        """Open the last checkpoint, or the strategy that was written at the end."""
        run = open_run(self.path, self._rules)
        directory = RunDirectory(self.path)
        written = directory.strategy_path.exists()
        if run.checkpoint is None and not written:
            raise FileError(f"{self.path} has no checkpoint yet; wait for the first.")
        over = written and run.ended_by is not None and not run.running
        note = None
        # a checkpoint is read in a fraction of the time, unless it is that of a cluster
        if run.checkpoint is not None and not (over and run.shards):
            try:
                return self._at_checkpoint(run)
            except FileError as error:
                if not written:
                    raise
                note = f"{error} This is the strategy that was written when the run ended."
        game = self._compiled(run)
        strategy = load_strategy(game, directory.strategy_path)
        return Opened(strategy, strategy.remarks.get("iterations"), note=note)

    def complete(self, opened: Opened) -> Opened:
        """Compile the game with what values need, unless it was or is given compiled."""
        strategy = opened.strategy
        if strategy.game.pruning is None:
            game = self._compiled(open_run(self.path, self._rules))
            strategy = Strategy.trusted(game, strategy.own_probabilities, strategy.remarks)
            opened = replace(opened, strategy=strategy)
        return opened.completed()

    def _at_checkpoint(self, run: Run) -> Opened:
        state = run.at_checkpoint()
        assert state is not None
        kept = state if run.solver.needs_bounds else None
        return Opened(state.average_strategy(), state.iteration, kept)

    def _compiled(self, run: Run) -> CompiledGame:
        rules = self._rules or run.game.load(self.path)
        if isinstance(rules, CompiledGame):
            return rules
        cache = RunDirectory(self.path).configuration().cache
        return compile_game(rules, pruning=True, cache=cache)


class FileSource(Source):
    """A strategy file."""

    kind = "strategy"

    def __init__(self, path: str | Path, read: Callable[[], Strategy]) -> None:
        super().__init__(Path(path).name)
        self.path = Path(path)
        self._read = read

    def facts(self) -> Facts:
        """Return what the file says of itself, once it is open."""
        if not self.path.exists() and self._opened is None:
            raise FileError(f"cannot read {self.path}: it is gone; check the path.")
        if self._opened is None:
            return {"game": None}
        strategy = self._opened.strategy
        return {"game": str(strategy.game), "remarks": strategy.remarks}

    def history(self) -> list[Snapshot]:
        """Return nothing: a file tells nothing of its run."""
        return []

    def open(self) -> Opened:
        """Read the file."""
        return Opened(self._read())


class ResultSource(Source):
    """What :func:`secateur.solve` has returned."""

    kind = "run"

    def __init__(self, result: Result, title: str = "result") -> None:
        super().__init__(title)
        self._result = result

    def facts(self) -> Facts:
        """Return what was found."""
        result = self._result
        return {
            "game": str(result.game),
            "method": solver_in_words(result.solver),
            "asked": [],
            "state": "done",
            "ended": str(result.ending),
            "checkpoint": None,
            "counts_nodes": result.nodes_touched is not None,
            "forgets": not isinstance(result.solver, Exact) and result.solver.pruning.forgets,
            "prunes": False,
            "warm_weight": result.warm_weight,
        }

    def history(self) -> list[Snapshot]:
        """Return how it went."""
        return self._result.history

    def open(self) -> Opened:
        """Return the strategy as it is."""
        return Opened(self._result.strategy, self._result.iterations)

    def complete(self, opened: Opened) -> Opened:
        """Compile the game once more if it lacks what values need, and a name stands for it."""
        strategy = opened.strategy
        if strategy.game.pruning is None:
            strategy = _with_values(strategy)
        note = None
        if strategy.game.pruning is None:
            note = "Values are missing: the game was compiled without compile(game, pruning=True)."
        return replace(opened, strategy=strategy, note=note).completed()


def _in_words(error: Exception) -> str:
    """Return what went wrong."""
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    told = isinstance(error, SecateurError | OSError) and str(error)
    return str(error) if told else f"{type(error).__name__}: {error}"


def _with_values(strategy: Strategy) -> Strategy:
    """Return the strategy in a game that tells values, if such a one can be compiled."""
    try:
        description = description_of(strategy.game, strategy.game)
        rules: Game = description.load("this result")
        game: CompiledGame = compile_game(rules, pruning=True)
    except SecateurError:
        return strategy
    if game.strategy_fingerprint != strategy.game.strategy_fingerprint:
        return strategy
    return Strategy.trusted(game, strategy.own_probabilities, strategy.remarks)


def _limits(run: Run) -> list[str]:
    """Return what is to end a run, in words."""
    found = limits_of(run.until)
    words = []
    if found["target"] is not None:
        words.append(f"exploitability at most {found['target']:g}")
    if found["iterations"] is not None:
        words.append(f"at most {found['iterations']:,} iterations")
    if found["seconds"] is not None:
        words.append(f"at most {found['seconds']:g} seconds")
    if not words and run.until is not None:
        words.append(str(run.until))
    if run.memory_limit is not None:
        words.append(f"at most {run.memory_limit:,} bytes of memory")
    return words
