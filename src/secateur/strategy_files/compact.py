"""Strategies as one array in the order of the compiled game: small, and read at once.

The array means something only together with the game, so the file holds its fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from secateur.archive import Kind, archive_header, open_archive, write_archive
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, ParameterError
from secateur.kernels.core import evaluate
from secateur.regular_files import begins_with
from secateur.schema import MalformedError, decoded
from secateur.strategy_files.checked_json import Entries
from secateur.strategy_files.identity import (
    REMEDY,
    SUM_TOLERANCE,
    WHAT,
    Head,
    check_finite,
    check_game,
    head,
    head_in,
)

Float = npt.NDArray[np.float64]

VERSION = 1
SUFFIX = ".bin"
PRECISIONS = ("float64", "float32")
_KIND = Kind(magic=b"secateur strategy, compact\n", what=WHAT, origin=REMEDY, remedy=REMEDY)


class _Facts(Struct, frozen=True):
    """What a header says besides that of the readable form."""

    fingerprint: str


def is_name_of(path: str | Path) -> bool:
    """Whether a file of this name should be compact."""
    return Path(path).suffix == SUFFIX


def recognized(path: str | Path) -> bool:
    """Whether a file is compact, whatever its name."""
    return begins_with(path, len(_KIND.magic)) == _KIND.magic


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
    check_finite(path, probabilities)
    header = {**head(game, VERSION, remarks), "fingerprint": game.strategy_fingerprint}
    stored = probabilities.astype(np.dtype(precision).newbyteorder("<"))
    write_archive(path, _KIND, header, {"probabilities": stored})


def read_head(path: str | Path) -> Head:
    """Return what a file says on top, checked for version but not for the game."""
    try:
        content = decoded(archive_header(path, _KIND), Entries)
    except MalformedError as error:
        raise _KIND.damaged(path, error) from error
    return head_in(path, content, VERSION)


def read(path: str | Path, game: CompiledGame) -> tuple[Float, dict[str, Any]]:
    """Return probabilities and remarks of a file that was written for this game.

    Numbers of float64 stay in the file, mapped into memory; those of float32 are converted and
    scaled, so that they sum to one again.
    """
    found = read_head(path)
    check_game(path, found, game)
    facts, arrays, _ = open_archive(path, _KIND, _Facts, game.cells)
    if arrays.keys() != {"probabilities"}:
        raise _KIND.damaged(path, "it has other arrays than one of probabilities")
    stored = arrays["probabilities"]
    if stored.dtype.name not in PRECISIONS:
        raise _KIND.damaged(path, f"its numbers are {stored.dtype}")
    if facts.fingerprint != game.strategy_fingerprint or len(stored) != game.cells:
        raise FileError(
            f"{path} holds a strategy for a game of this name with other information sets, actions "
            f"or order than {game} has now; solve it again."
        )
    probabilities = np.asarray(stored, np.float64)
    scaled = np.empty(game.cells)
    evaluate.behavior(game.arrays, probabilities, scaled)
    # written so that numbers which are none fail, too
    if not (probabilities >= 0.0).all() or not (abs(probabilities - scaled) <= SUM_TOLERANCE).all():
        raise _KIND.damaged(path, "probabilities do not sum to 1")
    return probabilities if stored.dtype == np.float64 else scaled, found.remarks
