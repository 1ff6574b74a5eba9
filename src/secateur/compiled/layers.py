"""Merges ends that differ in their probability, where a matrix can tell which has which."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from secateur.compiled.matrices import Entries, MatrixTable


class _Layer(NamedTuple):
    """Ends with one probability for each pair of lanes: matrices of values and probabilities."""

    matrix: int
    factor: float
    chances: int
    chance: float


def in_layers(ends: dict[str, Any], matrices: MatrixTable) -> dict[str, Any]:
    """Return the arrays of ends with few of them between the same two rows.

    They come in the order of their blocks, with those between the same rows side by side.
    """
    per_block = np.diff(ends["first_end"])
    owner = np.repeat(np.arange(len(per_block)), per_block)
    slots = ends["end_slot"].reshape(-1, 2)
    fresh = np.ones(len(owner), np.bool_)
    fresh[1:] = (np.diff(owner) != 0) | (np.diff(slots, axis=0) != 0).any(axis=1)
    starts = np.flatnonzero(fresh)
    numbers, factors, chances = (
        ends[f"end_{name}"].tolist() for name in ("matrix", "factor", "chance")
    )
    known: dict[tuple[tuple[float, ...], ...], list[_Layer]] = {}
    kept: list[int] = []
    layers: list[_Layer] = []
    for begin, end in pairwise([*starts.tolist(), len(owner)]):
        scale = factors[begin]
        shares = tuple(factor / scale for factor in factors[begin:end])
        parts = (tuple(numbers[begin:end]), shares, tuple(chances[begin:end]))
        found = known.get(parts)
        if found is None:
            found = known[parts] = _layers(*parts, matrices)
        kept += [begin] * len(found)
        layers += [layer._replace(factor=scale * layer.factor) for layer in found]
    columns = list(zip(*layers, strict=True)) or [()] * len(_Layer._fields)
    types = (np.int32, np.float64, np.int32, np.float64)
    return {
        "first_end": np.searchsorted(owner[kept], np.arange(len(per_block) + 1)),
        "end_slot": slots[kept].ravel(),
        "end_row": ends["end_row"].reshape(-1, 2)[kept].ravel(),
        **{
            f"end_{name}": np.asarray(column, kind)
            for name, column, kind in zip(_Layer._fields, columns, types, strict=True)
        },
    }


def _layers(
    numbers: tuple[int, ...],
    shares: tuple[float, ...],
    chances: tuple[float, ...],
    matrices: MatrixTable,
) -> list[_Layer]:
    """Put matrices on top of each other where they do not overlap."""
    piles: list[list[tuple[Entries, float]]] = []
    taken: list[set[int]] = []
    for number, share, chance in zip(numbers, shares, chances, strict=True):
        part = matrices.entries_of(number)
        part = part._replace(value=share * part.value)
        places = set((part.row * part.shape[1] + part.column).tolist())
        free = (k for k, others in enumerate(taken) if others.isdisjoint(places))
        k = next(free, len(piles))
        if k == len(piles):
            piles.append([])
            taken.append(set())
        piles[k].append((part, chance))
        taken[k] |= places
    return [_merged(pile, matrices) for pile in piles]


def _merged(pile: list[tuple[Entries, float]], matrices: MatrixTable) -> _Layer:
    shape = pile[0][0].shape
    row = np.concatenate([part.row for part, _ in pile])
    column = np.concatenate([part.column for part, _ in pile])
    value = np.concatenate([part.value for part, _ in pile])
    chance = np.concatenate([np.full(len(part.value), chance) for part, chance in pile])
    return _Layer(
        *matrices.add_entries(shape, row, column, value),
        *matrices.add_entries(shape, row, column, chance),
    )
