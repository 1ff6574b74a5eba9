"""What a run was told to do: the file that a run directory begins with."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import asdict

from secateur.atomic import new_file
from secateur.conditions import Condition
from secateur.errors import FileError, ParameterError
from secateur.games.own import Source
from secateur.methods import solver_of
from secateur.regular_files import read_regular
from secateur.runs.games import GameDescription
from secateur.runs.limits import condition_from, condition_of, told
from secateur.runs.parts import described, solver_from
from secateur.schema import (
    Checksum,
    MalformedError,
    Scalar,
    check_plain,
    conformed,
    decoded,
    shortened,
)
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver

_FORMAT = "secateur run"
_VERSION = 2
_LARGEST = 1 << 20
"""Bytes of the file."""

_LONGEST_NAME = 1024
"""Letters of the name of a game, which may be a path."""

_GameName = Annotated[str, Meta(max_length=_LONGEST_NAME)]
_Pause = Annotated[float, Meta(gt=0.0)]
_Weight = Annotated[int, Meta(ge=1, le=1_000_000)]
_Memory = Annotated[int, Meta(ge=1)]
_Sentence = Annotated[str, Meta(max_length=1000)]


class Configuration(NamedTuple):
    """A game, a solver, and limits; make one with :meth:`of`."""

    game: GameDescription
    solver: Solver
    until: Condition | None
    """This and what follows may change when a run goes on. None: nobody has said yet when to end,
    and the game has not been compiled."""

    checkpoint_every: float | None
    memory_limit: int | None
    fingerprint: int
    """What the checksums of the metrics begin with."""

    cache: bool = False
    """Whether the compiled game is kept in the user's cache. Not which folder: a file that somebody
    else has written must not say where to write."""

    warm_weight: int | None = None
    """The iterations that the strategy stands for with which the run begins, which is in the
    directory; None if there is none."""

    fitted: str | None = None
    """What was chosen so that the run keeps to its memory limit, if anything."""

    @staticmethod
    def of(
        game: GameDescription,
        solver: Solver,
        until: Condition | None,
        checkpoint_every: float | None = None,
        memory_limit: int | None = None,
        *,
        cache: bool = False,
        warm_weight: int | None = None,
    ) -> Configuration:
        """Return the configuration of a new run; what no file can tell is a ParameterError."""
        if until is not None:
            told(until)
        if len(game.name) > _LONGEST_NAME:
            raise ParameterError(f"the game {shortened(game.name)} has too long a name; shorten it")
        stays = json.dumps([game.name, game.settings, described(solver)])
        fingerprint = zlib.crc32(stays.encode())
        resources = checkpoint_every, memory_limit
        return Configuration(game, solver, until, *resources, fingerprint, cache, warm_weight)

    def write(self, path: Path) -> None:
        """Write the file; it appears whole or not at all."""
        facts = {
            "format": _FORMAT,
            "version": _VERSION,
            **self._asdict(),
            "game": self.game._asdict(),
            "solver": described(self.solver),
            "until": None if self.until is None else told(self.until),
        }
        for name in ("cache", "warm_weight", "fitted"):
            if not facts[name]:  # the usual, which files did not tell before there was more
                del facts[name]
        with new_file(path) as file:
            file.write(json.dumps({**facts, "crc32": _checksum(facts)}, indent=1).encode() + b"\n")

    @staticmethod
    def read(path: Path) -> Configuration:
        """Read the file.

        Raises
        ------
        FileError
            If it is not there, or is not what was written.
        """
        content = read_regular(path, _LARGEST, "a configuration")
        try:
            facts = decoded(content, dict[str, Any])
            check_plain(facts)
            checksum = facts.pop("crc32", None)
            if facts.get("format") != _FORMAT:
                raise MalformedError("it has another format")
            version = facts.get("version")
            if type(version) is not int or version not in _READERS:
                raise MalformedError(f"version {version}, this program reads {_VERSION}")
            if checksum != _checksum(facts):
                raise MalformedError("the checksum does not match")
            return _READERS[version](facts)
        except MalformedError as error:
            raise FileError(
                f"{path} is damaged or was changed ({shortened(error)}); "
                "start the run again in another directory."
            ) from error


class _Game(Struct, frozen=True):
    name: _GameName
    settings: dict[str, str]
    source: Source | None
    fingerprint: str | None
    passed: bool


class _Second(Struct, frozen=True):
    """What the file says today."""

    game: _Game
    solver: dict[str, Any]
    until: dict[str, Any] | None
    checkpoint_every: _Pause | None
    memory_limit: _Memory | None
    fingerprint: Checksum
    cache: bool = False
    fitted: _Sentence | None = None
    warm_weight: _Weight | None = None


class _First(Struct, frozen=True):
    """What the file said when runs were begun on the command line only."""

    game: _GameName
    settings: dict[str, str]
    options: dict[str, Scalar]
    limits: dict[str, int | float | None]
    source: Source | None = None


class _Resources(Struct, frozen=True):
    checkpoint_every: _Pause | None = None
    memory_limit: _Memory | None = None


def _read_second(facts: dict[str, Any]) -> Configuration:
    found = conformed(facts, _Second)
    return Configuration(
        game=GameDescription(**asdict(found.game)),
        solver=solver_from(found.solver),
        until=None if found.until is None else condition_from(found.until),
        checkpoint_every=found.checkpoint_every,
        memory_limit=found.memory_limit,
        fingerprint=found.fingerprint,
        cache=found.cache,
        fitted=found.fitted,
        warm_weight=found.warm_weight,
    )


def _read_first(facts: dict[str, Any]) -> Configuration:
    found = conformed(facts, _First)
    resources = conformed(found.limits, _Resources)
    try:
        counts = found.options.get("count_nodes") is True
        solver = solver_of(found.options, count_nodes=counts)
        until = condition_of(found.limits)
    except ParameterError as error:
        raise MalformedError(str(error)) from error
    if isinstance(solver, Exact):
        raise MalformedError("the exact solver has no runs")
    return Configuration(
        game=GameDescription(found.game, found.settings, found.source),
        solver=solver,
        until=until,
        checkpoint_every=resources.checkpoint_every,
        memory_limit=resources.memory_limit,
        fingerprint=zlib.crc32(json.dumps([found.game, found.settings, found.options]).encode()),
    )


_READERS = {1: _read_first, 2: _read_second}


def _checksum(facts: dict[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(facts).encode()):08x}"
