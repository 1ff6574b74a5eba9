"""Compiled games on disk, read by memory-mapping: only what is used comes into memory."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct

from secateur import checks
from secateur.archive import Array, Kind, open_archive, write_archive
from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays, number_types
from secateur.compiled.checks import check_types, checking_game
from secateur.compiled.game import CompiledGame, Stack, checked_game
from secateur.compiled.labels import LabelArrays
from secateur.schema import Count, MalformedError, Name, check_plain

FORMAT = b"secateur compiled game 8\n"
_KIND = Kind(
    magic=FORMAT,
    what="a compiled game",
    origin="write one with save_compiled()",
    remedy="compile the game again",
)
_UNBOUNDED = ("payoffs",)
"""Where nothing can be won, the most is minus infinity."""

T = TypeVar("T", Arrays, LabelArrays, PruningArrays, BranchArrays)


class _Facts(Struct, frozen=True):
    """What the header of a file says."""

    name: str
    parameters: dict[str, Any]
    root_histories: tuple[Count, Count]
    stack: tuple[Count, Count, Count]
    payoffs: tuple[float, float]
    players: tuple[Name, Name]
    pot: float | None
    fingerprint: Name


def save_compiled(game: CompiledGame, path: str | Path) -> None:
    """Write a compiled game to a file."""
    game = checked_game("save_compiled", game)
    path = checks.path(f"save_compiled(game, {checks.shown(path)})", path)
    facts = {
        "name": game.name,
        "parameters": game.parameters,
        "root_histories": game.root_histories,
        "stack": game.stack,
        "payoffs": game.payoffs,
        "players": game.players,
        "pot": game.pot,
        "fingerprint": game.fingerprint,
    }
    write_archive(path, _KIND, facts, game.all_arrays(), _UNBOUNDED)


def open_compiled(path: str | Path) -> CompiledGame:
    """Memory-map a compiled game; the file must stay where it is while the game is in use.

    All numbers that kernels use as places are checked, so a file that somebody has made up is an
    error, or a game.
    """
    path = checks.path(f"open_compiled({checks.shown(path)})", path)
    try:
        found = _mapped(path)
        parts_of_game = found.arrays, found.stack, found.labels, found.pruning, found.branches
        for _ in checking_game(*parts_of_game):
            found.forget()
    except MalformedError as error:
        raise _KIND.damaged(path, error) from error
    return found


def set_aside(game: CompiledGame) -> Path:
    """Write a compiled game to a temporary file, from which :func:`take_up` maps it."""
    file, name = tempfile.mkstemp(prefix="secateur-", suffix=".compiled")
    os.close(file)
    path = Path(name)
    try:
        save_compiled(game, path)
    except BaseException:
        path.unlink()
        raise
    return path


def take_up(path: Path) -> CompiledGame:
    """Memory-map a game that this program has set aside; its file goes when the game does."""
    try:
        game = _mapped(path, own=True)
    finally:
        with suppress(PermissionError):  # on Windows, files that are mapped stay
            path.unlink()
    game.forget()  # its checksums were just read
    return game


def _mapped(path: Path, *, own: bool = False) -> CompiledGame:
    """Memory-map a compiled game whose numbers nobody has checked, maybe of this program's own."""
    facts, parts, mapping = open_archive(path, _KIND, _Facts, own=own)
    check_plain(facts.parameters)
    narrow = "first_slot" in parts and parts["first_slot"].dtype == np.int16
    game = CompiledGame(
        name=facts.name,
        parameters={key: _tuples(value) for key, value in facts.parameters.items()},
        arrays=_arrays(Arrays, parts, narrow=narrow),
        pruning=_arrays(PruningArrays, parts, narrow=narrow) if "upper" in parts else None,
        branches=_arrays(BranchArrays, parts, narrow=narrow) if "first_end" in parts else None,
        labels=_arrays(LabelArrays, parts, narrow=narrow),
        root_histories=facts.root_histories,
        stack=Stack(*facts.stack),
        payoffs=facts.payoffs,
        players=facts.players,
        pot=facts.pot,
        mapping=mapping,
    )
    game.know_fingerprint(facts.fingerprint)  # all arrays are as they were when it was written
    return game


def _arrays(kind: type[T], parts: dict[str, Array], *, narrow: bool) -> T:
    check_types(number_types(kind, narrow=narrow), parts)
    return kind(**{name: parts[name] for name in kind._fields})


def _tuples(value: Any) -> Any:
    """Return JSON's lists as the tuples that parameters are made of."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
