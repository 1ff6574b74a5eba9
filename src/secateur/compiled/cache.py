"""Compiled games that are kept between runs."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import astuple, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from secateur.compiled.files import FORMAT, open_compiled, save_compiled
from secateur.compiled.game import CompiledGame
from secateur.compiled.too_large import over_the_limit
from secateur.errors import FileError, ParameterError
from secateur.extras import DISTRIBUTION
from secateur.games.rules import Game

_TO_OPEN = 1.6
"""How many times its size it takes to open a file and check all numbers: measured 0.9 to 1.5.

The most are small games, and games that are compiled for thresholds.
"""


def cache_folder() -> Path:
    """Return the folder of the user's cache in which compiled games are kept.

    ``$XDG_CACHE_HOME/secateur`` if that is set, else where the system has caches.
    """
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen:
        return Path(chosen) / "secateur"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "secateur"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/secateur"
    return Path.home() / ".cache" / "secateur"


def cached(
    game: Game,
    compiled: Callable[[], CompiledGame],
    folder: Path,
    *,
    pruning: bool,
    thresholds: bool,
    memory_limit: int | None = None,
) -> CompiledGame:
    """Return the compiled game from its file, memory-mapped; compile and write it if need be."""
    options = [name for name, on in (("pruning", pruning), ("thresholds", thresholds)) if on]
    path = folder / f"{_file_name(game)}-{_key(game, options)}.compiled"
    if memory_limit is not None and path.exists():
        needed = _TO_OPEN * path.stat().st_size
        if needed > memory_limit:
            raise over_the_limit(game, memory_limit, needed)
    found = _opened(path, game, options)
    if found is not None:
        return found
    fresh = compiled()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_compiled(fresh, path)
    except (FileError, OSError) as error:
        # hours may have gone into it
        warnings.warn(f"the compiled game is not cached: {error}", RuntimeWarning, stacklevel=3)
        return fresh
    return _opened(path, game, options) or fresh


def _opened(path: Path, game: Game, options: list[str]) -> CompiledGame | None:
    """Return the game of a file; None if there is none, or not this one."""
    if not path.exists():
        return None
    try:
        found = open_compiled(path)
    except FileError:
        return None
    held = {"pruning": found.pruning is not None, "thresholds": found.branches is not None}
    fits = found.name == game.name and all(held[option] for option in options)
    return found if fits else None


def _file_name(game: Game) -> str:
    return re.sub(r"\W+", "-", str(game)).strip("-")[:60] or "game"


def _key(game: Game, options: list[str]) -> str:
    """Return what tells the compiled game from all others."""
    digest = hashlib.sha256()
    for part in (FORMAT, _version().encode(), *map(str.encode, options), *_identity(game)):
        digest.update(b"%d\n" % len(part))
        digest.update(part)
    return digest.hexdigest()[:32]


def _version() -> str:
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def _identity(game: Game) -> Iterator[bytes]:
    """Yield the content and the source of rules."""
    yield f"{type(game).__module__}.{type(game).__qualname__} {game.name}".encode()
    yield json.dumps(game.parameters, sort_keys=True, default=repr).encode()
    told = game.identity
    if told is not None:
        yield told.encode()
        return
    try:
        content = astuple(game) if is_dataclass(game) else game
        yield pickle.dumps(content, protocol=5)
        for kind in type(game).__mro__[:-1]:
            source = inspect.getsourcefile(kind)
            if source is None:
                raise OSError("its source is not in a file")
            yield Path(source).read_bytes()
    except (OSError, TypeError, AttributeError, pickle.PicklingError) as error:
        raise ParameterError(
            f"{game}: cannot be cached, for nobody can tell its rules from others ({error}); "
            "define the rules in a file, or define the property identity."
        ) from error
