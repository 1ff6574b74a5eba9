"""A compiled game: its arrays, its sizes, and the names of its information sets."""

from __future__ import annotations

import hashlib
import json
import mmap
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.checks import refuse, settings, shown
from secateur.compiled.arrays import Arrays, BranchArrays, PruningArrays
from secateur.compiled.counts import histories_of_blocks
from secateur.compiled.cut import Cut, find_cut
from secateur.compiled.labels import LabelArrays
from secateur.games.rules import PLAYERS, Game
from secateur.memory import return_free_memory


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
    """Of the arrays that every solver reads; labels, what pruning needs, and a solver's state come
    on top."""


class InformationSet(NamedTuple):
    """One information set of a compiled game."""

    player: int
    label: str
    actions: tuple[str, ...]
    cells: slice
    """Where its actions stand in arrays that have one number per sequence."""


class Whole(NamedTuple):
    """What is known of a game whose pieces are elsewhere."""

    size: Size
    nbytes: int
    fingerprint: str


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """The rules of a game as flat arrays; made by :func:`secateur.compile`."""

    name: str
    parameters: dict[str, Any]
    arrays: Arrays
    pruning: PruningArrays | None
    """What pruning needs in addition, if the game was compiled for it."""

    branches: BranchArrays | None
    """What thresholds need in addition, if the game was compiled for them."""

    labels: LabelArrays
    root_histories: tuple[int, int]
    """Histories in which player 0, player 1 has not moved yet."""

    stack: Stack
    payoffs: tuple[float, float]
    """The least and the most that player 0 can win."""

    players: tuple[str, str] = PLAYERS
    """What the players are called."""

    pot: float | None = None
    """What is in the pot when the game begins, if there is one."""

    mapping: mmap.mmap | None = None
    """The file that the arrays are in, if they are memory-mapped."""

    whole: Whole | None = None
    """Of a game on a cluster, of which this is the trunk, what is known of the rest. Sizes and the
    fingerprint are those of the whole game then."""

    def forget(self) -> None:
        """Let the system take back the memory of a mapped file; what is used is read again."""
        if self.mapping is not None and hasattr(self.mapping, "madvise"):
            self.mapping.madvise(mmap.MADV_DONTNEED)

    def all_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays by name: what sweeps read, labels, and what was compiled besides."""
        found = {**self.arrays._asdict(), **self.labels._asdict()}
        for more in (self.pruning, self.branches):
            if more is not None:
                found |= more._asdict()
        return found

    @cached_property
    def fingerprint(self) -> str:
        """A checksum of the whole game: other rules, names or payoffs have another.

        That of a large game is made of those of its parts, which may be in different places.
        """
        if self.whole is not None:
            return self.whole.fingerprint
        from secateur.compiled.parts import checksums  # noqa: PLC0415 - parts are games, too

        return self.fingerprint_of(*checksums(self))

    def know_fingerprint(self, fingerprint: str) -> None:
        """Take the fingerprint from a file, which saves going through the whole game."""
        self.__dict__["fingerprint"] = fingerprint

    def fingerprint_of(self, trunk: int, pieces: Iterable[int]) -> str:
        """Return the fingerprint of a game whose parts have these checksums."""
        identity = [self.name, self.parameters, self.root_histories, trunk, *pieces]
        return f"{zlib.crc32(json.dumps(identity, default=str).encode()):08x}"

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays, labels included."""
        if self.whole is not None:
            return self.whole.nbytes
        return sum(part.nbytes for part in self.all_arrays().values())

    @cached_property
    def cut(self) -> Cut:
        """The pieces in which a large game is swept."""
        found = find_cut(self.arrays)
        if len(found.first):
            return_free_memory()  # work is counted block by block
        return found

    @property
    def narrow(self) -> bool:
        """Whether its small numbers take two bytes (see :mod:`secateur.compiled.arrays`)."""
        return self.arrays.first_slot.dtype == np.int16

    @property
    def cells(self) -> int:
        """The number of sequences (without the two empty ones)."""
        if self.whole is not None:
            return self.whole.size.sequences
        a = self.arrays
        return int(a.first_cell[-1]) + int(a.actions[-1]) * int(a.lanes[-1])

    @property
    def payoff_scale(self) -> float:
        """Half the range of the payoffs: what is at stake, in their unit."""
        return 0.5 * self.payoffs[1] - 0.5 * self.payoffs[0]

    @cached_property
    def size(self) -> Size:
        """How large the game is."""
        if self.whole is not None:
            return self.whole.size
        a = self.arrays
        cells = a.actions.astype(np.int64) * a.lanes
        mine = histories_of_blocks(a)[a.player == 0].sum()
        return Size(
            histories=int(mine) + self.root_histories[0],
            information_sets=int(a.lanes.sum(dtype=np.int64)),
            sequences=self.cells,
            sequences_by_player=(int(cells[a.player == 0].sum()), int(cells[a.player == 1].sum())),
            blocks=len(a.player) - 1,
            leaves=len(a.leaf_matrix),
            matrices=len(a.matrix_kind),
            bytes=sum(part.nbytes for part in a),
        )

    def information_sets(self) -> Iterator[InformationSet]:
        """Go through all information sets in the order of the arrays."""
        for block in range(1, len(self.arrays.player)):
            yield from self.information_sets_of(block)

    def information_sets_of(self, block: int) -> Iterator[InformationSet]:
        """Go through the information sets of a block: its lanes."""
        a = self.arrays
        lanes, first = int(a.lanes[block]), int(a.first_cell[block])
        end = first + int(a.actions[block]) * lanes
        for lane in range(lanes):
            yield InformationSet(
                player=int(a.player[block]),
                label=self.labels.label(block, lane),
                actions=self.labels.actions(block, lane),
                cells=slice(first + lane, end, lanes),
            )

    @cached_property
    def strategy_fingerprint(self) -> str:
        """What tells strategies of this game from others.

        It covers name, parameters, and all information sets and actions in their order, but not
        payoffs: a strategy means the same whatever is paid.
        """
        identity = json.dumps([self.name, self.parameters], sort_keys=True, default=str)
        found = hashlib.sha256(identity.encode())
        actions, lanes = (
            part.astype(np.int32) for part in (self.arrays.actions, self.arrays.lanes)
        )
        names = self.labels._asdict()
        names["lane_actions"] = self.labels.action_sets(lanes)
        del names["block_actions"]  # who shares what does not matter
        for part in (self.arrays.player, actions, lanes, *names.values()):
            found.update(b"%d\n" % part.nbytes)
            found.update(np.ascontiguousarray(part).data)
        return found.hexdigest()

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
        return np.repeat(
            self.arrays.player, self.arrays.actions.astype(np.int64) * self.arrays.lanes
        )

    def __str__(self) -> str:
        given = settings(self.parameters)
        return f"{self.name}({given})" if given else self.name


def checked_game(asked: str, game: object) -> CompiledGame:
    """Return a compiled game if it is one; else say how to get one."""
    if not isinstance(game, CompiledGame):
        text = str(game) if isinstance(game, Game) else shown(game)
        remedy = "secateur.compile(game)"
        if isinstance(game, str):
            remedy = f"secateur.compile(secateur.load({game!r}))"
        refuse(asked, f"{text} is no compiled game; pass {remedy}")
    return game
