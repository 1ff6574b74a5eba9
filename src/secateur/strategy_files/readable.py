"""Strategies as JSON with one information set a line, for people and for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Raw, Struct

from secateur.compiled.game import CompiledGame
from secateur.errors import FileError
from secateur.schema import MalformedError, decoded, shortened
from secateur.strategy_files.checked_json import Entries, head_lines, read_checked, write_checked
from secateur.strategy_files.identity import (
    REMEDY,
    WHAT,
    Head,
    check_finite,
    check_game,
    check_probabilities,
    head,
    head_in,
)

Float = npt.NDArray[np.float64]

VERSION = 1

_LARGEST_HEAD = 1 << 24
"""Bytes that a file may have whatever the game is."""

_ESCAPED = 6
"""The most bytes that JSON takes for one of a label: as in ``\\u0001``."""

_PER_CELL = 256
"""Bytes around a label and for a probability, with room for spaces."""


class _Entry(Struct, frozen=True):
    """What a file says about an information set."""

    player: Literal[0, 1]
    information_set: str
    actions: dict[str, float]


def write(
    path: str | Path, game: CompiledGame, probabilities: Float, remarks: Mapping[str, Any]
) -> None:
    """Write a strategy; ``remarks`` go on top."""
    check_finite(path, probabilities)
    blocks = range(1, len(game.arrays.player))
    write_entries(path, game, entries(game, probabilities, blocks), remarks)


def read_head(path: str | Path) -> Head:
    """Return what a file says, checked for damage and version but not for the game."""
    return head_in(path, read_checked(path, WHAT, REMEDY, _LARGEST_HEAD), VERSION)


def read(path: str | Path, game: CompiledGame) -> tuple[Float, dict[str, Any]]:
    """Return probabilities and remarks of a file that was written for this game."""
    content = read_checked(path, WHAT, REMEDY, _largest(game))
    found = head_in(path, content, VERSION)
    check_game(path, found, game)
    return _probabilities(game, content, path), found.remarks


def _largest(game: CompiledGame) -> int:
    """Return the bytes that a strategy of a game takes at the most, if it is written with care."""
    label, action = game.labels.longest()
    names = game.size.information_sets * label + game.cells * action
    return _LARGEST_HEAD + _ESCAPED * names + _PER_CELL * game.cells


def write_entries(
    path: str | Path, game: CompiledGame, found: Iterable[str], remarks: Mapping[str, Any]
) -> None:
    """Write a strategy whose information sets somebody else tells, in their order."""
    top = head_lines(path, head(game, VERSION, remarks))
    write_checked(path, _lines(found, top))


def _lines(found: Iterable[str], top: list[str]) -> Iterator[str]:
    yield from top
    yield '"strategy": [\n'
    separator = ""
    for entry in found:
        yield separator + entry
        separator = ",\n"
    yield "\n],\n"


def entries(game: CompiledGame, probabilities: Float, blocks: Iterable[int]) -> Iterator[str]:
    """Go through the information sets of some blocks as they stand in a file."""
    for block in blocks:
        for infoset in game.information_sets_of(block):
            played = zip(infoset.actions, probabilities[infoset.cells].tolist(), strict=True)
            entry = {
                "player": infoset.player,
                "information_set": infoset.label,
                "actions": dict(played),
            }
            yield json.dumps(entry, ensure_ascii=False)


def _probabilities(game: CompiledGame, content: Entries, path: str | Path) -> Float:
    try:
        entries = decoded(content.get("strategy", Raw(b"null")), list[Raw])
    except MalformedError:
        raise FileError(f"{path}: 'strategy' must be a list of information sets.") from None
    probabilities = np.full(game.cells, np.nan)
    for number, text in enumerate(entries, start=1):
        where = f"{path}, information set {number}"
        try:
            entry = decoded(text, _Entry)
        except MalformedError as error:
            raise FileError(
                f"{where}: must have 'player', 'information_set' and 'actions' with probabilities "
                f"({error})."
            ) from None
        known = game.by_label.get(entry.information_set, ())
        infoset = next((each for each in known if each.player == entry.player), None)
        where = f"{where} ({shortened(entry.information_set)!r} of player {entry.player})"
        if infoset is None:
            raise FileError(f"{where}: {game} has no such information set.")
        if entry.actions.keys() != set(infoset.actions):
            raise FileError(
                f"{where}: actions {shortened(sorted(entry.actions))}, but the game has "
                f"{sorted(infoset.actions)}."
            )
        check_probabilities(where, entry.actions.values())
        if not np.isnan(probabilities[infoset.cells.start]):
            raise FileError(f"{where}: appears twice; remove one.")
        probabilities[infoset.cells] = [entry.actions[action] for action in infoset.actions]
    missing = int(np.isnan(probabilities).sum())
    if missing:
        raise FileError(
            f"{path}: {missing} of {game.cells} probabilities are missing; "
            "every information set of the game must be listed."
        )
    return probabilities
