"""Puts a checkpoint that is in parts together, for a run that goes on in one place."""

from __future__ import annotations

import numpy as np

from secateur.compiled.game import CompiledGame
from secateur.compiled.parts import extents
from secateur.errors import FileError
from secateur.runs.checkpoints import Checkpoint, Identity
from secateur.runs.part_files import read_pieces
from secateur.solvers.cfr import PER_INFOSET
from secateur.solvers.resumable import Array, Saved


def in_one(game: CompiledGame, checkpoint: Checkpoint, identity: Identity) -> Saved:
    """Return what was saved, of the whole game.

    Raises
    ------
    FileError
        If a part is missing, damaged, or belongs to something else.
    """
    if not checkpoint.parts:
        return checkpoint.saved
    cut = game.cut
    if checkpoint.parts.keys() != set(range(len(cut.first))):
        raise FileError("it is in other pieces than those of the game")
    numbers, pieces = read_pieces(checkpoint.parts, identity.origin)
    if numbers.get("iteration") != checkpoint.saved.numbers.get("iteration"):
        raise FileError("its parts are of another iteration")
    sizes = extents(game.arrays, cut)
    first_cell = game.arrays.first_cell[cut.first]
    first_infoset = game.arrays.first_infoset[cut.first]
    arrays: dict[str, Array] = {}
    for name, trunk in checkpoint.saved.arrays.items():
        per_infoset = name in PER_INFOSET
        length = game.size.information_sets if per_infoset else game.cells
        first, size = (first_infoset, sizes.infosets) if per_infoset else (first_cell, sizes.cells)
        whole = np.empty(length, trunk.dtype)
        own = np.ones(length, np.bool_)
        for piece, (begin, count) in enumerate(zip(first.tolist(), size.tolist(), strict=True)):
            part = pieces[piece].get(name)
            if part is None or part.dtype != trunk.dtype or len(part) != count:
                raise FileError(f"piece {piece} has no {name}, or another number of them")
            whole[begin : begin + count] = part
            own[begin : begin + count] = False
        if int(own.sum()) != len(trunk):
            raise FileError(f"its trunk has another number of {name}")
        whole[own] = trunk
        arrays[name] = whole
    return checkpoint.saved._replace(arrays=arrays)
