"""The game of a run, as its configuration tells it.

Rules that a name or a file stands for are found again by that. All others are objects of
somebody's program, which must be passed again; a fingerprint tells whether they are the same.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from secateur.compiled.game import CompiledGame
from secateur.errors import FileError
from secateur.games.gambit.game import GambitGame
from secateur.games.own import Source, search
from secateur.games.recall import PerfectRecall
from secateur.games.registry import absolute, available, load, short_name, source_of
from secateur.games.rules import Game
from secateur.names import written


class OtherGameError(FileError):
    """What belongs to one game was used with another."""


class GameDescription(NamedTuple):
    """What a configuration says about the game."""

    name: str
    """For :func:`secateur.load`, unless the rules have to be passed."""

    settings: dict[str, str]
    source: Source | None = None
    """The file that describes the game, as it was when the run began."""

    fingerprint: str | None = None
    """Of the compiled game; None as long as nobody has compiled it."""

    passed: bool = False
    """Whether the rules were an object that neither a name nor a file stands for."""

    def __str__(self) -> str:
        settings = (f"{name}={value}" for name, value in self.settings.items())
        return " ".join([self.name if self.passed else short_name(self.name), *settings])

    def load(self, run: object) -> Game:
        """Return the rules.

        Raises
        ------
        FileError
            If they have to be passed, or their file is gone.
        """
        if self.passed:
            raise FileError(
                f"{run} was begun in Python with rules that no name and no file stands for "
                f"({self}); go on there, and pass them: secateur.resume({str(run)!r}, game=...)."
            )
        if self.source is not None:
            if self.source.state == "gone":
                raise FileError(
                    f"{run} was begun with the game in {self.source.file}, which is gone; put it "
                    "back."
                )
            if self.source.search is not None:
                search(self.source.search)
        return load(self.name, **self.settings)

    def check(self, run: object, game: CompiledGame) -> None:
        """Raise OtherGameError if a game has another fingerprint than the one of the run."""
        if self.fingerprint not in (None, game.fingerprint):
            raise self.changed(run)

    def changed(self, run: object) -> OtherGameError:
        """Return the error of a run whose rules are no longer those with which it began."""
        if self.source is None:
            return OtherGameError(
                f"{run} cannot go on: it was begun with another game than this {self.name}; pass "
                "the same rules with the same parameters."
            )
        what = self.source.file
        if self.source.state == "same":
            what += ", or something that it imports,"
        return OtherGameError(
            f"{run} cannot go on: {what} has changed since the run began and describes another "
            "game now; put the old file back, or start another run."
        )


def named(name: str, settings: dict[str, str] | None = None) -> GameDescription:
    """Return what a configuration says about a game that was asked for by name."""
    source = source_of(name)
    if source is not None and source.file.endswith(".py"):
        source = source._replace(search=_found_in(source.file) or source.search)
    return GameDescription(absolute(name), settings or {}, source)


def _found_in(file: str) -> str | None:
    """Return the directory of the search path in which a file is, the nearest one."""
    parents = [str(each) for each in Path(file).parents]
    return next((each for each in parents if each in sys.path), None)


def description_of(
    game: Game | CompiledGame | str, compiled: CompiledGame | None = None
) -> GameDescription:
    """Return what a configuration says about a game, and what it was compiled to, if it was."""
    if isinstance(game, str):
        found = named(game)
    else:
        found = next(_names(game), None) or GameDescription(
            game.name,
            {name: written(value) for name, value in game.parameters.items()},
            passed=True,
        )
    return found._replace(fingerprint=None if compiled is None else compiled.fingerprint)


def _names(game: Game | CompiledGame) -> Iterator[GameDescription]:
    """Find names that stand for a game, the shortest descriptions first."""
    remembers: dict[str, str] = {}
    rules: Game | CompiledGame = game
    if isinstance(game, PerfectRecall):
        remembers, rules = {"perfect_recall": "true"}, game.game
    if isinstance(rules, GambitGame):
        guesses = [(str(Path(rules.tree.source).resolve()), dict(remembers))]
    else:
        guesses = [(name, settings | remembers) for name, settings in _guesses(rules)]
    for name, settings in sorted(guesses, key=lambda guess: len(guess[1])):
        try:
            if _same(load(name, **settings), game):
                yield named(name, settings)
        except Exception:  # it means something else, or cannot be written so
            continue


def _guesses(rules: Game | CompiledGame) -> Iterator[tuple[str, dict[str, str]]]:
    for entry in available():
        compiled = isinstance(rules, CompiledGame) and _is_called(entry.rules, rules.name)
        if entry.rules is type(rules) or compiled:
            usual = {each.name: each.default for each in entry.parameters}
            yield entry.name, _settings(rules.parameters, usual)
    place = None if isinstance(rules, CompiledGame) else _place(type(rules))
    if place is not None:
        values = {
            name: getattr(rules, name)
            for name in inspect.signature(type(rules)).parameters
            if hasattr(rules, name)
        }
        yield place, _settings(values, {})


def _is_called(rules: object, name: str) -> bool:
    return getattr(rules, "name", None) == name


def _settings(values: dict[str, Any], usual: dict[str, Any]) -> dict[str, str]:
    return {
        name: written(value)
        for name, value in values.items()
        if name not in usual or usual[name] != value
    }


def _place(kind: type[Game]) -> str | None:
    """Return where a class is, if it can be imported again without running a program."""
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None)
    if file is None or kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        return None
    own_file = hasattr(module, "__secateur_source__")
    return f"{file if own_file else kind.__module__}:{kind.__qualname__}"


def _same(made: Game, game: Game | CompiledGame) -> bool:
    if (made.name, made.parameters) != (game.name, game.parameters):
        return False
    if isinstance(game, CompiledGame):
        return True  # what else there is to compare, its fingerprint, is looked at on resuming
    if type(made) is not type(game):
        return False
    if isinstance(made, PerfectRecall) and isinstance(game, PerfectRecall):
        return _same(made.game, game.game)
    if isinstance(made, GambitGame) or any(each.rules is type(game) for each in available()):
        return True  # parameters tell all about these
    try:
        return bool(vars(made) == vars(game))
    except (TypeError, ValueError):  # no attributes, or arrays
        return False
