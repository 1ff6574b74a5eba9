"""Where shards get their pieces from."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from secateur.compiled.builder import Contribution
from secateur.compiled.cut import Outline, cut_outline
from secateur.compiled.game import CompiledGame, Size, Whole
from secateur.compiled.measuring import measured
from secateur.compiled.part_compiler import Plan, compile_pieces, compile_trunk
from secateur.compiled.parts import (
    Extent,
    Part,
    checksum,
    checksums_of_pieces,
    owned,
    pieces_of,
    trunk_of,
)
from secateur.games.public import PublicGame
from secateur.memory import release_pages

Int = npt.NDArray[np.int64]


class Summary(NamedTuple):
    """What a shard tells of the pieces that it holds."""

    size: Size
    """Without the histories of the root."""

    nbytes: int
    checksums: list[int]
    contributions: dict[int, Contribution]


class Holding(NamedTuple):
    """The pieces that a shard holds."""

    part: Part
    contributions: dict[int, Contribution]

    def summary(self) -> Summary:
        """Return what there is to tell of them."""
        game = self.part.game
        size = game.size._replace(histories=game.size.histories - game.root_histories[0])
        checks = checksums_of_pieces(self.part)
        return Summary(size, game.nbytes, checks, self.contributions)


class Delivery(Protocol):
    """What is sent to a shard so that it holds some pieces."""

    def unpacked(self) -> Holding:
        """Return the pieces, where the shard is."""


class Source(Protocol):
    """Where shards get their pieces from."""

    work: Int
    """Of each piece."""

    def delivery(self, numbers: list[int]) -> Delivery:
        """Return what a shard needs to hold some pieces."""

    def trunk(self, summaries: Sequence[Summary]) -> Part:
        """Return what the driver holds, when shards hold all the pieces."""


class _Slices(NamedTuple):
    """Pieces that the driver has compiled."""

    part: Part

    def unpacked(self) -> Holding:
        found = Holding(owned(self.part), {})
        for each in self.part.game.all_arrays().values():
            release_pages(each, len(each))  # Ray keeps the letter mapped when it has been read
        return found


class Slices:
    """A game that the driver has compiled."""

    def __init__(self, game: CompiledGame) -> None:
        self._game = game
        self._cut = game.cut
        self.work = _work(Outline.of(game.arrays), self._cut.first, self._cut.end)

    def delivery(self, numbers: list[int]) -> _Slices:
        """Return some pieces."""
        return _Slices(pieces_of(self._game, self._cut, numbers))

    def trunk(self, _: Sequence[Summary]) -> Part:
        """Return what is above the pieces."""
        return trunk_of(self._game, self._cut)


class _Recipe(NamedTuple):
    """Rules, and which pieces to compile."""

    rules: PublicGame
    plan: Plan
    numbers: list[int]
    pruning: bool

    def unpacked(self) -> Holding:
        found = compile_pieces(self.rules, self.plan, self.numbers, pruning=self.pruning)
        return Holding(found.part, found.contributions)


class Rules:
    """A game that names its public states: pieces are compiled where they are held."""

    def __init__(self, rules: PublicGame, *, pruning: bool) -> None:
        self._rules = rules
        self._pruning = pruning
        outline = measured(rules)
        self._plan = Plan(outline, cut_outline(outline))
        self.work = _work(outline, self._plan.cut.first, self._plan.cut.end)

    def delivery(self, numbers: list[int]) -> _Recipe:
        """Return what a shard needs to compile some pieces."""
        return _Recipe(self._rules, self._plan, numbers, self._pruning)

    def trunk(self, summaries: Sequence[Summary]) -> Part:
        """Compile what is above the pieces."""
        found = {piece: each for one in summaries for piece, each in one.contributions.items()}
        return compile_trunk(self._rules, self._plan, found, pruning=self._pruning)


def _work(outline: Outline, first: Int, end: Int) -> Int:
    pairs = zip(first.tolist(), end.tolist(), strict=True)
    return np.array([outline.work(*each) for each in pairs], np.int64)


def scattered_game(
    trunk: Part, summaries: Sequence[Summary], holdings: Sequence[list[int]]
) -> CompiledGame:
    """Return what the driver knows of a game whose pieces shards hold."""
    sizes = [trunk.game.size, *(each.size for each in summaries)]
    by_player = [sum(each.sequences_by_player[player] for each in sizes) for player in range(2)]
    stubs = len(trunk.cut.first)
    nbytes = trunk.game.nbytes + sum(each.nbytes for each in summaries)
    checks = {
        piece: check
        for holding, summary in zip(holdings, summaries, strict=True)
        for piece, check in zip(holding, summary.checksums, strict=True)
    }
    size = Size(
        histories=sum(each.histories for each in sizes),
        information_sets=sum(each.information_sets for each in sizes),
        sequences=sum(each.sequences for each in sizes),
        sequences_by_player=(by_player[0], by_player[1]),
        blocks=sum(each.blocks for each in sizes) - stubs,
        leaves=sum(each.leaves for each in sizes),
        matrices=max(each.matrices for each in sizes),
        bytes=sum(each.bytes for each in sizes),
    )
    mark = trunk.game.fingerprint_of(
        checksum(trunk.game), [checks[piece] for piece in range(stubs)]
    )
    return replace(trunk.game, whole=Whole(size, nbytes, mark))


class Places:
    """Where pieces are in arrays of the whole game."""

    def __init__(self, trunk: Part, pieces: Extent) -> None:
        self._cells = _begin_and_end(trunk.game.arrays.first_cell[trunk.cut.first], pieces.cells)
        self._infosets = _begin_and_end(
            trunk.game.arrays.first_infoset[trunk.cut.first], pieces.infosets
        )

    def of(self, *, per_infoset: bool) -> list[tuple[int, int]]:
        """Return where each piece begins and ends."""
        return self._infosets if per_infoset else self._cells


def _begin_and_end(above: npt.NDArray[Any], sizes: Int) -> list[tuple[int, int]]:
    """Return where pieces are that follow so much of the trunk, and each other."""
    end = above + np.cumsum(sizes)
    return list(zip((end - sizes).tolist(), end.tolist(), strict=True))


def shared_out(work: Int, count: int) -> list[list[int]]:
    """Share pieces out among so many shards, the largest first, each to whom has least to do."""
    shards: list[list[int]] = [[] for _ in range(count)]
    heap = [(0.0, number) for number in range(count)]
    for piece in np.argsort(-work, kind="stable").tolist():
        load, number = heapq.heappop(heap)
        shards[number].append(piece)
        heapq.heappush(heap, (load + float(work[piece]), number))
    return [sorted(each) for each in shards]
