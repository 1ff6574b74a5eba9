"""Which game a strategy file is for, and what else it says above the strategy itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from secateur.compiled.game import CompiledGame
from secateur.errors import FileError
from secateur.strategy_files.checked_json import check_format

FORMAT = "secateur strategy"
WHAT = "a strategy file"
REMEDY = "write one with 'secateur solve --out'"
SUM_TOLERANCE = 1e-6

_NOT_REMARKS = {"format", "version", "game", "parameters", "fingerprint", "strategy", "checksum"}


def head(game: CompiledGame, version: int, remarks: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands on top of a file."""
    for name in _NOT_REMARKS.intersection(remarks):
        raise FileError(f"a strategy file has {name!r} already; call the remark something else.")
    return {
        "format": FORMAT,
        "version": version,
        "game": game.name,
        "parameters": game.parameters,
        **remarks,
    }


def remarks_in(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says besides the strategy and its game."""
    return {name: value for name, value in content.items() if name not in _NOT_REMARKS}


def check_version(path: Path, content: Mapping[str, Any], version: int) -> None:
    """Raise FileError unless this release can read the file."""
    check_format(path, content, FORMAT, version, WHAT, REMEDY)


def check_game(path: Path, content: Mapping[str, Any], game: CompiledGame) -> None:
    """Raise FileError if the file is for another game or for other parameters."""
    mine = json.loads(json.dumps([game.name, game.parameters]))
    theirs = [content.get("game"), content.get("parameters")]
    if mine != theirs:
        raise FileError(
            f"{path} holds a strategy for {_described(theirs)}, not for {_described(mine)}; "
            "name the game it was solved for."
        )


def _described(identity: list[Any]) -> str:
    name, parameters = identity
    if not isinstance(parameters, dict) or not parameters:
        return str(name)
    return f"{name}({', '.join(f'{key}={value}' for key, value in parameters.items())})"
