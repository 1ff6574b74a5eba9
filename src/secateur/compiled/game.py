"""A compiled game: its arrays, its sizes, and the names of its information sets."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import Arrays


class Labels:
    """Names of information sets and actions, without a string for each.

    The label of an information set is the prefix of its lane (a hand) followed by the suffix of
    its block (what is public). Blocks share their tuples of prefixes and of actions.
    """

    def __init__(self) -> None:
        self.prefix_sets: list[tuple[str, ...]] = []
        self.action_sets: list[tuple[str, ...]] = []
        self.suffixes: list[str] = [""]
        self.block_prefixes = array("i", [-1])
        self.infoset_actions = array("i")
        self._prefix_numbers: dict[tuple[str, ...], int] = {}
        self._action_numbers: dict[tuple[str, ...], int] = {}

    def add_block(
        self,
        prefixes: tuple[str, ...],
        suffix: str,
        actions: Sequence[tuple[str, ...]],
        lanes: int,
    ) -> None:
        """Name the next block; ``actions`` for all lanes at once or for every lane."""
        self.suffixes.append(suffix)
        self.block_prefixes.append(_number(prefixes, self._prefix_numbers, self.prefix_sets))
        numbers = [_number(names, self._action_numbers, self.action_sets) for names in actions]
        self.infoset_actions.extend(numbers if len(numbers) == lanes else numbers * lanes)

    def label(self, block: int, lane: int) -> str:
        """Return the label of an information set."""
        return self.prefix_sets[self.block_prefixes[block]][lane] + self.suffixes[block]

    def actions(self, infoset: int) -> tuple[str, ...]:
        """Return the labels of an information set's actions."""
        return self.action_sets[self.infoset_actions[infoset]]


def _number(
    names: tuple[str, ...], numbers: dict[tuple[str, ...], int], sets: list[tuple[str, ...]]
) -> int:
    number = numbers.setdefault(names, len(sets))
    if number == len(sets):
        sets.append(names)
    return number


class Stack(NamedTuple):
    """The room that a sweep needs for what it computes on the way."""

    slots: int
    rows: int
    blocks: int


class Size(NamedTuple):
    """How large a compiled game is."""

    histories: int
    """Decision, chance and end nodes of the game tree."""

    information_sets: int
    sequences: int
    """Pairs of information set and action, of both players."""

    sequences_by_player: tuple[int, int]
    blocks: int
    leaves: int
    matrices: int
    bytes: int
    """Of the compiled arrays; a solver's state comes on top."""


class InformationSet(NamedTuple):
    """One information set of a compiled game."""

    player: int
    label: str
    actions: tuple[str, ...]
    cells: slice
    """Where its actions stand in arrays that have one number per sequence."""


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """The rules of a game as flat arrays; made by :func:`secateur.compile`."""

    name: str
    parameters: dict[str, Any]
    arrays: Arrays
    labels: Labels
    root_histories: tuple[int, int]
    """Histories in which player 0, player 1 has not moved yet."""

    stack: Stack

    @property
    def cells(self) -> int:
        """The number of sequences (without the two empty ones)."""
        return len(self.arrays.histories)

    @cached_property
    def size(self) -> Size:
        """How large the game is."""
        a = self.arrays
        cells = a.actions.astype(np.int64) * a.lanes
        mine = a.histories[np.repeat(a.player, cells) == 0].sum()
        return Size(
            histories=int(mine) + self.root_histories[0],
            information_sets=int(a.lanes.sum(dtype=np.int64)),
            sequences=self.cells,
            sequences_by_player=(int(cells[a.player == 0].sum()), int(cells[a.player == 1].sum())),
            blocks=len(a.player) - 1,
            leaves=len(a.leaf_matrix),
            matrices=len(a.matrix_dense),
            bytes=sum(part.nbytes for part in a),
        )

    @cached_property
    def fingerprint(self) -> str:
        """A short text that differs between games that differ."""
        digest = hashlib.sha256(repr((self.name, sorted(self.parameters.items()))).encode())
        for part in self.arrays:
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]

    def information_sets(self) -> Iterator[InformationSet]:
        """Go through all information sets in the order of the arrays."""
        a = self.arrays
        infoset = 0
        for block in range(1, len(a.player)):
            lanes = int(a.lanes[block])
            first = int(a.first_cell[block])
            count = int(a.actions[block])
            for lane in range(lanes):
                yield InformationSet(
                    player=int(a.player[block]),
                    label=self.labels.label(block, lane),
                    actions=self.labels.actions(infoset),
                    cells=slice(first + lane, first + count * lanes, lanes),
                )
                infoset += 1

    @cached_property
    def by_label(self) -> dict[str, list[InformationSet]]:
        """Information sets by label; both players may use the same one."""
        found: dict[str, list[InformationSet]] = {}
        for infoset in self.information_sets():
            found.setdefault(infoset.label, []).append(infoset)
        return found

    @cached_property
    def cell_player(self) -> npt.NDArray[np.int8]:
        """The player of every sequence."""
        return np.repeat(self.arrays.player, self.arrays.actions.astype(np.int64) * self.arrays.lanes)

    def __str__(self) -> str:
        settings = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.name}({settings})" if settings else self.name
