"""Which game a strategy file is for, and what else it says above the strategy itself."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Raw

from secateur.compiled.game import CompiledGame
from secateur.errors import FileError
from secateur.schema import MalformedError, decoded, plain, shortened
from secateur.strategy_files.checked_json import Entries, check_format

FORMAT = "secateur strategy"
WHAT = "a strategy file"
REMEDY = "write one with Result.save()"
SUM_TOLERANCE = 1e-6

_NOT_REMARKS = {
    *("format", "version", "game", "parameters", "fingerprint", "strategy", "checksum"),
    *("arrays", "bytes"),
}
_NOTHING = Raw(b"null")


class Head(NamedTuple):
    """What stands on top of a file."""

    game: str
    parameters: dict[str, Any]
    remarks: dict[str, Any]

    def __str__(self) -> str:
        if not self.parameters:
            return shortened(self.game)
        settings = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return shortened(f"{self.game}({settings})")


def head(game: CompiledGame, version: int, remarks: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to write on top of a file."""
    for name in _NOT_REMARKS.intersection(remarks):
        raise FileError(f"a strategy file has {name!r} already; call the remark something else.")
    return {
        "format": FORMAT,
        "version": version,
        "game": game.name,
        "parameters": game.parameters,
        **remarks,
    }


def head_in(path: str | Path, content: Entries, version: int) -> Head:
    """Return what stands on top of a file that this release can read."""
    check_format(path, content, FORMAT, version, WHAT, REMEDY)
    name = ""
    try:
        for name in ("game", "parameters"):
            plain(content.get(name, _NOTHING))
        game = decoded(content.get("game", _NOTHING), str)
        parameters = decoded(content.get("parameters", _NOTHING), dict[str, Any])
        remarks = {}
        for name in content.keys() - _NOT_REMARKS:
            remarks[name] = plain(content[name])
    except MalformedError as error:
        raise FileError(
            f"{path}: {shortened(name)!r} cannot be used ({error}); {REMEDY}."
        ) from error
    return Head(game, parameters, {name: remarks[name] for name in content if name in remarks})


def check_game(path: str | Path, theirs: Head, game: CompiledGame) -> None:
    """Raise FileError if the file is for another game or for other parameters."""
    mine = Head(game.name, json.loads(json.dumps(game.parameters)), {})
    if mine[:2] != theirs[:2]:
        raise FileError(
            f"{path} holds a strategy for {theirs}, not for {mine}; "
            "name the game it was solved for."
        )


def check_probabilities(where: str, probabilities: Collection[float]) -> None:
    """Raise FileError unless numbers from a file are the probabilities of some actions."""
    if not all(0.0 <= p <= 1.0 + SUM_TOLERANCE for p in probabilities):
        shown = shortened(list(probabilities))
        raise FileError(f"{where}: probabilities {shown} must be from 0 to 1.")
    total = math.fsum(probabilities)
    if not abs(total - 1.0) <= SUM_TOLERANCE:
        raise FileError(f"{where}: probabilities sum to {total:.9g}; they must sum to 1.")


def check_finite(path: str | Path, probabilities: npt.NDArray[np.float64]) -> None:
    """Raise FileError if numbers to be written are none."""
    if not np.isfinite(probabilities).all():
        raise FileError(
            f"cannot write {path}: the strategy has probabilities that are not finite; the payoffs "
            "of the game may be too large."
        )
