"""Strategies as one array in the order of the compiled game: small, and read at once.

The array means something only together with the game, so the file holds its fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.archive import Kind, open_archive, write_archive
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, ParameterError
from secateur.kernels import evaluate
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
SUFFIX = ".bin"
PRECISIONS = ("float64", "float32")
_KIND = Kind(magic=b"secateur strategy, compact\n", what=WHAT, origin=REMEDY, remedy=REMEDY)


def is_name_of(path: str | Path) -> bool:
    """Whether a file of this name should be compact."""
    return Path(path).suffix == SUFFIX


def recognised(path: Path) -> bool:
    """Whether a file is compact, whatever its name."""
    try:
        with path.open("rb") as file:
            return file.read(len(_KIND.magic)) == _KIND.magic
    except OSError:
        return False


def write(
    path: str | Path,
    game: CompiledGame,
    probabilities: Float,
    remarks: Mapping[str, Any],
    precision: str,
) -> None:
    """Write a strategy with the game's fingerprint and ``remarks``."""
    if precision not in PRECISIONS:
        raise ParameterError(f"save: precision {precision!r}; choose {' or '.join(PRECISIONS)}.")
    header = {**head(game, VERSION, remarks), "fingerprint": game.strategy_fingerprint}
    stored = probabilities.astype(np.dtype(precision).newbyteorder("<"))
    write_archive(path, _KIND, header, {"probabilities": stored})


def read_head(path: Path) -> dict[str, Any]:
    """Return what a file says, checked for damage and version but not for the game."""
    return _checked(path)[0]


def read(path: Path, game: CompiledGame) -> tuple[Float, dict[str, Any]]:
    """Return probabilities and remarks of a file that was written for this game.

    Numbers of float64 stay in the file, mapped into memory; those of float32 are converted and
    scaled, so that they sum to one again.
    """
    header, stored = _checked(path)
    check_game(path, header, game)
    if header.get("fingerprint") != game.strategy_fingerprint or len(stored) != game.cells:
        raise FileError(
            f"{path} holds a strategy for a game of this name with other information sets, actions "
            f"or order than {game} has now; solve it again."
        )
    probabilities = np.asarray(stored, np.float64)
    scaled = np.empty(game.cells)
    evaluate.behaviour(game.arrays, probabilities, scaled)
    # written so that numbers which are none fail, too
    if not (probabilities >= 0.0).all() or not (abs(probabilities - scaled) <= SUM_TOLERANCE).all():
        raise _KIND.damaged(path, "probabilities do not sum to 1")
    return probabilities if stored.dtype == np.float64 else scaled, remarks_in(header)


def _checked(path: Path) -> tuple[dict[str, Any], npt.NDArray[Any]]:
    header, arrays, _ = open_archive(path, _KIND)
    stored = arrays.get("probabilities", np.zeros(0))
    if stored.dtype.name not in PRECISIONS:
        raise _KIND.damaged(path, f"its numbers are {stored.dtype}")
    check_version(path, header, VERSION)
    return header, stored
