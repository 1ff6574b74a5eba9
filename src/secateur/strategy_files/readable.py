"""Strategies as JSON with one information set a line, for people and for other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import FileError
from secateur.strategy_files.checked_json import read_checked, write_checked
from secateur.strategy_files.identity import (
    REMEDY,
    SUM_TOLERANCE,
    WHAT,
    check_game,
    check_version,
    head,
    remarks_in,
)

Float = npt.NDArray[np.float64]

VERSION = 1


def write(
    path: str | Path, game: CompiledGame, probabilities: Float, remarks: Mapping[str, Any]
) -> None:
    """Write a strategy; ``remarks`` go on top."""
    write_checked(path, _lines(game, probabilities, remarks))


def read_head(path: Path) -> dict[str, Any]:
    """Return what a file says, checked for damage and version but not for the game."""
    content = read_checked(path, WHAT, REMEDY)
    check_version(path, content, VERSION)
    return content


def read(path: Path, game: CompiledGame) -> tuple[Float, dict[str, Any]]:
    """Return probabilities and remarks of a file that was written for this game."""
    content = read_head(path)
    check_game(path, content, game)
    return _probabilities(game, content.get("strategy"), path), remarks_in(content)


def _lines(game: CompiledGame, probabilities: Float, remarks: Mapping[str, Any]) -> Iterator[str]:
    yield "{"
    for key, value in head(game, VERSION, remarks).items():
        yield f"{json.dumps(key)}: {json.dumps(value)},\n"
    yield '"strategy": [\n'
    separator = ""
    for infoset in game.information_sets():
        played = zip(infoset.actions, probabilities[infoset.cells].tolist(), strict=True)
        entry = {
            "player": infoset.player,
            "information_set": infoset.label,
            "actions": dict(played),
        }
        yield separator + json.dumps(entry, ensure_ascii=False)
        separator = ",\n"
    yield "\n],\n"


def _probabilities(game: CompiledGame, entries: Any, path: Path) -> Float:
    if not isinstance(entries, list):
        raise FileError(f"{path}: 'strategy' must be a list of information sets.")
    probabilities = np.full(game.cells, np.nan)
    for number, entry in enumerate(entries, start=1):
        where = f"{path}, information set {number}"
        try:
            player, label, actions = entry["player"], entry["information_set"], entry["actions"]
            values = {str(action): float(p) for action, p in actions.items()}
        except (TypeError, KeyError, AttributeError, ValueError, OverflowError):
            raise FileError(
                f"{where}: must have 'player', 'information_set' and 'actions' with probabilities."
            ) from None
        known = game.by_label.get(label, ()) if isinstance(label, str) else ()
        infoset = next((each for each in known if each.player == player), None)
        where = f"{where} ({label!r} of player {player})"
        if infoset is None:
            raise FileError(f"{where}: {game} has no such information set.")
        if set(values) != set(infoset.actions):
            raise FileError(
                f"{where}: actions {sorted(values)}, but the game has {sorted(infoset.actions)}."
            )
        if not all(0.0 <= p <= 1.0 + SUM_TOLERANCE for p in values.values()):
            raise FileError(f"{where}: probabilities {list(values.values())} must be from 0 to 1.")
        total = math.fsum(values.values())
        if not abs(total - 1.0) <= SUM_TOLERANCE:
            raise FileError(f"{where}: probabilities sum to {total:.9g}; they must sum to 1.")
        if not np.isnan(probabilities[infoset.cells.start]):
            raise FileError(f"{where}: appears twice; remove one.")
        probabilities[infoset.cells] = [values[action] for action in infoset.actions]
    missing = int(np.isnan(probabilities).sum())
    if missing:
        raise FileError(
            f"{path}: {missing} of {game.cells} probabilities are missing; "
            "every information set of the game must be listed."
        )
    return probabilities
